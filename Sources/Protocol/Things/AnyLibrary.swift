/// A library of any kind of thing.
protocol AnyLibrary: AnyObject {
    var kind: String { get }
    var check: KindCheck { get }
    var findings: [String] { get }
    var hasUnsavedStates: Bool { get }
    var measuresTime: Bool { get }
    var keepsHistory: Bool { get }
    /// The first action begins a thing (`Thing.initial`).
    var beginsByItself: Bool { get }

    func finishSavingStates(successfully isSaved: Bool)
    func allStates() -> [() throws -> SavedState]
    /// Call it when everything was loaded and replayed.
    func completeOrder()
    func takeUnsavedStates() -> [() throws -> StateChange]
    func packSome() -> Bool
    func load(_ states: [SavedState])
    /// States that can be read replace those that were rebuilt.
    func rebuild(with remaining: [SavedState])
    /// Applies an entry at the start. If it cannot be read, it is reported in `findings`.
    func replay(_ entry: LogEntry)
    /// Sets `previous` and `highestID` of an entry of a shared log.
    func complete(_ entry: inout LogEntry)
    func apply(_ entry: LogEntry) throws(WireError) -> Bool
    func encodedSummary(of id: String) -> [UInt8]
}

/// A kind of which the log keeps all entries, so that a replay can make its things again.
package struct HistoricKind: Sendable {
    /// `Thing.kind`.
    package let name: String
    /// The first action begins a thing (`Thing.initial`).
    package let beginsByItself: Bool

    package init(name: String, beginsByItself: Bool) {
        (self.name, self.beginsByItself) = (name, beginsByItself)
    }
}

extension Libraries {
    /// The kinds of all things.
    package var kinds: [KindCheck] { all.map(\.check) }

    /// The kinds of which the log keeps all entries (`Thing.keepsHistory`).
    package var historicKinds: [HistoricKind] {
        all.filter(\.keepsHistory).map {
            HistoricKind(name: $0.kind, beginsByItself: $0.beginsByItself)
        }
    }
}
