import BusdProtocol
import Testing

extension ServedBus {
    /// Types a name and a password into a login of its own, taps, and says whether that was a
    /// success.
    func signIn(_ name: String, _ password: String) throws -> Bool {
        let client = try connect()
        // A login ends after its connection, so the next one could still meet it at its address.
        return try client.signIn(name, password, at: "login/\(UInt64.random(in: .min ... .max))")
    }
}

extension Conversation {
    /// The same at an address that this connection has made, or makes.
    func signIn(_ name: String, _ password: String, at address: String) throws -> Bool {
        try failure(name, password, at: address) == nil
    }

    /// The event that reports the failure; `nil` after a success.
    func failure(_ name: String, _ password: String, at address: String) throws -> String? {
        try send("subscribe \(address)")
        for event in [
            Login.ViewEvent.usernameChanged(username: try #require(TypedUsername(name))),
            .passwordChanged(password: Secret(password)), .loginTapped,
        ] {
            var json = JSONWriter()
            try json.value(encoding: event, revealingSecrets: true)
            let text = String(decoding: json.bytes, as: UTF8.self)
            try send(#"{"op":"send","to":"\#(address)","event":\#(text)}"#)
        }
        while true {
            let line = try #require(try line())
            if line.contains("showSuccessMessage") { return nil }
            if let start = line.firstRange(of: #"{"showFailureMessage"#) {
                return String(line[start.lowerBound...])
            }
            try #require(!line.hasPrefix(#"{"error""#), "\(line)")
        }
    }
}
