package import BusdSite
package import Testing

private let hostile =
    "<img src=x onerror=alert(1)>\"'`&amp;</title></pre></template><script>\u{2028}\u{202E}\u{1}\u{7F}\u{85}"

/// Expects that no text of these pages becomes markup, that they have nothing of their own beside
/// it that a browser could execute, and that they stay below the path of their site.
///
/// - Parameter pages: returns every page, with the text in each of its texts.
package func expectSafe(
    _ location: SourceLocation = #_sourceLocation, _ pages: (String) throws -> [any Page]
) throws {
    for (plain, hostile) in zip(try pages("x"), try pages(hostile)) {
        #expect(hostile.tags == plain.tags, sourceLocation: location)
        let controls = hostile.markup.unicodeScalars.filter {
            $0.properties.generalCategory == .control
        }
        #expect(controls.allSatisfy { $0 == "\n" }, sourceLocation: location)
        expectPlain(plain, location)
    }
}

private func expectPlain(_ page: any Page, _ location: SourceLocation) {
    let (tags, text) = (page.tags, page.markup)
    let isStatic = !tags.contains { $0.contains(" style=") || $0.contains(" on") }
    #expect(isStatic, sourceLocation: location)
    #expect(text.ranges(of: "<script").count == 1, sourceLocation: location)
    #expect(
        text.contains("\"></script>") && !text.contains("<style"), sourceLocation: location)
    #expect(
        text.contains("<html lang=\"en\">") && !text.contains("<title></title>"),
        sourceLocation: location)
    #expect(
        text.contains("name=\"viewport\"") && text.contains("name=\"color-scheme\""),
        sourceLocation: location)
    #expect(
        text.contains(Assets.style.link) && text.contains(Assets.script.link),
        sourceLocation: location)
    #expect(text.contains("<base href=\"../\">"), sourceLocation: location)
    let links = ["href=\"/", "src=\"/", "data-score=\"/", "data-taps=\"/", "data-rows=\"/"]
    let isBelow = !links.contains { text.contains($0) }
    #expect(isBelow, "\(page.title)", sourceLocation: location)
}
