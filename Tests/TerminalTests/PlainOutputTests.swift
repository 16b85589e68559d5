import Glibc
import Testing

@testable import BusdTerminal

@Suite struct PlainOutputTests {
    @Test func `A pipe gets a text without colour and with its control characters escaped`() throws
    {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let output = PlainOutput(descriptor: ends[1])
        #expect(!output.isTerminal)
        #expect(!output.hasColor)
        #expect(output.painted("Hawks", .bold) == "Hawks")
        #expect(output.line("Hawks \u{1B}[2J 日本"))
        #expect(output.write("raw\n"))
        close(ends[1])
        #expect(everything(from: ends[0]) == "Hawks \\u{1B}[2J 日本\nraw\n")
    }

    @Test func `A slow reader gets everything`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let room = fcntl(ends[1], getPipeSize)
        try #require(room > 0)
        let text = String(repeating: "x", count: Int(room) - 1)
        #expect(PlainOutput(descriptor: ends[1]).write(text))
        close(ends[1])
        #expect(everything(from: ends[0]) == text)
    }

    @Test func `Writing to a closed descriptor fails`() {
        #expect(!PlainOutput(descriptor: -1).write("x"))
    }

    // Linux's F_GETPIPE_SZ, which Glibc's module leaves out.
    private let getPipeSize: Int32 = 1032

    private func everything(from descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
