package import BusdProtocol

/// The subscription under which `bus/views` lists a phone, so that others see what it is used for.
package struct Presence: Equatable {
    let address: Address
    /// The only event that the phone gets. The page has a stream of its own, so a rare one is best.
    let event: String

    package init(at address: Address, event: String) {
        (self.address, self.event) = (address, event)
    }
}
