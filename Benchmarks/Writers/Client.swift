import Glibc
import Measures

/// A connection that waits for each answer.
public final class Client {
    public let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    public init?(_ path: String) {
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        if !connect(descriptor, to: path) {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    public func send(_ line: String) { send(Array("\(line)\n".utf8)) }

    public func send(_ bytes: [UInt8]) {
        if write(descriptor, bytes, bytes.count) != bytes.count { stop("cannot send to busd") }
    }

    /// Waits until bytes have arrived, and returns them. Empty: the connection has ended.
    public func readOnce() -> ArraySlice<UInt8> {
        let count = read(descriptor, &buffer, buffer.count)
        return buffer[..<max(0, count)]
    }

    /// Reads the answer in one piece: the client has no subscription, and one outstanding `send`.
    public func awaitAnswer() {
        let count = readOnce().count
        if count == 0 { stop("busd has closed the connection") }
        if buffer[2] == UInt8(ascii: "e") || buffer[count - 1] != UInt8(ascii: "\n") {
            stop("refused: \(String(decoding: buffer[..<count], as: UTF8.self))")
        }
    }
}
