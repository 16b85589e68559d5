import BusdProtocol
import Testing

@testable import BusdBroker

@Suite struct `The intake` {
    private var intake: Intake
    private let slot = 0

    init() {
        var limits = Limits()
        limits.line = 8
        intake = Intake(limits)
        intake.admit(slot)
    }

    private mutating func receive(_ text: String) {
        Array(text.utf8).withUnsafeBytes { intake.received($0, on: slot) }
    }

    /// The operation of the next line, or why it is refused; `nil`: there is no line.
    private mutating func line() -> String? {
        guard let line = intake.nextLine(of: slot) else { return nil }
        var text: String
        do throws(RequestRefusal) {
            text = try intake.request(in: line, of: slot).map { "\($0.operation)" } ?? "nothing"
        } catch {
            text = error.error.code.rawValue
        }
        intake.forget()
        let length = intake.lineLength(of: slot)
        let dropped = intake.dropLine(of: slot)
        #expect(length == dropped)
        return text
    }

    @Test mutating func `Lines come out in order, and the rest when nothing follows`() throws {
        receive("ping\n# \nlist")
        #expect(intake.count(of: slot) == 12)
        #expect(line() == "ping")
        #expect(line() == "nothing")
        #expect(line() == nil)
        #expect(intake.unfinished(of: slot) == 4)
        #expect(!intake.hasEnded(slot))
        intake.end(slot)
        #expect(intake.hasEnded(slot) && intake.unfinished(of: slot) == 0)
        #expect(line()?.hasPrefix("list") == true)
        #expect(line() == nil)
    }

    @Test mutating func `A line that is too long, or given up, is reported in its place`() throws {
        receive("123456789\nabc")
        #expect(line() == "tooLong")
        #expect(line() == nil)
        intake.giveUpUnfinished(of: slot)
        #expect(line() == "overloaded")
        receive("def\nping\n")
        #expect(line() == "ping")
    }

    @Test mutating func `Three bad lines in a row are too many`() {
        var areTooMany = (0..<2).map { _ in intake.countBadLine(of: slot) }
        intake.countGoodLine(of: slot)
        areTooMany += (0..<3).map { _ in intake.countBadLine(of: slot) }
        #expect(areTooMany == [false, false, false, false, true])
    }

    @Test mutating func `Only a change of reading is reported`() {
        let changes = [true, false, false, true].map { intake.read(slot, $0) }
        #expect(changes == [false, true, false, true])
    }

    @Test mutating func `A connection finds nothing of the one before it in its slot`() throws {
        receive("password")
        intake.end(slot)
        _ = (intake.read(slot, false), intake.countBadLine(of: slot))
        intake.remove(slot)
        #expect(intake.count(of: slot) == 0)
        intake.admit(slot)
        #expect(!intake.hasEnded(slot))
        let isChange = intake.read(slot, true)
        let areTooMany = (0..<3).map { _ in intake.countBadLine(of: slot) }
        #expect(!isChange && areTooMany == [false, false, true])
        #expect(line() == nil)
    }
}
