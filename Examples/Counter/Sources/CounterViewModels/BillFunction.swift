import BusdProtocol
import Counter

/// The whole view model, as a function from events to shown values. It does not know the bus.
/// Values that make no sense, such as 0 guests, have no effect.
public func bill(
    priceChanged: Signal<Int>, tipChanged: Signal<Int>, guestsChanged: Signal<Int>
) -> (share: Property<Int>, guests: Property<Int>, waiterSmiled: Signal<Void>) {
    let price = Property(initial: 0, then: priceChanged.filter { 0...1_000_000 ~= $0 })
    let tip = Property(initial: 10, then: tipChanged.filter { 0...100 ~= $0 })
    let guests = Property(initial: 1, then: guestsChanged.filter { 1...100 ~= $0 })
    let share = Property.combineLatest(price, tip, guests).map { price, tip, guests in
        // In cents, rounded up.
        (price * (100 + tip) + 100 * guests - 1) / (100 * guests)
    }
    return (share, guests, tip.signal.filter { $0 >= 20 }.map { _ in })
}

/// Connects the function to the events. A signal that is forgotten here is a compile error.
public enum BillFunction: ViewModelFunction {
    public typealias Kind = Bill

    public static let placement = Placement.onDemand

    public static func wire(at address: Address, services: Void) -> Wiring<Bill>? {
        let (priceChanged, price) = Signal<Int>.pipe()
        let (tipChanged, tip) = Signal<Int>.pipe()
        let (guestsChanged, guests) = Signal<Int>.pipe()
        return Wiring(
            bill(priceChanged: priceChanged, tipChanged: tipChanged, guestsChanged: guestsChanged),
            to: { .share(text: money($0)) }, { .guests(count: $0) }, { _ in .waiterSmiled }
        ) { event in
            switch event {
            case .priceChanged(let cents): price.send(value: cents)
            case .tipChanged(let percent): tip.send(value: percent)
            case .guestsChanged(let count): guests.send(value: count)
            }
        }
    }
}

/// `16.05`
private func money(_ cents: Int) -> String {
    "\(cents / 100)." + (cents % 100 < 10 ? "0" : "") + "\(cents % 100)"
}
