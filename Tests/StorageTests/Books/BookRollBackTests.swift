import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

/// Books 1 to 4, of three cards each, as they are on disk; and a disk without room.
@Suite struct `Books after a commit that fails` {
    private let folder: Folder
    private let keeper: Keeper
    private let heard: BookListener

    init() throws {
        folder = try Folder()
        keeper = try Keeper(folder)
        for name in ["a", "b", "c", "d"] { try keeper.books.newBook(name) }
        keeper.books.answer(isKnown: true, in: .first)
        try keeper.keep()
        keeper.store.limit(pages: 1)
        heard = BookListener(keeper.books)
    }

    @Test func `have the progress that they had`() throws {
        keeper.books.answer(isKnown: true, in: .first)
        #expect(keeper.books.summaries.first?.progress.known == 2)
        try fail()
        #expect(heard.texts == ["changed 1: 2 of 3", "changed 1: 1 of 3"])
        #expect(keeper.books.summaries.first?.progress.known == 1)
        #expect(keeper.books.book(.first)?.current == 1)
    }

    @Test func `have the cards that they had`() throws {
        keeper.books.add(cards(2), to: try bookID(2))
        try fail()
        #expect(heard.texts == ["changed 2: 0 of 5", "changed 2: 0 of 3"])
        #expect(keeper.books.book(try bookID(2))?.cards == cards(3))
    }

    @Test func `have never been where they are new`() throws {
        let ids = try ["e", "f"].map { try keeper.books.newBook($0) }
        try fail()
        #expect(heard.texts == ["created 5", "created 6", "withdrawn 6", "withdrawn 5"])
        #expect(ids.allSatisfy { keeper.books.book($0) == nil })
        #expect(try keeper.books.newBook("g") == bookID(5))
    }

    @Test func `are there again, at their places`() throws {
        keeper.books.delete(try bookID(2))
        keeper.books.delete(.first)
        try fail()
        #expect(
            heard.texts == [
                "deleted 2", "deleted 1", "restored 2: 0 of 3", "restored 1: 1 of 3", "reordered",
            ])
        #expect(order == [1, 2, 3, 4])
    }

    @Test func `have the order that they had`() throws {
        keeper.books.move(try bookID(4), to: 0)
        keeper.books.move(try bookID(2), to: 3)
        #expect(order == [4, 1, 3, 2])
        try fail()
        #expect(heard.texts == ["moved 4 to 0", "moved 2 to 3", "reordered"])
        #expect(order == [1, 2, 3, 4])
    }

    @Test func `are told to have moved only where they have`() throws {
        keeper.books.move(try bookID(4), to: 0)
        keeper.books.move(try bookID(4), to: 3)
        try fail()
        #expect(heard.texts == ["moved 4 to 0", "moved 4 to 3"])
    }

    @Test func `are as they were, whatever has changed since the commit took off`() throws {
        keeper.books.move(try bookID(4), to: 0)
        fill()
        keeper.store.commit()
        keeper.books.delete(try bookID(4))
        keeper.books.delete(try keeper.books.newBook("new"))
        keeper.books.answer(isKnown: true, in: try bookID(3))
        keeper.books.move(try bookID(3), to: 0)
        heard.texts = []
        #expect(try keeper.outcome().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        #expect(
            heard.texts.filter { !$0.hasPrefix("withdrawn") } == [
                "restored 4: 0 of 3", "changed 3: 0 of 3", "reordered",
            ])
        #expect(order == [1, 2, 3, 4])
        #expect(!keeper.store.hasChanges)
        keeper.store.close()
        #expect(try Keeper(folder).books.summaries == keeper.books.summaries)
    }

    @Test func `go on when there is room`() throws {
        keeper.books.move(try bookID(4), to: 0)
        try fail()
        keeper.store.limit(pages: 100_000)
        keeper.books.move(try bookID(3), to: 0)
        keeper.books.answer(isKnown: true, in: .first)
        try keeper.commit().get()
        keeper.store.close()
        let again = try Keeper(folder)
        #expect(again.books.summaries.map(\.id.number) == [3, 1, 2, 4])
        #expect(again.books.summaries.map(\.progress.known) == [0, 2, 0, 0])
    }

    private var order: [Int] { keeper.books.summaries.map(\.id.number) }

    /// With what does not fit, and is no book.
    private func fail() throws {
        fill()
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        #expect(!keeper.store.hasChanges)
    }

    private func fill() {
        for number in 1...300 {
            keeper.store.users.put(String(repeating: "x", count: 100), for: "user \(number)")
        }
    }
}
