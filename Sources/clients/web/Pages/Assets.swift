import BusdProtocol

/// The files that pages refer to. Their names contain a hash of their content, so a browser may
/// keep them forever.
///
/// They are sent without their comments and their indentation, a third of their bytes: a page for
/// looking, with all of it, has at most 20 kB.
enum Assets {
    struct Asset: Equatable, Sendable {
        /// `/assets/page-0123456789abcdef.css`
        let path: String
        /// The path from the first page, with which pages refer to the file.
        var link: String { String(Substring(path.utf8.dropFirst())) }
        /// The value of the header `ETag`.
        var tag: String { "\"\(path)\"" }
        /// The value of the header `Content-Type`.
        let type: String
        let bytes: [UInt8]

        fileprivate init(style bytes: [UInt8], name: String) {
            self.init(
                Assets.withoutSpaces(Assets.trimmed(bytes)), name: name, suffix: "css",
                type: "text/css; charset=utf-8")
        }

        fileprivate init(script bytes: [UInt8], name: String) {
            self.init(
                Assets.trimmed(bytes), name: name, suffix: "js",
                type: "text/javascript; charset=utf-8")
        }

        private init(_ bytes: [UInt8], name: String, suffix: String, type: String) {
            self.bytes = bytes
            path = "/assets/\(name)-\(hexadecimal(FNV1a(bytes).value)).\(suffix)"
            self.type = type
        }
    }

    /// Of every page.
    static let style = Asset(style: PackageResources.page_css, name: "page")
    static let script = Asset(script: PackageResources.page_js, name: "page")
    /// Of an overlay.
    static let overlayStyle = Asset(style: PackageResources.overlay_css, name: "overlay")
    /// Of the page that keeps the score.
    static let scoringStyle = Asset(style: PackageResources.score_css, name: "score")
    static let scoringScript = Asset(script: PackageResources.score_js, name: "score")
    /// Of every page of a phone on which taps wait.
    static let tapsScript = Asset(script: PackageResources.taps_js, name: "taps")

    /// Of the list of games, and of the page of any view model.
    static let listsScript = Asset(script: PackageResources.lists_js, name: "lists")

    static let all = [
        style, script, overlayStyle, scoringStyle, scoringScript, tapsScript, listsScript,
    ]

    /// The file at a path; nil: no file, or one of another version.
    static func asset(at path: String) -> Asset? {
        all.first { $0.path.utf8.elementsEqual(path.utf8) }
    }

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
