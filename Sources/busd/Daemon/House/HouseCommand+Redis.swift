import BusdProtocol
import BusdRedisLog

// `busd house list` and `busd house remove`, which need no store.

extension HouseCommand {
    func list(_ address: RedisAccess) throws {
        let survey = try HouseSurvey(address)
        let rows = try survey.houses(of: daemon).compactMap { try survey.summary($0) }.map(Self.row)
        guard !rows.isEmpty else {
            return Maintenance.warn("\(daemon): there are no houses in \(address)")
        }
        let head = ["HOUSE", "POSITION", "THINGS", "AS-OF", "SIZE", "ALIVE", "SEEN"]
        let widths = head.indices.map { column in
            ([head] + rows).map { $0[column].utf8.count }.max() ?? 0
        }
        for row in [head] + rows { print(Self.line(row, widths)) }
    }

    private static func row(_ house: HouseSurvey.Summary) -> [String] {
        [
            house.house.description, house.position.map { "\($0)" } ?? "damaged",
            house.things.map { "\($0.count)" } ?? "-", house.things.map { "\($0.entry)" } ?? "-",
            house.bytes.map(size) ?? "-", "\(house.members.filter(\.isAlive).count)",
            house.members.first.map { time(since: $0.silence) } ?? "never",
        ]
    }

    /// The first and the last cell begin their column, the others end it.
    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        cells.indices.map { column in
            // fits: the width is the longest of these
            let space = String(repeating: " ", count: widths[column] - cells[column].utf8.count)
            if column == 0 { return cells[column] + space }
            return column == cells.count - 1 ? cells[column] : space + cells[column]
        }.joined(separator: "  ")
    }

    /// `812`, `1.5K` or `23M`, in units of 1024.
    static func size(_ bytes: Int) -> String {
        guard bytes >= 1_024 else { return "\(bytes)" }
        let units = ["K", "M", "G", "T", "P"]
        var (tenths, unit) = (bytes / 1_024 * 10 + bytes % 1_024 * 10 / 1_024, 0)
        while tenths >= 10_240, unit < units.count - 1 {
            (tenths, unit) = (tenths / 1_024, unit + 1)
        }
        return (tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)") + units[unit]
    }

    /// - Parameter silence: milliseconds.
    static func time(since silence: Int) -> String {
        switch silence / 1_000 {
        case ..<2: "now"
        case let seconds where seconds < 60: "\(seconds) s ago"
        case let seconds where seconds < 3_600: "\(seconds / 60) min ago"
        case let seconds where seconds < 2 * 86_400: "\(seconds / 3_600) h ago"
        case let seconds: "\(seconds / 86_400) days ago"
        }
    }

    func remove(_ house: HouseName, at address: RedisAccess) throws {
        let survey = try HouseSurvey(address)
        guard let summary = try survey.summary(house) else {
            throw StartError("there is no house \(house) in \(address)")
        }
        // --yes does not help here: scripts always give it.
        let alive = summary.members.filter(\.isAlive).map(\.name.printable)
        guard alive.isEmpty else {
            throw StartError(
                "the house \(house) is in use by \(alive.joined(separator: ", ")): stop these "
                    + "daemons first")
        }
        try confirmation.ask("Remove the house \(house) with \(Self.content(of: summary))?")
        try survey.remove(house)
        print(
            "the house \(house) was removed; each daemon's store keeps its content, and can leave "
                + "the house")
    }

    private static func content(of house: HouseSurvey.Summary) -> String {
        let entries = house.position.map { "\($0) entries" } ?? "a damaged log"
        guard let things = house.things else { return entries }
        return "\(things.count) things as of entry \(things.entry), and \(entries)"
    }
}
