import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The table of a house, live.
final class HousePage: Page {
    private weak var host: (any PageHost<Outcome>)?
    private let viewModel: RemoteViewModel<BusHouse>
    private let view = HouseView()

    init(_ connection: BusConnection, on host: any PageHost<Outcome>) {
        self.host = host
        viewModel = RemoteViewModel(connection, at: BusHouse.address)
        viewModel.report(to: host)
        viewModel.onRefused = { [weak host] error in
            let isMissing = error.code == .unknownViewModel
            host?.go(isMissing ? Outcome(.refused, HouseTable.noHouse) : .refused(error))
        }
        viewModel.onGone = { [weak host] in host?.go(.gone(HouseTable.noHouse)) }
        view.bind(with: viewModel)
    }

    let minimum = Size(columns: 30, rows: 4)

    var hints: [Hint] { [Hint("q", "quit", .text("q"))] }

    func press(_ key: Key) {
        if key == .text("q") || key == .escape { host?.go(.done) }
    }

    func draw(on picture: inout Picture, in area: Area) {
        HousePicture(house: view.house, isLive: viewModel.isLive).draw(on: &picture.frame, in: area)
    }
}

/// A view on `bus/house`.
final class HouseView: View {
    let output = Output<BusHouse.ViewEvent>()
    private(set) var house: HouseState?

    func handle(event: BusHouse.ViewModelEvent) { house = HouseState(event) }
}
