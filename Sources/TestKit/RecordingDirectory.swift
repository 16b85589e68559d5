public import BusdProtocol

/// A directory for tests of view models that make others.
public final class RecordingDirectory: Directory {
    /// The kind of view model at each address.
    public private(set) var kinds: [Address: String] = [:]

    /// An empty directory.
    public init() {}

    public func add(_ kind: any ViewModelKind.Type, at address: Address) {
        kinds[address] = kind.name
    }

    public func remove(_ address: Address) {
        kinds = kinds.filter { $0.key != address && !$0.key.isBelow(address) }
    }
}
