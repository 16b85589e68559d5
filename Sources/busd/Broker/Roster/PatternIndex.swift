import BusdProtocol

/// The connections that subscribe to each pattern. It finds the subscribers of an arriving view
/// model without comparing all patterns.
///
/// Of all patterns of a shape one at the most matches an address, and its text is known from the
/// address. So that takes one look for each shape that is in use, of which there are few: those of
/// two segments can have eleven that match.
struct PatternIndex {
    fileprivate struct Subscriber {
        let slot: ConnectionSlot
        let only: Filter?
    }

    /// How many subscriptions have each shape.
    private var shapes: [Pattern.Shape: Int] = [:]
    /// By the texts of patterns, in the order of the slots. There may be a million texts: they are
    /// kept in parts, of which none takes long to grow.
    private var parts = Array(
        repeating: [String: [Subscriber]](), count: 256)  // text: patterns are ASCII

    /// How many places are looked at for a view model.
    var shapeCount: Int { shapes.count }

    private func part(of text: String) -> Int {
        text.hashValue & (parts.count - 1)  // text: patterns are ASCII
    }

    // MARK: Changes

    /// Takes in a subscription with a pattern, in place of that of the connection to the same one.
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

    // MARK: Looking

    /// Connections that subscribe to a view model, each with its filter, in the order of their
    /// slots.
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

    /// Returns whether the connection was not there.
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
