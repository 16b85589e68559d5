import BusdProtocol

// The content of a pairing's file, one line of JSON:
//
//     {"pairing":{"id":"k3m9ax","name":"Ann",…},"checksum":"…"}
//
// The checksum covers the bytes of the pairing. Without it, one flipped bit could turn scoreboard/1
// into scoreboard/3. It detects damage. It does not detect a file that was changed on purpose.

extension Pairing {
    /// No file of a pairing is longer, in bytes.
    static let longestFile = 4_096

    var fileContent: [UInt8] {
        var pairing = JSONWriter()
        write(to: &pairing)
        var out = JSONWriter()
        out.object { out in
            out.key("pairing")
            out.raw(pairing.bytes)
            out.member("checksum", Digest(of: pairing.bytes).text)
        }
        return out.bytes + [.lineFeed]
    }

    private func write(to out: inout JSONWriter) {
        out.object { out in
            out.member("id", id.description)
            out.member("name", name)
            out.member("to", to.text)
            out.member("made", made)
            out.member("ends", ends)
            out.member("link", link.text)
            out.member("linkEnds", linkEnds)
            if let cookie { out.member("cookie", cookie.text) }
        }
    }

    /// `nil`: the file is damaged, or has the name of another one.
    ///
    /// - Parameter id: the id in the name of the file.
    init?(fileContent: [UInt8], id: PairingID) {
        let document = JSONDocument()
        guard fileContent.last == .lineFeed,
            (try? document.read(Array(fileContent.dropLast()))) != nil, let root = document.root,
            let pairing = root["pairing"], let checksum = root["checksum"]?.text,
            Digest(stored: checksum) == Digest(of: pairing.json),
            pairing["id"]?.isExactly(text: id.description) == true
        else { return nil }
        self.init(pairing, id: id)
    }

    private init?(_ value: JSONValue, id: PairingID) {
        guard let name = value["name"]?.text, let to = value["to"]?.text.flatMap(Pattern.init),
            let made = value["made"]?.integer, let ends = value["ends"]?.integer,
            let link = value["link"]?.text, let linkEnds = value["linkEnds"]?.integer
        else { return nil }
        self.init(
            id: id, name: name, to: to, made: made, ends: ends, link: Digest(stored: link),
            linkEnds: linkEnds, cookie: value["cookie"]?.text.map { Digest(stored: $0) })
    }
}
