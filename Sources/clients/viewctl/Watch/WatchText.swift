import BusdClient
import BusdProtocol
import BusdScreens

/// Lines of the daemon as text, with a column for the address that grows as needed.
struct WatchText {
    private var width = 0

    /// Empty for lines that are only of use to programs.
    mutating func lines(_ line: BusLine, _ style: TextStyle) -> [String] {
        switch line {
        case .event(let event): [about(event.from, EventText(event.event).line(style), style)]
        case .gap(let address, let missed):
            [about(address, style.dim(Self.loss(of: missed)), style)]
        case .gone(let address): [about(address, style.dim("(gone)"), style)]
        case .live, .ok, .refusal, .ping, .bye, .unknown: []
        }
    }

    private static func loss(of missed: Int) -> String {
        missed == 1 ? "(1 event was missed)" : "(\(missed) events were missed)"
    }

    private mutating func about(_ address: Address, _ what: String, _ style: TextStyle) -> String {
        width = max(width, address.text.count)
        let space = String(repeating: " ", count: width - address.text.count)
        return style.address(address.text) + space + "  " + what
    }
}
