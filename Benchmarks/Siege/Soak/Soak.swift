import Glibc
import Measures

/// Clients of all manners connect to one daemon and leave, while about 1,000 events per second are
/// sent. At the end the daemon must have no more descriptors and memory than before.
final class Soak {
    private let daemon: Daemon
    private let seconds: Double
    private var guests: [Guest] = []
    private var random = SplitMix64()
    private let scorer: Scorer
    private var samples: [(time: Double, memory: Double, descriptors: Double)] = []
    private var visits = 0

    init(_ daemon: Daemon, minutes: Double) {
        self.daemon = daemon
        seconds = minutes * 60
        scorer = Scorer(daemon)
    }

    /// Returns whether memory and descriptors have not grown.
    func run() -> Bool {
        let descriptors = daemon.descriptorsInUse
        let witness = WitnessProcess(at: daemon)
        let start = Clock.now
        var (turn, nextSample) = (start, start)
        while turn - start < seconds {
            scorer.sendDue(since: turn - start)
            welcome(turn)
            attend(until: turn + 0.01)
            turn = max(turn + 0.01, Clock.now)
            if turn >= nextSample {
                note(turn - start)
                nextSample += max(0.25, seconds / 1_000)
            }
        }
        let (sent, processor) = (scorer.sentCount, daemon.processorTime / (Clock.now - start))
        let figures = witness.finish()
        guests = []
        let gone = wait(atMost: 10) { daemon.descriptorsInUse == descriptors }
        print(
            "\(grouped(visits)) visits, \(grouped(sent)) events,",
            "\(percent(processor)) of a core")
        let isFlat = printMemory()
        plot("descriptors", samples.map { ($0.time, $0.descriptors) }) { text($0, 0) }
        print(
            "descriptors: \(descriptors) at first,",
            gone == nil ? "\(daemon.descriptorsInUse) at the end: BROKEN" : "as many at the end")
        let report = Report()
        report.row(figures, p99: 0.02)
        return isFlat && gone != nil && !report.isBroken && daemon.isAlive
    }

    // MARK: Guests

    /// Keeps about two hundred guests connected.
    private func welcome(_ now: Double) {
        for _ in 0..<4 where guests.count < 200 && random.below(200) >= guests.count - 100 {
            visits += 1
            guests.append(Guest(at: daemon.socket, number: visits, now, &random))
        }
    }

    private func attend(until moment: Double) {
        waitForAny(guests.filter(\.isReading).map(\.peer), until: moment)
        for guest in guests { guest.act(Clock.now) }
        guests.removeAll { $0.isDone(Clock.now) }
        usleep(UInt32(max(0, moment - Clock.now) * 1e6))
    }

    // MARK: Figures

    private func note(_ time: Double) {
        samples.append((time, Double(daemon.memory), Double(daemon.descriptorsInUse)))
    }

    private func printMemory() -> Bool {
        plot("memory", samples.map { ($0.time, $0.memory) }) { size(Int($0)) }
        let trend = Trend(samples.filter { $0.time >= seconds / 10 }.map { ($0.time, $0.memory) })
        print(
            "memory: \(size(Int(trend.slope * 3_600))) more per hour after the first tenth,",
            trend.isRising ? "still rising: BROKEN" : "not rising any more")
        return !trend.isRising
    }
}

/// A generator of reproducible random numbers.
struct SplitMix64 {
    private var state: UInt64 = 7

    /// A number from 0 to below `bound`.
    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
