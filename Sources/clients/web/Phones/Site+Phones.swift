import BusdClient
import BusdHTTP
import BusdProtocol
import Glibc

// What a phone sends: the secret of a link, once, and then its taps. Both are JSON, and both must
// come from a page of this server, so no other page can send in the phone's name.

extension Site {
    /// The beginning of a cookie's name. The id of the pairing follows: cookies are for all ports
    /// of a machine, and a phone may have several pairings.
    static let cookie = "pairing-"

    /// `POST /pair`, `{"link":"ID.SECRET"}`: the secret becomes a cookie.
    func pair(_ exchange: HTTPExchange) {
        let request = exchange.request
        do throws(PhoneRefusal) {
            let phones = try requirePhones()
            let body = try Self.body(of: request)
            guard let link = body["link"]?.text else {
                throw PhoneRefusal(400, .badRequest, "add `link`, the text after # of the link")
            }
            let cookies = request.cookies(Self.cookie).filter {
                PairingToken($0)?.id == PairingToken(link)?.id
            }
            if let known = try phones.known(cookies) {
                return exchange.answer(.json(200, opening(of: known.pairing)))
            }
            switch try phones.redeemed(link) {
            case .cookie(let cookie, let pairing):
                var response = HTTPResponse.json(200, opening(of: pairing))
                response.headers.append(
                    ("Set-Cookie", Self.header(cookie, pairing, isSecure: request.isSecure)))
                exchange.answer(response)
            case let refused:
                let status: UInt32 = refused == .unknown ? 403 : 410
                throw PhoneRefusal(status, .notAllowed, refused.refusal ?? "")
            }
        } catch {
            exchange.answer(error.response)
        }
    }

    /// `POST /send`, `{"to":…,"event":…,"key":…}`: an event of the phone's pairing.
    func send(_ exchange: HTTPExchange) {
        do throws(PhoneRefusal) {
            let phones = try requirePhones()
            let tap = try PhoneTap(try Self.body(of: exchange.request))
            guard
                let (pairing, cookie) = try phones.known(
                    exchange.request.cookies(Self.cookie), for: tap.address)
            else {
                throw PhoneRefusal(
                    403, .notAllowed,
                    "this phone is not paired, or its pairing has ended: ask for a new link")
            }
            guard pairing.covers(tap.address) else {
                throw PhoneRefusal(
                    403, .notAllowed, "the pairing is for \(pairing.to), not for \(tap.address)")
            }
            let phone = phones.phone(pairing, cookie: cookie)
            if let presence = parts.phones.presence(at: tap.address) { phone.presence = presence }
            phone.send(tap.event, to: tap.address, key: tap.key) { answer in
                withExtendedLifetime(phone) {}
                exchange.answer(.answer(answer))
            }
        } catch {
            exchange.answer(error.response)
        }
    }

    private func requirePhones() throws(PhoneRefusal) -> Phones {
        guard let phones else {
            throw PhoneRefusal(
                403, .notAllowed,
                "phones cannot \(parts.phones.purpose) here: start busd-web with --control")
        }
        return phones
    }

    /// The page that the phone shows first.
    private func opening(of pairing: Pairing) -> [UInt8] {
        let opening = parts.phones.opening(for: pairing.to)
        var json = JSONWriter()
        json.object { $0.member("page", opening?.path ?? "/") }
        return json.bytes
    }

    private static func header(_ cookie: String, _ pairing: Pairing, isSecure: Bool) -> String {
        // A day longer than the pairing, so that the page can say that it has ended. Lax: the phone
        // is known on a page that it opens by a link of another site, which sends nothing.
        let age = max(0, pairing.ends - time(nil)) + 86_400
        return
            "\(Self.cookie)\(pairing.id)=\(cookie); Max-Age=\(age); Path=/; HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }

    /// The body of a request that a page of this server has sent.
    private static func body(of request: HTTPRequest) throws(PhoneRefusal) -> JSONValue {
        guard let host = request.header("host"), let origin = request.header("origin"),
            HTTPHosts.isSameOrigin(origin, host: host, isSecure: request.isSecure)
        else {
            throw PhoneRefusal(403, .notAllowed, "`Origin` must be this server")
        }
        guard request.header("content-type")?.isExactly("application/json") == true else {
            throw PhoneRefusal(415, .badRequest, "`Content-Type` must be application/json")
        }
        let document = JSONDocument()
        do throws(WireError) {
            try document.read(request.body)
        } catch {
            throw PhoneRefusal(400, error.code, error.message)
        }
        guard let root = document.root, root.kind == .object else {
            throw PhoneRefusal(400, .badRequest, "the body must be an object")
        }
        return root
    }
}

/// An event that a phone sends.
private struct PhoneTap {
    let address: Address
    /// JSON: a name, or an object with one key.
    let event: ArraySlice<UInt8>
    let key: String

    init(_ body: JSONValue) throws(PhoneRefusal) {
        guard let address = body["to"]?.text.flatMap(Address.init), let event = body["event"],
            let key = body["key"]?.text, 1...Limits().text ~= key.utf8.count
        else {
            throw PhoneRefusal(
                400, .badRequest,
                "add `to`, an address; `event`; and `key`, a text of at most 200 bytes")
        }
        (self.address, self.event, self.key) = (address, event.json, key)
    }
}

/// Why a request of a phone was not handed to busd.
struct PhoneRefusal: Error {
    let status: UInt32
    let error: WireError

    init(_ status: UInt32, _ code: WireError.Code, _ message: String) {
        self.status = status
        error = WireError(code, message)
    }

    /// The file of a pairing cannot be read now.
    init(_ fault: StateFault) {
        Log.write("\(fault)")
        self.init(503, .unavailable, "the pairings cannot be read: the operator sees the reason")
    }

    var response: HTTPResponse { .refusal(error, status: status) }
}

extension Phones {
    fileprivate func known(
        _ cookies: [String], for address: Address? = nil
    ) throws(PhoneRefusal) -> (pairing: Pairing, cookie: String)? {
        do throws(StateFault) {
            return try pairing(of: cookies, for: address)
        } catch {
            throw PhoneRefusal(error)
        }
    }

    fileprivate func redeemed(_ link: String) throws(PhoneRefusal) -> Redemption {
        do throws(StateFault) {
            return try redeem(link)
        } catch {
            throw PhoneRefusal(error)
        }
    }
}

extension HTTPResponse {
    fileprivate static func json(_ status: UInt32, _ body: [UInt8]) -> Self {
        HTTPResponse(status, type: "application/json", body, headers: headersOfAll)
    }

    fileprivate static func refusal(_ error: WireError, status: UInt32) -> Self {
        var json = JSONWriter()
        json.object { out in
            out.key("error")
            out.object { out in
                out.member("code", error.code.rawValue)
                out.member("message", error.message)
            }
        }
        return .json(status, json.bytes)
    }

    /// busd's answer. 503: it is not known whether the event was handled, or busd cannot handle it
    /// now, so the phone sends it again with its key.
    fileprivate static func answer(_ answer: BusConnection.Answer) -> Self {
        switch answer {
        case .success(let value):
            var json = JSONWriter()
            json.object { out in
                out.key("ok")
                out.raw(value.json)
            }
            return .json(200, json.bytes)
        case .failure(.refused(let error)):
            switch error.code {
            case .overloaded, .unavailable, .uncertain: return .refusal(error, status: 503)
            default: return .refusal(error, status: 200)
            }
        case .failure(.lost(let loss)):
            return .refusal(WireError(.unavailable, "\(loss)"), status: 503)
        case .failure(.timedOut):
            return .refusal(WireError(.unavailable, "busd does not answer"), status: 503)
        }
    }
}
