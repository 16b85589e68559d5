// Generated from BusHouse.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

extension BusHouse.ViewModelEvent {
    public var name: String {
        switch self {
        case .house: "house"
        }
    }
}
