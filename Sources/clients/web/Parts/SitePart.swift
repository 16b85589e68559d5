/// The pages of an application, or of something else that browsers can show:
///
///     extension SitePart {
///         package static let shopping = SitePart(
///             link: MenuLink("Lists", all: "All lists"), hint: "A list is at /shopping/1",
///             pages: ShoppingPages.init)
///     }
///
/// A part says which paths it has, what their pages show and follow, and what a paired phone may do
/// there. The site owns everything else: sockets, hosts and origins, limits, pairings, the life of
/// streams, and errors. Nothing in the site names a part: the program registers them.
package struct SitePart: Sendable {
    let link: MenuLink
    let hint: String
    let assets: [Asset]
    let phones: PhoneUse?
    let pages: @Sendable (BusReader) -> any SitePages

    /// - Parameters:
    ///   - link: leads to its first page.
    ///   - hint: the answer to an unknown path names an address of the part, as above. It has no
    ///     full stop.
    ///   - assets: the files of its pages.
    ///   - phones: nil: paired phones have no pages here.
    ///   - pages: makes its pages, once for each run of a server.
    package init(
        link: MenuLink, hint: String, assets: [Asset] = [], phones: PhoneUse? = nil,
        pages: @escaping @Sendable (BusReader) -> any SitePages
    ) {
        (self.link, self.hint, self.assets, self.phones) = (link, hint, assets, phones)
        self.pages = pages
    }
}

extension [SitePart] {
    /// What paired phones may do.
    var phones: [PhoneUse] { compactMap(\.phones) }
    var menu: [MenuLink] { map(\.link) }
    var hints: [String] { map(\.hint) }
}
