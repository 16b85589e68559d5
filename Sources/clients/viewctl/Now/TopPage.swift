import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The connections, live.
final class TopPage: Page {
    private weak var host: (any PageHost<Outcome>)?
    private let viewModel: RemoteViewModel<BusConnections>
    private let view = ConnectionsView()
    private let users: UserNames

    init(_ connection: BusConnection, on host: any PageHost<Outcome>, _ users: UserNames) {
        (self.host, self.users) = (host, users)
        viewModel = RemoteViewModel(connection, at: BusConnections.address)
        viewModel.report(to: host)
        viewModel.onRefused = { [weak host] error in
            let isMissing = error.code == .unknownViewModel
            host?.go(isMissing ? Outcome(.refused, Top.tooOld) : .refused(error))
        }
        view.bind(with: viewModel)
    }

    let minimum = Size(columns: 30, rows: 4)

    var hints: [Hint] { [Hint("q", "quit", .text("q"))] }

    func press(_ key: Key) {
        if key == .text("q") || key == .escape { host?.go(.done) }
    }

    func draw(on picture: inout Picture, in area: Area) {
        guard let event = view.event else {
            let text = "Waiting for the daemon…"
            return picture.frame.write(text, in: area, row: area.rows / 3, .center, .dim)
        }
        let table = ConnectionsTable(event, users)
        let lines = table.lines(TextStyle(isColoured: false))
        let rows = zip(lines.dropFirst(2), table.rows).map { line, row in
            (line: line, style: row.backlog > 0 ? Style(.notice) : Style.plain)
        }
        TablePicture(
            title: lines[0], titleStyle: .bold, head: lines[1], rows: rows,
            omitted: table.omitted, isLive: viewModel.isLive
        ).draw(on: &picture.frame, in: area)
    }
}

/// A view on `bus/connections`.
private final class ConnectionsView: View {
    let output = Output<BusConnections.ViewEvent>()
    private(set) var event: BusConnections.ViewModelEvent?

    func handle(event: BusConnections.ViewModelEvent) { self.event = event }
}
