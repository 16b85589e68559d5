// Generated from GameCreator.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

extension GameCreator.ViewEvent {
    public var name: String {
        switch self {
        case .teamNameChanged: "teamNameChanged"
        case .playerNameChanged: "playerNameChanged"
        case .pointsToWinChanged: "pointsToWinChanged"
        case .marginChanged: "marginChanged"
        case .playersChanged: "playersChanged"
        case .createTapped: "createTapped"
        }
    }
}

extension GameCreator.ViewModelEvent {
    public var name: String {
        switch self {
        case .draft: "draft"
        case .rules: "rules"
        case .problems: "problems"
        case .createEnabled: "createEnabled"
        case .created: "created"
        }
    }
}
