package import BusdTerminal

/// Problems, one per line. If there is no room for all, the last line has the number of those left
/// out.
package struct ProblemList {
    private let problems: [String]

    package init(_ problems: [String]) { self.problems = problems }

    package func draw(on frame: inout Frame, in area: Area) {
        let isCut = problems.count > area.rows
        let shown = problems.prefix(isCut ? max(0, area.rows - 1) : area.rows)
        for (row, problem) in shown.enumerated() {
            frame.write(problem, in: area, row: row, .left, Style(.notice))
        }
        let rest = problems.count - shown.count
        if isCut { frame.write("and \(rest) more", in: area, row: shown.count, .left, .dim) }
    }
}
