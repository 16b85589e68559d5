import CBusdQrencode

/// A QR code: a square of dark and light modules.
struct QRCode: Equatable {
    /// Light modules around the code, without which no scanner finds it.
    private static let quietZone = 4

    private let width: Int
    private let dark: [Bool]

    /// `nil`: the text is too long. The lowest level of error correction gives the largest modules,
    /// and a screen has no stains.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let code = QRcode_encodeData(Int32(clamping: bytes.count), bytes, 0, QR_ECLEVEL_L)
        else { return nil }
        defer { QRcode_free(code) }
        let width = Int(clamping: code.pointee.width)
        self.width = width
        dark = (0..<width * width).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// Columns of its lines.
    var columns: Int { width + 2 * Self.quietZone }

    /// Lines of half blocks: a character is two modules, one above the other.
    ///
    /// With colours, they are black on white whatever the colours of the terminal are. Without, the
    /// light modules are drawn, which is right for light text on a dark ground. Most phones also
    /// read the opposite.
    func lines(isColoured: Bool) -> [String] {
        let range = -Self.quietZone..<width + Self.quietZone
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let blocks = range.map { column in
                let (top, bottom) = (isDark(row, column), isDark(row + 1, column))
                return isColoured ? Self.block(top, bottom) : Self.block(!top, !bottom)
            }
            // Black is 16 and white is 231 on every terminal; 0 and 7 depend on its theme.
            let line = blocks.joined()
            return isColoured ? "\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m" : line
        }
    }

    private func isDark(_ row: Int, _ column: Int) -> Bool {
        guard 0..<width ~= row, 0..<width ~= column else { return false }
        return dark[row * width + column]  // fits: a code has at most 177 columns
    }

    private static func block(_ top: Bool, _ bottom: Bool) -> String {
        switch (top, bottom) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
