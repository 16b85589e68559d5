import Foundation
import Testing

/// The real daemon and client: the count is on the disk when `count` shows it.
struct KillTests {
    @Test func `The count is the same after a kill`() throws {
        let folder = try Folder()
        let killed = try folder.startDaemon()
        #expect(try folder.count("+++-") == "0 of 100\n1 of 100\n2 of 100\n3 of 100\n2 of 100\n")
        kill(killed.processIdentifier, SIGKILL)
        killed.waitUntilExit()

        let next = try folder.startDaemon()
        defer { next.terminate() }
        #expect(try folder.count("") == "2 of 100\n")
    }
}

/// A new folder for a daemon. It is removed with this object.
private final class Folder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "counter-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    private var socket: String { url.appending(path: "s/counterd.sock").path }

    func startDaemon() throws -> Process {
        let state = url.appending(path: "state").path
        let daemon = try Self.program("counterd", "--socket", socket, "--state", state)
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        // The socket of a killed daemon is still there, so only an answer shows that this one
        // listens.
        for _ in 0..<2_400 {
            guard try count("", isTry: true).isEmpty else { break }
            usleep(50_000)
        }
        return daemon
    }

    /// What `count hall` prints for these keys.
    func count(_ keys: String, isTry: Bool = false) throws -> String {
        let client = try Self.program("count", "hall")
        client.environment = ["COUNTERD_SOCKET": socket]
        let (input, output) = (Pipe(), Pipe())
        client.standardInput = input
        client.standardOutput = output
        if isTry { client.standardError = FileHandle.nullDevice }
        try client.run()
        try input.fileHandleForWriting.write(contentsOf: Data(keys.utf8))
        try input.fileHandleForWriting.close()
        let lines = try output.fileHandleForReading.readToEnd() ?? Data()
        client.waitUntilExit()
        return String(decoding: lines, as: UTF8.self)
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
