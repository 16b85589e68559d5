import BusdClient
import BusdProtocol
import Glibc
import TestSupport
import Testing

/// Three daemons of a house, the third behind a slow link, and two writers on each.
final class HouseRun {
    /// Kills of daemons in a round, beside a kill of Redis, a refusal and a cut link.
    static let killsOfRound = 5
    private static let players = ["home/1", "home/2", "home/3", "away/1", "away/2", "away/3"]
    /// A game takes at most 2,000 moves of a player.
    private static let mostOfGame = 1_500

    private var random: SeededGenerator
    private let redis: RedisFixture
    private let link: FakeLink
    private let members: [HouseMember]
    private let writers: [HouseWriter]
    private var refusals: [Refusal] = []
    private var games = 0
    private var times: [String: [Int]] = [:]

    var events: Int { times.values.map(\.count).reduce(0, +) }
    var acknowledged: Int { writers.map(\.total).reduce(0, +) }

    init(_ random: SeededGenerator) throws {
        self.random = random
        let redis = try RedisFixture()
        let link = try FakeLink(to: redis.socket, delay: 10_000)
        let writers = Self.players.map { HouseWriter("w\($0)", player: $0) }
        members = try (0..<3).map { place in
            try HouseMember(
                "m\(place)", place == 2 ? link.path : redis.socket,
                [writers[2 * place], writers[2 * place + 1]])
        }
        (self.redis, self.link, self.writers) = (redis, link, writers)
    }

    /// For each kind of event: how often, and how long until all members followed again.
    var report: String {
        let lines = times.keys.sorted().map { name in
            let sorted = (times[name] ?? []).sorted()
            let late = sorted.filter { $0 > 2_000_000 }.count
            return "house: \(name): \(sorted.count) times, milliseconds: median "
                + "\(sorted[sorted.count / 2] / 1_000), most \((sorted.last ?? 0) / 1_000), "
                + "\(late) above 2,000"
        }
        return (lines + ["house: \(acknowledged) acknowledged"]).joined(separator: "\n")
    }

    // MARK: Rounds

    func begin() throws {
        for member in members { try member.start() }
        try serve(.nothing) { members.allSatisfy(\.isFollowing) }
        try beginGame()
        let start = Moment.now
        try serve { members.allSatisfy { $0.isWell(since: start) } }
    }

    private func beginGame() throws {
        games += 1
        let client = try Client(members[0].socket)
        let name = "game \(games)"
        #expect(try client.ask(Line.createGame(name, key: name))?.isDone == true)
        for writer in writers { writer.begin("\(games)") }
        try serve(.nothing) { try members.allSatisfy { try $0.has(writers[0].address) } }
    }

    func round() throws {
        var events: [() throws -> Void] = [killRedis, refuse, cutLink]
        for _ in 0..<Self.killsOfRound { events.append(killMember) }
        events.shuffle(using: &random)
        for event in events {
            try serve(for: random.number(0...150_000))
            try event()
            try check()
        }
    }

    private func killMember() throws {
        let member = members[random.number(0...2)]
        try restart(member)
        try awaitAll("a killed daemon", since: member.started)
    }

    /// Also kills it while it starts, now and then.
    private func restart(_ member: HouseMember) throws {
        try member.kill()
        try serve(for: random.number(0...100_000))
        if random.once(in: 4) {
            try member.start()
            try serve(for: random.number(0...60_000))
            try member.kill()
        }
        try member.start()
    }

    private func killRedis() throws {
        redis.kill()
        if random.once(in: 3) { try restart(members[random.number(0...2)]) }
        try serve(for: random.number(0...300_000))
        try redis.start()
        try awaitAll("a killed Redis", since: .now)
    }

    private func cutLink() throws {
        link.cut()
        try awaitAll("a cut link", since: .now)
    }

    private func refuse() throws {
        if refusals.isEmpty { refusals = Refusal.all.shuffled(using: &random) }
        let refusal = refusals.removeLast()
        let length = random.number(1_000...(Torture.isLong ? 10_000 : 2_000))
        let start = Moment.now
        for words in refusal.begin { try run(words.map { $0 == "TIME" ? "\(length)" : $0 }) }
        if refusal.name == "SIGSTOP" { redis.suspend() }
        if refusal.kind == .heldLink { link.hold() }
        let restarted = random.once(in: 2) ? members[random.number(0...2)] : nil
        if let restarted { try restart(restarted) }
        var told: Moment?
        try serve {
            if told == nil, members.allSatisfy({ $0 === restarted || !$0.isFollowing }) {
                told = .now
            }
            return Moment.now - start >= length * 1_000
        }
        switch refusal.kind {
        case .told:
            #expect(told != nil, "\(refusal.name): \(members.map(\.state))")
            if let told { times["state after a refusal", default: []].append(told - start) }
        case .silent, .heldLink: break
        }
        if refusal.name == "SIGSTOP" { redis.resume() }
        link.release()
        for words in refusal.end { try run(words) }
        try awaitRewrite()
        try awaitAll(refusal.name, since: .now)
    }

    private func run(_ words: [String]) throws {
        let (isSuccess, lines) = try Spawned.run(["redis-cli", "-s", redis.socket] + words)
        let isDone = lines.last == "OK" || lines.last.flatMap { Int($0) } != nil
        #expect(isSuccess && isDone, "\(words): \(lines)")
    }

    /// Redis that keeps a file again has everything in it only after it has written it anew.
    private func awaitRewrite() throws {
        try serve {
            let (_, lines) = try Spawned.run(
                ["redis-cli", "-s", redis.socket, "INFO", "persistence"])
            return ["aof_rewrite_in_progress:0", "aof_rewrite_scheduled:0"].allSatisfy { wanted in
                lines.contains { $0.hasPrefix(wanted) }
            }
        }
    }

    // MARK: Waiting

    private func awaitAll(_ event: String, since moment: Moment) throws {
        try serve { members.allSatisfy { $0.isWell(since: moment) } }
        times[event, default: []].append(Moment.now - moment)
    }

    private func serve(for microseconds: Int) throws {
        let end = Moment.after(microseconds: microseconds)
        try serve { Moment.now >= end }
    }

    /// Which sends the writers begin.
    private enum Writing { case all, openOnes, nothing }

    private func serve(_ writing: Writing = .all, until isDone: () throws -> Bool) throws {
        let deadline = Moment.deadline
        while try !isDone() {
            guard Moment.now < deadline else {
                let all = members.map { "\($0.name): \($0.state), \($0.lines.suffix(20))" }
                throw GaveUp(description: "waited in vain: \(all)\n\(report)")
            }
            for writer in writers where writing == .all || writing == .openOnes && writer.isOpen {
                try writer.sendNext()
            }
            _ = try Client.wait(
                for: members.flatMap(\.clients), until: .after(microseconds: 5_000))
            for member in members { try member.attend() }
        }
    }

    // MARK: Checks

    /// Each daemon shows what was answered, and at most the open send of each writer.
    private func check() throws {
        try serve(.nothing) { writers.allSatisfy(\.isIdle) }
        var shown: [[Int]] = []
        try serve(.nothing) {
            shown = try members.map { try $0.counts(of: writers) }
            return Set(shown).count == 1
        }
        for (writer, count) in zip(writers, shown[0]) {
            let most = writer.acknowledged + (writer.isOpen ? 1 : 0)
            #expect((writer.acknowledged...most).contains(count), "\(writer.name)")
        }
        if shown[0].contains(where: { $0 > Self.mostOfGame }) {
            try closeOpenSends()
            try beginGame()
        }
    }

    private func closeOpenSends() throws {
        try serve(.openOnes) { writers.allSatisfy { !$0.isOpen } }
    }

    /// All daemons show exactly what was answered, in all games, also after a restart.
    func settle() throws {
        try closeOpenSends()
        try check()
        let first = try library(members[0])
        for member in members { #expect(try library(member) == first, "\(member.name)") }
        let counts = first.map { $0.counts.joined().reduce(0, +) }
        #expect(first.count == games && counts.reduce(0, +) == acknowledged)
        for member in members { try member.stop() }
        for member in members { try member.start() }
        try serve(.nothing) { members.allSatisfy(\.isFollowing) }
        for member in members {
            #expect(try library(member) == first, "\(member.name)")
            #expect(member.lines.allSatisfy(isExpected), "\(member.lines)")
        }
    }

    /// A daemon loses no entry of its own store.
    private func isExpected(_ line: String) -> Bool {
        [
            "busd: serving ", "busd: the house is followed again", "busd: done",
            "This daemon still serves its state, but refuses durable sends",
        ].contains { line.contains($0) }
    }

    private func library(_ member: HouseMember) throws -> [Library.Game] {
        let library = try Library(Client(member.socket))
        return library.rows.map(\.id).sorted().compactMap { library.games[$0] }
    }
}
