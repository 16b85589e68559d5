import BusdBroker
package import BusdProtocol

// The rules for a kind that is registered.

extension Host {
    /// Names that only kinds of the bus may have. Some daemons have no `bus/clock` or `bus/house`,
    /// but these names are always reserved.
    static let reservedNames = [
        "bus", BusViews.name, BusStatistics.name, BusClock.name, BusUsers.name, BusStore.name,
        BusHouse.name, BusConnections.name, BusTap.name, BusPolicy.name,
    ]

    /// The events that a policy can decide: of the kinds that the daemon has registered, and of
    /// `bus/clock`, which only some daemons have. Reads all examples, which takes long.
    package var sendableEvents: [SendableEvent] {
        let clock = BusClock.ViewEvent.examples.map {
            SendableEvent(name: $0.name, place: Pattern(BusClock.address))
        }
        return clock
            + hostedKinds.filter { hosted in
                !Self.reservedNames.contains { ExactText($0) == ExactText(hosted.kind.name) }
            }.flatMap(\.sendableEvents)
    }

    /// Why the kind cannot be hosted; `nil` if it can.
    func problem(of kind: any HostedKind, isOfBus: Bool) -> String? {
        let name = kind.kind.name
        guard Address(name)?.segments.count == 1 else {
            return "the kind '\(name.printable)' needs another name: letters, digits, '.', '_' and "
                + "'-', without '.' in front"
        }
        if !isOfBus, Self.reservedNames.contains(where: { ExactText($0) == ExactText(name) }) {
            return "the kind '\(name)' needs another name: this one is reserved"
        }
        if kinds.find(name) != nil { return "the kind '\(name)' is registered twice" }
        guard case .fixed(let address) = kind.kind.placement else { return nil }
        if !isOfBus, ExactText(address.segments.first.map(String.init) ?? "") == ExactText("bus") {
            return "the kind '\(name)' needs another address than \(address): addresses that begin "
                + "with bus are reserved"
        }
        if kinds.fixed.contains(where: { $0.address == address }) {
            return "the kind '\(name)' needs another address than \(address): another kind has it"
        }
        return nil
    }
}

/// A view model of the bus itself. Its kind may have a reserved name.
package protocol BusOwned {}

/// A view model through which the daemon is managed. Only control connections of root and of the
/// daemon's own user find it, by its address; no pattern matches it.
package protocol AdministrativeViewModel: HostedViewModel, BusOwned {}

extension BusViewsViewModel: BusOwned {}
extension BusStatisticsViewModel: BusOwned {}
extension BusConnectionsViewModel: BusOwned {}
extension BusClockViewModel: BusOwned {}
