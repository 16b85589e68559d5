package import BusdHTTP
import BusdProtocol

extension HTTPResponse {
    /// The headers of every response of the site.
    ///
    /// A page loads nothing but its own script, style and stream, sends nothing elsewhere, and is
    /// shown in no frame.
    static let headersOfAll: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                + "form-action 'none'; base-uri 'self'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
        // A proxy sends each event on at once (nginx).
        ("X-Accel-Buffering", "no"),
    ]

    /// How long a browser keeps a file.
    enum Age: String {
        case forever = "public, max-age=31536000, immutable"
        /// It asks each time whether it has the newest one.
        case untilItChanges = "no-cache"
    }

    /// - Parameter path: of the page, such as `/shopping/1`.
    package static func page(_ page: some Page, at path: String, status: Int = 200) -> Self {
        HTTPResponse(
            UInt32(clamping: status), type: "text/html; charset=utf-8",
            page.html(root: root(from: path)).bytes, headers: headersOfAll)
    }

    /// The way from a path to the first page: `../` from `/shopping/1`.
    private static func root(from path: String) -> String {
        let depth = path.utf8.count { $0 == UInt8(ascii: "/") } - 1
        return depth > 0 ? String(repeating: "../", count: depth) : "./"
    }

    static func asset(_ asset: Asset, _ request: HTTPRequest, _ age: Age) -> Self {
        let headers =
            headersOfAll.filter { $0.name != "Cache-Control" }
            + [("Cache-Control", age.rawValue), ("ETag", asset.tag)]
        if asset.isKnown(to: request) {
            return HTTPResponse(304, type: asset.type, [], headers: headers)
        }
        return HTTPResponse(200, type: asset.type, asset.bytes, headers: headers)
    }
}

extension HTTPExchange {
    func show(_ page: some Page, status: Int = 200) {
        answer(.page(page, at: request.path, status: status))
    }
}

extension MessagePage {
    /// - Parameter missing: the page if there is no such view model.
    init(_ failure: BusReader.Failure, _ missing: MessagePage) {
        self =
            switch failure {
            case .missing: missing
            case .unreachable: .noDaemon
            case .refused(let error): .refused(error.message)
            }
    }
}

extension Asset {
    /// RFC 9110, 13.1.2: the browser has the file. A tag may be weak, for example after a proxy has
    /// compressed the file.
    fileprivate func isKnown(to request: HTTPRequest) -> Bool {
        request.list("if-none-match").contains {
            $0.isExactly("*") || $0.isExactly(tag) || $0.isExactly("W/\(tag)")
        }
    }
}
