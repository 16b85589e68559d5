import BusdProtocol

/// The values of any view model: a row for each field of each event.
struct ValuesPage: Page {
    /// The most bytes of values on a page. A longer value is cut; the page says so.
    static let mostBytes = 65_536

    private let address: Address
    private let events: [JSONValue]
    private let menu: [MenuLink]

    /// - Parameter events: the present values, as `get` answers them.
    init(_ address: Address, _ events: [JSONValue], menu: [MenuLink]) {
        (self.address, self.events, self.menu) = (address, events, menu)
    }

    var title: String { address.text }

    var body: HTML {
        """
        <main class="values" data-from="\(address.text)"\(Self.rowsModule)>
        <h1>\(address.text)</h1>
        <table><thead><tr><th scope="col">event</th><th scope="col">field</th>\
        <th scope="col">value</th></tr></thead>
        <tbody data-all>\(rows)</tbody></table>
        <template>\(row("", "", nil))</template>
        <p>\(menu.html(\.title))</p>
        \(Notices.html(gone: "\(address.text) has ended.", menu: menu))
        </main>
        """
    }

    private var rows: [HTML] {
        var room = Self.mostBytes
        return events.flatMap { event -> [HTML] in
            guard let (name, payload) = event.onlyMember else { return [] }
            return payload.members.map { field, value in
                let text = value.pretty(most: room)
                let shown = text.cut(to: room)
                room -= shown.utf8.count
                return row(name.text, field.text, shown, cut: shown.utf8.count < text.utf8.count)
            }
        }
    }

    private func row(
        _ name: String?, _ field: String?, _ value: String?, cut isCut: Bool = false
    ) -> HTML {
        """
        <tr><th scope="row">\(name)</th><td>\(field)</td><td>\
        <pre data-value="\(name).\(field)">\(value)\(isCut ? note : nil)</pre></td></tr>

        """
    }

    /// A part of the value's element, so it goes when the script writes the whole value.
    private var note: HTML {
        """
        <span class="cut">
        cut here; <code>viewctl get \(address.text)</code> shows all of it</span>
        """
    }
}

extension String {
    /// The longest beginning of at most so many bytes, without half a character.
    fileprivate func cut(to most: Int) -> String {
        guard utf8.count > most else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: max(0, most))
        while !isBoundary(end) { end = utf8.index(before: end) }
        return String(unicodeScalars[..<end])
    }

    private func isBoundary(_ index: Index) -> Bool {
        index == endIndex || utf8[index] & 0xC0 != 0x80
    }
}
