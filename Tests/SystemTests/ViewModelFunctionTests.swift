import TestSupport
import Testing

/// What the compiler checks in a view model as a function. The source is the example in the
/// documentation of `ViewModelFunction`, so this example is compiled too.
@Suite(.needs("swiftc"))
struct ViewModelFunctionTests {
    @Test func `The documented example of a view model function compiles`() throws {
        try compile(Example()).expect()
    }

    @Test func `A view model function compiles without the names of its tuple`() throws {
        let example = try Example()
            .replacing("return Wiring(", "let (total, passed) = ")
            .replacing("cleared),", "cleared)")
            .replacing("to: {", "return Wiring((total, passed), to: {")
        try compile(example).expect()
    }

    static let slips = [
        Slip(
            "an input that the function is not given", error: "missing argument",
            ("sum(added: added, cleared: cleared)", "sum(added: added)")),
        Slip(
            "an input that the function did not have before", error: "missing argument",
            ("cleared: Signal<Void>)", "cleared: Signal<Void>, undone: Signal<Void>)")),
        Slip(
            "a view event that is not sent into the function", error: "switch must be exhaustive",
            ("case .cleared: clear.send()", "")),
        Slip(
            "an output that becomes no event", error: "cannot convert value of type '(total:",
            (", { .passed100(total: $0) }", "")),
        Slip(
            "an output that the function did not have before",
            error: "cannot convert value of type '(total:",
            ("passed100: Signal<Int>)", "passed100: Signal<Int>, more: Signal<Int>)"),
            ("total.filter { $0 > 100 })", "total.filter { $0 > 100 }, added)")),
        Slip(
            "an output that is not there", error: "cannot convert value of type '(total:",
            ("{ .total(value: $0) },", "{ .total(value: $0) }, { .total(value: $0) },")),
    ]

    @Test(arguments: slips)
    func `A view model function with a forgotten part does not compile`(slip: Slip) throws {
        let example = try slip.changes.reduce(Example()) { try $0.replacing($1.0, $1.1) }
        let outcome = try compile(example)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("error: \(slip.error)"), "\(outcome.errors)")
    }

    struct Slip: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: String
        let changes: [(String, String)]

        init(_ description: String, error: String, _ changes: (String, String)...) {
            (testDescription, self.error, self.changes) = (description, error, changes)
        }
    }

    private func compile(_ example: Example) throws -> Child.Outcome {
        let folder = try Folder()
        try folder.write(example.text, to: "Example.swift")
        return try Child.run(
            "swiftc", "-typecheck", "-swift-version", "6", "-I", Products.path("Modules"),
            folder("Example.swift"))
    }
}

/// The documented example, with the kind that it uses.
private struct Example {
    struct NotThere: Error {
        let line: String
    }

    private(set) var text: String

    init() throws {
        let file = try Package.text("Sources/Protocol/MVVM/ViewModelFunction.swift")
        let code = file.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { $0.hasPrefix("///     ") && !$0.contains("host.register") }
            .map { $0.dropFirst("///     ".count) }
        text = kind + code.joined(separator: "\n") + "\n"
    }

    func replacing(_ line: String, _ changed: String) throws -> Example {
        guard let range = text.firstRange(of: line) else { throw NotThere(line: line) }
        var example = self
        example.text.replaceSubrange(range, with: changed)
        return example
    }
}

private let kind = """
    import BusdProtocol

    enum Sum: ViewModelKind {
        static let name = "sum"

        enum ViewEvent: WireEvent {
            case added(number: Int)
            case cleared

            static let examples: [Self] = [.added(number: 1), .cleared]
        }

        enum ViewModelEvent: WireEvent {
            case total(value: Int)
            case passed100(total: Int)

            static let examples: [Self] = [.total(value: 1), .passed100(total: 101)]
        }
    }


    """
