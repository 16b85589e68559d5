import BusdProtocol
import Testing

@Suite struct OutputTests {
    let output = Output<Tally>()

    @Test func `Every handler gets every event, in the order of sending`() {
        let (first, second) = (Listener(), Listener())
        first.listen(to: output)
        second.listen(to: output)
        output.send(.rang(times: 1))
        output.send(.count(value: 1))
        output.send(.rang(times: 1))
        #expect(first.received == [.rang(times: 1), .count(value: 1), .rang(times: 1)])
        #expect(second.received == first.received)
    }

    @Test func `A handler gets no event from before it was bound`() {
        output.send(.rang(times: 1))
        let listener = Listener()
        listener.listen(to: output)
        #expect(listener.received == [])
    }

    @Test func `An output does not send a value that has not changed`() {
        let listener = Listener()
        listener.listen(to: output)
        for value in [0, 0, 1, 1, 0] { output.send(.count(value: value)) }
        #expect(listener.received == [.count(value: 0), .count(value: 1), .count(value: 0)])
    }

    @Test func `An output sends a repeated message each time`() {
        let listener = Listener()
        listener.listen(to: output)
        output.send(.rang(times: 1))
        output.send(.rang(times: 1))
        #expect(listener.received == [.rang(times: 1), .rang(times: 1)])
    }

    @Test func `An output keeps the newest of each value, in the order of first sending`() {
        output.send(.title(text: "a"))
        output.send(.count(value: 1))
        output.send(.rang(times: 1))
        output.send(.title(text: "b"))
        #expect(output.current == [.title(text: "b"), .count(value: 1)])
    }

    @Test func `An output finds an unchanged value, whatever the order of sending`() {
        let listener = Listener()
        listener.listen(to: output)
        let (one, two) = (Tally.title(text: "a"), Tally.count(value: 1))
        for value in [one, two, two, one, one, two, two, .count(value: 2), one] {
            output.send(value)
        }
        #expect(listener.received == [one, two, .count(value: 2)])
        #expect(output.current == [one, .count(value: 2)])
    }

    @Test func `An output sends an edit, and keeps the value that it results in`() {
        let listener = Listener()
        listener.listen(to: output)
        output.send(.count(value: 1))
        output.send(.rang(times: 1), current: .count(value: 2))
        #expect(output.current == [.count(value: 2)])
        output.send(.count(value: 2))
        #expect(listener.received == [.count(value: 1), .rang(times: 1)])
    }

    @Test func `An output forgets a withdrawn value, and sends it when it is set again`() {
        let listener = Listener()
        listener.listen(to: output)
        output.send(.count(value: 1))
        output.send(.title(text: "a"))
        output.withdraw("count")
        #expect(output.current == [.title(text: "a")])
        output.send(.count(value: 1))
        #expect(listener.received == [.count(value: 1), .title(text: "a"), .count(value: 1)])
        #expect(output.current == [.title(text: "a"), .count(value: 1)])
    }

    @Test func `All handlers get an event before one that is sent while it is handled`() {
        let (first, second) = (Listener(), Listener())
        output.bind(first) { [output] listener, event in
            listener.received.append(event)
            if event == .rang(times: 1) {
                output.send(.rang(times: 2))
                output.send(.rang(times: 3))
            }
            if event == .rang(times: 2) { output.send(.rang(times: 4)) }
        }
        second.listen(to: output)
        output.send(.rang(times: 1))
        let order: [Tally] = [
            .rang(times: 1), .rang(times: 2), .rang(times: 3), .rang(times: 4),
        ]
        #expect(first.received == order)
        #expect(second.received == order)
    }

    @Test func `An output holds its handlers weakly`() {
        var listener: Listener? = Listener()
        weak let gone = listener
        listener?.listen(to: output)
        listener = nil
        #expect(gone == nil)
        output.send(.rang(times: 1))
    }

    @Test func `An unbound handler gets no event`() {
        let (first, second) = (Listener(), Listener())
        first.listen(to: output)
        second.listen(to: output)
        output.unbind(first)
        output.send(.rang(times: 1))
        #expect(first.received == [])
        #expect(second.received == [.rang(times: 1)])
    }

    @Test func `A handler that is bound during an event gets what is sent after it`() {
        let (first, second) = (Listener(), Listener())
        output.bind(first) { [output] _, event in
            guard event == .rang(times: 1) else { return }
            output.send(.rang(times: 2))
            // Two events have been sent before this binding, so it gets neither.
            second.listen(to: output)
            output.send(.rang(times: 3))
        }
        output.send(.rang(times: 1))
        #expect(second.received == [.rang(times: 3)])
    }

    @Test func `A handler that an earlier handler unbinds does not get the event`() {
        let (first, second) = (Listener(), Listener())
        output.bind(first) { [output] _, _ in output.unbind(second) }
        second.listen(to: output)
        output.send(.rang(times: 1))
        #expect(second.received == [])
    }
}
