@testable import BusdBroker
import BusdProtocol
import Testing

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

    private mutating func line() throws -> String? {
        guard let line = intake.nextLine(of: slot) else { return nil }
        let text = try intake.withLine(of: slot) { bytes throws(WireError) in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
        #expect(intake.lineLength(of: slot) == intake.dropLine(of: slot))
        return line == .text ? text : "\(line)"
    }

    @Test mutating func `Lines come out in order, and the rest when nothing follows`() throws {
        receive("ping\nget")
        #expect(intake.count(of: slot) == 8)
        #expect(try line() == "ping")
        #expect(try line() == nil)
        #expect(intake.unfinished(of: slot) == 3)
        #expect(!intake.hasEnded(slot))
        intake.end(slot)
        #expect(intake.hasEnded(slot) && intake.unfinished(of: slot) == 0)
        #expect(try line() == "get")
        #expect(try line() == nil)
    }

    @Test mutating func `A line that is too long, or given up, is reported in its place`() throws {
        receive("123456789\nabc")
        #expect(try line() == "tooLong")
        #expect(try line() == nil)
        intake.giveUpUnfinished(of: slot)
        #expect(try line() == "givenUp")
        receive("def\nping\n")
        #expect(try line() == "ping")
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
        #expect(try line() == nil)
    }
}
