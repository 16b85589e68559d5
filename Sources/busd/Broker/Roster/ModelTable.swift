import BusdProtocol

/// The view models, by slot and by address. Slots are reused; see `ModelID`.
struct ModelTable {
    private var models: [Model] = []
    private var vacantSlots: [Int] = []
    private var addresses = AddressTable()
    /// Most lookups repeat a recent lookup.
    private var recent = RecentlyFound()
    /// All addresses in order.
    private var index = AddressIndex()
    private(set) var count = 0
    /// View models that count for `limits.onDemand`.
    private(set) var onDemandCount = 0
    /// The number of the newest view model.
    private(set) var lastNumber: UInt32 = 0
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

    /// All slots, also vacant ones.
    var slotCount: Int { models.count }

    func inSlots(_ slots: Range<Int>) -> [ModelID] {
        models[slots].filter(\.isHere).map(\.id)
    }

    /// The view models that are awake.
    var awake: [(id: ModelID, stream: Stream)] {
        models.compactMap { model in model.stream.map { (model.id, $0) } }
    }

    func cursor(of id: ModelID) -> Cursor {
        let mark = UInt64(truncatingIfNeeded: epoch) << 32 | UInt64(truncatingIfNeeded: id.number)
        return Cursor(mark: String(mark, radix: 36), seq: models[id.slot].seq)
    }

    // MARK: Adding and removing

    /// - Parameter history: the account for its kept events and keys.
    mutating func add(
        _ arrival: Outbox.Arrival, _ traits: KindTraits, _ history: Account
    ) -> ModelID {
        lastNumber &+= 1
        let id = ModelID(slot: vacantSlots.popLast() ?? models.count, number: lastNumber)
        let model = Model(id, arrival, traits, history)
        if id.slot < models.count { models[id.slot] = model } else { models.append(model) }
        addresses.set(id, at: arrival.address)
        index.insert(id, lookup)
        count += 1
        if model.countsOnDemand { onDemandCount += 1 }
        return id
    }

    mutating func remove(_ id: ModelID) {
        let address = models[id.slot].address
        ended[id] = address
        addresses.set(nil, at: address)
        index.remove(id, lookup)
        models[id.slot].end()
        vacantSlots.append(id.slot)
        count -= 1
        if models[id.slot].countsOnDemand { onDemandCount -= 1 }
    }

    func address(of id: ModelID) -> Address { ended[id] ?? models[id.slot].address }

    mutating func endTurn() { if !ended.isEmpty { ended = [:] } }

    // MARK: Finding

    private var lookup: AddressIndex.Lookup { { [models] in models[$0.slot].address } }

    @inline(__always)
    mutating func find(_ address: Address) -> ModelID? {
        if let id = recent.candidate(address), isHere(id), models[id.slot].address == address {
            return id
        }
        guard let id = addresses.find(address) else { return nil }
        recent.note(id, at: address)
        return id
    }

    /// Visits the view models with addresses from `start` to before `end`, in address order, while
    /// `body` returns true.
    func forEach(from start: String, to end: String, _ body: (ModelID) -> Bool) {
        index.forEach(from: start, to: end, lookup, body)
    }

    /// Number of view models that `forEach` would visit.
    func count(from start: String, to end: String) -> Int {
        index.count(from: start, to: end, lookup)
    }

    /// At most `most` wanted view models with addresses near a text, the nearest first.
    func beside(
        _ text: String, most: Int, where isWanted: (ModelID) -> Bool
    ) -> [ModelID] {
        index.beside(text, most: most, lookup, where: isWanted)
    }

    /// The view models at an address and below it, the deepest first.
    mutating func all(under address: Address) -> [ModelID] {
        index.below(address, lookup).reversed() + [find(address)].compactMap(\.self)
    }

    // MARK: The three changes of a view model; see `Model`.

    @inline(__always)
    mutating func awake(_ id: ModelID) -> Stream { models[id.slot].awake() }

    mutating func fallAsleep(_ id: ModelID) { models[id.slot].fallAsleep() }

    mutating func noteDone(_ id: ModelID) { models[id.slot].noteDone() }
}
