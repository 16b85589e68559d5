import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Draws the newest event of a view model, live.
final class LivePage<Kind: ViewModelKind>: Page, View {
    /// Nil: no event has arrived.
    typealias Drawing = (
        Kind.ViewModelEvent?, _ isLive: Bool, inout Frame, Area
    ) -> Void

    let output = Output<Kind.ViewEvent>()
    private weak var host: (any PageHost<Outcome>)?
    private let viewModel: RemoteViewModel<Kind>
    private let drawing: Drawing
    private var event: Kind.ViewModelEvent?

    /// - Parameter missing: the message if there is no such view model.
    init(
        _ connection: BusConnection, _ address: Address, missing: String,
        on host: any PageHost<Outcome>, _ drawing: @escaping Drawing
    ) {
        (self.host, self.drawing) = (host, drawing)
        viewModel = RemoteViewModel(connection, at: address)
        viewModel.report(to: host)
        viewModel.onRefused = { [weak host] error in
            let isMissing = error.code == .unknownViewModel
            host?.go(isMissing ? Outcome(.refused, missing) : .refused(error))
        }
        viewModel.onGone = { [weak host] in host?.go(.gone(missing)) }
        bind(with: viewModel)
    }

    let minimum = Size(columns: 30, rows: 4)

    var hints: [Hint] { [Hint("q", "quit", .text("q"))] }

    func press(_ key: Key) {
        if key == .text("q") || key == .escape { host?.go(.done) }
    }

    func handle(event: Kind.ViewModelEvent) { self.event = event }

    func draw(on picture: inout Picture, in area: Area) {
        drawing(event, viewModel.isLive, &picture.frame, area)
    }
}
