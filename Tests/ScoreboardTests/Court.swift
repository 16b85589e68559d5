import BusdProtocol
import BusdScreens
import TestSupport

@testable import BusdClient
@testable import BusdEventLoop
@testable import scoreboard

/// The page of game 4 on a connection, with a daemon and a time that the test controls.
final class Court: PageHost {
    let connection: BusConnection
    private(set) var page: GamePage?
    private(set) var keepers: Keepers?
    private(set) var notices: [String] = []
    private let loop: ClientLoop
    private let timeline = Timeline()
    private let line = Line()
    private var seq = 0
    /// The requests to `bus/views` so far: the operations with their ids.
    private(set) var asked: [(op: String, id: Int)] = []
    private var hello = 0

    /// The daemon's end of the socket.
    private final class Line {
        var far: Descriptor?
        var input = LineBuffer(longest: 1 << 20)

        func dial() -> Connecting {
            do {
                let ends = try socketPair()
                far = ends.far
                input = LineBuffer(longest: 1 << 20)
                return .connected(ends.near)
            } catch {
                return .failed(error)
            }
        }
    }

    /// The page shows 3 - 2. The connection has the number 3.
    init(_ parts: GameParts = .both, access: String = "control") throws {
        loop = ClientLoop(loop: try Loop(), clock: timeline)
        connection = BusConnection(loop: loop, path: "/bus", name: "court", dial: line.dial)
        let game = GameViews(
            .literal("scoreboard/4"), connection, as: "scoreboard", UserNames(isLocal: false),
            on: self)
        keepers = game.keepers
        page = GamePage(game, parts, on: self)
        connection.open()
        welcome(3, access)
        score("3 - 2", #""snapshot":true,"#)
        live()
    }

    func changed() {}
    func showNotice(_ notice: String) { notices.append(notice) }
    func go(_ step: Step) {}

    func leavePage() {
        (page, keepers) = (nil, nil)
        settle()
    }

    func wait(_ span: Duration) {
        timeline.advance(to: timeline.now + span)
        settle()
    }

    // MARK: Daemon

    func send(_ lines: String...) {
        for line in lines {
            let bytes = Array((line + "\n").utf8)
            _ = bytes.withUnsafeBytes { self.line.far?.write($0) }
        }
        settle()
    }

    private func settle() {
        for _ in 0..<4 { loop.loop.turn(block: false) }
        while let far = line.far, case .bytes = line.input.fill({ far.read(into: $0) }) {}
        while let line = line.input.next() { note(Array(line)) }
    }

    private func note(_ line: [UInt8]) {
        let document = JSONDocument()
        try? document.read(line, limits: BusLine.limits)
        guard let request = document.root, let op = request["op"]?.text,
            let id = request["id"]?.integer
        else { return }
        if op == "hello" { hello = id }
        if request["to"]?.text == "bus/views" { asked.append((op, id)) }
    }

    /// Answers `hello` of a new connection.
    func welcome(_ number: Int, _ access: String = "control") {
        settle()
        send(#"{"ok":{"connection":\#(number),"access":"\#(access)"},"id":\#(hello)}"#)
    }

    /// The page has all values.
    func live() { send(#"{"live":"scoreboard/4","cursor":"k3:\#(seq)"}"#) }

    /// The score is this from now on, because of a send of the connection.
    func score(_ text: String, by connection: Int) {
        score(text, #""cause":{"connection":\#(connection),"id":1},"#)
    }

    /// - Parameter more: other members of the line.
    func score(_ text: String, _ more: String = "") {
        let home = text.prefix { $0 != " " }
        emit(#"{"score":{"home":\#(home),"away":2,"text":"\#(text)"}}"#, more)
    }

    func emit(_ event: String, _ more: String = "") {
        seq += 1
        send(#"{"from":"scoreboard/4","seq":\#(seq),\#(more)"event":\#(event)}"#)
    }

    /// Shows these rows of `bus/views`.
    func show(_ rows: String...) {
        let rows = rows.joined(separator: ",")
        send(
            #"{"from":"bus/views","seq":0,"snapshot":true,"event":{"views":{"views":[\#(rows)]}}}"#,
            #"{"live":"bus/views","cursor":"k3:0"}"#)
    }

    /// The connection is lost. The client connects again at once.
    func hangUp() {
        line.far = nil
        settle()
        wait(.seconds(10))
    }
}

/// A row of `bus/views`: a connection shows a player of game 4.
func row(
    _ connection: Int, _ uid: Int, since: Int? = nil, as view: String = "player",
    to address: String = "scoreboard/4/home/1", access: String = "control", name: String = "n"
) -> String {
    #"{"connection":\#(connection),"name":"\#(name)","as":"\#(view)","to":"\#(address)","access":"#
        + #""\#(access)","pid":5,"uid":\#(uid),"missed":0"#
        + (since.map { #","since":\#($0)"# } ?? "") + "}"
}
