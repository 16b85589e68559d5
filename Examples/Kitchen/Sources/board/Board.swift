import BusdClient
import BusdProtocol
import BusdTerminal
import Glibc
import Kitchen

/// `board`: shows the orders of a kitchen, and reads commands from standard input, one per line.
@main final class Board {
    private let loop: ClientLoop
    private let connection: BusConnection
    private let view = BoardView()
    // A view and a view model hold each other weakly, so the program holds both.
    private let orders: RemoteViewModel<Orders>
    private var input: [UInt8] = []
    private var hasEnded = false
    /// The orders have not arrived yet, or a line is not answered.
    private var isWaiting = true

    init() throws {
        loop = try ClientLoop()
        connection = BusConnection(loop: loop, to: "kitchend", name: "board")
        orders = RemoteViewModel(connection, at: .literal("orders"))
        view.bind(with: orders)
    }

    static func main() {
        do {
            try Board().run()
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        PlainOutput.errors.line("board: \(message)")
        exit(1)
    }

    private func run() throws {
        // The board also shows what others change.
        orders.onUpdate = { [self] in if !isWaiting { draw() } }
        orders.onRefused = { PlainOutput.errors.line("board: \($0.message)") }
        orders.onLiveChanged = { [self] isLive in if isLive { draw() } }
        connection.open()
        if let loss = connection.loss { Self.fail("\(loss)") }
        let input = try loop.whenReadable(STDIN_FILENO, read)
        withExtendedLifetime(input) { loop.run() }
    }

    /// Answers arrive in the order of the requests, so at this one the views have what was asked
    /// for before it.
    private func draw() {
        isWaiting = true
        connection.request(.ping) { [self] _ in
            if view.addsOrders(connection) { return draw() }
            view.draw()
            handleNextLine()
        }
    }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        if count > 0 { input += bytes.prefix(count) } else { hasEnded = true }
        if !isWaiting { handleNextLine() }
    }

    private func handleNextLine() {
        isWaiting = false
        guard let end = input.firstIndex(of: UInt8(ascii: "\n")) else {
            if hasEnded { loop.stop() }
            return
        }
        let line = String(decoding: input[..<end], as: UTF8.self)
        input.removeSubrange(...end)
        view.typed(line)
        draw()
    }
}
