import BusdProtocol
import CounterViewModels
import Foundation
import Testing

/// The rules of a thing need neither a library nor a view model to be tested.
struct HallTests {
    @Test func `No guest enters a full hall`() {
        let (hall, effects) = hall(after: .resized(places: 1), .came, .came)
        #expect(effects == [true, true, false])
        #expect(hall.people == 1)
    }

    @Test func `No guest leaves an empty hall`() {
        let (hall, effects) = hall(after: .left)
        #expect(effects == [false])
        #expect(hall == Hall())
    }

    @Test(arguments: [-1, 100])
    func `A negative or unchanged number of places has no effect`(places: Int) {
        #expect(hall(after: .resized(places: places)).effects == [false])
    }

    /// Every later version reads an action in a log, and gives it the same effect.
    @Test(arguments: [
        (#"{"came":{}}"#, 3, 10), (#"{"left":{}}"#, 1, 10), (#"{"resized":{"places":5}}"#, 2, 5),
    ])
    func `An action of an older version has the same effect`(
        line: String, people: Int, places: Int
    ) throws {
        let action = try JSONDecoder().decode(Hall.Action.self, from: Data(line.utf8))
        var (hall, _) = hall(after: .resized(places: 10), .came, .came)
        _ = hall.apply(action, at: Instant(microseconds: 0))
        #expect(hall.people == people && hall.places == places)
    }

    /// A hall after some actions, and which of them had an effect.
    private func hall(after actions: Hall.Action...) -> (hall: Hall, effects: [Bool]) {
        var hall = Hall()
        let effects = actions.map { hall.apply($0, at: Instant(microseconds: 0)) }
        return (hall, effects)
    }
}
