import BusdProtocol

/// Rings a bell.
public protocol Chime: AnyObject {
    func ring(for timer: Address)
}

/// The services of a view model that rings.
public protocol HasChime {
    var chime: any Chime { get }
}
