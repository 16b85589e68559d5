import BusdProtocol
import BusdScreens
import BusdTerminal

/// The draft of a game, as it is shown.
struct CreatorState: Equatable {
    /// In the order of `FieldPlace.all`.
    private(set) var fields = FieldPlace.all.map { _ in DraftField() }
    private(set) var focus = 0
    private(set) var problems: [String] = []
    private(set) var canCreate = false

    var texts: [String] { fields.map(\.text) }

    var isEmpty: Bool { texts.allSatisfy(\.isEmpty) }

    mutating func apply(_ event: GameCreator.ViewModelEvent) {
        switch event {
        case .draft(let home, let away):
            for (index, place) in FieldPlace.all.enumerated() {
                let name = place.name(in: place.side == .home ? home : away)
                if let name { fields[index].received(name) }
            }
        case .rules: break
        case .problems(let texts): problems = texts
        case .createEnabled(let isEnabled): canCreate = isEnabled
        case .created: break
        }
    }

    mutating func focus(on field: Int) {
        if fields.indices.contains(field) { focus = field }
    }

    mutating func moveFocus(by step: Int) {
        focus = (focus + step + fields.count) % fields.count
    }

    /// The event to send if the key has changed the focused name; else nil.
    mutating func edit(_ key: Key) -> GameCreator.ViewEvent? {
        fields[focus].edit(key).map { FieldPlace.all[focus].event($0) }
    }

    /// The shown names of a team.
    func team(_ side: Side) -> TeamDraft {
        var team = TeamDraft()
        for (place, text) in zip(FieldPlace.all, texts) {
            switch place {
            case .team(side): team.name = text
            case .player(side, let index): team.players[index.value] = text
            case .team, .player: break
            }
        }
        return team
    }

    mutating func forgetSent() {
        for index in fields.indices { fields[index].forgetSent() }
    }
}

/// The names of a new game.
final class CreatorView: View {
    let output = Output<GameCreator.ViewEvent>()
    /// The game was created, at this address.
    var onCreated: ((Address) -> Void)?
    private(set) var state = CreatorState()
    /// The texts at the time when the connection was lost.
    private var savedTexts: [String]?

    func handle(event: GameCreator.ViewModelEvent) {
        state.apply(event)
        if case .created(let text) = event, let address = Address(text) { onCreated?(address) }
    }

    func edit(_ key: Key) {
        if let event = state.edit(key) { output.send(event) }
    }

    func focus(on field: Int) { state.focus(on: field) }

    func moveFocus(by step: Int) { state.moveFocus(by: step) }

    func create() { output.send(.createTapped(home: state.team(.home), away: state.team(.away))) }

    func forgetSent() { state.forgetSent() }

    /// A draft is only in the daemon's memory. If it is empty after a restart, the texts of this
    /// screen are sent again.
    func liveChanged(_ isLive: Bool) {
        guard isLive else {
            savedTexts = savedTexts ?? state.texts
            return
        }
        if let savedTexts, state.isEmpty {
            for (place, text) in zip(FieldPlace.all, savedTexts) where !text.isEmpty {
                output.send(place.event(text))
            }
        }
        savedTexts = nil
    }
}
