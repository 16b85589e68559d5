package import BusdScreens
package import BusdTerminal
import TestSupport
import Testing

/// The text that `draw` makes in an area of this size.
package func text(_ columns: Int, _ rows: Int, _ draw: (inout Picture, Area) -> Void) -> String {
    picture(columns, rows, draw).frame.text
}

package func picture(_ columns: Int, _ rows: Int, _ draw: (inout Picture, Area) -> Void) -> Picture
{
    var picture = Picture(Size(columns: columns, rows: rows))
    draw(&picture, picture.area)
    keep(picture: picture.frame.text)
    return picture
}

/// The place of a text in a picture.
package func place(of text: String, in picture: Picture) -> Point? {
    for (row, line) in picture.frame.lines.enumerated() {
        if let range = line.firstRange(of: text) {
            return Point(column: String(line[..<range.lowerBound]).columns, row: row)
        }
    }
    return nil
}

/// Expects that `draw` does not change the cells around its area.
package func expectInside(_ columns: Int, _ rows: Int, _ draw: (inout Picture, Area) -> Void) {
    let picture = picture(columns + 2, rows + 2) { picture, area in
        for row in 0..<area.rows {
            let line = String(repeating: "+", count: area.columns)
            picture.frame.write(line, at: Point(column: 0, row: row))
        }
        let inner = area.inset(columns: 1, rows: 1)
        picture.frame.clear(inner)
        draw(&picture, inner)
    }
    let lines = picture.frame.lines
    #expect(lines.first?.allSatisfy { $0 == "+" } == true, "\(columns)x\(rows)")
    #expect(lines.last?.allSatisfy { $0 == "+" } == true, "\(columns)x\(rows)")
    #expect(lines.allSatisfy { $0.hasPrefix("+") && $0.hasSuffix("+") }, "\(columns)x\(rows)")
}
