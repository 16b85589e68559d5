import TestSupport
import Testing

/// The table of failures in docs/several-machines.md.
struct FailurePage {
    /// By the name of the failure: the beginning of the state of a daemon.
    let states: [String: String]

    init() throws {
        let page = try Package.text("docs/several-machines.md")
        let lines = page.split(separator: "\n")
        let head = try #require(
            lines.firstIndex { $0.hasPrefix("| what fails | state |") })
        var states: [String: String] = [:]
        for line in lines[head...].dropFirst(2).prefix(while: { $0.hasPrefix("|") }) {
            let cells = line.split(separator: "|").map { $0.trimming(" ") }
            try #require(cells.count == 3, "\(line)")
            states[cells[0]] = cells[1].trimming("`").trimming("…").trimming(" ")
        }
        self.states = states
    }

    func state(_ failure: String) throws -> String {
        try #require(states[failure], "the page does not have \(failure)")
    }
}

extension StringProtocol {
    fileprivate func trimming(_ mark: Character) -> String {
        let rest = drop { $0 == mark }.reversed().drop { $0 == mark }
        return String(rest.reversed())
    }
}
