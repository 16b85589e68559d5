import BusClient
import Counter
import Glibc
import Protocol

/// `count HALL`: shows how many people are in a hall, and lets one count them.
@main struct Count {
    private let loop: ClientLoop
    private let connection: BusConnection
    // A view and a view model hold each other weakly: somebody has to keep them.
    private let counter: RemoteViewModel<Counter>
    private let view = CounterView()

    init(_ address: Address) throws {
        loop = try ClientLoop()
        connection = BusConnection(loop: loop, name: "count")
        counter = RemoteViewModel(connection, at: address)
        view.bind(with: counter)
        counter.onUpdate = view.draw
    }

    static func main() throws {
        let hall = CommandLine.arguments.dropFirst().first ?? "hall"
        guard let address = Address("counter/\(hall)") else { exit(64) }
        try Count(address).run()
    }

    private func run() throws {
        connection.open()
        try readKeys()
        // Answers come in the order of the requests: with this one all has been said.
        connection.request(.ping) { _ in loop.stop() }
        loop.run()
    }

    /// Until the end of the input.
    private func readKeys() throws {
        let keyboard = try loop.whenReadable(STDIN_FILENO, read)
        withExtendedLifetime(keyboard) { loop.run() }
    }

    private func read() {
        var keys = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(STDIN_FILENO, &keys, keys.count)
        if count > 0 { view.keysPressed(keys.prefix(count)) } else { loop.stop() }
    }
}
