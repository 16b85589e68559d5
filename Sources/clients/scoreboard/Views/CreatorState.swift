import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The draft of a game, as it is shown.
struct CreatorState: Equatable {
    private var names: [FieldPlace: DraftField] = [:]
    private var rules = Dictionary(
        uniqueKeysWithValues: FieldPlace.Rule.allCases.map {
            ($0, DraftNumber($0.usual, in: $0.allowed))
        })
    private(set) var focus = FieldPlace.team(.home)
    private(set) var problems: [String] = []
    private(set) var canCreate = false
    /// The view model has sent no names.
    private(set) var isEmpty = true
    /// The view model has sent usual rules.
    private var isUsual = true
    /// A key, a click or the first draft has chosen the focus.
    private var hasFocus = false

    /// Nobody has typed anything since the draft was begun.
    var isFresh: Bool { isEmpty && isUsual }

    /// How many players each team has.
    var size: Int { self[.players] }

    /// The fields, in the order of the Tab key.
    var places: [FieldPlace] { FieldPlace.all(size: size) }

    subscript(place: FieldPlace) -> TextField { (names[place] ?? DraftField()).field }

    subscript(rule: FieldPlace.Rule) -> Int { rules[rule]?.value ?? rule.usual }

    mutating func apply(_ event: GameCreator.ViewModelEvent) {
        switch event {
        case .draft(let home, let away): show(home, away)
        case .rules(let pointsToWin, let margin, let players):
            let numbers: [FieldPlace.Rule: Int] = [
                .pointsToWin: pointsToWin, .margin: margin, .players: players,
            ]
            for (rule, number) in numbers { rules[rule]?.received(number) }
            isUsual = numbers.allSatisfy { $0.key.usual == $0.value }
            keepFocus()
        case .problems(let texts): problems = texts
        case .createEnabled(let isEnabled): canCreate = isEnabled
        case .created: break
        }
    }

    private mutating func show(_ home: TeamDraft, _ away: TeamDraft) {
        rules[.players]?.received(home.players.count)
        let places = FieldPlace.names(size: Team.sizes.upperBound)
        for place in places {
            names[place, default: DraftField()].received(place.name(in: home, away) ?? "")
        }
        let last = places.last { place in
            place.name(in: home, away).map { !$0.isEmpty } ?? false
        }
        isEmpty = last == nil
        // The cursor begins at the end of what is there.
        if !hasFocus, let last {
            focus = last
            moveFocus(by: places.last == last ? 0 : 1)
        }
        hasFocus = true
    }

    // MARK: Keys

    mutating func focus(on field: Int) {
        let places = places
        hasFocus = true
        if places.indices.contains(field) { focus = places[field] }
    }

    mutating func moveFocus(by step: Int) {
        let places = places
        let place = places.firstIndex(of: focus) ?? 0
        hasFocus = true
        focus = places[(place + step + places.count) % places.count]
    }

    /// The focused player may be gone.
    private mutating func keepFocus() { if !places.contains(focus) { focus = .rule(.players) } }

    /// The event to send if the key has changed the focused field; else nil.
    mutating func edit(_ key: Key) -> GameCreator.ViewEvent? {
        hasFocus = true
        switch focus {
        case .rule(let rule):
            let number = rules[rule]?.edit(key)
            return number.map { rule.event($0) }
        case .team, .player:
            return names[focus, default: DraftField()].edit(key).flatMap { focus.event($0) }
        }
    }

    /// The shown names of a team.
    func team(_ side: Side) -> TeamDraft {
        let players = (0..<size).compactMap { PlayerIndex($0) }.map { self[.player(side, $0)].text }
        return TeamDraft(name: self[.team(side)].text, players: players)
    }

    /// The events that make an untouched draft the same as this one.
    var events: [GameCreator.ViewEvent] {
        let numbers = FieldPlace.Rule.allCases.filter { self[$0] != $0.usual }
            .map { $0.event(self[$0]) }
        let texts = FieldPlace.names(size: size).filter { !self[$0].text.isEmpty }
            .compactMap { $0.event(self[$0].text) }
        return numbers.reversed() + texts
    }

    mutating func forgetSent() {
        for place in names.keys { names[place]?.forgetSent() }
        for rule in rules.keys { rules[rule]?.forgetSent() }
    }
}
