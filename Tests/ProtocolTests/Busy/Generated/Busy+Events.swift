// Generated from Busy.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

import BusdProtocol

extension Busy.Line {
    func write(to out: inout JSONWriter) {
        out.plainObject { out in
            out.member("text", text) && out.member("color", color) && out.member("number", number)
                && out.member("in", `in`)
        }
    }
}

extension Busy.ViewEvent {
    init(plainly json: JSONValue) throws(NotPlain) {
        var json = try PlainReader(json)
        switch json.name {
        case "nothing": self = .nothing
        case "scalars":
            self = try .scalars(
                text: json.member("text"), count: json.member("count"),
                isTrue: json.member("isTrue"))
        case "others":
            self = try .others(
                measure: json.member("measure"), color: json.member("color"),
                row: json.member("row"), rows: json.member("rows"), texts: json.member("texts"),
                secret: json.member("secret"))
        case "optional":
            self = try .optional(
                first: json.optionalMember("first"), row: json.optionalMember("row"),
                in: json.optionalMember("in"))
        case "default": self = try .`default`(for: json.optionalMember("for"))
        default: throw NotPlain()
        }
        try json.end()
    }
}

extension Busy.ViewModelEvent {
    var name: String {
        switch self {
        case .nothing: "nothing"
        case .scalars: "scalars"
        case .others: "others"
        case .optional: "optional"
        case .rows: "rows"
        case .lines: "lines"
        case .secret: "secret"
        }
    }

    func writePlainly(to out: inout JSONWriter) -> Bool {
        out.plainEvent(name) { out in
            switch self {
            case .nothing: true
            case .scalars(let text, let count, let isTrue):
                out.member("text", text) && out.member("count", count)
                    && out.member("isTrue", isTrue)
            case .others(let measure, let color, let colors, let row, let texts):
                out.member("measure", measure) && out.member("color", color)
                    && out.member("colors", colors) && out.member("row", row)
                    && out.member("texts", texts)
            case .optional(let first, let color, let row, let inValue):
                out.member("first", first) && out.member("color", color) && out.member("row", row)
                    && out.member("in", inValue)
            case .rows(let rows, let table): out.member("rows", rows) && out.member("table", table)
            case .lines(let lines, let last): out.member("lines", lines) && out.member("last", last)
            case .secret(let outValue): out.member("out", outValue)
            }
        }
    }
}
