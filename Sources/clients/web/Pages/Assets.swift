/// The files that pages of every part refer to.
package enum Assets {
    /// Of every page.
    package static let style = Asset(style: PackageResources.page_css, name: "page")
    package static let script = Asset(script: PackageResources.page_js, name: "page")
    /// Of every page of a phone on which taps wait.
    package static let tapsScript = Asset(script: PackageResources.taps_js, name: "taps")
    /// Of a list, and of the page of any view model.
    package static let listsScript = Asset(script: PackageResources.lists_js, name: "lists")

    static let all = [style, script, tapsScript, listsScript]
}
