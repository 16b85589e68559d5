import BusdProtocol

/// Texts of 64 KiB as cards. Some are hostile.
func measureTexts() {
    let plain = text(of: "水の上\tabove the water\n")
    measure("64 KiB of cards") { _ = CardText(plain) }
    for unit in [
        "a\tb\n", "\t\n", "\n", "a\n", "\t", "\"", "\"a\n", "\"\"\"\n", "\"\"x\t", "\"x\t",
        "\"a\"\"b\"\t\"c\nd\"\n", "#deck column:9\n",
    ] {
        let text = text(of: unit)
        measure("64 KiB of \(unit.debugDescription)") { _ = CardText(text) }
    }
    for unit in [
        "<", "< ", "<a", "<a>", "<div>x", "<br>", "<!--", "&", "&;", "&&&&&&&&;", "&a;", "&lt;",
        "&#9;", "<b>\t&amp;\n",
    ] {
        let text = "#html:true\na\t" + text(of: unit) + ">"
        measure("64 KiB of \(unit.debugDescription) in HTML") { _ = CardText(text) }
    }
}

private func text(of unit: String) -> String {
    String(repeating: unit, count: 65_536 / unit.utf8.count)
}
