import BusdProtocol

/// What waits of each view model: found by its slot, because it is looked at several times for each
/// `send`, and a dictionary takes hundreds of instructions for a look. No slot is given to another
/// while something waits of the view model that had it.
struct HeldModels {
    struct Entry {
        let model: ModelID
        /// How many events wait.
        fileprivate(set) var events = 0
        /// That which has its last update; see `Held`.
        fileprivate(set) var flight = 0
        /// Where among the values that are kept for that flight its own stand.
        fileprivate var present: Int?
        /// It ends with its last update.
        fileprivate(set) var isEnding = false
        /// The key of a `send` that waits, and how many others there are.
        fileprivate var key: ExactText?
        fileprivate var otherKeys = 0

        /// Pending sends with an effect on the thing at this address, and the flight of the newest.
        fileprivate var effects = 0
        fileprivate var lastEffect = 0

        var hasKeys: Bool { key != nil || otherKeys > 0 }
    }

    private struct OtherKey: Hashable {
        let model: ModelID
        let key: ExactText
    }

    /// Those of which something waits.
    private(set) var all: [Entry] = []
    /// Where in `all` that of each slot stands; -1 where nothing waits of it.
    private var places: [Int] = []
    /// The last flight that has landed.
    private(set) var landed = 0
    private var otherKeys: Set<OtherKey> = []

    subscript(_ model: ModelID) -> Entry? { place(of: model).map { all[$0] } }

    func flight(of model: ModelID) -> Int { place(of: model).map { all[$0].flight } ?? 0 }
    func present(of model: ModelID) -> Int? { place(of: model).flatMap { all[$0].present } }

    // MARK: Updates

    mutating func noteEvent(of model: ModelID, _ flight: Int) {
        all[touch(model, flight)].events += 1
    }

    mutating func noteEnd(of model: ModelID, _ flight: Int) {
        all[touch(model, flight)].isEnding = true
    }

    /// It has changed, and says nothing.
    mutating func noteChange(of model: ModelID, _ flight: Int) { _ = touch(model, flight) }

    private mutating func touch(_ model: ModelID, _ flight: Int) -> Int {
        let place = makePlace(of: model)
        if flight > all[place].flight {
            all[place].flight = flight
            all[place].present = nil
        }
        return place
    }

    mutating func setPresent(_ present: Int, of model: ModelID) {
        if let place = place(of: model) { all[place].present = present }
    }

    /// The next flight has: what it had is to be forgotten now.
    mutating func land() { landed += 1 }

    mutating func forgetEvent(of model: ModelID) {
        guard let place = place(of: model) else { return }
        all[place].events -= 1
        tidy(place)
    }

    mutating func forgetEnd(of model: ModelID) {
        guard let place = place(of: model) else { return }
        all[place].isEnding = false
        tidy(place)
    }

    mutating func forgetChange(of model: ModelID) {
        if let place = place(of: model) { tidy(place) }
    }

    // MARK: Effects

    func lastEffect(on thing: ModelID) -> Int? {
        self[thing].flatMap { $0.effects > 0 ? $0.lastEffect : nil }
    }

    mutating func noteEffect(on thing: ModelID, _ flight: Int) {
        let place = makePlace(of: thing)
        all[place].effects += 1
        all[place].lastEffect = max(all[place].lastEffect, flight)
    }

    mutating func forgetEffect(on thing: ModelID) {
        guard let place = place(of: thing) else { return }
        all[place].effects -= 1
        tidy(place)
    }

    // MARK: Keys

    func holds(_ key: String, of model: ModelID) -> Bool {
        guard let entry = self[model] else { return false }
        let key = ExactText(key)
        return entry.key == key
            || entry.otherKeys > 0 && otherKeys.contains(OtherKey(model: model, key: key))
    }

    mutating func note(_ key: String, of model: ModelID) {
        let place = makePlace(of: model)
        let key = ExactText(key)
        if all[place].key == nil {
            all[place].key = key
        } else {
            all[place].otherKeys += 1
            otherKeys.insert(OtherKey(model: model, key: key))
        }
    }

    mutating func forget(_ key: String, of model: ModelID) {
        guard let place = place(of: model) else { return }
        let key = ExactText(key)
        if all[place].key == key {
            all[place].key = nil
        } else if otherKeys.remove(OtherKey(model: model, key: key)) != nil {
            all[place].otherKeys -= 1
        }
        tidy(place)
    }

    // MARK: Places

    private func place(of model: ModelID) -> Int? {
        guard model.slot < places.count, case let place = places[model.slot], place >= 0,
            all[place].model == model
        else { return nil }
        return place
    }

    private mutating func makePlace(of model: ModelID) -> Int {
        if let place = place(of: model) { return place }
        while places.count <= model.slot { places.append(-1) }
        places[model.slot] = all.count
        all.append(Entry(model: model))
        return all.count - 1
    }

    /// Takes out what is there of a view model of which nothing waits any more; the last takes its
    /// place.
    private mutating func tidy(_ place: Int) {
        guard all[place].flight <= landed, all[place].events == 0, all[place].effects == 0,
            !all[place].hasKeys
        else { return }
        places[all[place].model.slot] = -1
        let last = all.removeLast()
        guard place < all.count else { return }
        all[place] = last
        places[last.model.slot] = place
    }
}
