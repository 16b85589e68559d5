import BusdEventLoop
import BusdProtocol
import Glibc

/// A client of a daemon's control socket, for a command. It sends a request, and waits for the
/// answer.
final class ControlClient {
    /// Most bytes of a line: the names of ten thousand users fit.
    private static let longestLine = 4 << 20

    /// The answer is late or invalid.
    struct NoAnswer: Error {}

    let descriptor: Descriptor
    private let end: ContinuousClock.Instant
    private var buffer: [UInt8] = []
    private let document = JSONDocument(isLenient: true)

    /// - Parameter timeout: milliseconds that all answers together may take.
    init(_ descriptor: Descriptor, timeout: Int32) {
        self.descriptor = descriptor
        end = .now + .milliseconds(Int(widening: timeout))
    }

    /// Sends a request, and returns the member `ok` of its answer. The value is valid until the
    /// next line is read.
    ///
    /// - Throws: `NoAnswer`, or `StartError` with the message if the answer is an error.
    @discardableResult
    func ask(_ members: (inout JSONWriter) -> Void) throws -> JSONValue {
        var out = JSONWriter()
        out.object { out in
            members(&out)
            out.member("id", 1)
        }
        let line = out.bytes + [.lineFeed]
        // The socket has room for a line.
        _ = line.withUnsafeBytes { descriptor.write($0) }
        while true {
            let line = try nextLine()
            if let message = (line["bye"] ?? line["error"])?["message"]?.text {
                throw StartError(message)
            }
            if let answer = line["ok"], line["id"] != nil { return answer }
        }
    }

    @discardableResult
    func send(_ event: (inout JSONWriter) -> Void, to address: Address) throws -> JSONValue {
        try ask { out in
            out.member("op", "send")
            out.member("to", address.text)
            out.key("event")
            event(&out)
        }
    }

    /// The next event of a view model that this client has subscribed to.
    func nextEvent() throws -> JSONValue {
        while true {
            let line = try nextLine()
            if let message = line["bye"]?["message"]?.text { throw StartError(message) }
            if let event = line["event"] { return event }
        }
    }

    private func nextLine() throws(NoAnswer) -> JSONValue {
        while true {
            if let end = buffer.firstIndex(of: .lineFeed) {
                var limits = Limits()
                (limits.values, limits.marks) = (.max, .max)
                let isRead = (try? document.read(Array(buffer[..<end]), limits: limits)) != nil
                buffer.removeFirst(end + 1)
                guard isRead, let root = document.root else { throw NoAnswer() }
                return root
            }
            try read()
        }
    }

    private func read() throws(NoAnswer) {
        let left = (end - .now).components
        let milliseconds = left.seconds &* 1_000 &+ left.attoseconds / 1_000_000_000_000_000
        guard buffer.count < Self.longestLine, milliseconds > 0,
            Wait.forReadable(descriptor.number, milliseconds: Int32(clamping: milliseconds))
        else { throw NoAnswer() }
        let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 16)
        defer { part.deallocate() }
        switch descriptor.read(into: part) {
        case .bytes(let count): buffer += part[..<count]
        case .wouldBlock: break
        case .ended, .failed: throw NoAnswer()
        }
    }
}
