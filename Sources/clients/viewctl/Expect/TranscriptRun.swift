import BusdEventLoop
import BusdProtocol

/// Runs a transcript against a daemon.
struct TranscriptRun {
    struct Difference {
        /// From 1.
        let line: Int
        let client: String
        let expected: String?
        let got: String?
    }

    private let daemon: TestDaemon
    private var clients: [(name: String, client: LineChannel)] = []
    private var clock: LineChannel?
    private var values: [String: [UInt8]] = [:]
    private(set) var differences: [Difference] = []
    /// The transcript with what was received.
    private(set) var updated: [String] = []
    private(set) var steps = 0

    /// An expected line may take five seconds.
    private static var deadline: ContinuousClock.Instant { .now + .seconds(5) }
    private static let barrier = #"{"op":"ping","id":"viewctl expect"}"#
    private static let answer = Array(#"{"ok":{},"id":"viewctl expect"}"#.utf8)

    init(_ daemon: TestDaemon) { self.daemon = daemon }

    struct Failure: Error {
        /// From 1; nil: the daemon has failed.
        let line: Int?
        let message: String
    }

    /// Ends the daemon, too.
    mutating func run(_ transcript: Transcript) throws(Failure) {
        defer { daemon.end() }
        var rest = transcript.lines.enumerated().map {
            (number: $0 + 1, text: $1.text, line: $1.line)
        }[...]
        while !rest.isEmpty {
            let end = rest.dropFirst().firstIndex { entry in
                switch entry.line {
                case .request, .clock: true
                case .other, .expected: false
                }
            }
            let step = rest[..<(end ?? rest.endIndex)]
            rest = rest[(end ?? rest.endIndex)...]
            try run(step)
        }
    }

    private typealias Entry = (number: Int, text: String, line: Transcript.Line)

    private mutating func run(_ step: ArraySlice<Entry>) throws(Failure) {
        guard let first = step.first else { return }
        switch first.line {
        case .request(let name, let text):
            steps += 1
            switch LinePattern.filled(text, with: values) {
            case .success(let line):
                try client(name, at: first.number).send(line, until: Self.deadline)
            case .failure(let unknown):
                throw Failure(line: first.number, message: "$\(unknown.name) was not captured")
            }
        case .clock(let seconds):
            steps += 1
            try advance(by: seconds, at: first.number)
        case .other, .expected: break
        }
        try compare(step)
    }

    private mutating func client(
        _ name: String, at line: Int
    ) throws(Failure) -> LineChannel {
        if let known = clients.first(where: { $0.name == name })?.client { return known }
        let client = try connect(line)
        clients.append((name, client))
        return client
    }

    private func connect(_ line: Int) throws(Failure) -> LineChannel {
        do throws(TestDaemon.Failure) {
            return LineChannel(try daemon.connect()) { [daemon] in daemon.isInterrupted }
        } catch {
            throw Failure(line: nil, message: error.description)
        }
    }

    private mutating func advance(by seconds: String, at line: Int) throws(Failure) {
        let clock: LineChannel
        if let known = self.clock { clock = known } else { clock = try connect(line) }
        self.clock = clock
        let request =
            #"{"op":"send","to":"bus/clock","event":{"advance":{"by":\#(seconds)}},"id":1}"#
        clock.send(Array(request.utf8), until: Self.deadline)
        guard let answer = clock.line(until: Self.deadline),
            answer.starts(with: #"{"ok""#.utf8)
        else { throw Failure(line: line, message: "the clock does not move") }
    }

    // MARK: Comparing

    private mutating func compare(_ step: ArraySlice<Entry>) throws(Failure) {
        var received: [String: [[UInt8]]] = [:]
        for case (let number, _, .expected(let name, _)) in step {
            let client = try client(name, at: number)
            if let line = client.line(until: Self.deadline) {
                received[name, default: []].append(line)
            }
        }
        for (name, client) in clients where !client.isClosed {
            client.send(Array(Self.barrier.utf8), until: Self.deadline)
            let deadline = Self.deadline
            while let line = client.line(until: deadline), line != Self.answer {
                received[name, default: []].append(line)
            }
        }
        // Comments at the end belong to the next step.
        let last =
            step.lastIndex { if case .other = $0.line { false } else { true } } ?? step.startIndex
        for entry in step[...last] { compare(entry, &received) }
        for (name, _) in clients {
            for line in received[name] ?? [] { note(line, of: name, after: step[last].number) }
        }
        updated += step[(last + 1)...].map(\.text)
    }

    private mutating func compare(_ entry: Entry, _ received: inout [String: [[UInt8]]]) {
        guard case .expected(let name, let pattern) = entry.line else {
            return updated.append(entry.text)
        }
        var lines = received[name] ?? []
        // Lines before the one that is expected are too many.
        let match = lines.indices.lazy.compactMap { [values] place in
            pattern.match(lines[place], values).map { (place, $0) }
        }.first
        guard let (place, values) = match else {
            let got = lines.first.map { String(decoding: $0, as: UTF8.self) }
            differences.append(
                Difference(line: entry.number, client: name, expected: pattern.source, got: got))
            if let got {
                let changed = pattern.updated(for: got)
                updated.append("\(name)< \(changed)")
                values = LinePattern(changed).match(lines[0], values) ?? values
                lines.removeFirst()
            }
            received[name] = lines
            return
        }
        for line in lines[..<place] { note(line, of: name, after: entry.number) }
        self.values = values
        updated.append(entry.text)
        received[name] = Array(lines[(place + 1)...])
    }

    /// A line that the transcript does not have.
    private mutating func note(_ line: [UInt8], of name: String, after number: Int) {
        let text = String(decoding: line, as: UTF8.self)
        differences.append(Difference(line: number, client: name, expected: nil, got: text))
        updated.append("\(name)< \(LinePattern.escaped(text[...]))")
    }
}
