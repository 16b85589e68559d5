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

    private func run() throws {
        connection.open()
        if let loss = connection.loss { Self.fail("\(loss)", 1) }
        try readKeys()
        // Answers arrive in the order of the requests, so after this one none is missing.
        connection.request(.ping) { _ in loop.stop() }
        loop.run()
    }

    /// Returns at the end of the input.
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
