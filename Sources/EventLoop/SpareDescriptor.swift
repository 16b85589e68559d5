import Glibc

/// A descriptor in reserve. It is released for a moment when the process has no other left.
final class SpareDescriptor {
    private var held = SpareDescriptor.open()

    /// Runs `body` while the reserve is released, so that `body` can get one descriptor.
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
