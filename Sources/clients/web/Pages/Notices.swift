/// The lines at the bottom of a live page, hidden until the script shows one.
enum Notices {
    /// - Parameter gone: what the page says when its view model has ended; nil: it never does.
    static func html(gone: String?) -> HTML {
        """
        \(gone.map(ended))<p class="stale" role="status" hidden>not live since <b></b></p>
        """
    }

    private static func ended(_ text: String) -> HTML {
        """
        <p class="gone" role="status" hidden>\(text) <a href="./">All games</a></p>

        """
    }
}
