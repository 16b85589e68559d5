import Testing

@testable import BusdScreens

@Suite struct ProgressTests {
    @Test func `Progress is one line, which is erased in the end`() {
        #expect(Progress.line("9 of 10", over: "") == "\r9 of 10")
        #expect(Progress.line("9", over: "10 of") == "\r9    ")
        #expect(Progress.line("", over: "ab") == "\r  \r")
    }
}
