/// A page of busd-web: a pure function of values.
package protocol Page {
    /// The title of the browser's tab.
    var title: String { get }
    /// The colour schemes that the page supports: those of the user, or one alone.
    var colorScheme: String { get }
    /// Whether a browser without script loads the page again every five seconds.
    var isRefreshed: Bool { get }
    /// More links of `<head>`.
    var links: HTML? { get }
    /// The content of `<body>`.
    var body: HTML { get }
}

extension Page {
    package var colorScheme: String { "light dark" }
    package var isRefreshed: Bool { true }
    package var links: HTML? { nil }

    /// The whole document.
    ///
    /// - Parameter root: the way from the page to the first page, such as `../`. Each link begins
    ///   there, so the site may be below any path of a proxy.
    package func html(root: String) -> HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <base href="\(root)">
        <title>\(title)</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="\(colorScheme)">
        \(isRefreshed ? refresh : nil)<link rel="stylesheet" href="\(Assets.style.link)">
        <script type="module" src="\(Assets.script.link)" data-taps="\(Assets.tapsScript.link)">\
        </script>
        \(links)</head>
        <body>
        \(body)
        </body>
        </html>

        """
    }

    /// Where page.js finds the module for rows.
    package static var rowsModule: HTML { " data-rows=\"\(Assets.listsScript.link)\"" }

    private var refresh: HTML {
        """
        <noscript><meta http-equiv="refresh" content="5"></noscript>

        """
    }
}
