import BusdOptions
import BusdProtocol

/// The output of `watch --format`: a line of text, or with `--member` a JSON object.
struct Format {
    static let formatOption = Option(
        "format", "f", argument: "TEMPLATE",
        "print this line when it changes, such as '{teams.home} {score.text}'; for one address "
            + "only")
    static let memberOption = Option(
        "member", "m", argument: "NAME=TEMPLATE",
        "print a JSON object with this member instead; may be given more than once")
    static let everyOption = Option(
        "every", nil, argument: "SECONDS",
        "with --format: at most one line in this time; the last change is never lost")
    static let awayOption = Option(
        "away", nil, argument: "TEXT",
        "with --format: the line without a daemon, or without the view model, which watch waits "
            + "for; standard error is silent about them")
    static let barOption = Option(
        "bar", nil, argument: "BAR", choices: Bar.allCases.map(\.rawValue),
        "with --format: make the values harmless in this bar: waybar, i3blocks, polybar or tmux")
    static let options = [formatOption, memberOption, everyOption, awayOption, barOption]

    private let line: Template?
    private let members: [Member]
    private let bar: Bar?
    let away: String?
    /// Zero: each change is printed.
    let every: Duration

    /// Nil without `--format` and `--member`.
    init?(_ arguments: Arguments) throws(UsageError) {
        bar = try arguments.choice(Self.barOption).flatMap(Bar.init)
        away = arguments[Self.awayOption]
        every = try arguments.seconds(Self.everyOption) ?? .zero
        line = try arguments[Self.formatOption].map { text throws(UsageError) in
            try Self.template(text, arguments)
        }
        members = try arguments.all(Self.memberOption).map { text throws(UsageError) in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw arguments.error("--member needs NAME=TEMPLATE, not '\(text)'")
            }
            return Member(
                name: String(parts[0]), template: try Self.template(String(parts[1]), arguments))
        }
        if line != nil, !members.isEmpty {
            throw arguments.error("--format and --member exclude each other")
        }
        guard line != nil || !members.isEmpty else {
            for option in [Self.everyOption, Self.awayOption, Self.barOption]
            where arguments.has(option) {
                throw arguments.error("--\(option.name) is for --format and --member")
            }
            return nil
        }
        guard !paths.isEmpty else {
            throw arguments.error("the template has no value, such as {score.text}")
        }
    }

    private static func template(
        _ text: String, _ arguments: Arguments
    ) throws(UsageError) -> Template {
        if let template = Template(text) { return template }
        throw arguments.error(
            "'\(text)' is no template: values are in braces, such as {score.text}, and {{ is a "
                + "brace")
    }

    /// The values that it shows.
    var paths: [ValuePath] { (line.map { [$0] } ?? members.map(\.template)).flatMap(\.paths) }

    func text(of state: ViewModelState) -> String {
        if let line { return line.text(of: state, for: bar) }
        return Self.object { out in
            for member in members { member.write(state, for: bar, to: &out) }
        }
    }

    var awayText: String? {
        away.map { text in line == nil ? Self.object { $0.member("text", text) } : text }
    }

    private static func object(_ members: (inout JSONWriter) -> Void) -> String {
        var out = JSONWriter()
        out.object(members)
        return String(decoding: out.bytes, as: UTF8.self)
    }
}

/// A member of the JSON object for Waybar (waybar-custom(5)).
private struct Member {
    let name: String
    let template: Template

    /// Without a number, `percentage` is left out, and Waybar takes it as 0.
    func write(_ state: ViewModelState, for bar: Bar?, to out: inout JSONWriter) {
        guard name.isExactly("percentage") else {
            out.key(named: name)
            return out.value(template.text(of: state, for: isName && bar == .waybar ? nil : bar))
        }
        guard let number = Self.number(template.text(of: state, for: nil)) else { return }
        out.key(named: name)
        out.raw(number)
    }

    /// Waybar compares these with names in its style and its configuration, so they have no markup.
    private var isName: Bool { name.isExactly("class") || name.isExactly("alt") }

    /// The number at the start of a text such as `43% KNOWN`, as JSON.
    private static func number(_ text: String) -> [UInt8]? {
        let start = text.utf8.drop { $0 == .space }
        let digits = Array(start.prefix { "+-.0123456789".utf8.contains($0) })
        guard let value = Double(String(decoding: digits, as: UTF8.self)), value.isFinite else {
            return nil
        }
        let isWhole = value.magnitude < 1e9 && value == value.rounded()
        return Array((isWhole ? String(Int(value)) : String(value)).utf8)
    }
}
