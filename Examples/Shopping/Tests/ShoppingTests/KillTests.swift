import Foundation
import Testing

/// The real daemon and client: a change is on the disk when `shop` shows it.
struct KillTests {
    @Test func `The list and its undo are the same after a kill`() throws {
        let folder = try Folder()
        let killed = try folder.startDaemon()
        let printed = try folder.shop("add milk\nadd tea\nmove 2 1\ncheck 2\nremove 1\n")
        #expect(printed.hasSuffix("0 to buy\n1 [x] milk\n"))
        kill(killed.processIdentifier, SIGKILL)
        killed.waitUntilExit()

        let next = try folder.startDaemon()
        defer { next.terminate() }
        #expect(try folder.shop("") == "0 to buy\n1 [x] milk\n")
        #expect(
            try folder.shop("undo\n") == """
                0 to buy
                1 [x] milk
                1 to buy
                1 [ ] tea
                2 [x] milk

                """)
    }
}

/// A new folder for a daemon. It is removed with this object.
private final class Folder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "shopping-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    private var socket: String { url.appending(path: "s/shoppingd.sock").path }

    func startDaemon() throws -> Process {
        let state = url.appending(path: "state").path
        let daemon = try Self.program("shoppingd", "--socket", socket, "--state", state)
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        // The socket of a killed daemon is still there, so only an answer shows that this one
        // listens.
        for _ in 0..<2_400 {
            guard try shop("", isTry: true).isEmpty else { break }
            usleep(50_000)
        }
        return daemon
    }

    /// The output of `shop home` for these lines.
    func shop(_ lines: String, isTry: Bool = false) throws -> String {
        let client = try Self.program("shop", "home")
        client.environment = ["SHOPPINGD_SOCKET": socket]
        let (input, output) = (Pipe(), Pipe())
        client.standardInput = input
        client.standardOutput = output
        if isTry { client.standardError = FileHandle.nullDevice }
        try client.run()
        try input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
        try input.fileHandleForWriting.close()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        client.waitUntilExit()
        return String(decoding: printed, as: UTF8.self)
    }

    /// A program that was built beside these tests.
    private static func program(_ name: String, _ arguments: String...) throws -> Process {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(filePath: tests).deletingLastPathComponent()
            .appending(path: name)
        process.arguments = arguments
        return process
    }
}
