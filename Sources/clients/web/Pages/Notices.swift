/// The lines at the bottom of a live page, hidden until the script shows one.
package enum Notices {
    /// - Parameters:
    ///   - gone: what the page says when its view model has ended; nil: it never does.
    ///   - menu: the links behind it.
    package static func html(gone: String?, menu: [MenuLink] = []) -> HTML {
        let end = gone.map { ended($0, menu) }
        return """
            \(end)<p class="stale" role="status" hidden>not live since <b></b></p>
            """
    }

    private static func ended(_ text: String, _ menu: [MenuLink]) -> HTML {
        """
        <p class="gone" role="status" hidden>\(text) \(menu.html(\.all))</p>

        """
    }
}
