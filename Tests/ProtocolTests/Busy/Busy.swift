import BusdProtocol

/// A kind with generated code for each event. Its payloads have all kinds of values.
enum Busy: ViewModelKind {
    static let name = "busy"

    enum Color: String, Codable, PlainJSON {
        case red
        case green
    }

    struct Row: Codable, Equatable, Sendable {
        var text: String
        var number: Double?
    }

    struct Line: Codable, PlainJSON, Equatable {
        var text: String
        var color: Color? = nil
        var number: Double? = nil
        let `in`: Int
    }

    enum ViewEvent: BusyEvent {
        case nothing
        case scalars(text: String, count: Int, isTrue: Bool)
        case others(
            measure: Double, color: Color, row: Row, rows: [Row], texts: [String], secret: Secret)
        case optional(first: Int?, row: Row? = nil, in: String?)
        case `default`(for: Color?)

        static let examples: [Self] = [
            .nothing,
            .scalars(text: "é\"", count: -3, isTrue: true),
            .others(
                measure: 0.5, color: .green, row: Row(text: "a", number: nil),
                rows: [Row(text: "b", number: 2)], texts: ["c", ""], secret: Secret("d")),
            .optional(first: 1, row: Row(text: "a", number: 1), in: "b"),
            .default(for: .red),
        ]
    }

    enum ViewModelEvent: BusyEvent {
        case nothing
        case scalars(text: String, count: Int, isTrue: Bool)
        case others(measure: Double, color: Color, colors: [Color], row: Row, texts: [String])
        case optional(first: Int?, color: Color?, row: Row?, in: Optional<String>)
        case rows(rows: [Row], table: [Row?])
        case lines(lines: [Line], last: Line?)
        case secret(out: Secret)

        static let examples: [Self] = [
            .nothing,
            .scalars(text: "é\"", count: -3, isTrue: true),
            .others(
                measure: 0.5, color: .green, colors: [.red, .green],
                row: Row(text: "a", number: nil), texts: ["c", ""]),
            .optional(first: 1, color: .red, row: Row(text: "a", number: 1), in: "b"),
            .optional(first: nil, color: nil, row: nil, in: nil),
            .rows(rows: [Row(text: "b", number: 2)], table: [nil]),
            .lines(lines: [Line(text: "a", in: 1)], last: nil),
            .lines(lines: [], last: Line(text: "\n", color: .red, number: 0.5, in: -1)),
        ]
    }
}
