import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// A run that prints what a view model of the bus shows. After a lost connection it connects again.
final class LiveView<Kind: ViewModelKind>: View {
    let output = Output<Kind.ViewEvent>()
    private let session: Session
    private let viewModel: RemoteViewModel<Kind>
    private let show: (Kind.ViewModelEvent, _ isSnapshot: Bool) -> Void
    /// Called after each connection, before the first event.
    var onConnected: () -> Void = {}
    private var left: Int?

    /// - Parameters:
    ///   - count: the run ends after so many events that are no snapshot; `nil`: without limit.
    ///   - show: prints an event.
    init(
        _ address: Address, in session: Session, count: Int? = nil,
        _ show: @escaping (Kind.ViewModelEvent, _ isSnapshot: Bool) -> Void
    ) {
        (self.session, self.show) = (session, show)
        left = count
        viewModel = RemoteViewModel(session.connection, at: address)
    }

    /// - Parameter missing: the message if there is no such view model.
    func run(_ console: Console, missing: String) throws -> ExitStatus {
        session.reportLosses(on: console, onConnected)
        viewModel.onRefused = { [session] in session.end(Outcome.refusal($0, missing: missing)) }
        viewModel.onGone = { [session] in session.end(Outcome(.gone)) }
        bind(with: viewModel)
        return try session.run(console)
    }

    func handle(event: Kind.ViewModelEvent) {
        guard !session.hasEnded else { return }
        show(event, !viewModel.isLive)
        guard viewModel.isLive, let left else { return }
        self.left = left - 1
        if left == 1 { session.end(Outcome.done) }
    }
}
