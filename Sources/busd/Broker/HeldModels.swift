/// What waits of each view model: a table, because it is looked at several times for each `send`,
/// and a dictionary takes hundreds of instructions for a look.
///
/// Those of which nothing waits any more stay until there is no room, or nothing waits at all.
struct HeldModels {
    struct Entry {
        let model: ModelID
        /// How many events wait.
        fileprivate(set) var events = 0
        /// No commit under way covers the last of them.
        fileprivate var isGrounded = false
        /// The key of a `send` that waits, and how many others there are.
        fileprivate var key: String?
        fileprivate var otherKeys = 0

        var hasKeys: Bool { key != nil || otherKeys > 0 }
        fileprivate var isNeeded: Bool { events > 0 || isGrounded || hasKeys }
    }

    private struct OtherKey: Hashable {
        let model: ModelID
        let bytes: [UInt8]
    }

    private(set) var all: [Entry] = []
    /// Where in `all` each stands: at its home, or right behind it where that is taken; -1 is none.
    private var places: [Int] = []
    private var sizeBits = 0
    private var grounded: [ModelID] = []
    private var otherKeys: Set<OtherKey> = []

    subscript(_ model: ModelID) -> Entry? { place(of: model).map { all[$0] } }

    // MARK: Events

    mutating func note(_ model: ModelID) {
        let place = makePlace(of: model)
        all[place].events += 1
        if !all[place].isGrounded {
            all[place].isGrounded = true
            grounded.append(model)
        }
    }

    mutating func forget(_ model: ModelID) {
        guard let place = place(of: model) else { return }
        all[place].events -= 1
    }

    /// Those of which events have been noted since the last time.
    mutating func takeGrounded() -> [ModelID] {
        for model in grounded {
            if let place = place(of: model) { all[place].isGrounded = false }
        }
        defer { grounded.removeAll(keepingCapacity: true) }
        return grounded
    }

    // MARK: Keys

    // Two keys are the same when their code points are.

    func holds(_ key: String, of model: ModelID) -> Bool {
        guard let entry = self[model] else { return false }
        if let held = entry.key, held.utf8.elementsEqual(key.utf8) { return true }
        return entry.otherKeys > 0
            && otherKeys.contains(OtherKey(model: model, bytes: Array(key.utf8)))
    }

    mutating func note(_ key: String, of model: ModelID) {
        let place = makePlace(of: model)
        if all[place].key == nil {
            all[place].key = key
        } else {
            all[place].otherKeys += 1
            otherKeys.insert(OtherKey(model: model, bytes: Array(key.utf8)))
        }
    }

    mutating func forget(_ key: String, of model: ModelID) {
        guard let place = place(of: model) else { return }
        if let held = all[place].key, held.utf8.elementsEqual(key.utf8) {
            all[place].key = nil
        } else if otherKeys.remove(OtherKey(model: model, bytes: Array(key.utf8))) != nil {
            all[place].otherKeys -= 1
        }
    }

    // MARK: The table

    /// The upper bits of the product: view models that belong together have slots side by side.
    private func home(of model: ModelID) -> Int {
        let product = UInt32(truncatingIfNeeded: model.slot) &* 0x9E37_79B1
        return Int(product &>> (32 - sizeBits))
    }

    private func place(of model: ModelID) -> Int? {
        guard !all.isEmpty else { return nil }
        var home = home(of: model)
        while places[home] >= 0 {
            if all[places[home]].model == model { return places[home] }
            home = (home + 1) & (places.count - 1)
        }
        return nil
    }

    private mutating func makePlace(of model: ModelID) -> Int {
        if let place = place(of: model) { return place }
        if 2 * (all.count + 1) > places.count { makeRoom() }
        all.append(Entry(model: model))
        enter(all.count - 1)
        return all.count - 1
    }

    private mutating func enter(_ place: Int) {
        var home = home(of: all[place].model)
        while places[home] >= 0 { home = (home + 1) & (places.count - 1) }
        places[home] = place
    }

    /// Half of the table is empty, or more.
    private mutating func makeRoom() {
        all.removeAll { !$0.isNeeded }
        sizeBits = 4
        while 1 << sizeBits < 4 * (all.count + 1) { sizeBits += 1 }
        places = Array(repeating: -1, count: 1 << sizeBits)
        for place in all.indices { enter(place) }
    }
}
