import BusdBroker
import BusdProtocol

/// The place of a view model, which may or may not be made.
struct Place {
    let id: ModelID
    let address: Address
    /// `nil` until the view model is needed, and while it sleeps.
    private(set) var model: AnyObject?
    let kind: KindID
    /// False if the view model has ended.
    private(set) var isHere = true

    init(id: ModelID, address: Address, kind: KindID) {
        self.id = id
        self.address = address
        self.kind = kind
    }

    mutating func hold(_ model: AnyObject?) { self.model = model }

    mutating func end() { isHere = false }
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
