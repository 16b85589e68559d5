import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// A run that prints what a view model of the bus shows. After a lost connection it connects again.
final class Following<Kind: ViewModelKind>: View {
    let output = Output<Kind.ViewEvent>()
    private let connection: BusConnection
    private let viewModel: RemoteViewModel<Kind>
    private let console: Console
    private let show: (Kind.ViewModelEvent, _ isSnapshot: Bool) -> Void
    /// Called after each connection, before the first event.
    var onConnected: (() -> Void)?
    private var left: Int?
    private var status: ExitStatus?
    private var wasConnected = false
    private var isLost = false

    /// - Parameters:
    ///   - count: the run ends after so many events that are no snapshot; `nil`: without limit.
    ///   - show: prints an event.
    init(
        _ address: Address, on connection: BusConnection, _ console: Console, count: Int? = nil,
        _ show: @escaping (Kind.ViewModelEvent, _ isSnapshot: Bool) -> Void
    ) {
        (self.connection, self.console, self.show) = (connection, console, show)
        left = count
        viewModel = RemoteViewModel(connection, at: address)
    }

    /// - Parameters:
    ///   - timeout: zero is without limit.
    ///   - explain: the message after a refusal.
    func run(within timeout: Duration, explain: @escaping (WireError) -> String) -> ExitStatus {
        connection.listen(self) { $0.received($1) }
        viewModel.onRefused = { [weak self] error in
            self?.end(ExitStatus(refusedWith: error.code), explain(error))
        }
        viewModel.onGone = { [weak self] in self?.end(.gone) }
        bind(with: viewModel)
        return connection.run(within: timeout, console) { status }
    }

    func handle(event: Kind.ViewModelEvent) {
        guard status == nil else { return }
        show(event, !viewModel.isLive)
        guard viewModel.isLive, let left else { return }
        self.left = left - 1
        if left == 1 { end(.done) }
    }

    private func end(_ status: ExitStatus, _ message: String? = nil) {
        guard self.status == nil else { return }
        if let message { console.writeError(message) }
        self.status = status
    }

    private func received(_ event: BusConnection.Event) {
        switch event {
        case .connected:
            if isLost { console.writeError("viewctl: connected") }
            (isLost, wasConnected) = (false, true)
            onConnected?()
        case .line: break
        case .lost(let loss):
            if loss.isFinal(wasConnected: wasConnected) {
                return end(ExitStatus(loss), "viewctl: \(loss.advice)")
            }
            if !isLost { console.writeError("viewctl: \(loss); trying again") }
            isLost = true
        }
    }
}
