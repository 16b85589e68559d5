package import BusdProtocol

/// What a paired phone may do on the pages of a part.
///
/// The site decides whether a phone may send to an address: the pattern of its pairing has to cover
/// it. The part decides what the phone sees.
package struct PhoneUse: Sendable {
    /// After "phones can": `serve the orders`.
    let purpose: String
    /// The title of the page that pairs a phone: `Serve the orders`.
    let title: String
    /// The sentence of this page for a browser without scripts.
    let scriptNotice: String
    /// The module that this page loads, which exports `pair`. The next page of the phone needs the
    /// module too, and then has it already.
    let module: Asset
    /// Where a phone that may send to a pattern begins; nil: not in this part.
    let opening: @Sendable (Pattern) -> Opening?
    /// How busd lists a phone that has sent to an address; nil: it is an address of another part.
    let presence: @Sendable (Address) -> Presence?

    package init(
        purpose: String, title: String, scriptNotice: String, module: Asset,
        opening: @escaping @Sendable (Pattern) -> Opening?,
        presence: @escaping @Sendable (Address) -> Presence?
    ) {
        (self.purpose, self.title, self.scriptNotice) = (purpose, title, scriptNotice)
        (self.module, self.opening, self.presence) = (module, opening, presence)
    }

    /// The first page of a phone.
    package struct Opening: Equatable {
        let path: String
        let presence: Presence?

        package init(path: String, presence: Presence?) {
            (self.path, self.presence) = (path, presence)
        }
    }
}

extension [PhoneUse] {
    /// After "phones can".
    var purpose: String {
        isEmpty ? "send events" : map(\.purpose).joined(separator: " or ")
    }

    func opening(for pattern: Pattern) -> PhoneUse.Opening? {
        lazy.compactMap { $0.opening(pattern) }.first
    }

    func presence(at address: Address) -> Presence? {
        lazy.compactMap { $0.presence(address) }.first
    }
}
