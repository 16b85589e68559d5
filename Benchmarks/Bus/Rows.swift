import Glibc
import Load
import Measures

/// A measured figure and its goal.
struct Row {
    let what: String
    let found: String
    let goal: String
    /// `nil`: there is no goal.
    let isMet: Bool?
}

extension Row {
    init(
        _ what: String, _ value: Double, atMost most: Double, of other: String = "",
        _ note: String = ""
    ) {
        self.init(
            what: what, found: text(value) + other + (note.isEmpty ? "" : "; \(note)"),
            goal: "at most \(text(most))\(other)", isMet: value <= most)
    }
}

extension FanOut {
    /// The goals for a delivery.
    var rows: [Row] {
        func row(_ n: Int, _ w: Int, _ other: String, _ most: Double) -> Row? {
            ratio(Cell(subscribers: n, outstanding: w), to: other).map {
                Row("\(work.name): N=\(n) W=\(w)", $0, atMost: most, of: " of \(other)")
            }
        }
        return [
            row(64, 1, "Redis", 0.95), row(64, 1, "C, by line", 1.1), row(64, 32, "Redis", 0.7),
            row(64, 32, "C, by turn", 1.6), row(64, 512, "Redis", 0.5), row(1, 32, "Redis", 1.5),
        ].compactMap { $0 }
    }
}

/// Rows about delays.
enum Delays {
    /// Time until eight subscribers have an event; server and clients share one core.
    static func roundTrip(_ systems: [System], _ effort: Effort) -> [Row] {
        load_pin(0, 0)
        defer { load_pin(0, 1) }
        let groups = systems.map { Clients(Server($0), .say, subscribers: 8) }
        var found = [[Sample]](repeating: [], count: groups.count)
        for _ in 0..<effort.repeats {
            for (index, clients) in groups.enumerated() {
                found[index].append(clients.roundTrips(2000))
            }
        }
        return [50.0, 99].map { percent in
            let (ours, theirs) = (
                Sample(found[0].map { $0.percentile(percent) }),
                Sample(found[1].map { $0.percentile(percent) })
            )
            return Row(
                "round trip, N=8, one core, p\(text(percent, 0))", ours.median / theirs.median,
                atMost: 1, of: " of Redis",
                "\(spread(ours, 1)) µs, Redis \(spread(theirs, 1))")
        }
    }

    static let idle = 10_000

    /// Time until the last of thousands of idle subscribers has an event, and the memory of each.
    /// This process has too few descriptors for the clients of two servers, so they take turns.
    static func idleSubscribers(_ systems: [System], _ effort: Effort) -> [Row] {
        var memory = [[Double]](repeating: [], count: systems.count)
        var found = memory
        for _ in 0..<3 {
            for (index, system) in systems.enumerated() {
                let server = Server(system)
                let before = server.memory
                let clients = Clients(server, .say, subscribers: idle)
                memory[index].append(Double(server.memory - before) / Double(idle))
                for _ in 0..<effort.repeats {
                    found[index].append(clients.roundTrips(1).median)
                }
            }
        }
        let kilobytes = memory.map(Sample.init)
        let times = found.map { Sample($0.map { $0 / 1000 }) }
        return [
            Row(
                "one event to \(idle) idle subscribers", times[0].median / times[1].median,
                atMost: 1, of: " of Redis",
                "\(spread(times[0], 1)) ms, Redis \(spread(times[1], 1))"),
            Row(
                "memory per idle subscriber", kilobytes[0].median, atMost: 1.5, of: " kB",
                "largest \(text(kilobytes[0].most)); Redis \(spread(kilobytes[1]))"),
        ]
    }

    /// Delays of other clients while one client joins a list of 10,000 rows again and again.
    static func snapshot(_ server: Server) -> Row {
        let clients = Clients(server, .say, subscribers: 8)
        let calm = clients.roundTrips(2000).percentile(99)
        let join = Array("{\"op\":\"subscribe\",\"to\":\"games\"}\n".utf8)
        let joiner = server.socket.withCString { path in
            withBytes(join) { load_joiner(path, $0, 1_000_000, 20_000) }
        }
        usleep(50_000)
        let delays = clients.roundTrips(10_000)
        kill(joiner, SIGKILL)
        var status: Int32 = 0
        waitpid(joiner, &status, 0)
        if status != SIGKILL { stop("cannot join the list of games") }
        return Row(
            "others' p99 while 10,000 rows are shown", delays.percentile(99) / 1000, atMost: 20,
            of: " ms", "\(text(calm / 1000)) ms without; the longest \(text(delays.most / 1000)) ms"
        )
    }
}

/// How the cost of a delivery grows with things that it does not depend on.
enum Growth {
    /// Thousands of sockets do not fit into the processor's cache, so the kernel's cost grows. The
    /// growth of C shows that part.
    static func subscribers(_ busd: System, _ floor: System, _ effort: Effort) -> Row {
        let found = growth(
            [busd, floor].map { system in
                (
                    Clients(Server(system), .say, subscribers: 4_096),
                    Clients(Server(system), .say, subscribers: 64)
                )
            }, effort)
        return Row(
            "N=4096 against N=64, W=32", found[0].median, atMost: 1.3, of: " of the cost",
            "\(spread(found[0])); \(floor.name) \(spread(found[1]))")
    }

    static func viewModels(_ busd: System, _ big: Server, _ effort: Effort) -> Row {
        let small = Server(busd)
        small.makeGames(1)
        return compare(
            "onePointMove among 70,000 view models against 10",
            Clients(big, .onePointMove, subscribers: 8),
            Clients(small, .onePointMove, subscribers: 8),
            effort, atMost: 1.1)
    }

    static func patterns(_ busd: System, _ effort: Effort) -> Row {
        let (plain, watched) = (Server(busd), Server(busd))
        let others = Clients(
            watched, .say, subscribers: 1_000, subscribe: bytes(["subscribe player/**\n"]))
        defer { withExtendedLifetime(others) {} }
        return compare(
            "with 1,000 patterns that do not match", Clients(watched, .say, subscribers: 8),
            Clients(plain, .say, subscribers: 8), effort, atMost: 1.1)
    }

    private static func compare(
        _ what: String, _ more: Clients, _ less: Clients, _ effort: Effort, atMost most: Double
    ) -> Row {
        let found = growth([(more, less)], effort)[0]
        return Row(what, found.median, atMost: most, of: " of the cost", spread(found))
    }

    /// For each pair: the cost with more, divided by the cost with less. The pairs take turns.
    private static func growth(_ pairs: [(more: Clients, less: Clients)], _ effort: Effort)
        -> [Sample]
    {
        var ratios = [[Double]](repeating: [], count: pairs.count)
        for _ in 0..<effort.repeats {
            for (place, pair) in pairs.enumerated() {
                ratios[place].append(
                    pair.more.cost(outstanding: 32, seconds: effort.seconds)
                        / pair.less.cost(outstanding: 32, seconds: effort.seconds))
            }
        }
        return ratios.map { Sample($0) }
    }
}

/// Whole processes.
enum Processes {
    static func sending(_ viewctl: String, _ busd: System) -> Row {
        let (ours, theirs) = (Server(busd), Server(.redis))
        let send = [
            viewctl, "--socket", ours.socket, "send", "echo/bench", "say",
            #"{"text":"\#(letters(100))"}"#,
        ]
        let publish = ["redis-cli", "-s", theirs.socket, "publish", "bench", letters(162)]
        var (sent, published): ([Double], [Double]) = ([], [])
        for _ in 0..<31 {
            sent.append(measured(send))
            published.append(measured(publish))
        }
        let (own, other) = (
            Sample(sent.map { $0 * 1000 }), Sample(published.map { $0 * 1000 })
        )
        return Row(
            "viewctl send, processor time", own.median / other.median, atMost: 1.5,
            of: " of redis-cli publish", "\(spread(own)) ms, redis-cli \(spread(other))")
    }

    private static func measured(_ words: [String]) -> Double {
        let (isDone, cpu) = run(words)
        if !isDone { stop("\(words[0]) fails") }
        return cpu
    }

    static func starting(_ busd: System) -> [Row] {
        var (times, memory): ([Double], [Double]) = ([], [])
        for _ in 0..<11 {
            let server = Server(busd)
            times.append(server.startTook * 1000)
            memory.append(Double(server.memory) / 1024)
        }
        return [
            Row(
                "from exec to the first answer", Sample(times).median, atMost: 20, of: " ms",
                spread(Sample(times))),
            Row(
                "memory after the first answer", Sample(memory).median, atMost: 12, of: " MB",
                spread(Sample(memory))),
        ]
    }

    /// System calls of busd for one delivery, as strace counts them.
    static func calls(_ busd: String, _ cells: [FanOut.Cell]) -> Table {
        var table = Table(["system calls per event", "write", "read", "wait", "timer", "others"])
        for cell in cells {
            let log = "\(newFolder())/calls"
            var server: Server? = Server(
                .busd(busd, under: ["strace", "-D", "-f", "-qq", "-o", log]))
            var clients: Clients? = server.map { Clients($0, .say, subscribers: cell.subscribers) }
            let before = read(log).utf8.count
            let events = clients?.events(outstanding: cell.outstanding, seconds: 0.4) ?? 1
            usleep(100_000)
            let calls = Substring(read(log).utf8.dropFirst(before)).split(separator: "\n")
            clients = nil
            server = nil
            var counts: [String: Int] = [:]
            for call in calls { counts[kind(of: call), default: 0] += 1 }
            table.add(
                [cell.name]
                    + ["write", "read", "wait", "timer", "others"].map {
                        text(Double(counts[$0] ?? 0) / Double(events), 2)
                    })
        }
        return table
    }

    private static func kind(of call: Substring) -> String {
        let name = call.drop { $0.isNumber || $0 == " " }.prefix { $0 != "(" }
        return switch name {
        case "sendto", "write": "write"
        case "read", "recvfrom": "read"
        case "epoll_wait", "epoll_pwait", "epoll_pwait2": "wait"
        case "timerfd_settime": "timer"
        default: "others"
        }
    }
}
