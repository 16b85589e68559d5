// Generated from Study.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

extension Study.ViewEvent {
    public var name: String {
        switch self {
        case .reveal: "reveal"
        case .known: "known"
        case .unknown: "unknown"
        case .undo: "undo"
        case .again: "again"
        }
    }
}

extension Study.ViewModelEvent {
    public var name: String {
        switch self {
        case .card: "card"
        case .progress: "progress"
        case .done: "done"
        case .undoable: "undoable"
        }
    }
}
