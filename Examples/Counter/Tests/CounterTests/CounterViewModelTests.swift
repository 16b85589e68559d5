import BusdProtocol
import BusdTestKit
import Counter
import CounterViewModels
import Testing

struct CounterViewModelTests {
    private let hall: RecordingView<CounterViewModel>

    init() {
        hall = RecordingView(CounterViewModel(at: .literal("counter/hall"), services: ()))
    }

    @Test func `counts who comes and who leaves`() {
        hall.expect(.count(text: "0 of 100", people: 0), .doorOpened(isOpen: true))
        hall.send(.somebodyCame)
        hall.expect(.count(text: "1 of 100", people: 1))
        hall.send(.somebodyLeft)
        hall.expect(.count(text: "0 of 100", people: 0))
        hall.send(.somebodyLeft)
    }

    @Test func `closes the door when the hall is full`() {
        hall.forget()
        hall.send(.hallResized(places: 1))
        hall.expect(.count(text: "0 of 1", people: 0))
        hall.send(.somebodyCame)
        hall.expect(.count(text: "1 of 1", people: 1), .doorOpened(isOpen: false))
        hall.send(.somebodyCame)
        hall.expect(.turnedAway)
        hall.send(.somebodyLeft)
        hall.expect(.count(text: "0 of 1", people: 0), .doorOpened(isOpen: true))
    }
}
