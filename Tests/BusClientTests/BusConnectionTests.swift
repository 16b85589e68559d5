import BusdClientTestSupport
import BusdProtocol
import Glibc
import Testing

@testable import BusdClient

@Suite struct BusConnectionTests {
    let world: ClientFixture
    let daemon: FakeDaemon
    let connection: BusConnection
    let recorder: EventRecorder
    let answers = AnswerRecorder()

    init() throws {
        world = try ClientFixture()
        daemon = world.daemon
        connection = world.connection
        recorder = EventRecorder(connection)
    }

    // MARK: Connecting

    @Test func `The method open connects before it returns, and only once`() {
        #expect(connection.loss == .notOpen)
        connection.open()
        #expect(connection.isConnected)
        #expect(recorder.take() == ["connected"])

        connection.open()
        #expect(recorder.take() == [] && daemon.attempts == 1)
    }

    @Test func `A missing daemon is reported once, and the client connects soon after its start`() {
        daemon.acceptance = .closed(ENOENT)
        connection.open()
        #expect(!connection.isConnected)
        #expect(recorder.take() == ["lost: no daemon listens at /bus"])

        world.wait(.seconds(3600))
        #expect((24_000...72_000).contains(daemon.attempts))
        #expect(recorder.take() == [])
        daemon.acceptance = .accepts
        world.wait(.milliseconds(150))
        #expect(recorder.take() == ["connected"])
    }

    @Test func `Each new reason for a loss is reported`() {
        daemon.acceptance = .closed(ENOENT)
        connection.open()
        daemon.acceptance = .closed(EACCES)
        world.wait(.milliseconds(150))
        daemon.acceptance = .backlogFull
        world.wait(.milliseconds(150))
        daemon.acceptance = .accepts
        world.wait(.milliseconds(150))
        #expect(
            recorder.take() == [
                "lost: no daemon listens at /bus", "lost: no permission to connect to /bus",
                "lost: the daemon at /bus has too many clients waiting", "connected",
            ])
    }

    @Test func `The client reconnects at once after the loss of a good connection`() {
        connection.open()
        world.wait(.seconds(2))
        world.hangUp()
        #expect(recorder.take() == ["connected", "lost: the daemon at /bus closed the connection"])
        world.wait(.zero)
        #expect(recorder.take() == ["connected"])
    }

    @Test func `The client waits longer after each connection that is closed at once`() {
        connection.open()
        world.hangUp()
        world.wait(.milliseconds(49))
        #expect(daemon.attempts == 1)
        world.wait(.milliseconds(1))
        world.hangUp()
        world.wait(.milliseconds(99))
        #expect(daemon.attempts == 2)
    }

    @Test func `The bye of the daemon is the reason for the loss`() {
        connection.open()
        daemon.send([#"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#])
        daemon.stop()
        world.settle()
        #expect(
            recorder.take() == [
                "connected", #"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#,
                "lost: the daemon closed the connection: the daemon is stopping (closing)",
            ])
    }

    @Test func `The bye is read even if the daemon left requests unread`() {
        connection.open()
        connection.request(.ping, answers.note("ping"))
        daemon.send([#"{"bye":{"code":"overloaded","message":"too many connections"}}"#])
        daemon.stop()
        world.settle()
        let loss = "lost: the daemon closed the connection: too many connections (overloaded)"
        #expect(answers.take() == ["ping " + loss])
        #expect(recorder.take().last == loss)
    }

    @Test func `A closed connection stays closed until it is opened again`() {
        connection.open()
        connection.request(.ping, answers.note("ping"))
        connection.close()
        world.wait(.seconds(10))
        #expect(answers.take() == ["ping lost: the connection is not open"])
        #expect(recorder.take() == ["connected", "lost: the connection is not open"])
        #expect(daemon.attempts == 1)

        connection.open()
        #expect(recorder.take() == ["connected"])
    }

    @Test func `A connection that is closed between attempts does not reconnect`() {
        daemon.acceptance = .closed(ENOENT)
        connection.open()
        connection.close()
        daemon.acceptance = .accepts
        world.wait(.seconds(10))
        #expect(daemon.attempts == 1)
    }

    // MARK: Lines and answers

    @Test func `Lines are reported in order, and unknown lines too`() {
        connection.open()
        world.send(#"{"later":1}"#, #"{"ping":1}"#, #"{"live":"echo/**"}"#)
        #expect(
            recorder.take() == [
                "connected", #"{"later":1}"#, #"{"ping":1}"#, #"{"live":"echo/**"}"#,
            ])
    }

    @Test func `Each answer goes to its request`() {
        connection.open()
        connection.request(.ping, answers.note("first"))
        connection.request(.describe("x"), answers.note("second"))
        #expect(
            daemon.take() == [#"{"op":"ping","id":1}"#, #"{"op":"describe","to":"x","id":2}"#])

        world.send(
            #"{"error":{"code":"unknownViewModel","message":"no x"},"id":2}"#, #"{"ok":{},"id":1}"#)
        #expect(answers.take() == ["second refused unknownViewModel: no x", "first {}"])
    }

    @Test func `An answer without a request, or a second one, is only a line`() {
        connection.open()
        connection.request(.ping, answers.note("ping"))
        world.send(
            #"{"ok":{},"id":1}"#, #"{"ok":{},"id":1}"#, #"{"ok":{},"id":"1"}"#, #"{"ok":{}}"#)
        #expect(answers.take() == ["ping {}"])
        #expect(recorder.take().count == 5)
    }

    @Test func `Without a connection a request fails at once`() {
        connection.request(.ping, answers.note("early"))
        #expect(answers.take() == ["early lost: the connection is not open"])
    }

    @Test func `Pending requests fail in their order when the connection ends`() {
        connection.open()
        for name in ["a", "b", "c"] { connection.request(.ping, answers.note(name)) }
        daemon.stop()
        world.settle()
        let loss = "lost: the daemon at /bus closed the connection"
        #expect(answers.take() == ["a \(loss)", "b \(loss)", "c \(loss)"])
    }

    @Test func `A request that the daemon would find too long is not sent`() {
        connection.open()
        let event = Array((#"{"say":""# + String(repeating: "x", count: 65_536) + #""}"#).utf8)
        connection.request(.send(event, to: .literal("echo/a")), answers.note("long"))
        #expect(answers.take() == ["long refused tooLong: a request has at most 65536 bytes"])
        #expect(daemon.take() == [])
    }

    @Test func `Requests to a daemon that does not read are bounded, and arrive in the end`() {
        connection.open()
        let event = Array((#"{"say":""# + String(repeating: "x", count: 60_000) + #""}"#).utf8)
        for number in 1...100 {
            connection.request(
                .send(event, to: .literal("echo/a")), answers.note(String(number)))
        }
        let refused = answers.take()
        #expect(
            refused.last
                == "100 refused overloaded: the daemon does not read, and too many requests wait")
        #expect(refused.count > 60 && refused.count < 90)

        #expect(world.takeAll().count == 100 - refused.count)
    }

    @Test(arguments: [
        ("HTTP/1.1", "expected a value, at byte 1"),
        ("[1]", "a line is not an object"),
        ("", "expected a value, at byte 1"),
    ]) func `A server of another protocol is disconnected`(line: String, reason: String) {
        connection.open()
        world.send(line, #"{"ping":1}"#)
        #expect(recorder.take() == ["connected", "lost: cannot use the daemon at /bus: \(reason)"])
    }

    @Test func `A client with a name introduces itself, on every connection`() throws {
        let world = try ClientFixture(name: "courtside")
        world.connection.open()
        let hello = #"{"op":"hello","protocol":1,"name":"courtside","id":1}"#
        #expect(world.daemon.take() == [hello])
        world.send(#"{"ok":{"protocol":1},"id":1}"#)
        world.hangUp()
        world.wait(.milliseconds(50))
        #expect(world.daemon.take() == [hello.replacing("1}", with: "2}")])
    }

    @Test func `The number and the socket of a connection are known until it is lost`() throws {
        let world = try ClientFixture(name: "courtside")
        world.connection.open()
        #expect(world.connection.number == nil && world.connection.access == nil)
        world.send(#"{"ok":{"protocol":1,"connection":3,"access":"view"},"id":1}"#)
        #expect(world.connection.number == 3 && world.connection.access == "view")
        world.hangUp()
        #expect(world.connection.number == nil && world.connection.access == nil)
    }

    @Test func `A daemon of another protocol version is disconnected`() throws {
        let world = try ClientFixture(name: "courtside")
        let recorder = EventRecorder(world.connection)
        world.connection.open()
        world.send(
            #"{"error":{"code":"unsupportedProtocol","message":"I speak protocol 2"},"id":1}"#)
        let loss = "lost: cannot use the daemon at /bus: I speak protocol 2"
        #expect(recorder.take() == ["connected", loss])
    }

    @Test func `A line that was kept stays as it was`() {
        final class Keeper { var kept: [JSONValue] = [] }
        let keeper = Keeper()
        connection.listen(keeper) { keeper, event in
            if case .line(_, let object) = event { keeper.kept.append(object) }
        }
        connection.open()
        world.send(#"{"ping":1}"#, #"{"later":[1,2,3]}"#, #"{"gone":"echo/a"}"#)
        #expect(
            keeper.kept.map { String(decoding: $0.json, as: UTF8.self) } == [
                #"{"ping":1}"#, #"{"later":[1,2,3]}"#, #"{"gone":"echo/a"}"#,
            ])
    }

    @Test func `A removed or released listener gets nothing`() {
        let second = EventRecorder(connection)
        do {
            let third = EventRecorder(connection)
            connection.open()
            #expect(second.take() == ["connected"] && third.take() == ["connected"])
        }
        connection.unlisten(second)
        world.send(#"{"ping":1}"#)
        #expect(second.take() == [])
        #expect(recorder.take() == ["connected", #"{"ping":1}"#])
    }
}
