import BusdClient
import BusdProtocol
import BusdTerminal
import Glibc
import Timer

/// `countdown [NAME]`: shows a timer. Single keys control it.
@main struct Countdown {
    private let loop: ClientLoop
    private let connection: BusConnection
    private let timer: RemoteViewModel<Timer>
    // A view and a view model hold each other weakly, so the program holds both.
    private let view = TimerView()

    init(_ address: Address) throws {
        loop = try ClientLoop()
        connection = BusConnection(loop: loop, to: "timerd", name: "countdown")
        timer = RemoteViewModel(connection, at: address)
        view.bind(with: timer)
    }

    static func main() {
        let name = CommandLine.arguments.dropFirst().first ?? "tea"
        guard let address = Address("timer/\(name)") else { fail("\(name) is not a name", 64) }
        do {
            try Countdown(address).run()
        } catch {
            fail("\(error)", 1)
        }
    }

    private static func fail(_ message: String, _ status: Int32) -> Never {
        PlainOutput.errors.line("countdown: \(message)")
        exit(status)
    }

    private func run() throws {
        // Releasing the screen restores the terminal.
        let screen = try Screen()
        let draw = { screen.show(view.picture(screen.size, loss: connection.loss)) }
        timer.onUpdate = draw
        timer.onLiveChanged = { _ in draw() }
        let watches = try [
            loop.whenReadable(screen.inputDescriptor) { read(screen) },
            loop.whenSignalled(SIGINT) { loop.stop() },
            loop.whenSignalled(SIGTERM) { loop.stop() },
            loop.whenSignalled(SIGWINCH) {
                screen.resize()
                draw()
            },
        ]
        connection.open()
        draw()
        withExtendedLifetime(watches) { loop.run() }
    }

    private func read(_ screen: Screen) {
        // `nil`: the terminal is gone, so the program ends.
        for key in screen.readKeys() ?? [.text("q")] {
            if key == .text("q") { loop.stop() } else { view.pressed(key) }
        }
    }
}
