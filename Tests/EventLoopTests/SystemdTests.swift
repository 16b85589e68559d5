import Glibc
import TestSupport
import Testing

@testable import BusdEventLoop

@Suite struct SystemdTests {
    private func systemd(_ variables: [String: String]) throws(MalformedVariable) -> Systemd {
        try Systemd(Variables { variables[$0] }, process: 42)
    }

    @Test func `Without systemd no socket is passed, and a notification does nothing`() throws {
        let systemd = try Systemd.takeFromEnvironment()

        #expect(systemd.passed == [])
        #expect(systemd.watchdogMicroseconds == nil)
        try systemd.notify("READY=1")
    }

    @Test func `The environment is read once, and children do not see the descriptors`() async {
        await #expect(processExitsWith: .success) {
            setenv("LISTEN_PID", "\(getpid())", 1)
            setenv("LISTEN_FDS", "1", 1)
            setenv("LISTEN_FDNAMES", "control", 1)
            setenv("WATCHDOG_USEC", "5", 1)

            let systemd = try Systemd.takeFromEnvironment()

            #expect(systemd.passed == [.init(descriptor: 3, name: "control")])
            #expect(systemd.watchdogMicroseconds == 5)
            for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] {
                #expect(getenv(name) == nil)
            }
        }
    }

    @Test func `Sockets are passed from 3 on, with their names`() throws {
        let variables = ["LISTEN_PID": "42", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "control::view"]

        #expect(
            try systemd(variables).passed == [
                .init(descriptor: 3, name: "control"), .init(descriptor: 4, name: ""),
                .init(descriptor: 5, name: "view"),
            ])
    }

    @Test func `Names of passed sockets may be missing`() throws {
        let variables = ["LISTEN_PID": "42", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a"]

        #expect(try systemd(variables).passed.map(\.name) == ["a", ""])
    }

    @Test func `Variables for another process are ignored`() throws {
        let systemd = try systemd([
            "LISTEN_PID": "41", "LISTEN_FDS": "1", "WATCHDOG_PID": "41", "WATCHDOG_USEC": "5",
        ])

        #expect(systemd.passed == [])
        #expect(systemd.watchdogMicroseconds == nil)
    }

    @Test(arguments: [nil, "42"]) func `The watchdog counts microseconds`(process: String?) throws {
        var variables = ["WATCHDOG_USEC": "10000000"]
        variables["WATCHDOG_PID"] = process

        #expect(try systemd(variables).watchdogMicroseconds == 10_000_000)
        variables["WATCHDOG_USEC"] = "0"
        #expect(try systemd(variables).watchdogMicroseconds == nil)
    }

    @Test(arguments: ["LISTEN_PID", "LISTEN_FDS", "WATCHDOG_USEC", "WATCHDOG_PID"])
    func `A variable that is no number is reported`(name: String) {
        for value in ["", "x", "-1", "1.5", "99999999999999999999"] {
            var variables = ["LISTEN_PID": "42", "LISTEN_FDS": "1"]
            variables[name] = value

            let error = #expect(throws: MalformedVariable.self) { try systemd(variables) }
            #expect(error?.description == "\(name) has an invalid value: '\(value)'")
        }
    }

    @Test func `More than 1000 passed descriptors are refused`() {
        let error = #expect(throws: MalformedVariable.self) {
            try systemd(["LISTEN_PID": "42", "LISTEN_FDS": "1001"])
        }
        #expect(error == MalformedVariable(name: "LISTEN_FDS", value: "1001"))
    }

    @Test(arguments: [false, true]) func `Notifications reach systemd by path and by abstract name`(
        isAbstract: Bool
    ) throws {
        let folder = try Folder()
        let name = isAbstract ? "@" + folder.path.dropFirst() : folder("notify")
        let address =
            try isAbstract
            ? UnixAddress(abstract: String(name.dropFirst())) : UnixAddress(path: name)
        let systemd = try unixSocket(SOCK_DGRAM)
        try check("bind") { address.withPointer { bind(systemd.number, $0, $1) } }

        let service = try self.systemd(["NOTIFY_SOCKET": name])
        try service.notify("READY=1\nSTATUS=ready")
        try service.notify("STOPPING=1")

        #expect(systemd.readOnce().1 == "READY=1\nSTATUS=ready")
        #expect(systemd.readOnce().1 == "STOPPING=1")
        #expect(systemd.readOnce().0 == .wouldBlock)
    }

    @Test func `A failed notification of systemd is an error with the reason`() throws {
        let folder = try Folder()
        func failure(_ name: String) -> SystemError? {
            #expect(throws: SystemError.self) { try systemd(["NOTIFY_SOCKET": name]).notify("a") }
        }

        #expect(failure(folder("gone")) == SystemError(code: ENOENT, function: "sendto"))
        #expect(failure("vsock:2:1234")?.code == EAFNOSUPPORT)
        #expect(failure("")?.code == EAFNOSUPPORT)
        #expect(failure("/" + String(repeating: "a", count: 107))?.code == ENAMETOOLONG)
    }
}
