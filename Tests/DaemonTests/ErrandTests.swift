import BusdEventLoop
import BusdHosting
import BusdStorage
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BusdDaemon

/// What is asked of a daemon that runs.
@Suite struct ErrandTests {
    private let folder: Folder
    private let bus: ServedBus
    private let state: String

    init() throws {
        folder = try Folder()
        bus = try ServedBus(in: folder, keepsState: true)
        state = folder("state")
    }

    /// The answer to an errand, or why it was refused.
    private func ask(_ errand: Errand) -> String {
        let (state, said) = (state, Said())
        let refusal = bus.beside {
            try errand.ask(state, patience: 10_000) { text in said.text.withLock { $0 = text } }
        }
        return refusal ?? said.text.withLock { $0 }
    }

    private final class Said: Sendable {
        let text = Mutex("nothing")
    }

    private func call() throws -> Descriptor { try connect(to: Errand.socket(in: state)) }

    /// What the daemon says until it closes its side.
    private func answer(to caller: Descriptor) -> String {
        var (text, isAtEnd) = ("", false)
        let ends = bus.turn {
            let more = caller.readText()
            text += more.text
            isAtEnd = more.isAtEnd
            return isAtEnd
        }
        return ends ? text : "no end after \(text)"
    }

    // MARK: The line

    @Test(arguments: [
        Errand.backup, .user(.add(name: "Ann Lee", hash: "$argon2id$x")), .user(.remove("é")),
        .user(.list),
    ])
    func `an errand is a line`(errand: Errand) {
        #expect(!errand.line.contains("\n"))
        #expect(Errand(line: errand.line) == errand)
    }

    @Test(arguments: [
        "", "backup now", "backup\tnow", "add", "add\tann", "add\ta\tb\tc", "remove", "list\t",
    ])
    func `another line is none`(line: String) {
        #expect(Errand(line: line) == nil)
    }

    @Test func `an answer that is cut off is none`() {
        let marked = ErrandAnswer.done("\u{301}ann\n")
        for answer in [.done("ann\nbob\n"), .done(""), .refused("no"), marked] {
            #expect(ErrandAnswer(text: answer.text) == answer)
            #expect(ErrandAnswer(text: String(answer.text.dropLast())) == nil)
        }
        #expect(ErrandAnswer(text: "\u{4}") == nil)
    }

    // MARK: The folder

    @Test func `only the owner of the store reaches the daemon`() {
        #expect(mode(of: state) == 0o700)
        #expect(mode(of: Errand.socket(in: state)).map { $0 & 0o777 } == 0o600)
        #expect(mode(of: Errand.socket(in: state) + ".lock") == 0o600)
    }

    @Test func `a folder whose path is too long for a socket is served without`() throws {
        let long = "\(folder.path)/\(String(repeating: "x", count: 100))"
        try #require(mkdir(long, 0o700) == 0)
        let settings = try settings("--state", long)
        let state = try DurableState(
            settings, loop: bus.loop, clock: bus.host.clock, log: bus.logged.log())
        _ = try state.openLibraries()
        state.openErrands(bus.loop)
        let lines = bus.logged.lines()
        #expect(lines.count == 1)
        #expect(
            lines.first?.hasPrefix("testd: busd backup and busd user can't ask this daemon: ")
                == true)
        state.close()
    }

    // MARK: Users

    @Test func `users are added, changed, listed and removed`() {
        #expect(ask(.user(.list)) == "")
        #expect(ask(.user(.add(name: "bob", hash: "b"))) == "bob can sign in\n")
        #expect(ask(.user(.add(name: "ann", hash: "a"))) == "ann can sign in\n")
        #expect(ask(.user(.add(name: "bob", hash: "c"))) == "bob has a new password\n")
        #expect(ask(.user(.list)) == "ann\nbob\n")
        #expect(ask(.user(.remove("ann"))) == "ann can't sign in any more\n")
        #expect(ask(.user(.remove("ann"))) == "there is no user ann")
        #expect(ask(.user(.list)) == "bob\n")
        #expect(
            bus.logged.lines() == [
                "testd: bob can sign in", "testd: ann can sign in", "testd: bob has a new password",
                "testd: ann can't sign in any more",
            ])
    }

    @Test func `what has been answered is there after a restart`() throws {
        #expect(ask(.user(.add(name: "ann", hash: "a"))) == "ann can sign in\n")
        bus.state.close()
        let next = try DurableState(
            Settings(in: folder, keepsState: true), loop: bus.loop, clock: bus.host.clock,
            log: bus.logged.log())
        _ = try next.openLibraries()
        next.openErrands(bus.loop)
        let caller = try call()
        caller.write("list\n")
        let isAnswered = bus.loop.turn {
            next.attend()
            return Wait.forReadable(caller.number, milliseconds: 0)
        }
        #expect(isAnswered)
        #expect(caller.readText().text == "+ann\n\u{4}")
        next.close()
    }

    @Test func `what can't be written is refused`() throws {
        let store = try #require(bus.state.store)
        let other = try Folder()
        let desk = try ErrandDesk(
            loop: bus.loop, folder: other.path, store: store, log: bus.logged.log())
        let caller = try connect(to: Errand.socket(in: other.path))
        caller.write("add\tann\ta\n")
        // The desk alone: nothing is committed.
        for _ in 0..<4 { bus.loop.turn(block: false) }
        desk.attend()
        #expect(caller.readText().text == "")
        #expect(store.users.names == [])
        desk.commitEnded(successfully: false)
        #expect(
            caller.readText().text == "-storage can't write now: nothing has changed\u{4}")
        desk.commitEnded(successfully: true)
        #expect(caller.readText().text == "")
    }

    /// What is refused for something that is not on disk waits for that, too.
    @Test(arguments: [true, false])
    func `that somebody is not there is said when it is on disk`(isDone: Bool) throws {
        let store = try #require(bus.state.store)
        let other = try Folder()
        let desk = try ErrandDesk(
            loop: bus.loop, folder: other.path, store: store, log: bus.logged.log())
        #expect(ask(.user(.add(name: "ann", hash: "a"))) == "ann can sign in\n")
        let callers = try (0..<2).map { _ in try connect(to: Errand.socket(in: other.path)) }
        for caller in callers {
            caller.write("remove\tann\n")
            for _ in 0..<4 { bus.loop.turn(block: false) }
        }
        desk.attend()
        #expect(callers.map { $0.readText().text } == ["", ""])
        #expect(store.users.names == ["ann"])
        desk.commitEnded(successfully: isDone)
        let refusal = "-storage can't write now: nothing has changed\u{4}"
        #expect(
            callers.map { $0.readText().text }
                == (isDone
                    ? ["+ann can't sign in any more\n\u{4}", "-there is no user ann\u{4}"]
                    : [refusal, refusal]))
        #expect(bus.logged.lines().count == (isDone ? 2 : 1))
    }

    // MARK: Callers

    @Test func `a line that is no errand is refused, and what follows a line is not read`() throws {
        let caller = try call()
        caller.write("frob\nlist\n")
        #expect(answer(to: caller) == "-this daemon does not know that errand\u{4}")
    }

    @Test func `a line may come in pieces, and one without end is not waited for`() throws {
        let (slow, endless) = (try call(), try call())
        slow.write("li")
        endless.write(String(repeating: "x", count: 5_000))
        #expect(answer(to: endless) == "")
        slow.write("st\n")
        #expect(answer(to: slow) == "+\u{4}")
    }

    @Test func `who goes before the answer disturbs nobody`() throws {
        for line in ["", "li", "list\n", "backup\n", "add\tann\ta\n"] {
            let caller = try call()
            caller.write(line)
        }
        #expect(bus.turn { bus.logged.lines().contains("testd: ann can sign in") })
        #expect(ask(.user(.list)) == "ann\n")
    }

    @Test func `a long list of users comes whole`() throws {
        // More than a socket takes at once.
        let callers = try (100..<300).map { number in
            let caller = try call()
            caller.write("add\t\(number)\(String(repeating: "x", count: 1_500))\thash\n")
            bus.settle()
            return caller
        }
        #expect(callers.count == 200)
        for caller in callers { #expect(answer(to: caller).hasSuffix(" can sign in\n\u{4}")) }
        #expect(ask(.user(.list)).split(separator: "\n").count == 200)
    }

    // MARK: Copies

    @Test func `one copy is made at a time, and the next when that has been fetched`() throws {
        let first = try call()
        first.write("backup\n")
        #expect(answer(to: first) == "+\u{4}")
        #expect(mode(of: folder("state/backup.sqlite")) == 0o600)

        let second = try call()
        second.write("backup\n")
        #expect(answer(to: second) == "-another copy is being made\u{4}")
        withExtendedLifetime(first) {}
    }

    @Test func `who does not fetch a copy does not keep others from theirs`() throws {
        do {
            let first = try call()
            first.write("backup\n")
            #expect(answer(to: first) == "+\u{4}")
        }
        bus.settle()
        #expect(ask(.backup) == "")
    }

    @Test func `a copy is removed if the command that asked for it has ended`() throws {
        do { try call().write("backup\n") }
        var logged: [String] = []
        let isMade = bus.turn {
            logged += bus.logged.lines()
            return !logged.isEmpty
        }
        #expect(isMade)
        #expect(logged == ["testd: a copy of the store has been made"])
        #expect(mode(of: folder("state/backup.sqlite")) == nil)
    }

    // MARK: Nobody there

    @Test func `a daemon that takes no errands is not waited for without end`() throws {
        let refusal = #expect(throws: StartError.self) {
            try Errand.backup.ask("/nowhere", patience: 100) { _ in }
        }
        #expect(
            refusal?.description
                == "the daemon in /nowhere takes no errands; its log says why")
    }

    @Test func `nor is one that does not answer`() throws {
        // The loop does not turn.
        let refusal = #expect(throws: StartError.self) {
            try Errand.backup.ask(state, patience: 100) { _ in }
        }
        #expect(
            refusal?.description
                == "the daemon in \(state) has not answered; its log says why")
    }
}
