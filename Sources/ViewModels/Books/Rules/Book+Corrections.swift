import BusdBooksEvents
public import BusdProtocol

// Corrections of the cards. The card that is asked stays the same card, and all other cards keep
// their progress.

/// A removal or a change of a card that can be taken back.
struct Correction: Hashable, Sendable {
    /// As it was before.
    let card: Card
    /// Where the changed card is, or where the removed card returns to.
    fileprivate(set) var place: Int
    /// Whether the removed card was known; `nil`: the card was changed.
    let wasKnown: Bool?
}

extension Correction: Codable {
    private struct Stored: Codable {
        var card: CardList
        var place: Int
        var known: Bool?
    }

    init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        guard let card = stored.card.cards.first, stored.card.cards.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "this is not one card"))
        }
        (self.card, place, wasKnown) = (card, stored.place, stored.known)
    }

    func encode(to encoder: any Encoder) throws {
        try Stored(card: CardList(cards: [card]), place: place, known: wasKnown)
            .encode(to: encoder)
    }
}

extension Decoder {
    /// - Throws: `DecodingError` unless a book with so many cards may have the correction.
    func checked(_ correction: Correction, in count: Int) throws -> Correction {
        guard correction.place >= 0,
            correction.place < count || correction.wasKnown != nil && correction.place == count
        else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "this is not the place of a card"))
        }
        return correction
    }
}

extension Book {
    func canCorrect(_ action: BookAction) -> Bool {
        switch action {
        case .change(let place, let card, let new): has(card, at: place) && card != new
        case .insert(let place, _): 0...cards.count ~= place
        case .move(let from, let card, let to):
            has(card, at: from) && cards.indices.contains(to) && from != to
        case .remove(let place, let card): has(card, at: place)
        case .takeBack(let place, let card): canTakeBack(card, to: place)
        case .add, .answer, .ask, .askAll, .delete, .restore, .rename: false
        }
    }

    public func isOutdated(_ action: BookAction, at time: Instant) -> Bool {
        switch action {
        case .rename(let old, _): deleted != nil || old != ExactText(name.text)
        case .change(let place, let card, _), .move(let place, let card, _),
            .remove(let place, let card):
            deleted != nil || !has(card, at: place)
        case .takeBack(let place, let card): deleted != nil || !canTakeBack(card, to: place)
        case .add, .answer, .ask, .askAll, .delete, .restore, .insert: false
        }
    }

    func has(_ card: Card, at place: Int) -> Bool {
        cards.indices.contains(place) && cards[place] == card
    }

    /// Whether this is what an undo would do.
    func canTakeBack(_ card: Card, to place: Int) -> Bool {
        correction?.place == place && correction?.card == card
    }

    /// The action has an effect.
    mutating func correct(_ action: BookAction) {
        switch action {
        case .change(let place, let card, let new):
            replace(place, with: new)
            correction = Correction(card: card, place: place, wasKnown: nil)
        case .insert(let place, let card): insert(card, isKnown: false, at: place)
        case .move(let from, _, let to): move(from, to: to)
        case .remove(let place, let card):
            correction = Correction(card: card, place: place, wasKnown: isKnown[place])
            remove(place)
        case .takeBack: takeBack()
        case .add, .answer, .ask, .askAll, .delete, .restore, .rename: break
        }
    }

    private mutating func replace(_ place: Int, with card: Card) {
        cardBytes += card.bytes - cards[place].bytes
        cards[place] = card
    }

    private mutating func insert(_ card: Card, isKnown: Bool, at place: Int) {
        cards.insert(card, at: place)
        cardBytes += card.bytes
        self.isKnown.insert(isKnown, at: place)
        if isKnown { knownCount += 1 }
        if let correction, correction.place >= place { self.correction?.place += 1 }
        current = current.map { $0 >= place ? $0 + 1 : $0 } ?? nextUnknown(from: place)
    }

    private mutating func move(_ from: Int, to: Int) {
        cards.insert(cards.remove(at: from), at: to)
        isKnown.insert(isKnown.remove(at: from), at: to)
        func follow(_ place: Int) -> Int {
            let rest = place > from ? place - 1 : place
            return rest >= to ? rest + 1 : rest
        }
        if let correction {
            let isMoved = correction.place == from && correction.wasKnown == nil
            self.correction?.place = isMoved ? to : follow(correction.place)
        }
        current = current.map { $0 == from ? to : follow($0) }
    }

    /// If this card was asked, the next unknown one is asked.
    private mutating func remove(_ place: Int) {
        cardBytes -= cards.remove(at: place).bytes
        if isKnown.remove(at: place) { knownCount -= 1 }
        guard let asked = current else { return }
        current = asked == place ? nextUnknown(from: place) : asked > place ? asked - 1 : asked
    }

    private mutating func takeBack() {
        guard let correction else { return }
        self.correction = nil
        if let wasKnown = correction.wasKnown {
            insert(correction.card, isKnown: wasKnown, at: correction.place)
        } else {
            replace(correction.place, with: correction.card)
        }
    }
}
