import BusdEventLoop
import Glibc
import TestSupport
import Testing

/// A socket that leads to another one, through a slow link that a test can hold or cut.
final class FakeLink {
    private let folder: Folder
    private let thread: ServiceThread
    /// Takes an `Order` as one byte. The thread ends when nothing more can be read from `far`.
    private let orders: Descriptor
    private let far: Descriptor

    private enum Order: UInt8 {
        case hold = 1
        case release, cut
    }

    var path: String { folder("link.sock") }

    /// - Parameter delay: of each direction, in microseconds.
    init(to target: String, delay: Int64) throws {
        folder = try Folder()
        (orders, far) = try socketPair()
        let (path, far) = (folder("link.sock"), far.number)
        thread = try ServiceThread {
            do {
                try Relay(at: path, to: target, delay: delay, far).run()
            } catch {
                Issue.record("the link ends: \(error)")
            }
        }
        try #require(Wait.forReadable(orders.number, milliseconds: 60_000))
    }

    deinit {
        orders.shutDownOutput()
        thread.join()
    }

    /// Nothing passes until `release`.
    func hold() { give(.hold) }
    func release() { give(.release) }
    /// Closes all connections. What was on its way is lost.
    func cut() { give(.cut) }

    private func give(_ order: Order) {
        let outcome = withUnsafeBytes(of: order.rawValue) { orders.write($0) }
        guard case .bytes(1) = outcome else {
            Issue.record("the link takes no order")
            return
        }
    }

    private final class Relay {
        private let loop: Loop
        private let listener: UnixListener
        private let orders: Int32
        private let arrivals = Arrivals()
        private var pairs: [Pair] = []
        private let delay: Int64

        private static let tick: Int64 = 2_000

        init(at path: String, to target: String, delay: Int64, _ orders: Int32) throws {
            loop = try Loop()
            (self.orders, self.delay) = (orders, delay)
            listener = try UnixListener(loop: loop, path: path, mode: 0o600) { [arrivals] in
                guard case .accepted(let near, _) = $0,
                    case .connected(let far) = connectUnix(path: target)
                else { return }
                arrivals.pairs.append(Pair(near, far))
            }
        }

        func run() throws {
            _ = write(orders, "\n", 1)
            let timer = LoopTimer(loop: loop) {}
            var isHeld = false
            while true {
                timer.arm(afterMicroseconds: Self.tick)
                loop.turn(block: true)
                var bytes = [UInt8](repeating: 0, count: 64)
                let count = read(orders, &bytes, bytes.count)
                if count == 0 { return }
                for order in bytes[..<max(0, count)].compactMap(Order.init) {
                    switch order {
                    case .hold: isHeld = true
                    case .release: isHeld = false
                    case .cut: pairs = []
                    }
                }
                pairs += arrivals.pairs
                arrivals.pairs = []
                if isHeld { continue }
                for pair in pairs { pair.attend(loop.now(), delay) }
                pairs.removeAll { $0.hasEnded }
            }
        }
    }

    private final class Arrivals { var pairs: [Pair] = [] }

    private final class Pair {
        private var ways: [Way]
        var hasEnded: Bool { ways.contains { $0.hasEnded } }

        init(_ near: Descriptor, _ far: Descriptor) {
            ways = [Way(from: near, to: far), Way(from: far, to: near)]
        }

        func attend(_ now: Int64, _ delay: Int64) {
            for index in ways.indices { ways[index].attend(now, delay) }
        }
    }

    private struct Way {
        let from: Descriptor
        let to: Descriptor
        private var queue: [(due: Int64, bytes: ArraySlice<UInt8>)] = []
        private(set) var hasEnded = false

        init(from: Descriptor, to: Descriptor) { (self.from, self.to) = (from, to) }

        mutating func attend(_ now: Int64, _ delay: Int64) {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            switch bytes.withUnsafeMutableBytes({ from.read(into: $0) }) {
            case .bytes(let count): queue.append((now + delay, bytes[..<count]))
            case .wouldBlock: break
            case .ended, .failed: hasEnded = true
            }
            while let first = queue.first, first.due <= now {
                switch first.bytes.withUnsafeBytes({ to.write($0) }) {
                case .bytes(first.bytes.count): queue.removeFirst()
                case .bytes(let count):
                    queue[0].bytes = first.bytes.dropFirst(count)
                    return
                case .wouldBlock: return
                case .ended, .failed:
                    hasEnded = true
                    return
                }
            }
        }
    }
}
