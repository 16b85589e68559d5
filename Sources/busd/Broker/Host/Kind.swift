package import BusdProtocol

/// A kind of view model, as the bus sees it.
package struct Kind {
    package let name: String
    package let placement: Placement
    package let traits: KindTraits
    /// For `describe`. Made when it is first needed, because reading all examples takes long.
    package let description: () -> KindDescription
    /// The address of the thing that the view model at an address is a part of: such as that of the
    /// game for a player. It is the same address if the view model is no part.
    package let thing: (Address) -> Address
    /// Decodes an event for a view model of the kind. The event is an object with one key, or the
    /// event's name alone.
    package let decode: (Request.Event) throws(WireError) -> DecodedEvent

    package init(
        name: String, placement: Placement, traits: KindTraits,
        description: @escaping () -> KindDescription, thing: @escaping (Address) -> Address,
        decode: @escaping (Request.Event) throws(WireError) -> DecodedEvent
    ) {
        self.name = name
        self.placement = placement
        self.traits = traits
        self.description = description
        self.thing = thing
        self.decode = decode
    }

    fileprivate var isOnDemand: Bool { placement == .onDemand || placement == .perConnection }
}

extension Placement {
    /// The address of all view models of the kind; `nil`: they have no common one.
    var onlyAddress: Address? { if case .fixed(let address) = self { address } else { nil } }
}

/// Identifies a kind: its index among the registered kinds.
package struct KindID: Hashable, Sendable {
    private let number: UInt16

    package var index: Int { Int(truncatingIfNeeded: number) }

    init(index: Int) { number = UInt16(clamping: index) }
}

/// The registered kinds, in the order of registration.
package struct Kinds {
    private var all: [Kind] = []
    private var ids: [ExactText: KindID] = [:]

    package init() {}

    package mutating func add(_ kind: Kind) {
        ids[ExactText(kind.name)] = KindID(index: all.count)
        all.append(kind)
    }

    package subscript(id: KindID) -> Kind {
        @inline(__always) _read { yield all[id.index] }
    }

    package func find(_ name: String) -> KindID? { ids[ExactText(name)] }

    /// The kind of the view model that a `subscribe`, `get` or `send` to the address would make;
    /// `nil`: it would make none.
    package func find(onDemand address: Address) -> KindID? {
        let segments = address.segments
        guard segments.count == 2, let name = segments.first.map(String.init),
            let kind = find(name), self[kind].isOnDemand
        else { return nil }
        return kind
    }

    package var names: [String] { all.map(\.name) }

    var registered: [KindID] { all.indices.map { KindID(index: $0) } }

    /// The view models that are always there.
    package var fixed: [(kind: KindID, address: Address)] {
        all.indices.compactMap { index in
            all[index].placement.onlyAddress.map { (KindID(index: index), $0) }
        }
    }
}
