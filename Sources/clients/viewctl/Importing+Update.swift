import BusdClient
import BusdProtocol

// An update compares the file with the cards that the book has, and makes one change after the
// other. If it is interrupted, the next import does the rest. A change names the card that it
// replaces; added cards name the `done` of the list of books. So if another import has changed the
// book meanwhile, the change is refused as `stale`, and the update compares again.

extension Importing {
    /// What an update has done.
    struct Update {
        var added = 0
        var replaced = 0
        /// Cards of the book that the file lacks.
        var kept = 0
        /// All steps, with those that are left.
        var steps = 0
    }

    /// A second update of the same book at the same time needs few plans: each one that is refused
    /// had cards that the other has added meanwhile.
    private static let mostPlans = 100

    func update(
        _ book: Books.Row.ID, with cards: [Card], _ outcome: inout Outcome
    ) throws(Failure) {
        outcome.book = book
        outcome.update = Update()
        for _ in 0..<Self.mostPlans where try isUpdated(book, with: cards, &outcome) { return }
        let message = "the book was changed again and again"
        throw .noAnswer(.refused(WireError(.stale, message)))
    }

    /// Makes a plan and follows it. False: others have changed something first, so the rest needs a
    /// new plan.
    private func isUpdated(
        _ book: Books.Row.ID, with cards: [Card], _ outcome: inout Outcome
    ) throws(Failure) -> Bool {
        guard let address = Address.literal("cards").appending(book) else { throw .isLost }
        var done = try get(.books)["done"]?.text
        let values = try get(address)["events"].map { Array($0.elements) } ?? []
        let present = values.compactMap { $0["cards"]?["cards"] }.first.map(Card.list) ?? []
        let plan = DeckUpdate(of: present, from: cards)
        outcome.update?.kept = plan.kept
        outcome.update?.steps = outcome.count + plan.count
        let count = present.count + plan.added.count
        guard plan.added.isEmpty || count <= Books.mostCards else {
            let message =
                "the book would have \(count) cards, and a book has at most \(Books.mostCards)"
            throw .noAnswer(.refused(WireError(.badEvent, message)))
        }
        do throws(Failure) {
            for change in plan.changes {
                progress.show(outcome.count)
                _ = try send(change.event, to: address)
                outcome.count += 1
                outcome.update?.replaced += 1
            }
            for batch in try Self.batches(of: plan.added) {
                progress.show(outcome.count)
                // The answer to a repeated request has no `done`.
                guard let condition = done.flatMap(Cursor.init) else { return false }
                done = try send(batch.addCards(to: book), ifDone: condition)["done"]?.text
                outcome.count += batch.count
                outcome.update?.added += batch.count
            }
            return true
        } catch {
            guard case .noAnswer(.refused(let refusal)) = error, refusal.code == .stale else {
                throw error
            }
            return false
        }
    }

    private static func batches(of cards: [Card]) throws(Failure) -> [CardBatches.Batch] {
        do throws(CardBatches.TooLong) {
            return try CardBatches(cards).batches
        } catch {
            throw .noAnswer(.refused(WireError(.tooLong, "a card is too long to be sent")))
        }
    }
}

extension DeckUpdate.Change {
    /// The event of `cards`.
    fileprivate var event: [UInt8] {
        var out = JSONWriter()
        out.event("changeCard") { out in
            out.member("at", place)
            out.member("card", card)
            out.member("to", new)
        }
        return out.bytes
    }
}
