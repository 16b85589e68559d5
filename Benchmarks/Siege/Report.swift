import Glibc
import Measures

/// Prints a table of figures and goals. A broken promise fails the run. A missed goal does not,
/// because it depends on time.
final class Report {
    enum Verdict {
        /// Holds on any machine.
        case promise(Bool)
        /// Depends on the machine and its load.
        case goal(Bool)
        case none
    }

    private(set) var isBroken = false

    init() { print("\(padded("", 52)) \(padded("goal", 22)) found") }

    func title(_ text: String) {
        print("\n\(text)")
        fflush(nil)
    }

    func row(_ what: String, _ goal: String, _ found: String, _ verdict: Verdict = .none) {
        let mark =
            switch verdict {
            case .promise(false): "  BROKEN"
            case .goal(false): "  over"
            default: ""
            }
        if case .promise(false) = verdict { isBroken = true }
        print("  \(padded(what, 50)) \(padded(goal, 22)) \(found)\(mark)")
        fflush(nil)
    }

    func row(_ figures: WitnessFigures, p99: Double) {
        row(
            "witness: lost, gaps, wrong, closed", "0, 0, 0, no",
            "\(figures.lost), \(figures.gaps), \(figures.wrong), "
                + "\(figures.wasClosed ? "yes" : "no") of \(figures.sent)",
            .promise(figures.isIntact))
        row(
            "witness: p50, p99, most", "p99 at most \(text(p99 * 1000, 0)) ms",
            [figures.p50, figures.p99, figures.most].map { milliseconds($0) }
                .joined(separator: ", "), .goal(figures.p99 <= p99))
    }

    /// A number of bytes that must not be exceeded.
    func row(_ what: String, bytes: Int, atMost most: Int) {
        row(what, "at most \(size(most))", size(bytes), .promise(bytes <= most))
    }
}

func size(_ bytes: Int) -> String {
    bytes.magnitude < 1 << 20
        ? "\(text(Double(bytes) / 1024, 1)) KiB" : "\(text(Double(bytes) / 1_048_576, 1)) MiB"
}

func percent(_ share: Double) -> String { "\(text(share * 100, 1)) %" }

func grouped(_ number: Int) -> String {
    var digits = String(number)
    var place = digits.count - 3
    while place > 0 {
        digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
        place -= 3
    }
    return digits
}
