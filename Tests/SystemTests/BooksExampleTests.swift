import Glibc
import TestSupport
import Testing

/// The example scripts for books and users.
struct BooksExampleTests {
    private let bus: BusFixture

    init() throws { bus = try BusFixture() }

    private func example(_ name: String) -> String { Package.path("Examples/\(name)") }

    @Test func `The add-book script adds a book from standard input`() throws {
        for number in 1...2 {
            try bus.run(example("add-book.sh"), "Swahili", input: "moja\tone\nmbili\ttwo\n")
                .expect(output: "study/\(number)\n")
        }
        let rows = try bus.run(
            "bash", "-c",
            "echo 'get books' | socat -t60 - UNIX-CONNECT:\(bus.socket) | jq -c .ok.events[].books")
        #expect(rows.output.contains(#"{"id":"2","name":"Swahili","cardCount":"2""#))
    }

    @Test func `The add-book script reports bad input, and adds no book`() throws {
        try bus.run(example("add-book.sh"), "Swahili", input: "moja one\n").expect(
            status: 1, errors: "line 1 has no tab\nthe book was not added\n")
        try bus.run(example("add-book.sh"), "", input: "moja\tone\n")
            .expect(status: 1, errors: "the book was not added\n")
    }

    @Test func `The study script reads the answers from standard input`() throws {
        try bus.run(example("add-book.sh"), "Swahili", input: "moja\tone\nmbili\ttwo\n")
            .expect(output: "study/1\n")
        try bus.run(example("study.sh"), input: "one\nno idea\n").expect(
            output: "yes.  50% KNOWN\nno: two.  50% KNOWN\n")
        try bus.run(example("study.sh"), "1", input: "two\n").expect(output: "yes.  100% KNOWN\n")
        try bus.run(example("study.sh"), "1").expect()
    }

    @Test func `The study script reports a missing book`() throws {
        try bus.run(example("study.sh"), "17")
            .expect(status: 1, errors: "there is no view model study/17\n")
    }

    @Test func `The login script signs in with the right password only`() throws {
        let bus = try BusFixture.withUser("ann", password: "correct horse \"battery\" \\staple")
        try bus.run(
            example("login.sh"), "ann", input: "correct horse \"battery\" \\staple\nand more\n"
        ).expect(output: "Login Successful!\n")
        let wrong = try bus.run(example("login.sh"), "ann", input: "wrong\n")
        wrong.expect(status: 1, errors: wrong.errors)
        #expect(wrong.errors.contains("Wrong name or password."))
        try bus.run(example("login.sh"), "ann", input: "\n")
            .expect(status: 1, errors: "a name and a password are needed\n")
    }
}

extension BusFixture {
    /// A daemon that keeps its state in a folder, and has one user.
    static func withUser(_ name: String, password: String) throws -> BusFixture {
        let folder = try Folder()
        let bus = try BusFixture(in: folder, options: ["--state", folder("state")])
        let added = try bus.run(
            try Products.path("busd"), "user", "add", name, input: password + "\n")
        try #require(added.status == 0, "\(added.errors)")
        return bus
    }
}
