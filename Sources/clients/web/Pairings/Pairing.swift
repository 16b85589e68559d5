package import BusdProtocol

/// The right of one phone to send events to some view models, under a name and for a time.
///
/// A pairing begins with a link. The first phone that opens the link gets a cookie, and the link
/// works no more. All times are seconds since 1970 (UTC).
package struct Pairing: Equatable, Sendable {
    /// A link works for ten minutes.
    static let linkSpan = 600

    let id: PairingID
    /// The name that the control connection of the phone gives to busd.
    package let name: String
    package let to: Pattern
    let made: Int
    let ends: Int
    let link: Digest
    /// The link works until this second, if it was not used.
    let linkEnds: Int
    /// `nil`: the link was not used.
    private(set) var cookie: Digest?

    /// - Parameter lasting: seconds.
    init(
        _ link: PairingToken, to: Pattern, name: String, lasting: Int, now: Int
    ) {
        id = link.id
        self.to = to
        self.name = name
        made = now
        ends = now + lasting
        self.link = link.digest
        linkEnds = now + min(lasting, Self.linkSpan)
    }

    /// A pairing from a file; `nil` if the values cannot be those of a pairing.
    init?(
        id: PairingID, name: String, to: Pattern, made: Int, ends: Int, link: Digest, linkEnds: Int,
        cookie: Digest?
    ) {
        guard Self.problem(ofName: name) == nil, Self.problem(of: to) == nil,
            UTCTime.stored ~= Int64(clamping: made), UTCTime.stored ~= Int64(clamping: ends)
        else { return nil }
        (self.id, self.name, self.to) = (id, name, to)
        (self.made, self.ends) = (made, ends)
        (self.link, self.linkEnds, self.cookie) = (link, linkEnds, cookie)
    }

    /// The phone with this cookie has used the link.
    mutating func use(by cookie: PairingToken) { self.cookie = cookie.digest }

    package func covers(_ address: Address) -> Bool { to.matches(address) }

    func hasEnded(at now: Int) -> Bool { now >= ends }

    enum LinkState: String {
        case unused, used, expired
    }

    func linkState(at now: Int) -> LinkState {
        if cookie != nil { return .used }
        return now < linkEnds ? .unused : .expired
    }
}

extension Pairing {
    /// Why a phone cannot have this name; `nil` for a good one. A good name is a good name of a
    /// player, and `hello` takes it.
    static func problem(ofName name: String) -> String? {
        let longest = Limits().text
        if let problem = NameProblem(of: name) { return "the name \(problem.text)" }
        if name.utf8.count > longest { return "the name has more than \(longest) bytes" }
        if !name.isStreamSafe { return "the name has more than 30 combining marks in a row" }
        return Array(name.utf8)[...].isBlank ? "the name has only invisible characters" : nil
    }

    /// Why a phone cannot get this pattern; `nil` for a good one. With the first segment fixed, no
    /// pattern reaches what only administrators may do (`bus/**`).
    static func problem(of pattern: Pattern) -> String? {
        let first = pattern.text.utf8.prefix { $0 != UInt8(ascii: "/") }
        if first.contains(UInt8(ascii: "*")) {
            return "a phone gets no pattern that begins with *: name the first segment, as in "
                + "scoreboard/1/**"
        }
        return first.elementsEqual("bus".utf8) ? "a phone gets no view model of bus/**" : nil
    }
}
