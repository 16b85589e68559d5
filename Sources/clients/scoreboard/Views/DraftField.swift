import Protocol
import Terminal

// What is typed goes to the view model with each key, and comes back as the draft. By then more may
// have been typed, so what comes back late must not undo it: it is known by being one of the texts
// that were sent and have not come back yet. All else was typed by somebody who shares the draft.

/// A name in the making.
struct DraftField: Equatable {
    private(set) var field = TextField()
    private var sent: [String] = []

    /// Far more than any name; what is pasted by mistake does not flood the daemon.
    static let mostBytes = 500

    var text: String { field.text }

    /// The new text, to be sent, where the key has changed it; nil where it has not.
    mutating func edit(_ key: Key) -> String? {
        let former = field
        guard field.edit(key), text != former.text else { return nil }
        if text.utf8.count > Self.mostBytes {
            field = former
            return nil
        }
        sent.append(text)
        return text
    }

    /// The view model tells what the name is.
    mutating func told(_ name: String) {
        if let place = sent.lastIndex(of: name) { sent.removeFirst(place + 1) }
        if sent.isEmpty, text != name { field = TextField(name) }
    }

    /// What was sent may not come back.
    mutating func forgetSent() { sent = [] }
}

/// Which of the names a field is for.
enum FieldPlace: Hashable {
    case team(Side)
    case player(Side, PlayerIndex)

    /// In the order in which they are filled in.
    static let all: [FieldPlace] = Side.allCases.flatMap { side in
        [.team(side)] + (0..<Team.size).compactMap { PlayerIndex($0).map { .player(side, $0) } }
    }

    var side: Side {
        switch self {
        case .team(let side), .player(let side, _): side
        }
    }

    /// The row below its side's head.
    var row: Int {
        switch self {
        case .team: 0
        case .player(_, let index): 1 + index.value
        }
    }

    func event(_ name: String) -> GameCreator.ViewEvent {
        switch self {
        case .team(let side): .teamNameChanged(side: side, name: name)
        case .player(let side, let index):
            .playerNameChanged(side: side, index: index, name: name)
        }
    }

    func name(in draft: TeamDraft) -> String? {
        switch self {
        case .team: draft.name
        case .player(_, let index):
            draft.players.indices.contains(index.value) ? draft.players[index.value] : nil
        }
    }
}
