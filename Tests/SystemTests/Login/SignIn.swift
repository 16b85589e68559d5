import BusdLoginEvents
import BusdProtocol
import Testing

extension BusFixture {
    /// Signs in through a new connection and a new login; true after a success.
    func signIn(_ name: String, _ password: String) throws -> Bool {
        let client = try connect()
        // A login can outlive its connection for a moment, so each sign-in has its own address.
        return try client.signIn(name, password, at: "login/\(UInt64.random(in: .min ... .max))")
    }
}

extension Conversation {
    /// Signs in at an address of this connection; true after a success.
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
