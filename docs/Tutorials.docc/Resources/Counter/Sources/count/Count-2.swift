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

    static func main() {
        let hall = CommandLine.arguments.dropFirst().first ?? "hall"
        guard let address = Address("counter/\(hall)") else { fail("\(hall) is not a name", 64) }
        do {
            try Count(address).run()
        } catch {
            fail("\(error)", 1)
        }
    }

    private static func fail(_ message: String, _ status: Int32) -> Never {
        let line = "count: \(message)\n"
        write(STDERR_FILENO, line, line.utf8.count)
        exit(status)
    }
}
