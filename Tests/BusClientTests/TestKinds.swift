import BusdProtocol

/// A kind for tests: values, and events that mean something else later.
enum Board: ViewModelKind {
    static let name = "board"

    enum ViewEvent: WireEvent {
        case pause
        case togglePause
        case undo(moves: Int? = nil)

        static let examples: [Self] = [.pause, .togglePause, .undo(moves: 7)]

        var canWait: Bool {
            switch self {
            case .pause: true
            case .undo(let moves): moves != nil
            case .togglePause: false
            }
        }
    }

    enum ViewModelEvent: WireEvent {
        case score(home: Int, away: Int, text: String)
        case paused(isPaused: Bool)
        case undoable(canUndo: Bool, moves: Int? = nil, text: String? = nil)

        var delivery: Delivery { .latest }

        static let examples: [Self] = [
            .score(home: 3, away: 2, text: "3 - 2"), .paused(isPaused: true),
            .undoable(canUndo: true, moves: 7, text: "a move"),
        ]
    }
}

/// A kind for tests: a list with its edits, and a message.
enum Boards: ViewModelKind {
    static let name = "boards"

    struct Row: Codable, Hashable, Sendable {
        var id: String
        var address: String
    }

    enum ViewEvent: WireEvent {
        case create
        static let examples: [Self] = [.create]
    }

    enum ViewModelEvent: EditingEvent {
        case boards(boards: [Row])
        case boardsEdited(edits: [Edit<Row>])
        case created(board: String)

        var delivery: Delivery {
            switch self {
            case .boards: .latest
            case .boardsEdited, .created: .every
            }
        }

        func edit(_ value: Self) -> Self? {
            guard case .boardsEdited(let edits) = self, case .boards(var boards) = value,
                boards.apply(edits)
            else { return nil }
            return .boards(boards: boards)
        }

        static let row = Row(id: "1", address: "board/1")
        static let examples: [Self] = [
            .boards(boards: [row]), .boardsEdited(edits: Edit.examples(row)), .created(board: "1"),
        ]
    }
}
