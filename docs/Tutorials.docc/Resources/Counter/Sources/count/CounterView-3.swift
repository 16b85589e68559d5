import BusdProtocol
import Counter
import Glibc

/// Prints one line for each change. The keys `+` and `-` count people in and out.
final class CounterView: View {
    let output = Output<Counter.ViewEvent>()
    private var count = ""
    private var isOpen = true

    func handle(event: Counter.ViewModelEvent) {
        switch event {
        case .count(let text, _): count = text
        case .doorOpened(let isOpen): self.isOpen = isOpen
        case .turnedAway: print("somebody was turned away")
        }
    }

    /// Called after each complete update.
    func draw() {
        print(isOpen ? count : "\(count), the door is closed")
        fflush(nil)
    }

    func keysPressed(_ keys: some Sequence<UInt8>) {
        for key in keys {
            switch key {
            case UInt8(ascii: "+"): output.send(.guestEntered)
            case UInt8(ascii: "-"): output.send(.guestLeft)
            default: break
            }
        }
    }
}
