import BusdClientTestSupport
import BusdProtocol
import BusdScreens

@testable import BusdClient
@testable import scoreboard

/// The page of game 4 on a connection, with a daemon and a time that the test controls.
final class GamePageFixture: PageHost {
    private let client: ClientFixture
    var connection: BusConnection { client.connection }
    private(set) var page: GamePage?
    private(set) var scorekeepers: Scorekeepers?
    private(set) var notices: [String] = []
    private var seq = 0
    /// The requests to `bus/views` so far: the operations with their ids.
    private(set) var asked: [(op: String, id: Int)] = []
    private var hello = 0

    /// The page shows 3 - 2. The connection has the number 3.
    init(_ parts: GameParts = .both, access: String = "control") throws {
        client = try ClientFixture(name: "court")
        let game = GameViews(
            .literal("scoreboard/4"), client.connection, as: "scoreboard",
            UserNames(isLocal: false), on: self)
        scorekeepers = game.scorekeepers
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
        (page, scorekeepers) = (nil, nil)
        settle()
    }

    func wait(_ span: Duration) {
        client.wait(span)
        settle()
    }

    // MARK: Daemon

    func send(_ lines: String...) {
        client.daemon.send(lines)
        settle()
    }

    private func settle() {
        client.settle()
        for line in client.daemon.take() { note(Array(line.utf8)) }
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
        client.hangUp()
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
