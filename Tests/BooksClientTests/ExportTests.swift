import BusdOptions
import Testing

@testable import books

@Suite struct ExportTests {
    private func refusal(_ words: String...) -> String? {
        usageMessage {
            guard case .run(let arguments) = try Settings.program.parse(["export"] + words) else {
                throw NotRun()
            }
            _ = try Export(arguments)
        }
    }

    @Test(arguments: ["3", "study/3", "cards/3"])
    func `The verb export takes the number or an address of a book`(book: String) {
        #expect(refusal(book) == nil)
    }

    @Test(arguments: ["a/b", "study/3/4", "cards", "scoreboard/1", "books"])
    func `Another operand is refused`(operand: String) {
        #expect(
            refusal(operand)
                == "books export: a book is a number such as 3, or an address such as study/3")
    }

    @Test func `The verb export needs a book, and has no option of games`() {
        #expect(refusal() == "books export: missing BOOK")
        for option in ["--csv", "--json", "--once"] {
            #expect(refusal("3", option) == "books export: unknown option '\(option)'")
        }
    }
}
