import BusdProtocol

/// The view models, by slot. Slots are reused; see `ModelID`.
struct ModelTable {
    private var models: [Model] = []
    private(set) var count = 0
    /// View models that count for `limits.onDemand`.
    private(set) var onDemandCount = 0
    /// The number of the newest view model (`Model.number`).
    private(set) var lastMark: UInt32 = 0
    /// Distinguishes cursors of this daemon from those of the daemons before it.
    private let epoch: UInt32
    /// The addresses of view models that have ended in this turn: their slots may be taken again.
    private var ended: [ModelID: Address] = [:]

    init(epoch: UInt32) { self.epoch = epoch }

    /// The view model that has the slot of `id`; see `isHere`.
    subscript(id: ModelID) -> Model {
        @inline(__always) _read { yield models[id.slot] }
    }

    @inline(__always)
    func isHere(_ id: ModelID) -> Bool {
        models.indices.contains(id.slot) && models[id.slot].id == id && models[id.slot].isHere
    }

    /// The view models that are awake.
    var awake: [(id: ModelID, stream: Stream)] {
        models.compactMap { model in model.stream.map { (model.id, $0) } }
    }

    func cursor(of id: ModelID) -> Cursor {
        let number = UInt64(truncatingIfNeeded: models[id.slot].number)
        let mark = UInt64(truncatingIfNeeded: epoch) << 32 | number
        return Cursor(mark: String(mark, radix: 36), seq: models[id.slot].seq)
    }

    /// - Parameter history: the account for its kept events and keys.
    mutating func add(_ arrival: Outbox.Arrival, _ traits: KindTraits, _ history: Account) {
        lastMark &+= 1
        let model = Model(arrival, traits, number: lastMark, history)
        // The host may have used slots for view models that ended before they arrived.
        var unused = model
        unused.end()
        while models.count <= arrival.model.slot { models.append(unused) }
        models[arrival.model.slot] = model
        count += 1
        if model.countsOnDemand { onDemandCount += 1 }
    }

    mutating func remove(_ id: ModelID) {
        ended[id] = models[id.slot].address
        models[id.slot].end()
        count -= 1
        if models[id.slot].countsOnDemand { onDemandCount -= 1 }
    }

    func address(of id: ModelID) -> Address { ended[id] ?? models[id.slot].address }

    mutating func endTurn() { if !ended.isEmpty { ended = [:] } }

    // The three changes of a view model; see `Model`.

    @inline(__always)
    mutating func awake(_ id: ModelID) -> Stream { models[id.slot].awake() }

    mutating func fallAsleep(_ id: ModelID) { models[id.slot].fallAsleep() }

    mutating func noteDone(_ id: ModelID) { models[id.slot].noteDone() }
}
