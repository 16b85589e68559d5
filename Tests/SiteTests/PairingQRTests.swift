import Testing

@testable import BusdSite

@Suite struct PairingQRTests {
    private let url = "http://court.example:8080/pair#k3m9ax.AAAAAAAAAAAAAAAAAAAAAA"

    /// zbarimg(1) has read these lines, drawn as a picture, as the URL.
    private let lines = [
        "█████████████████████████████████████████",
        "█████████████████████████████████████████",
        "████ ▄▄▄▄▄ ██▀▄██▀▄▀▀▀▄▀▀▀▄ ██ ▄▄▄▄▄ ████",
        "████ █   █ █▄▀█▄▀▀█▀▄▀▀▀▄█▀▀ █ █   █ ████",
        "████ █▄▄▄█ ██▄▀▀ ▄ ▀▀▀▄▀▀ ▄ ▀█ █▄▄▄█ ████",
        "████▄▄▄▄▄▄▄█ █▄▀▄█▄▀▄▀ ▀▄▀ █ █▄▄▄▄▄▄▄████",
        "████ ▄▄█▄ ▄▄▄▀█▀ ▀█▀ ▀█▀  ▀▄▄  ██▀ █▀████",
        "████▄ █ ▀█▄▄▀▀ ▄ ▀ ▀█▀ ▀█ ▄▀▄█▄▀ ▀█▀▄████",
        "████▄▀▀▀▀█▄ ▀█  ██ ▀ ▀█▀  ▄██  ▄██▀█ ████",
        "████▀ ▄▄  ▄▀▄█▀▀█▄█▀█▀ ▀█  ▀▄▄█▄▄ █ ▄████",
        "████▀ ▄▀▀█▄ █▀▄▀ ▀█▀ ▀█▀ ▄█▄█▄ ███▀▄ ████",
        "████ ▀▀█ █▄▀█▀▀▄ ▀ ▀█▀ ▀█  ▀▄▀▄█▀▄█ ▄████",
        "██████▄█ █▄ ▀█▀ ██ ▀ ▀█▀   ██  ▀█▀█▄ ████",
        "████▄▀  ▄▄▄ █ █▀█▄█▀█▀ █   ▀▄ ██▄▄█ ▄████",
        "████▄█▄▄█▄▄█ ▄█▀ ▀█▀ ▀█▄▄▄█▄ ▄▄▄ █▀▀▀████",
        "████ ▄▄▄▄▄ █ ▀ ▄ ▀ ▀█▀ ▀▄▀▀  █▄█ ▄█ ▄████",
        "████ █   █ █▄▄▀ ██ ▀ ▀█▄▀▄ ▀ ▄▄▄ ▄█▄▀████",
        "████ █▄▄▄█ █ ▄ ▀█▄█▀█▀ ▀█▀ █▀██  ▄▄▀▄████",
        "████▄▄▄▄▄▄▄█▄█▄█▄███▄███▄▄██▄▄▄█▄▄█▄▄████",
        "█████████████████████████████████████████",
        "█████████████████████████████████████████",
    ]

    @Test func `A QR code without colours has its light modules drawn`() throws {
        let code = try #require(QRCode(url))
        #expect(code.lines(isColoured: false) == lines)
        #expect(code.columns == 41)
    }

    @Test func `A QR code with colours is black on white, and each line ends its colours`() throws {
        let opposite: [Character: Character] = [" ": "█", "█": " ", "▀": "▄", "▄": "▀"]
        // The last line has one module, and white below it.
        let inverted = lines.map { String($0.compactMap { opposite[$0] }) }
        let coloured = try #require(QRCode(url)).lines(isColoured: true)
        #expect(coloured == inverted.map { "\u{1B}[38;5;16;48;5;231m\($0)\u{1B}[0m" })
    }

    @Test func `A QR code has a quiet zone of four modules on each side`() {
        let light = String(repeating: "█", count: 41)
        #expect(lines.prefix(2) == [light, light])
        #expect(lines.suffix(2) == [light, light])
        #expect(lines.allSatisfy { $0.utf8.starts(with: "████".utf8) && $0.suffix(4) == "████" })
    }

    @Test func `A text that is too long has no QR code`() {
        #expect(QRCode(String(repeating: "a", count: 3_000)) == nil)
    }
}
