import BusdTerminal
import Testing

@testable import BusdScreens

@Suite struct DraftFieldTests {
    private func typed(_ text: String) -> DraftField {
        var field = DraftField()
        for scalar in text.unicodeScalars { _ = field.edit(.text(scalar)) }
        return field
    }

    @Test func `A key that changes the text returns the text to be sent`() {
        var field = typed("An")
        let sent = [field.edit(.text("n")), field.edit(.left), field.edit(.backspace)]
        #expect(sent == ["Ann", nil, "An"])
    }

    @Test func `A paste is cut at the length limit of a name`() {
        let field = typed(String(repeating: "x", count: 9_000))
        #expect(field.text.count == DraftField.mostBytes)
    }

    @Test func `An older text that the daemon returns does not undo later keys`() {
        var field = typed("Ann")
        field.received("A")
        #expect(field.text == "Ann")
        _ = field.edit(.text("a"))
        field.received("An")
        field.received("Ann")
        field.received("Anna")
        #expect(field.text == "Anna")
    }

    @Test func `The cursor stays when the sent text comes back`() {
        var field = typed("Ann")
        _ = field.edit(.home)
        field.received("Ann")
        _ = field.edit(.text("J"))
        #expect(field.text == "JAnn")
    }

    @Test func `The text of another view is shown once the sent text is back`() {
        var field = typed("A")
        field.received("Bob")
        #expect(field.text == "A")
        field.received("A")
        field.received("Bob")
        #expect(field.text == "Bob")
    }

    @Test func `A snapshot with only the last text confirms the earlier ones`() {
        var field = typed("Ann")
        field.received("Ann")
        field.received("")
        #expect(field.text == "")
    }

    @Test func `A refused text does not delay a text that arrives`() {
        var field = typed("Ann")
        field.forgetSent()
        field.received("Bo")
        #expect(field.text == "Bo")
    }
}
