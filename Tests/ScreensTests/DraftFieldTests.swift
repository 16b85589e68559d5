import BusdTerminal
import Testing

@testable import BusdScreens

@Suite struct DraftFieldTests {
    private func typed(_ text: String) -> DraftField {
        var field = DraftField()
        for scalar in text.unicodeScalars { _ = field.edit(.text(scalar)) }
        return field
    }

    @Test func `a key that changes the text says what is to be sent`() {
        var field = typed("An")
        let sent = [field.edit(.text("n")), field.edit(.left), field.edit(.backspace)]
        #expect(sent == ["Ann", nil, "An"])
    }

    @Test func `a paste ends where no name could go on`() {
        let field = typed(String(repeating: "x", count: 9_000))
        #expect(field.text.count == DraftField.mostBytes)
    }

    @Test func `what comes back late does not undo what was typed since`() {
        var field = typed("Ann")
        field.told("A")
        #expect(field.text == "Ann")
        _ = field.edit(.text("a"))
        field.told("An")
        field.told("Ann")
        field.told("Anna")
        #expect(field.text == "Anna")
    }

    @Test func `the cursor stays when one's own text comes back`() {
        var field = typed("Ann")
        _ = field.edit(.home)
        field.told("Ann")
        _ = field.edit(.text("J"))
        #expect(field.text == "JAnn")
    }

    @Test func `what somebody else types is shown once one's own text is back`() {
        var field = typed("A")
        field.told("Bob")
        #expect(field.text == "A")
        field.told("A")
        field.told("Bob")
        #expect(field.text == "Bob")
    }

    @Test func `a snapshot that has the last text only will do`() {
        var field = typed("Ann")
        field.told("Ann")
        field.told("")
        #expect(field.text == "")
    }

    @Test func `what was refused does not hold up what is told`() {
        var field = typed("Ann")
        field.forgetSent()
        field.told("Bo")
        #expect(field.text == "Bo")
    }
}
