/// A library of any kind of thing.
protocol AnyLibrary: AnyObject {
    var kind: String { get }
    var findings: [String] { get }
    var hasUnsavedStates: Bool { get }
    var measuresTime: Bool { get }

    func endStates(successfully isSaved: Bool)
    func allStates() -> [() throws -> SavedState]
    func takeUnsavedStates() -> [() throws -> StateChange]
    func packSome() -> Bool
    func load(_ states: [SavedState])
    func rebuild(with remaining: [SavedState])
    func replay(_ entry: LogEntry)
    func complete(_ entry: inout LogEntry)
    func apply(_ entry: LogEntry) throws(WireError) -> Bool
    func encodedSummary(of id: String) -> [UInt8]
}
