import CBusdNcurses

/// Turns the input of ncurses into keys.
enum KeyDecoder {
    private static let named: [Int32: Key] = [
        KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right, KEY_HOME: .home,
        KEY_END: .end, KEY_PPAGE: .pageUp, KEY_NPAGE: .pageDown, KEY_DC: .delete,
        KEY_BACKSPACE: .backspace, KEY_ENTER: .enter, KEY_BTAB: .backTab,
        KEY_SR: .shiftUp, KEY_SF: .shiftDown,
    ]

    /// A key with a code of its own, such as `KEY_UP`; nil for an unknown code.
    static func key(code: Int32) -> Key? { named[code] }

    /// The key of a character; nil if it has none.
    static func key(character: UInt32) -> Key? {
        switch character {
        case 9: .tab
        case 10, 13: .enter
        case 27: .escape
        case 8, 127: .backspace
        case 0..<32: Unicode.Scalar(character + 0x60).map { .control($0) }
        case 0x80..<0xA0: nil
        default: Unicode.Scalar(character).map { .text($0) }
        }
    }

    static let click = busd_BUTTON1_PRESSED
    static let wheelUp = busd_BUTTON4_PRESSED
    static let wheelDown = busd_BUTTON5_PRESSED

    /// A click or a turn of the wheel; nil for other buttons.
    static func key(mouse buttons: mmask_t, at point: Point) -> Key? {
        if buttons & wheelUp != 0 { return .scrollUp }
        if buttons & wheelDown != 0 { return .scrollDown }
        return buttons & click != 0 ? .click(point) : nil
    }
}
