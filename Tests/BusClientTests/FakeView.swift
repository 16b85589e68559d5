import BusdProtocol

@testable import BusdClient

/// A view that records the events and the callbacks of its view model.
final class FakeView<Kind: ViewModelKind>: View {
    let output = Output<Kind.ViewEvent>()
    private var entries: [String] = []

    func handle(event: Kind.ViewModelEvent) { entries.append("\(event)") }

    func take() -> [String] {
        defer { entries = [] }
        return entries
    }

    /// Binds the view, and records the callbacks too.
    func attach(to model: RemoteViewModel<Kind>) {
        bind(with: model)
        model.onUpdate = { [weak self] in self?.entries.append("update") }
        model.onLiveChanged = { [weak self] in self?.entries.append($0 ? "live" : "not live") }
        model.onGap = { [weak self] in self?.entries.append("gap \($0)") }
        model.onGone = { [weak self] in self?.entries.append("gone") }
        model.onRefused = { [weak self] in self?.entries.append("refused: \($0.message)") }
        model.onUnsent = { [weak self] in self?.entries.append("unsent: \($0)") }
        model.onUnanswered = { [weak self] in self?.entries.append("unanswered: \($0)") }
    }
}
