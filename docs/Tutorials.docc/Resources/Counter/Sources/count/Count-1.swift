import BusdClient
import BusdProtocol
import Counter
import Glibc

/// `count [HALL]`: shows how many people are in a hall. `+` and `-` count them.
@main struct Count {
    private let loop: ClientLoop
    private let connection: BusConnection
    // A view and a view model hold each other weakly, so the program holds both.
    private let counter: RemoteViewModel<Counter>
    private let view = CounterView()

    init(_ address: Address) throws {
        loop = try ClientLoop()
        connection = BusConnection(loop: loop, to: "counterd", name: "count")
        counter = RemoteViewModel(connection, at: address)
        view.bind(with: counter)
        counter.onUpdate = view.draw
    }
}
