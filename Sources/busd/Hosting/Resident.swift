import BusdBroker
import BusdProtocol

/// A view model that is in memory.
struct Resident {
    let id: ModelID
    let kind: KindID
    let address: Address
    let model: AnyObject
}

extension [Resident?] {
    /// Called for each event. As a method of the array, it costs the host one access to the array.
    func hold(_ id: ModelID) -> Bool { id.slot < count && self[id.slot]?.id == id }

    func find(_ id: ModelID) -> Resident? { hold(id) ? self[id.slot] : nil }
}
