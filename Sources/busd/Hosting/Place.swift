import BusdBroker
import BusdProtocol

/// The place of a view model, which may or may not be made.
struct Place {
    let id: ModelID
    let address: Address
    /// `nil` until the view model is needed, and while it sleeps.
    var model: AnyObject?
    let kind: KindID
    /// False if the view model has ended.
    var isHere = true
}

extension [Place] {
    /// Called for each event. As a method of the array, it costs the host one access to the array.
    func hold(_ id: ModelID) -> Bool {
        indices.contains(id.slot) && self[id.slot].id == id && self[id.slot].isHere
    }

    func hold(_ id: ModelID, at address: Address) -> Bool {
        hold(id) && self[id.slot].address == address
    }
}
