import BusdProtocol
import Testing

@testable import BusdBroker

@Suite("The catch-ups of a connection")
struct CatchUpsTests {
    private let catchUps = CatchUps()
    private let game = ModelID(slot: 1, number: 1)
    private let book = ModelID(slot: 2, number: 1)

    /// The next item as text: the slot of a view model, or an address and its gap.
    private func next(_ number: Int) -> String? {
        switch catchUps.nextItem(of: number) {
        case .show(let model): "show \(model.slot)"
        case .gap(_, let address, let missed): "\(address) misses \(missed)"
        case nil: nil
        }
    }

    private func address(_ text: String) throws -> Address { try #require(Address(text)) }

    @Test func `A view model that waits is shown by the catch-up that it waits for`() {
        catchUps.begin(1)
        catchUps.begin(2)
        catchUps.add(game, to: 1, start: 4, previous: 4)
        catchUps.add(book, to: 2, start: 7, previous: 7)
        #expect(next(1) == "show 1")
        #expect(next(2) == "show 2")
        #expect(catchUps.take(game)?.missed(at: 6) == 2)
        #expect(next(1) == nil)
    }

    @Test func `A wait that ends early leaves the exact gap in its place`() throws {
        catchUps.begin(1)
        catchUps.add(game, to: 1, start: 4, previous: 4)
        catchUps.add(book, to: 1, start: 7, previous: 7)
        _ = catchUps.endWaitEarly(game, try address("games/1"), at: 9)
        #expect(next(1) == "games/1 misses 5")
        catchUps.passItem(of: 1)
        #expect(next(1) == "show 2")
    }

    @Test func `A wait during which nothing was emitted leaves no gap`() throws {
        catchUps.begin(1)
        catchUps.add(game, to: 1, start: 4, previous: 2, isItem: false)
        _ = catchUps.endWaitEarly(game, try address("games/1"), at: 4)
        #expect(next(1) == nil)
    }

    @Test func `A view model that the connection never learned of has no gap`() throws {
        catchUps.begin(1)
        catchUps.add(game, to: 1, start: 0, previous: 0)
        _ = catchUps.endWaitEarly(game, try address("games/1"), at: 3)
        catchUps.forget(game)
        #expect(next(1) == nil)
    }

    @Test
    func `An item that is passed while it shows a view model keeps a gap put there meanwhile`()
        throws
    {
        catchUps.begin(1)
        catchUps.add(game, to: 1, start: 4, previous: 4)
        #expect(next(1) == "show 1")
        _ = catchUps.endWaitEarly(game, try address("games/1"), at: 5)
        catchUps.passItem(of: 1, showing: game)
        #expect(next(1) == "games/1 misses 1")
    }

    @Test func `The walks of two catch-ups show each arrival once`() {
        catchUps.begin(1)
        catchUps.showArrivals(from: 10, in: 1)
        catchUps.begin(2)
        catchUps.showArrivals(from: 14, in: 2)
        #expect(catchUps.walk(of: 1)?.firstNumber == 10)
        #expect(catchUps.walk(of: 1)?.lastNumber == 13)
        #expect(catchUps.walk(of: 2)?.firstNumber == 14)
        #expect(catchUps.walk(of: 2)?.lastNumber == .max)
    }

    @Test func `A walk that has begun takes no arrivals`() {
        catchUps.begin(1)
        catchUps.showArrivals(from: 10, in: 1)
        #expect(catchUps.takesArrivals(1))
        catchUps.beginWalk(of: 1, lastNumber: 12)
        catchUps.pass("games/1", of: 1)
        #expect(!catchUps.takesArrivals(1))
    }

    @Test func `A catch-up whose walk is stopped still has its gaps`() throws {
        catchUps.begin(1)
        catchUps.showArrivals(from: 10, in: 1)
        catchUps.add(game, to: 1, start: 4, previous: 4)
        _ = catchUps.endWaitEarly(game, try address("games/1"), at: 5)
        catchUps.stopWalks()
        #expect(catchUps.walk(of: 1) == nil)
        #expect(next(1) == "games/1 misses 1")
        catchUps.complete(1)
        #expect(catchUps.isEmpty)
    }
}
