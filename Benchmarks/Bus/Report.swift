import Glibc
import Load
import Measures

enum Machine {
    /// Raises the limit of descriptors, and moves this process to the second core: servers run on
    /// the first.
    static func prepare() {
        load_pin(0, 1)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(7), &limit)  // RLIMIT_NOFILE
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(7), &limit)
    }

    static var text: String {
        let model =
            read("/proc/cpuinfo").split(separator: "\n")
            .first { $0.hasPrefix("model name") }?.drop { $0 != ":" }.dropFirst(2) ?? "a processor"
        let kernel = read("/proc/sys/kernel/osrelease").split(separator: "\n").first ?? ""
        let busy = read("/proc/loadavg").split(separator: " ").first ?? ""
        return """
            Measured on \(model), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, Linux \(kernel), \
            with a load average of \(busy).

            - **Compare the figures of one table only**: they differ from machine to machine.
            - The processor time is that of the server alone. Servers take turns. Each figure is
              the median of \(Effort.usual.repeats) turns, with the least and the most.
            - N: subscribers. W: events that are sent and not yet received by all.
            - All clients connect through a Unix socket. busd keeps its state in memory.
            - Unless the title says otherwise, the publisher sends no `id`, so busd does not
              answer it. Redis answers as usual.
            - "C, by line" writes each line to each subscriber. "C, by turn" writes all lines of a
              turn at once. Neither reads the lines.
            """
    }
}

/// Prints results as they are found, and writes the file of results at the end.
struct Report {
    var rows: [Row] = [] {
        didSet { for row in rows.dropFirst(oldValue.count) { print(line(of: row)) } }
    }
    private let path: String
    private var parts: [String] = ["# What a delivery costs\n\n`make bench` writes this file."]

    init(_ path: String) { self.path = path }

    mutating func note(_ title: String, _ body: String) {
        parts.append("## \(title)\n\n\(body)")
        print("\n\(title)\n\n\(body)")
    }

    /// The plot stands above its table. scripts/plots.sh finds the table by the title.
    mutating func note(_ title: String, _ table: String, plot: String, _ caption: String) {
        parts.append("## \(title)\n\n\(link(to: plot, caption))\n\n\(table)")
        print("\n\(title)\n\n\(table)")
    }

    private func link(to plot: String, _ caption: String) -> String {
        "![\(caption)](../pictures/plot-\(plot).svg)"
    }

    private func line(of row: Row) -> String {
        let mark = row.isMet.map { $0 ? "met" : "NOT met" } ?? ""
        return "\(row.what): \(row.found) (\(row.goal): \(mark))"
    }

    mutating func finish() {
        var table = Table(["", "found", "goal", ""])
        for row in rows {
            table.add([
                row.what, row.found, row.goal, row.isMet.map { $0 ? "met" : "**not met**" } ?? "",
            ])
        }
        let plot = link(to: "redis", "Costs of busd relative to Redis")
        parts.insert("## Goals\n\n\(plot)\n\n\(table.text)", at: 2)
        // Results that were measured by hand.
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        parts.append(read("\(folder)SETTINGS.md"))
        write(parts.joined(separator: "\n\n") + "\n", to: path)
        print("\nWritten to \(path)")
    }
}
