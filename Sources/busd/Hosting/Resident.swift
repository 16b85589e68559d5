import BusdBroker
import BusdProtocol

/// A view model that is in memory.
struct Resident {
    let id: ModelID
    let kind: KindID
    let address: Address
    let model: AnyObject
    let exit: Exit
}

/// The way of a view model's events to the bus, while the view model is in memory.
///
/// Outputs hold it strongly, and it does not hold the host: a weak reference to an object makes
/// each use of the object slower.
final class Exit {
    private let outbox: Outbox
    private let faults: Faults
    private let id: ModelID
    private let address: Address
    private(set) var isOpen = true

    init(_ outbox: Outbox, _ faults: Faults, _ id: ModelID, _ address: Address) {
        (self.outbox, self.faults, self.id, self.address) = (outbox, faults, id, address)
    }

    func close() { isOpen = false }

    /// The view model has emitted an event. Returns false if it is not in memory any more.
    func emit(_ event: some WireEvent, _ names: EventNames) -> Bool {
        guard isOpen else { return false }
        do {
            try outbox.append(event, names, from: id)
        } catch {
            faults.add("cannot encode \(event.name) of \(address) as JSON")
        }
        return true
    }
}

/// Faults inside view models, for the log file.
final class Faults {
    private var texts: [String] = []

    func add(_ text: String) { texts.append(text) }

    func take() -> [String] {
        defer { texts = [] }
        return texts
    }
}

extension [Resident?] {
    /// Called for each event. As a method of the array, it costs the host one access to the array.
    func hold(_ id: ModelID) -> Bool { id.slot < count && self[id.slot]?.id == id }

    func find(_ id: ModelID) -> Resident? { hold(id) ? self[id.slot] : nil }
}
