import BusdClientTestSupport
import BusdProtocol
import Testing

@testable import BusdClient

@Suite struct SendingTests {
    let world: ClientFixture
    let daemon: FakeDaemon
    let connection: BusConnection
    let answers = AnswerRecorder()
    let echo = Address.literal("echo/a")

    init() throws {
        world = try ClientFixture()
        daemon = world.daemon
        connection = world.connection
    }

    private func send(_ name: String, key: String? = "k1") {
        connection.send(Array("\"\(name)\"".utf8), to: echo, key: key, answers.note(name))
    }

    private func line(_ name: String, key: String = "k1", id: Int) -> String {
        #"{"op":"send","to":"echo/a","event":""# + name + #"","key":""# + key + #"","id":\#(id)}"#
    }

    @Test func `A send is sent at once, and gets its answer`() {
        connection.open()
        send("tap")
        #expect(daemon.take() == [line("tap", id: 1)])
        world.send(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        #expect(answers.take() == [#"tap {"seq":[1,1],"changed":true}"#])
    }

    @Test func `Each send has a key of its own`() throws {
        connection.open()
        send("a", key: nil)
        send("b", key: nil)
        let keys = try daemon.take().map { line in
            let document = JSONDocument()
            try document.read(Array(line.utf8))
            return try #require(document.root?["key"]?.text)
        }
        #expect(keys.count == 2 && keys[0] != keys[1])
        #expect(keys.allSatisfy { (3...40).contains($0.utf8.count) })
        #expect(UnansweredSends().newKey() != UnansweredSends().newKey())
    }

    @Test func `Unanswered sends are repeated in order, with their keys, before new ones`() {
        connection.open()
        send("a", key: "k1")
        send("b", key: "k2")
        send("c", key: "k3")
        world.send(#"{"ok":{},"id":1}"#)
        _ = daemon.take()
        world.hangUp()
        send("d", key: "k4")
        #expect(answers.take() == ["a {}"])

        world.wait(.milliseconds(50))
        send("e", key: "k5")
        #expect(
            daemon.take() == [
                line("b", key: "k2", id: 4), line("c", key: "k3", id: 5),
                line("d", key: "k4", id: 6), line("e", key: "k5", id: 7),
            ])
        world.send(
            #"{"ok":{"changed":false,"duplicate":true},"id":4}"#, #"{"ok":{},"id":5}"#,
            #"{"ok":{},"id":6}"#)
        #expect(answers.take() == [#"b {"changed":false,"duplicate":true}"#, "c {}", "d {}"])
    }

    @Test func `A refusal is an answer, and the send is not repeated`() {
        connection.open()
        send("tap")
        world.send(#"{"error":{"code":"unknownEvent","message":"no"},"id":1}"#)
        #expect(answers.take() == ["tap refused unknownEvent: no"])
        world.hangUp()
        _ = daemon.take()
        world.wait(.milliseconds(50))
        #expect(daemon.take() == [])
    }

    @Test func `A send without an answer fails after five seconds, and is not repeated`() {
        connection.open()
        send("tap")
        _ = daemon.take()
        world.wait(.milliseconds(4999))
        #expect(answers.take() == [])
        world.wait(.milliseconds(1))
        #expect(answers.take() == ["tap timed out"])

        world.hangUp()
        world.wait(.zero)
        #expect(connection.isConnected)
        #expect(daemon.take() == [])
    }

    @Test func `A late answer to a send changes nothing`() {
        connection.open()
        send("tap")
        world.wait(.seconds(5))
        #expect(answers.take() == ["tap timed out"])
        world.send(#"{"ok":{},"id":1}"#)
        #expect(answers.take() == [])
    }

    @Test func `A send without a daemon waits for it`() {
        send("early")
        #expect(answers.take() == [])
        connection.open()
        #expect(daemon.take() == [line("early", id: 1)])
    }

    @Test func `The bytes of waiting sends are bounded`() {
        let event = Array(("\"" + String(repeating: "x", count: 65_000) + "\"").utf8)
        for number in 1...5 {
            connection.send(event, to: echo, answers.note(String(number)))
        }
        #expect(
            answers.take() == ["5 refused overloaded: too many events wait for their answer"])

        connection.open()
        #expect(world.takeAll().count == 4)
        world.send(#"{"ok":{},"id":1}"#)
        connection.send(event, to: echo, answers.note("6"))
        #expect(answers.take() == ["1 {}"])
    }
}
