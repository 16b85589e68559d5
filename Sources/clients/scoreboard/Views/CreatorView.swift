import BusdGamesEvents
import BusdProtocol
import BusdTerminal

/// The draft of a new game.
final class CreatorView: View {
    let output = Output<GameCreator.ViewEvent>()
    /// The game was created, at this address.
    var onCreated: ((Address) -> Void)?
    private(set) var state = CreatorState()
    /// What this screen has shown since the connection was lost; nil while there is one.
    private var saved: CreatorState?

    func handle(event: GameCreator.ViewModelEvent) {
        state.apply(event)
        if case .created(let text) = event, let address = Address(text) { onCreated?(address) }
    }

    func edit(_ key: Key) {
        if let event = state.edit(key) { output.send(event) }
        if saved != nil { saved = state }
    }

    func focus(on field: Int) { state.focus(on: field) }

    func moveFocus(by step: Int) { state.moveFocus(by: step) }

    func create() { output.send(.createTapped(home: state.team(.home), away: state.team(.away))) }

    func forgetSent() { state.forgetSent() }

    /// A draft is only in the daemon's memory. If it is untouched after a restart, what this screen
    /// has shown is sent again.
    func liveChanged(_ isLive: Bool) {
        guard isLive else {
            saved = saved ?? state
            return
        }
        if let saved, state.isFresh { for event in saved.events { output.send(event) } }
        saved = nil
    }
}
