import BusdProtocol
import BusdTestKit
import Counter
import CounterViewModels
import Testing

struct CounterViewModelTests {
    private let libraries: Libraries
    private let halls: Library<Hall>
    private let hall: RecordingView<CounterViewModel>

    init() {
        libraries = Libraries(clock: Timeline())
        halls = Library(libraries)
        hall = RecordingView(
            CounterViewModel(at: .literal("counter/hall"), services: halls), settling: libraries)
    }

    @Test func `People are counted in and out`() {
        hall.expect(.count(text: "0 of 100", people: 0), .doorOpened(isOpen: true))
        hall.send(.guestEntered)
        hall.expect(.count(text: "1 of 100", people: 1))
        hall.send(.guestLeft)
        hall.expect(.count(text: "0 of 100", people: 0))
        hall.send(.guestLeft)
    }

    @Test func `The door of a full hall is closed`() {
        hall.forget()
        hall.send(.hallResized(places: 1))
        hall.expect(.count(text: "0 of 1", people: 0))
        hall.send(.guestEntered)
        hall.expect(.count(text: "1 of 1", people: 1), .doorOpened(isOpen: false))
        hall.send(.guestEntered)
        hall.expect(.turnedAway)
        hall.send(.guestLeft)
        hall.expect(.count(text: "0 of 1", people: 0), .doorOpened(isOpen: true))
    }

    @Test func `A view model shows the hall that another one has changed`() {
        hall.forget()
        let other = RecordingView(
            CounterViewModel(at: .literal("counter/hall"), services: halls), settling: libraries)
        other.forget()
        other.send(.guestEntered)
        other.expect(.count(text: "1 of 100", people: 1))
        hall.expect(.count(text: "1 of 100", people: 1))
    }

    @Test func `Nothing is shown until the log has the action`() {
        hall.forget()
        hall.model.handle(event: .guestEntered)
        hall.expectNothing()
        libraries.settle()
        hall.expect(.count(text: "1 of 100", people: 1))
    }
}
