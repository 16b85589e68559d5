import Glibc

/// How long to rest after failures in a row: 10 ms, then twice as long each time, up to 1 s.
struct BackOff {
    private var microseconds: Int64 = 10_000

    mutating func next() -> Int64 {
        defer { microseconds = min(2 * microseconds, 1_000_000) }
        return microseconds
    }
}

/// A descriptor that is held only to be given up when there is no other.
final class SpareDescriptor {
    private var held = SpareDescriptor.open()

    /// Runs `body` with one more descriptor to be had, where there is a spare one.
    func lend<Value>(_ body: () -> Value) -> Value {
        held = nil
        defer { held = Self.open() }
        return body()
    }

    private static func open() -> Descriptor? {
        (try? check("open") { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) })
            .map(Descriptor.init(file:))
    }
}

extension SystemError {
    /// This process (`EMFILE`) or the whole machine (`ENFILE`) has no descriptor left.
    var isOutOfDescriptors: Bool { code == EMFILE || code == ENFILE }
}
