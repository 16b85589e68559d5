import BusdBroker
import BusdEcho
import BusdEventLoop
import BusdHosting
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdDaemon

// A daemon gets the signals of its process, so each test has a process of its own.
@Suite struct BusDaemonTests {
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `A daemon notifies systemd, serves, and stops at a signal`(ending: Int32) async {
        await #expect(processExitsWith: .success) { [ending = ending as Int32] in
            unblock(SIGTERM, SIGINT, SIGHUP)
            let folder = try Folder()
            let manager = try FakeSystemd(at: folder("notify"))
            setenv("NOTIFY_SOCKET", folder("notify"), 1)
            let probe = Probe()

            try BusDaemon(name: "testd", version: "1", summary: "").serve(
                Settings(in: folder)
            ) { host in
                host.register(EchoViewModel.self)
                probe.inFirstTurn(of: host) {
                    let sockets = "\(folder("busd.sock")) and \(folder("view.sock"))"
                    #expect(manager.next() == "READY=1\nSTATUS=serving \(sockets)")
                    #expect(mode(of: folder("busd.sock")) == 0o660)
                    kill(getpid(), ending)
                }
            }

            #expect(probe.hasRun)
            #expect(manager.next() == "STOPPING=1")
            #expect(manager.next() == nil)
            #expect(mode(of: folder("busd.sock")) == nil)
            #expect(mode(of: folder("view.sock")) == nil)
        }
    }

    @Test(arguments: [true, false])
    func `The view model of the clock exists only if the clock is manual`(isManual: Bool) async {
        await #expect(processExitsWith: .success) { [isManual = isManual as Bool] in
            unblock(SIGTERM)
            let folder = try Folder()
            var settings = try Settings(in: folder)
            settings.isClockManual = isManual
            var error: (any Error)?
            var hasRegistered = false
            do {
                try BusDaemon(name: "testd", version: "1", summary: "").serve(settings) {
                    host in
                    hasRegistered = true
                    #expect((host.kinds.find(BusClock.name) != nil) == isManual)
                    #expect(host.kinds.find(BusViews.name) != nil)
                    #expect(host.kinds.find(BusStatistics.name) != nil)
                    throw StartError("enough")
                }
            } catch let thrown { error = thrown }

            #expect(hasRegistered)
            #expect(error.map { "\($0)" } == "enough")
            #expect(mode(of: folder("busd.sock")) == nil)
        }
    }
}

extension BusDaemonTests {
    @Test func `A daemon does not start with a kind that it cannot host`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let error = #expect(throws: StartError.self) {
                try BusDaemon(name: "testd", version: "1", summary: "").serve(
                    Settings(in: folder)
                ) { host in
                    host.register(EchoViewModel.self)
                    host.register(EchoViewModel.self)
                }
            }
            #expect(error?.description == "the kind 'echo' is registered twice")
            #expect(mode(of: folder("busd.sock")) == nil)
        }
    }

    @Test(arguments: ["", "Counterd", "a/b", "4d", "-d", "dämon"])
    func `A daemon with a bad name does not start`(name: String) async {
        let result = await #expect(
            processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
        ) { [name = name as String] in
            BusDaemon(name: DaemonName(name), version: "1", summary: "").run()
        }
        let errors = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
        #expect(errors?.contains("a daemon's name must have 1 to 32 characters") == true)
    }
}

/// Runs an action inside the loop of a daemon.
private final class Probe {
    private(set) var hasRun = false
    private var timer: ScheduledAction?

    func inFirstTurn(of host: Host, _ action: @escaping () -> Void) {
        inTurns(of: host) {
            action()
            return true
        }
    }

    /// Repeats `action` until it returns true.
    func inTurns(of host: Host, _ action: @escaping () -> Bool) {
        timer = host.clock.schedule(after: .milliseconds(1)) { [self] in
            hasRun = action()
            if !hasRun { inTurns(of: host, action) }
        }
    }
}

/// The process of a test may start with blocked signals.
private func unblock(_ signals: Int32...) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
}
