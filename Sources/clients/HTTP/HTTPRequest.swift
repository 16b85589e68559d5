import BusdProtocol

/// A request of a browser. A handler gets it only if its head has no `refusal`.
package struct HTTPRequest {
    package enum Method: String {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
    }

    /// Nil for any other; such a request is refused before a handler gets it.
    package let method: Method?
    /// Begins with `/`. Percent codes are not decoded.
    package let path: String
    /// The names of the query: of `?overlay&a=b`, `overlay` and `a`.
    package let query: [String]
    let headers: HTTPHeaders
    let client: HTTPClient
    /// Each program reads its head in the same way.
    let isWellFormed: Bool
    /// Bytes of the target, with the query, and of the whole head.
    let targetSize: Int
    let headSize: Int
    /// At most `HTTPLimits.body` bytes.
    package internal(set) var body: [UInt8] = []
    /// Whether the browser's connection is encrypted: by this server, or by a proxy on this machine
    /// that says so in `X-Forwarded-Proto`.
    package let isSecure: Bool

    /// The value of a header that was sent exactly once; else nil. `name` is in lower case.
    package func header(_ name: String) -> String? { headers.single(name) }

    /// The elements of a header that has a list, such as `If-None-Match`. An element with a comma
    /// in quotes is two.
    package func list(_ name: String) -> [String] {
        headers.values(name).flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }.map {
            let text = $0.drop(while: isSpace)
            return String(Substring(text.prefix { !isSpace($0) }))
        }
    }

    /// Values of cookies with a name that begins with `prefix`: the last 32, since browsers send
    /// the newest ones last (RFC 6265, 5.4).
    package func cookies(_ prefix: String) -> [String] {
        let cookies = headers.values("cookie").flatMap {
            $0.utf8.split(separator: UInt8(ascii: ";"))
        }
        let values = cookies.compactMap { cookie -> String? in
            let parts = cookie.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].drop(while: isSpace).starts(with: prefix.utf8)
            else { return nil }
            return String(Substring(parts[1]))
        }
        return Array(values.suffix(32))
    }
}

extension HTTPRequest {
    /// The response that refuses the request; nil: a handler gets it.
    ///
    /// A refusal closes the connection. A proxy and this server may read the length of a body
    /// differently, and the rest of the body would then be taken as a second request.
    func refusal(_ hosts: HTTPHosts) -> HTTPResponse? {
        guard isWellFormed, !headers.isMalformed, isText(path) else {
            return .refusal(
                400, "send the head as RFC 9112 has it: lines with CR LF, none of them continued")
        }
        guard let method else { return .refusal(405, "send GET, HEAD or POST") }
        if targetSize > HTTPLimits.target {
            return .refusal(414, "an address may have \(HTTPLimits.target) bytes")
        }
        if headSize > HTTPLimits.head {
            return .refusal(431, "the head of a request may have \(HTTPLimits.head) bytes")
        }
        if headers.has("transfer-encoding") {
            return .refusal(400, "send Content-Length instead of Transfer-Encoding")
        }
        guard let host = header("host"), hosts.allow(host) else {
            return .refusal(
                421, "this is not a name of this server: use its address, or start it with --name")
        }
        guard path.utf8.first == UInt8(ascii: "/") else {
            return .refusal(400, "the path must begin with /")
        }
        guard headers.has("content-length") else { return nil }
        guard method == .post else { return .refusal(400, "only a POST may have a body") }
        guard let text = header("content-length"), let length = Int(text)  // fits: else it is nil
        else { return .noLength }
        return length > HTTPLimits.body ? .tooLong : nil
    }

    /// The response to a length at which the library itself would fail; nil: it takes this one.
    static func refusal(ofLength digits: UnsafeRawBufferPointer) -> HTTPResponse? {
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return .noLength }
        let length = UInt64(String(decoding: digits, as: UTF8.self))  // fits: else it is nil
        return length == nil ? .tooLong : nil
    }

    private func isText(_ target: String) -> Bool {
        !target.utf8.contains { isControl($0) || isSpace($0) }
    }
}

extension HTTPResponse {
    fileprivate static var noLength: Self { refusal(400, "Content-Length must be one number") }
    fileprivate static var tooLong: Self {
        refusal(413, "the body of a request may have \(HTTPLimits.body) bytes")
    }
}

/// RFC 9110, 5.6.2.
private func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
}

/// RFC 9110, 5.5: a control character, such as a CR without a LF, ends a line for other programs.
private func isControl(_ byte: UInt8) -> Bool {
    byte < UInt8(ascii: " ") && byte != UInt8(ascii: "\t") || byte == 0x7F
}

private func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") }

/// The headers of a request, in the order in which they were sent.
struct HTTPHeaders {
    private var all: [(name: String, value: String)] = []
    /// A name is not a token, or a value has a control character: another program may read such a
    /// header as another one.
    private(set) var isMalformed = false
    var count: Int { all.count }

    /// The names of headers are ASCII, and may have any case.
    mutating func add(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
        if name.isEmpty || !name.allSatisfy(isTokenByte) || value.contains(where: isControl) {
            isMalformed = true
        }
        let text = String(decoding: name, as: UTF8.self).lowercased()  // text: it takes linear time
        let space = [UInt8(ascii: " "), UInt8(ascii: "\t")]
        // RFC 9110, 5.5: space around a value is no part of it. The library keeps that behind it.
        let end = value.reversed().drop(while: space.contains).count
        all.append((text, String(decoding: value.prefix(end), as: UTF8.self)))
    }

    func values(_ name: String) -> [String] {
        all.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    func single(_ name: String) -> String? {
        let values = values(name)
        return values.count == 1 ? values[0] : nil
    }

    func has(_ name: String) -> Bool { !values(name).isEmpty }
}
