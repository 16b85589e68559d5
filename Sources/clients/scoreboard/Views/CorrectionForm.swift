import BusdGamesEvents
import BusdProtocol
import BusdTerminal

/// The names and the clock of a game, in fields.
struct CorrectionForm {
    struct Entry {
        /// Nil: the clock.
        let place: FieldPlace?
        /// What the game has.
        var was: String
        var field: TextField
    }

    /// The names, then the clock.
    private(set) var entries: [Entry]
    private(set) var focus = 0
    /// How many players each team has.
    let size: Int
    /// How often the clock was set.
    private var setting: Int

    init(_ container: ContainerState, _ content: ContentState) {
        (size, setting) = (content.size, container.setting)
        let names = FieldPlace.names(size: size).map { place in
            Entry(place, was: place.name(container, content))
        }
        entries = names + [Entry(nil, was: container.time)]
    }

    mutating func focus(on field: Int) {
        if entries.indices.contains(field) { focus = field }
    }

    mutating func moveFocus(by step: Int) {
        focus = (focus + step + entries.count) % entries.count
    }

    mutating func edit(_ key: Key) { _ = entries[focus].field.edit(key) }

    /// One event for each field that was changed.
    func events() throws(NameProblem) -> [Scoreboard.ViewEvent] {
        var events: [Scoreboard.ViewEvent] = []
        for entry in entries where entry.field.text != entry.was {
            guard let place = entry.place else {
                events.append(.setClock(time: entry.field.text, setting: setting))
                continue
            }
            let (name, was) = (try Name(entry.field.text), try Name(entry.was))
            switch place {
            case .team(let side): events.append(.renameTeam(side: side, name: name, was: was))
            case .player(let side, let index):
                events.append(.renamePlayer(side: side, index: index, name: name, was: was))
            case .rule: break
            }
        }
        return events
    }

    /// The daemon has made this correction, so it is not sent again.
    mutating func made(_ event: Scoreboard.ViewEvent, setting: Int) {
        switch event {
        case .renameTeam(let side, let name, _): keep(name.text, .team(side))
        case .renamePlayer(let side, let index, let name, _): keep(name.text, .player(side, index))
        case .setClock(let time, _, _):
            keep(time, nil)
            self.setting = setting
        default: break
        }
    }

    private mutating func keep(_ text: String, _ place: FieldPlace?) {
        for index in entries.indices where entries[index].place == place {
            entries[index].was = text
        }
    }
}

extension CorrectionForm.Entry {
    fileprivate init(_ place: FieldPlace?, was: String) {
        self.init(place: place, was: was, field: TextField(was))
    }
}

extension FieldPlace {
    fileprivate func name(_ container: ContainerState, _ content: ContentState) -> String {
        switch self {
        case .team(let side): container.name(side)
        case .player(let side, let index):
            content.name(PlayerChoice(side: side, index: index.value))
        case .rule: ""
        }
    }
}
