import Glibc
import Load
import Measures

enum Machine {
    /// As many descriptors as there may be; the load runs apart from the server, on the second core.
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
            Measured on \(model), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, Linux \(kernel), with a load \
            average of \(busy). **Absolute figures do not travel**: compare what stands in one table. The \
            processor time is the server's own; servers take turns, and of \(Effort.usual.repeats) turns each the \
            median is shown, with the least and the most. N subscribers, W events outstanding. Each has a Unix \
            socket; busd keeps its state in memory; the publisher asks busd for no answers (no `id`) where nothing else is said, and \
            Redis for its usual one. "C, by line" writes each line to each subscriber, "C, by turn" all lines of \
            a turn at once; neither reads what it passes on.
            """
    }
}

/// What is printed and written as it is found.
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
        parts.insert("## Goals\n\n\(table.text)", at: 2)
        // What was measured by hand stands beside it.
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        parts.append(read("\(folder)SETTINGS.md"))
        write(parts.joined(separator: "\n\n") + "\n", to: path)
        print("\nWritten to \(path)")
    }
}
