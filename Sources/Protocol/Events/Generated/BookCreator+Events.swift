// Generated from BookCreator.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

extension BookCreator.ViewEvent {
    public var name: String {
        switch self {
        case .nameChanged: "nameChanged"
        case .nextTapped: "nextTapped"
        case .backTapped: "backTapped"
        case .cardsChanged: "cardsChanged"
        case .addTapped: "addTapped"
        }
    }
}

extension BookCreator.ViewModelEvent {
    public var name: String {
        switch self {
        case .screen: "screen"
        case .name: "name"
        case .cardsText: "cardsText"
        case .cards: "cards"
        case .nextEnabled: "nextEnabled"
        case .addEnabled: "addEnabled"
        case .added: "added"
        }
    }
}
