import Testing

@testable import BusdTerminal

@Suite struct FrameTests {
    private func frame(_ columns: Int, _ rows: Int) -> Frame {
        Frame(Size(columns: columns, rows: rows))
    }

    @Test func `A text stands where it was written`() {
        var frame = frame(10, 3)
        frame.write("Hawks", at: Point(column: 2, row: 1))
        #expect(frame.lines == ["", "  Hawks", ""])
        #expect(frame.text == "\n  Hawks\n")
    }

    @Test func `A text outside the frame is cut off on every side`() {
        var frame = frame(4, 1)
        frame.write("abcdef", at: Point(column: -1, row: 0))
        #expect(frame.lines == ["bcde"])
        frame.write("x", at: Point(column: 0, row: 1))
        frame.write("x", at: Point(column: 0, row: -1))
        frame.write("x", at: Point(column: 4, row: 0))
        #expect(frame.lines == ["bcde"])
    }

    @Test func `A wide glyph of which only half fits is left out`() {
        var frame = frame(3, 1)
        frame.write("日本", at: Point(column: 0, row: 0))
        #expect(frame.lines == ["日"])
        frame.write("本x", at: Point(column: -1, row: 0))
        #expect(frame.lines == [" x"])
    }

    @Test func `Writing over half of a wide glyph leaves a blank`() {
        var left = frame(4, 1)
        left.write("日本", at: Point(column: 0, row: 0))
        left.write("x", at: Point(column: 0, row: 0))
        #expect(left.lines == ["x 本"])
        var right = frame(4, 1)
        right.write("日本", at: Point(column: 0, row: 0))
        right.write("x", at: Point(column: 1, row: 0))
        #expect(right.lines == [" x本"])
        var middle = frame(4, 1)
        middle.write("日本", at: Point(column: 0, row: 0))
        middle.write("語", at: Point(column: 1, row: 0))
        #expect(middle.lines == [" 語"])
    }

    @Test func `A text is aligned in its area`() {
        var frame = frame(12, 4)
        let area = Area(column: 1, row: 0, columns: 10, rows: 4)
        frame.write("ab", in: area, row: 0, .left)
        frame.write("ab", in: area, row: 1, .center)
        frame.write("ab", in: area, row: 2, .right)
        frame.write("abcdefghijkl", in: area, row: 3, .right)
        #expect(frame.lines == [" ab", "     ab", "         ab", " abcdefghi…"])
    }

    @Test func `A row outside the area is not written`() {
        var frame = frame(4, 4)
        let area = Area(column: 0, row: 0, columns: 4, rows: 1)
        frame.write("ab", in: area, row: 1)
        frame.write("ab", in: area, row: -1)
        #expect(frame.text == "")
    }

    @Test func `A style goes with the text, and can be changed`() {
        var frame = frame(3, 1)
        frame.write("ab", at: Point(column: 0, row: 0), .bold)
        frame.restyle(Area(column: 1, row: 0, columns: 9, rows: 9)) { $0.isReverse = true }
        #expect(frame.style(at: Point(column: 0, row: 0)) == .bold)
        #expect(frame.style(at: Point(column: 1, row: 0)) == Style(bold: true, reverse: true))
        #expect(frame.style(at: Point(column: 2, row: 0)) == .reverse)
        #expect(frame.style(at: Point(column: 3, row: 0)) == nil)
    }

    @Test func `A rule goes from edge to edge, and an area can be emptied`() {
        var frame = frame(5, 2)
        frame.rule(in: frame.area)
        frame.rule(in: frame.area, row: 1)
        frame.clear(Area(column: 1, row: 0, columns: 2, rows: 1))
        #expect(frame.lines == ["─  ──", "─────"])
    }

    @Test func `A frame without cells takes everything and shows nothing`() {
        var frame = frame(0, -4)
        frame.write("ab", at: Point(column: 0, row: 0))
        frame.clear(Area(column: 0, row: 0, columns: 3, rows: 3))
        frame.restyle(Area(column: 0, row: 0, columns: 3, rows: 3)) { $0.isBold = true }
        #expect(frame.lines == [])
        #expect(frame.text == "")
    }
}

@Suite struct AreaTests {
    private let area = Area(column: 2, row: 3, columns: 10, rows: 4)

    @Test func `An area is split into rows or columns`() {
        let (top, bottom) = area.split(rows: 1)
        #expect(top == Area(column: 2, row: 3, columns: 10, rows: 1))
        #expect(bottom == Area(column: 2, row: 4, columns: 10, rows: 3))
        let (left, right) = area.split(columns: 99)
        #expect(left == area)
        #expect(right == Area(column: 12, row: 3, columns: 0, rows: 4))
    }

    @Test func `An area is inset, and never less than empty`() {
        #expect(area.inset(columns: 1, rows: 1) == Area(column: 3, row: 4, columns: 8, rows: 2))
        #expect(area.inset(columns: 7).columns == 0)
    }

    @Test func `A size is centered in an area`() {
        let centered = area.centered(Size(columns: 3, rows: 9))
        #expect(centered == Area(column: 5, row: 3, columns: 3, rows: 4))
    }

    @Test func `An area contains its cells and no others`() {
        #expect(area.contains(Point(column: 2, row: 3)))
        #expect(area.contains(Point(column: 11, row: 6)))
        #expect(!area.contains(Point(column: 12, row: 6)))
        #expect(!area.contains(Point(column: 11, row: 7)))
        #expect(!area.contains(Point(column: 1, row: 3)))
    }
}
