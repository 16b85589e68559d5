import BusdBroker
import BusdProtocol

/// A view model that can be reached, whether or not it has been made.
struct Place {
    let id: ModelID
    let address: Address
    /// `nil` until somebody looks.
    var model: AnyObject?
    let kind: KindID
    /// False once it has ended.
    var isHere = true
}

extension [Place] {
    /// One look at the array, which is looked at for each event.
    func hold(_ id: ModelID) -> Bool {
        indices.contains(id.slot) && self[id.slot].id == id && self[id.slot].isHere
    }

    func hold(_ id: ModelID, at address: Address) -> Bool {
        hold(id) && self[id.slot].address == address
    }
}
