import BusdProtocol

/// The connections that subscribe to each pattern. It finds the subscribers of an arriving view
/// model without comparing all patterns.
///
/// The *shape* of a pattern is the pattern without its names (`Pattern.Shape`). At most one pattern
/// of each shape matches an address, and the address determines its text. So an arrival takes one
/// lookup for each shape in use. There are few: an address of two segments has eleven shapes that
/// match.
struct PatternIndex {
    fileprivate struct Subscriber {
        let slot: ConnectionSlot
        let only: Filter?
    }

    /// Number of subscriptions by shape.
    private var shapes: [Pattern.Shape: Int] = [:]
    /// Subscribers by the text of their pattern, in the order of slots. There may be a million
    /// texts, so they are spread over many dictionaries: one dictionary would take long to grow.
    private var parts = Array(
        repeating: [String: [Subscriber]](), count: 256)  // text: patterns are ASCII

    /// Number of lookups for an arrival.
    var shapeCount: Int { shapes.count }

    private func part(of text: String) -> Int {
        text.hashValue & (parts.count - 1)  // text: patterns are ASCII
    }

    // MARK: Changes

    /// Adds a subscription to a pattern. It replaces the connection's subscription to the same
    /// pattern.
    mutating func insert(_ subscription: Subscription, of slot: ConnectionSlot) {
        let text = subscription.pattern.text
        let new = Subscriber(slot: slot, only: subscription.only)
        let isNew = parts[part(of: text)][text, default: []].insert(new)
        if isNew { shapes[subscription.pattern.shape, default: 0] += 1 }
    }

    mutating func remove(_ pattern: Pattern, of slot: ConnectionSlot) {
        let part = part(of: pattern.text)
        guard let place = parts[part].index(forKey: pattern.text),
            parts[part].values[place].remove(slot)
        else { return }
        if parts[part].values[place].isEmpty {
            parts[part].remove(at: place)
            parts[part].giveBackRoom()
        }
        forget(pattern.shape)
    }

    private mutating func forget(_ shape: Pattern.Shape) {
        guard let count = shapes[shape] else { return }
        shapes[shape] = count > 1 ? count - 1 : nil
    }

    // MARK: Lookup

    /// The connections with a pattern that matches the address, each with the union of its filters,
    /// in the order of slots.
    func interests(for address: Address) -> [(slot: ConnectionSlot, interest: Interest)] {
        let segments = address.segments
        var found: [Subscriber] = []
        for shape in shapes.keys {
            guard let text = shape.text(for: segments) else { continue }
            found += parts[part(of: text)][text] ?? []
        }
        found.sort { $0.slot < $1.slot }
        var interests: [(slot: ConnectionSlot, interest: Interest)] = []
        for subscriber in found {
            if interests.last?.slot != subscriber.slot {
                interests.append((subscriber.slot, .nothing))
            }
            interests[interests.count - 1].interest.add(subscriber.only)
        }
        return interests
    }
}

extension [PatternIndex.Subscriber] {
    private func place(of slot: ConnectionSlot) -> Int {
        indices.partitionPoint { self[$0].slot < slot }
    }

    /// Returns whether the connection is new here.
    fileprivate mutating func insert(_ new: Element) -> Bool {
        let place = place(of: new.slot)
        if place < count, self[place].slot == new.slot {
            self[place] = new
            return false
        }
        insert(new, at: place)
        return true
    }

    /// Returns whether the connection was there.
    fileprivate mutating func remove(_ slot: ConnectionSlot) -> Bool {
        let place = place(of: slot)
        guard place < count, self[place].slot == slot else { return false }
        remove(at: place)
        if capacity > 4 * count + 16 { self = filter { _ in true } }
        return true
    }
}
