import BusdTerminal
import Testing

@testable import scoreboard

@Suite struct BlockDigitsTests {
    private func drawn(_ text: String, columns: Int, rows: Int) -> String? {
        guard
            let digits = BlockDigits.largest(
                for: text, in: Size(columns: columns, rows: rows))
        else { return nil }
        var frame = Frame(Size(columns: digits.columns(of: text), rows: digits.rows))
        digits.draw(text, on: &frame, at: Point(column: 0, row: 0), .plain)
        return frame.text
    }

    @Test func `A text of more characters than columns has no digits`() {
        #expect(drawn(String(repeating: ":", count: 50), columns: 49, rows: 3) == nil)
        #expect(drawn(String(repeating: "0", count: 1_000_000), columns: 49, rows: 3) == nil)
    }

    @Test func `The smallest digits are four columns by three rows`() {
        #expect(
            drawn("0123456789", columns: 49, rows: 3) == """
                █▀▀█ ▀█   ▀▀▀█ ▀▀▀█ █  █ █▀▀▀ █▀▀▀ ▀▀▀█ █▀▀█ █▀▀█
                █  █  █   █▀▀▀ ▀▀▀█ ▀▀▀█ ▀▀▀█ █▀▀█    █ █▀▀█ ▀▀▀█
                █▄▄█ ▄█▄  █▄▄▄ ▄▄▄█    █ ▄▄▄█ █▄▄█    █ █▄▄█ ▄▄▄█

                """)
    }

    @Test func `Larger digits have thicker strokes with round corners`() {
        #expect(
            drawn("01234", columns: 44, rows: 5) == """
                ▄██████▄  ████    ███████▄ ███████▄ ██    ██
                ██    ██    ██          ██       ██ ██    ██
                ██    ██    ██    ▄██████▀ ████████ ▀███████
                ██    ██    ██    ██             ██       ██
                ▀██████▀  ██████  ▀███████ ███████▀       ██

                """)
        #expect(
            drawn("56789", columns: 44, rows: 5) == """
                ▄███████ ▄███████ ███████▄ ▄██████▄ ▄██████▄
                ██       ██             ██ ██    ██ ██    ██
                ▀██████▄ ███████▄       ██ ████████ ▀███████
                      ██ ██    ██       ██ ██    ██       ██
                ███████▀ ▀██████▀       ██ ▀██████▀ ███████▀

                """)
    }

    @Test func `A clock has a colon and a dot`() {
        #expect(
            drawn("01:10.3", columns: 28, rows: 3) == """
                █▀▀█ ▀█   ▄ ▀█   █▀▀█   ▀▀▀█
                █  █  █      █   █  █   ▀▀▀█
                █▄▄█ ▄█▄  ▀ ▄█▄  █▄▄█ ▄ ▄▄▄█

                """)
    }

    @Test func `An area that is too small for the smallest digits has none`() {
        #expect(drawn("00", columns: 8, rows: 9) == nil)
        #expect(drawn("00", columns: 9, rows: 2) == nil)
        #expect(drawn("00", columns: -9, rows: -2) == nil)
        #expect(drawn("00", columns: 9, rows: 3) != nil)
    }

    @Test func `Digits always fit their area, and are never too wide for their height`() {
        for columns in 9...120 {
            for rows in 3...40 {
                let room = Size(columns: columns, rows: rows)
                guard let digits = BlockDigits.largest(for: "00", in: room) else {
                    Issue.record("none in \(room)")
                    continue
                }
                #expect(digits.columns(of: "00") <= columns)
                #expect(digits.rows <= rows)
                #expect(digits.width == 4 || 5 * digits.width <= 8 * digits.rows)
            }
        }
    }

    @Test func `Other characters are blank`() {
        #expect(drawn("x", columns: 4, rows: 3) == "")
    }
}
