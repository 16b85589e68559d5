import Glibc

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
