import BusdProtocol
import BusdTestKit
import Counter
import CounterViewModels
import Testing

/// A function can be tested without a view and without a bus.
struct BillTests {
    private let price = Signal<Int>.pipe()
    private let tip = Signal<Int>.pipe()
    private let guests = Signal<Int>.pipe()

    @Test func `The guests share the bill and the tip, rounded up`() {
        let (share, guestCount, _) = bill(
            priceChanged: price.output, tipChanged: tip.output, guestsChanged: guests.output)
        price.input.send(value: 1_000)
        #expect(share.value == 1_100)
        guests.input.send(value: 3)
        #expect(share.value == 367)
        guests.input.send(value: 0)
        tip.input.send(value: -5)
        #expect(share.value == 367)
        #expect(guestCount.value == 3)
    }

    @Test func `A tip of 20 percent or more makes the waiter smile`() {
        let (_, _, waiterSmiled) = bill(
            priceChanged: price.output, tipChanged: tip.output, guestsChanged: guests.output)
        var smiles = 0
        waiterSmiled.observeValues { smiles += 1 }
        for percent in [15, 20, 25, 400] { tip.input.send(value: percent) }
        #expect(smiles == 2)
    }
}

struct BillViewModelTests {
    @Test func `A function is hosted like any other view model`() throws {
        let model = try #require(
            FunctionViewModel<BillFunction>(at: .literal("bill/7"), services: ()))
        let table = RecordingView(model)
        table.expect(.share(text: "0.00"), .guests(count: 1))
        table.send(.priceChanged(cents: 14_590))
        table.expect(.share(text: "160.49"))
        table.send(.guestsChanged(count: 10))
        table.expect(.guests(count: 10), .share(text: "16.05"))
        table.send(.tipChanged(percent: 20))
        table.expect(.waiterSmiled, .share(text: "17.51"))
    }

    @Test func `A bill takes requests in words and answers in JSON`() {
        let bus = TestBus { host in host.register(FunctionViewModel<BillFunction>.self) }
        let ann = bus.connect()
        ann.send(#"send bill/7 priceChanged {"cents":1000}"#, "get bill/7")
        ann.expect(
            #"{"ok":{"address":"bill/7","cursor":"…","events":[{"share":{"text":"11.00"}},"#
                + #"{"guests":{"count":1}}]}}"#)
    }
}
