import BusdClient
import BusdProtocol
import TestSupport
import Testing

extension Torture {
    /// A game that is running when the daemon is killed, on a slow disk.
    @Suite(.serialized) struct ClockTests {
        private let folder: Folder
        private let address = "scoreboard/1"

        init() throws { folder = try Folder() }

        /// The daemon's timer has another phase after each restart.
        @Test func `A kill costs less than a second of the game's time`() throws {
            guard Strace.isInstalled() else { return }
            let first = try DaemonFixture(in: folder)
            #expect(
                try first.connect().ask(Line.createGame("Hawks", key: "create"))?.isDone == true)
            first.stop()
            var before = 0
            for number in 0..<(Torture.isLong ? 12 : 1) {
                let options = [
                    "-e", "trace=fdatasync", "-e", "inject=fdatasync:delay_enter=300000",
                ]
                let daemon = try DaemonFixture(
                    in: folder, under: Strace.words(options, on: folder, log: folder("trace")))
                let began = Moment.now
                let shown = try run(daemon, forTenths: 12 + number % 4 * 3)
                daemon.kill()
                let passed = Moment.now.tenths(since: began)
                let next = try DaemonFixture(in: folder)
                let game = try Library(try next.connect()).games["1"]
                let tenths = try #require(game?.tenths)
                #expect(shown - tenths < 10, "\(shown) tenths were shown, \(tenths) are left")
                // The clock ran until the kill, which is late on a busy machine.
                #expect(tenths <= before + passed + 1, "time was made up")
                before = tenths
                next.stop()
            }
        }

        /// Starts the clock, and returns the time that it shows after it has run for this long.
        private func run(_ daemon: DaemonFixture, forTenths wanted: Int) throws -> Int {
            let client = try daemon.connect()
            let key = "start \(daemon.process.pid)"
            #expect(
                try client.ask(Line.send("\"togglePause\"", to: address, key: key))?.isDone == true)
            try client.send(#"{"op":"subscribe","to":"\#(address)","only":["time"]}"#)
            var first: Int?
            while let line = try client.line() {
                guard case .event(let event) = line,
                    let text = event.event["time"]?["text"]?.text,
                    let tenths = GameTime.tenths(text)
                else { continue }
                if tenths - (first ?? tenths) >= wanted { return tenths }
                first = first ?? tenths
            }
            throw GaveUp(description: "the daemon has closed")
        }
    }
}
