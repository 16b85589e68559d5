import BusdEventLoop
import Glibc

extension Errand {
    /// Asks the daemon that has the store in this folder open, and waits for its answer.
    ///
    /// - Parameters:
    ///   - owner: connects, as the socket is in a private folder.
    ///   - patience: milliseconds, of which the daemon has a tenth to begin to listen.
    ///   - settle: is called with the answer, before the daemon takes the errand as settled.
    func ask(
        _ folder: String, as owner: StoreOwner? = nil, patience: Int32 = 60_000,
        settle: (String) throws -> Void
    ) throws {
        let owner = owner ?? StoreOwner(of: folder)
        let socket = try owner.act { try Self.connect(to: folder, patience: patience / 10) }
        let bytes = Array("\(line)\n".utf8)
        // A fresh socket has room for a line.
        _ = bytes.withUnsafeBytes { socket.write($0) }
        switch ErrandAnswer(text: Self.readAll(of: socket, patience: patience)) {
        case .done(let text): try settle(text)
        case .refused(let reason): throw StartError(reason)
        case nil: throw StartError("the daemon in \(folder) has not answered; its log says why")
        }
        withExtendedLifetime(socket) {}
    }

    /// Whether a daemon takes errands in this folder now.
    static func isHeard(in folder: String) -> Bool {
        guard case .connected = connectUnix(path: socket(in: folder)) else { return false }
        return true
    }

    /// An empty text if the answer is too long, or is not whole when the patience ends.
    private static func readAll(of socket: Descriptor, patience: Int32) -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        let end = ContinuousClock.now + .milliseconds(Int(patience))  // fits: 32 bits do
        while text.count <= ErrandAnswer.mostBytes {
            let left = (end - .now).components
            let seconds = Int32(clamping: max(0, left.seconds + 1))
            guard ContinuousClock.now < end,
                Wait.forReadable(socket.number, milliseconds: min(patience, seconds &* 1_000))
            else { break }
            switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
            case .bytes(let count): text += buffer[..<count]
            case .wouldBlock: break
            case .ended, .failed: return String(decoding: text, as: UTF8.self)
            }
        }
        return ""
    }

    private static func connect(to folder: String, patience: Int32) throws(StartError) -> Descriptor
    {
        var left = patience
        while true {
            switch connectUnix(path: socket(in: folder)) {
            case .connected(let socket): return socket
            case .failed(let error) where ![ENOENT, ECONNREFUSED].contains(error.code):
                throw StartError("the daemon in \(folder) can't be asked: \(error)")
            case .failed, .backlogFull: break
            }
            guard left > 0 else {
                throw StartError("the daemon in \(folder) takes no errands; its log says why")
            }
            poll(nil, 0, 50)
            left -= 50
        }
    }
}
