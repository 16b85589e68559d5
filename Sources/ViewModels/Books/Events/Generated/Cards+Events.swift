// Generated from Cards.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

public import BusdProtocol

extension Cards.ViewModelEvent {
    public var name: String {
        switch self {
        case .name: "name"
        case .cards: "cards"
        case .cardsEdited: "cardsEdited"
        case .undoable: "undoable"
        }
    }

    public func writePlainly(to out: inout JSONWriter) -> Bool {
        out.plainEvent(name) { out in
            switch self {
            case .name(let text): out.member("text", text)
            case .cards(let cards): out.member("cards", cards)
            case .cardsEdited(let edits): out.member("edits", edits)
            case .undoable(let canUndo, let at, let card):
                out.member("canUndo", canUndo) && out.member("at", at) && out.member("card", card)
            }
        }
    }
}
