import BusdClient
import BusdProtocol
import BusdTerminal
import Glibc
import Shopping

/// `shop [LIST]`: shows a shopping list, and reads commands from standard input, one per line.
@main final class Shop {
    private let loop: ClientLoop
    private let connection: BusConnection
    // A view and a view model hold each other weakly, so the program holds both.
    private let list: RemoteViewModel<Shopping>
    private let view = ShoppingView()
    private var input: [UInt8] = []
    private var hasEnded = false
    /// The list has not arrived yet, or a line is not answered.
    private var isWaiting = true

    init(_ address: Address) throws {
        loop = try ClientLoop()
        connection = BusConnection(loop: loop, to: "shoppingd", name: "shop")
        list = RemoteViewModel(connection, at: address)
        view.bind(with: list)
    }

    static func main() {
        let name = CommandLine.arguments.dropFirst().first ?? "home"
        guard let address = Address("shopping/\(name)") else { fail("\(name) is not a name", 64) }
        do {
            try Shop(address).run()
        } catch {
            fail("\(error)", 1)
        }
    }

    private static func fail(_ message: String, _ status: Int32) -> Never {
        PlainOutput.errors.line("shop: \(message)")
        exit(status)
    }

    private func run() throws {
        list.onUpdate = view.draw
        list.onRefused = { PlainOutput.errors.line("shop: \($0.message)") }
        list.onLiveChanged = { [self] isLive in if isLive { handleNextLine() } }
        connection.open()
        if let loss = connection.loss { Self.fail("\(loss)", 1) }
        let input = try loop.whenReadable(STDIN_FILENO, read)
        withExtendedLifetime(input) { loop.run() }
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
        view.typed(line[...])
        // Answers arrive in the order of the requests, so at this one the view has the new list.
        // The places in the next line are those of the printed list.
        isWaiting = true
        connection.request(.ping) { [self] _ in handleNextLine() }
    }
}
