import Glibc
import TestSupport
import Testing

@testable import BusdDaemon
@testable import BusdEventLoop

@Suite struct SupervisionTests {
    private let folder: Folder
    private let loop: Loop
    private let logged: LogPipe
    private let manager: FakeSystemd

    init() throws {
        folder = try Folder()
        loop = try Loop()
        logged = try LogPipe()
        manager = try FakeSystemd(at: folder("notify"))
    }

    private func supervision(_ variables: [String: String]) throws -> Supervision {
        let systemd = try Systemd(Variables { variables[$0] }, process: 1)
        return Supervision(systemd, loop: loop, log: logged.log())
    }

    @Test func `Notifications tell systemd when the daemon is ready, and when it stops`() throws {
        let supervision = try supervision(["NOTIFY_SOCKET": folder("notify")])
        #expect(manager.next() == nil)

        supervision.ready("serving")
        #expect(manager.next() == "READY=1\nSTATUS=serving")
        supervision.stopping()
        #expect(manager.next() == "STOPPING=1")
        #expect(manager.next() == nil)
        #expect(logged.lines() == [])
    }

    @Test func `The watchdog is notified at half its interval`() throws {
        let before = loop.now()
        let supervision = try supervision([
            "NOTIFY_SOCKET": folder("notify"), "WATCHDOG_USEC": "60000",
        ])
        var fed: [String] = []
        #expect(
            loop.turn {
                if let message = manager.next() { fed.append(message) }
                return fed.count == 4
            })

        #expect(fed == Array(repeating: "WATCHDOG=1", count: 4))
        #expect(loop.now() - before >= 90_000)
        withExtendedLifetime(supervision) {}
    }

    @Test func `The watchdog is not notified after the supervision has ended`() throws {
        _ = try supervision(["NOTIFY_SOCKET": folder("notify"), "WATCHDOG_USEC": "2"])
        #expect(manager.next() == "WATCHDOG=1")
        let end = LoopTimer(loop: loop) {}
        end.arm(afterMicroseconds: 1_000)

        #expect(loop.turn { !end.isArmed })
        #expect(manager.next() == nil)
    }

    @Test func `Without systemd no notification is sent`() throws {
        let supervision = try supervision([:])
        supervision.ready("serving")
        supervision.stopping()

        #expect(manager.next() == nil)
        #expect(logged.lines() == [])
    }

    @Test func `A failed notification of systemd is logged`() throws {
        try supervision(["NOTIFY_SOCKET": folder("gone")]).ready("serving")

        #expect(
            logged.lines() == [
                "testd: cannot notify systemd: sendto: No such file or directory"
            ])
    }
}
