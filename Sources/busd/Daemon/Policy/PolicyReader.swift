import BusdBroker
import BusdHosting
import BusdProtocol

/// Reads the text of a policy file.
///
///     # who       may    where
///     @scorers    send   scoreboard/** game-creator/*
///     ann         send   games:createGame
///
/// Each line has one who, one right, and at least one place: a pattern, which may be followed by a
/// colon and the names of events with commas between.
struct PolicyReader {
    /// The place in the file, from 1. A column is a byte.
    struct Fault: Error, Equatable, CustomStringConvertible {
        let line: Int
        let column: Int
        let message: String
        /// The file may be right: names cannot be looked up now.
        var isTemporary = false
        /// The line is about a user or a group that does not exist.
        var isMissing = false

        var description: String { "\(line):\(column): \(message)" }
    }

    /// Each name is looked up once, because that may take long.
    private final class Lookups {
        private var known: [ExactText: Result<Int, Accounts.Problem>] = [:]

        func id(
            of kind: Accounts.Kind, _ name: String, _ accounts: Accounts
        ) throws(Accounts.Problem) -> Int {
            let key = ExactText("\(kind) \(name)")
            if let known = known[key] { return try known.get() }
            let found = Result { () throws(Accounts.Problem) in
                try accounts.nameableID(of: kind, name)
            }
            known[key] = found
            return try found.get()
        }
    }

    private struct Word {
        let text: String
        let line: Int
        let column: Int

        func fault(_ message: String) -> Fault {
            Fault(line: line, column: column, message: message)
        }

        /// A part of the word that begins at a byte.
        func part(_ bytes: Substring.UTF8View, at start: Int) -> Word {
            Word(text: String(Substring(bytes)), line: line, column: column + start)
        }
    }

    private let accounts: Accounts
    private let lookups = Lookups()
    /// The events that a policy can decide.
    private let events: () -> [SendableEvent]

    init(_ accounts: Accounts, events: @escaping () -> [SendableEvent]) {
        (self.accounts, self.events) = (accounts, events)
    }

    struct Outcome {
        /// It lacks the lines with faults, and lines about users and groups that do not exist.
        let policy: Policy
        let faults: [Fault]
        /// Lines about users and groups that do not exist: they match nobody.
        let warnings: [Fault]
    }

    func read(_ text: String) -> Outcome {
        var (rules, named, faults): ([Policy.Rule], [Word], [Fault]) = ([], [], [])
        let lines = text.utf8.split(separator: .lineFeed, omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() {
            let words = words(of: bytes, line: index + 1)
            rules += self.rules(of: words, naming: &named, &faults)
        }
        let known = named.isEmpty ? [] : events()
        faults += unknown(named, known)
        let sorted = faults.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        return Outcome(
            policy: Policy(rules.map { withFormerNames($0, known) }),
            faults: sorted.filter { !$0.isMissing }, warnings: sorted.filter(\.isMissing))
    }

    // MARK: Words

    private func words(of line: Substring.UTF8View, line number: Int) -> [Word] {
        let comment = line.firstIndex(of: UInt8(ascii: "#")) ?? line.endIndex
        let known = line[..<comment]
        let text = known.last == UInt8(ascii: "\r") ? known.dropLast() : known
        return text.split { $0 == .space || $0 == UInt8(ascii: "\t") }
            .map { bytes in
                let column = line.distance(from: line.startIndex, to: bytes.startIndex) + 1
                return Word(text: String(Substring(bytes)), line: number, column: column)
            }
    }

    /// The rules of a line; none if it has a fault.
    ///
    /// - Parameter named: gets the names of events.
    private func rules(
        of words: [Word], naming named: inout [Word], _ faults: inout [Fault]
    ) -> [Policy.Rule] {
        guard let first = words.first else { return [] }
        var found: [Fault] = []
        func attempt<Part>(_ part: () throws(Fault) -> Part) -> Part? {
            do throws(Fault) {
                return try part()
            } catch {
                found.append(error)
                return nil
            }
        }
        let subject = attempt { () throws(Fault) in try self.subject(first) }
        let right = attempt { () throws(Fault) in try self.right(words.dropFirst().first, first) }
        if words.count == 2 { found.append(words[1].fault("add where, such as scoreboard/**")) }
        var rules: [Policy.Rule] = []
        for word in words.dropFirst(2) {
            let place = attempt { () throws(Fault) in try self.place(word) }
            guard let (pattern, events) = place else { continue }
            named += events
            if !events.isEmpty, right == .look {
                found.append(
                    words[1].fault("a line with events decides sends only: write send or -"))
            }
            if let subject, let right {
                let events = events.map(\.text)
                rules.append(Policy.Rule(line: word.line, subject, right, pattern, events: events))
            }
        }
        faults += found
        return found.isEmpty ? rules : []
    }

    private func subject(_ word: Word) throws(Fault) -> Policy.Subject {
        if word.text.isExactly("*") { return .everybody }
        do throws(Accounts.Problem) {
            guard word.text.utf8.first == UInt8(ascii: "@") else {
                return .user(try lookups.id(of: .user, word.text, accounts))
            }
            let name = String(Substring(word.text.utf8.dropFirst()))
            return .group(try lookups.id(of: .group, name, accounts))
        } catch {
            throw Fault(
                line: word.line, column: word.column, message: error.message,
                isTemporary: error.isTemporary, isMissing: error.isMissing)
        }
    }

    /// - Parameter word: the second word of the line, if it has one.
    private func right(_ word: Word?, _ first: Word) throws(Fault) -> Policy.Right {
        guard let word else {
            throw first.fault("add what \(first.text.printable) may do, -, look or send, and where")
        }
        if word.text.isExactly("-") { return .nothing }
        if word.text.isExactly("look") { return .look }
        if word.text.isExactly("send") { return .send }
        throw word.fault("'\(word.text)': write -, look or send")
    }

    private func place(_ word: Word) throws(Fault) -> (Pattern, [Word]) {
        let bytes = word.text.utf8[...]
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        let text = String(Substring(bytes[..<(colon ?? bytes.endIndex)]))
        guard let pattern = Pattern(text) else {
            throw word.fault(
                "'\(text)' is no pattern: write names with / between; * stands for one name, and a "
                    + "last ** for any number")
        }
        guard let colon else { return (pattern, []) }
        let start = bytes.index(after: colon)
        let events = bytes[start...].split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false
        ).map { word.part($0, at: bytes.distance(from: bytes.startIndex, to: $0.startIndex)) }
        if let empty = events.first(where: { $0.text.isEmpty }) {
            throw empty.fault("add the name of an event here, or remove the mark before it")
        }
        return (pattern, events)
    }

    // MARK: Events

    private func unknown(_ named: [Word], _ known: [SendableEvent]) -> [Fault] {
        let known = known.map(\.name)
        return named.compactMap { word in
            guard !known.contains(where: word.text.isExactly) else { return nil }
            let near = Suggestions.near(word.text, among: known)
            let hint = near.isEmpty ? "" : ": did you mean \(near.joined(separator: " or "))?"
            return word.fault("no kind has an event '\(word.text)'\(hint)")
        }
    }

    /// A rule decides an event under its former names, too.
    private func withFormerNames(_ rule: Policy.Rule, _ known: [SendableEvent]) -> Policy.Rule {
        let former = known.filter { event in rule.events.contains(where: event.name.isExactly) }
            .flatMap(\.formerNames)
        return Policy.Rule(
            line: rule.line, rule.subject, rule.right, rule.pattern, events: rule.events + former)
    }
}
