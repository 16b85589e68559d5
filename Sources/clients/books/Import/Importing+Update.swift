import BusdBooksEvents
import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

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
        _ book: Books.Row.ID, with cards: [Card], _ imported: inout Imported
    ) throws {
        imported.book = book
        imported.update = Update()
        for _ in 0..<Self.mostPlans where try isUpdated(book, with: cards, &imported) { return }
        throw Outcome(.refused, "the book was changed meanwhile: import the file again")
    }

    /// Makes a plan and follows it. False: others have changed something first, so the rest needs a
    /// new plan.
    private func isUpdated(
        _ book: Books.Row.ID, with cards: [Card], _ imported: inout Imported
    ) throws -> Bool {
        guard let address = Address.literal("cards").appending(book) else {
            throw Outcome.lostBook
        }
        var done = try session.answer(to: .get(.books))["done"]?.text
        let values = try session.answer(to: .get(address)).list("events")
        let present = values.compactMap { $0["cards"]?["cards"] }.first.map(Card.list) ?? []
        let plan = DeckUpdate(of: present, from: cards)
        imported.update?.kept = plan.kept
        imported.update?.steps = imported.count + plan.count
        let count = present.count + plan.added.count
        guard plan.added.isEmpty || count <= Books.mostCards else {
            let message =
                "the book would have \(count) cards, and a book has at most \(Books.mostCards)"
            throw RequestFailure.refused(WireError(.badEvent, message))
        }
        do {
            for change in plan.changes {
                progress.show(imported.count)
                _ = try session.send(change.event, to: address)
                imported.count += 1
                imported.update?.replaced += 1
            }
            for batch in try Self.batches(of: plan.added) {
                progress.show(imported.count)
                // The answer to a repeated request has no `done`.
                guard let condition = done.flatMap(Cursor.init) else { return false }
                let event = batch.addCards(to: book)
                done = try session.send(event, to: .books, ifDone: condition)["done"]?.text
                imported.count += batch.count
                imported.update?.added += batch.count
            }
            return true
        } catch RequestFailure.refused(let refusal) where refusal.code == .stale {
            return false
        }
    }

    private static func batches(of cards: [Card]) throws -> [CardBatches.Batch] {
        do throws(CardBatches.TooLong) {
            return try CardBatches(cards).batches
        } catch {
            throw RequestFailure.refused(WireError(.tooLong, "a card is too long to be sent"))
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
