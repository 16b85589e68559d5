import BusdClientTestSupport
import BusdProtocol
import Glibc
import Testing

@testable import BusdClient
@testable import BusdEventLoop

@Suite struct SessionTests {
    let world: ClientFixture

    init() throws { world = try ClientFixture() }

    private func session(
        _ patience: Session.Patience = .forReturn, within limit: Session.Limit = .total(.zero)
    ) -> Session {
        Session(world.connection, patience, within: limit)
    }

    /// Why a session ends while it waits.
    private func failure(_ session: Session, _ meanwhile: () -> Void) -> RequestFailure? {
        do {
            try session.waitForAnswer { () -> Void? in
                meanwhile()
                return nil
            }
            return nil
        } catch {
            return error as? RequestFailure
        }
    }

    // MARK: Patience

    @Test(arguments: [
        (Session.Patience.forReturn, true, true), (.forStart, false, false),
        (.forStartIfPermitted, false, true), (.forStartOnly, false, false), (.none, true, true),
    ])
    func `The patience says whether a session waits for its first daemon`(
        patience: Session.Patience, endsWithoutDaemon: Bool, endsWithoutPermission: Bool
    ) {
        for (code, ends) in [(ENOENT, endsWithoutDaemon), (EACCES, endsWithoutPermission)] {
            world.daemon.acceptance = .closed(code)
            let session = session(patience)
            world.connection.open()
            #expect(session.hasEnded == ends)
            world.connection.close()
        }
    }

    @Test(arguments: [
        (Session.Patience.forReturn, false), (.forStart, false), (.forStartIfPermitted, false),
        (.forStartOnly, true), (.none, true),
    ])
    func `The patience says whether a session waits for a daemon that was there`(
        patience: Session.Patience, ends: Bool
    ) {
        let session = session(patience)
        world.connection.open()
        world.hangUp()
        #expect(session.hasEnded == ends)
    }

    @Test(arguments: [
        Session.Patience.forReturn, .forStart, .forStartIfPermitted, .forStartOnly, .none,
    ])
    func `A session never waits for a daemon that it cannot use`(patience: Session.Patience) {
        let session = session(patience)
        world.connection.open()
        world.send("HTTP/1.1 400")
        let reason = "expected a value, at byte 1"
        #expect(failure(session) {} == .lost(.malformed(path: "/bus", reason: reason)))
    }

    @Test func `A session tries again while too many clients wait to connect`() {
        world.daemon.acceptance = .backlogFull
        let session = session()
        world.connection.open()
        #expect(!session.hasEnded)
    }

    // MARK: Moments

    @Test func `A session reports each connection, its lines, and the first loss`() {
        let session = session()
        var moments: [String] = []
        session.ready = { moments.append("ready") }
        session.received = { moments.append(String(decoding: $1.json, as: UTF8.self)) }
        session.lost = { moments.append("\($0)") }
        world.connection.open()
        world.send(#"{"ping":1}"#)
        for _ in 0..<2 {
            world.hangUp()
            world.wait(.seconds(3))
        }
        session.isAway = false
        world.hangUp()
        let lost = "the daemon at /bus closed the connection"
        #expect(moments == ["ready", #"{"ping":1}"#, lost, "ready", "ready", lost])
    }

    @Test func `A session that has ended reports nothing`() {
        let session = session()
        session.received = { _, _ in Issue.record("a line") }
        session.lost = { _ in Issue.record("a loss") }
        world.connection.open()
        session.end(RequestFailure.lost(.notOpen))
        session.end(RequestFailure.timedOut)
        world.send(#"{"ping":1}"#)
        world.hangUp()
        #expect(failure(session) {} == .lost(.notOpen))
    }

    // MARK: Requests

    @Test func `After a loss a session is ready, and asks again for what has no answer`() throws {
        let session = session()
        session.ready = { [world] in world.connection.request(.hello(name: "me")) }
        world.connection.open()
        #expect(world.daemon.take().count == 1)
        world.send(#"{"ok":{},"id":1}"#)
        // The daemon answers while the loop runs.
        let steps = [
            world.timeline.schedule(after: .seconds(1)) { [world] in
                #expect(world.daemon.take().count == 2)
                world.daemon.send([#"{"ok":{"a":1},"id":2}"#])
                world.daemon.hangUp()
            },
            world.timeline.schedule(after: .seconds(5)) { [world] in
                #expect(
                    world.daemon.take() == [
                        #"{"op":"hello","protocol":1,"name":"me","id":4}"#,
                        #"{"op":"get","to":"echo/b","id":5}"#,
                    ])
                world.daemon.send([#"{"error":{"code":"unknownViewModel","message":"no"},"id":5}"#])
            },
        ]
        let ticks = EveryTurn(world.loop.loop) { [timeline = world.timeline] in
            timeline.advance(to: timeline.now + .milliseconds(100))
        }
        let addresses = [Address.literal("echo/a"), .literal("echo/b")]
        let answers = try withExtendedLifetime((steps, ticks)) {
            try session.answers(to: addresses.map { .get($0) })
        }
        #expect(try answers[0].get()["a"]?.integer == 1)
        #expect(throws: WireError(.unknownViewModel, "no")) { try answers[1].get() }
    }

    @Test func `A refusal ends a session, unless the request handles it`() {
        let session = session()
        world.connection.open()
        var refusals: [WireError] = []
        session.ask(.ping) { _ in
        } refused: {
            refusals.append($0)
        }
        session.ask(.ping)
        world.send(#"{"error":{"code":"notAllowed","message":"a"},"id":1}"#)
        #expect(refusals == [WireError(.notAllowed, "a")])
        #expect(!session.hasEnded)
        world.send(#"{"error":{"code":"notAllowed","message":"b"},"id":2}"#)
        #expect(failure(session) {} == .refused(WireError(.notAllowed, "b")))
    }

    // MARK: Time limits

    @Test func `A total limit goes on from one answer to the next, until the clock is stopped`() {
        let session = session(within: .total(.seconds(5)))
        let wait = { [world] (seconds: Int) in world.wait(.seconds(seconds)) }
        #expect(throws: Never.self) { try session.wait { wait(4) } }
        session.stopClock()
        #expect(throws: Never.self) { try session.wait { wait(4) } }
        #expect(failure(session) { wait(1) } == .timedOut)
    }

    @Test func `A limit for each answer begins again with each`() {
        let session = session(within: .perAnswer(.seconds(5)))
        let wait = { [world] (seconds: Int) in world.wait(.seconds(seconds)) }
        for _ in 0..<3 { #expect(throws: Never.self) { try session.wait { wait(4) } } }
        #expect(failure(session) { wait(5) } == .timedOut)
    }

    @Test func `A time limit that ends without a connection is a loss`() {
        world.daemon.acceptance = .closed(ENOENT)
        let session = session(.forStart, within: .total(.seconds(5)))
        #expect(failure(session) { world.wait(.seconds(5)) } == .lost(.noDaemon(path: "/bus")))
    }
}
