import BusdProtocol

/// A file that pages refer to. Its name contains a hash of its content, so a browser may keep it
/// forever.
///
/// It is sent without its comments and its indentation, a third of its bytes: a page for looking,
/// with all that it loads, has at most 20 kB.
package struct Asset: Equatable, Sendable {
    /// `/assets/page-0123456789abcdef.css`
    let path: String
    /// The value of the header `Content-Type`.
    let type: String
    package let bytes: [UInt8]

    package init(style bytes: [UInt8], name: String) {
        self.init(
            Self.withoutSpaces(Self.trimmed(bytes)), name: name, suffix: "css",
            type: "text/css; charset=utf-8")
    }

    package init(script bytes: [UInt8], name: String) {
        self.init(
            Self.trimmed(bytes), name: name, suffix: "js", type: "text/javascript; charset=utf-8")
    }

    private init(_ bytes: [UInt8], name: String, suffix: String, type: String) {
        self.bytes = bytes
        path = "/assets/\(name)-\(hexadecimal(FNV1a(bytes).value)).\(suffix)"
        self.type = type
    }

    /// The path from the first page, with which pages refer to the file.
    package var link: String { String(Substring(path.utf8.dropFirst())) }
    /// The value of the header `ETag`.
    var tag: String { "\"\(path)\"" }

    /// The lines without the spaces before them, and without lines that are only a comment.
    static func trimmed(_ source: [UInt8]) -> [UInt8] {
        let lines = source.split(separator: UInt8(ascii: "\n")).compactMap { line -> [UInt8]? in
            let text = line.drop { $0 == UInt8(ascii: " ") }
            let isComment = text.starts(with: "//".utf8) || text.starts(with: "/*".utf8)
            return text.isEmpty || isComment ? nil : text + [UInt8(ascii: "\n")]
        }
        return Array(lines.joined())
    }

    /// A style sheet without spaces that mean nothing: after `:`, `;`, `,` and `{`, before `{` and
    /// `}`.
    static func withoutSpaces(_ style: [UInt8]) -> [UInt8] {
        let isLeftOut = { (place: Int) in
            guard style[place] == UInt8(ascii: " "), place > 0, place + 1 < style.count else {
                return false
            }
            return ":;,{".utf8.contains(style[place - 1]) || "{}".utf8.contains(style[place + 1])
        }
        return style.indices.filter { !isLeftOut($0) }.map { style[$0] }
    }
}
