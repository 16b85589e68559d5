import BusdProtocol
import TestSupport
import Testing

extension Instant {
    static func seconds(_ seconds: Int64) -> Self { Self(microseconds: seconds * 1_000_000) }
}

@Suite struct TimelineTests {
    let time = Timeline()

    @Test func `Timers fire in the order in which they are due, then of their creation`() {
        var fired: [String] = []
        let timers = [("c", 3), ("a1", 1), ("b", 2), ("a2", 1)].map { name, seconds in
            time.schedule(at: .seconds(Int64(seconds))) { fired.append(name) }
        }
        #expect(time.nextDue == .seconds(1))
        time.advance(to: .seconds(2))
        #expect(fired == ["a1", "a2", "b"])
        #expect(time.nextDue == .seconds(3))
        time.advance(to: .seconds(3))
        #expect(fired == ["a1", "a2", "b", "c"])
        #expect(time.nextDue == nil)
        withExtendedLifetime(timers) {}
    }

    @Test func `Each timer fires at its own time`() {
        var moments: [Instant] = []
        let timers = [1, 2, 5].map { seconds in
            time.schedule(at: .seconds(seconds)) { moments.append(time.now) }
        }
        time.advance(to: .seconds(10))
        #expect(moments == [.seconds(1), .seconds(2), .seconds(5)])
        #expect(time.now == .seconds(10))
        withExtendedLifetime(timers) {}
    }

    @Test func `A dropped timer does not fire`() {
        var fired = 0
        var timer: ScheduledAction? = time.schedule(after: .seconds(1)) { fired += 1 }
        #expect(timer != nil)
        timer = nil
        #expect(time.nextDue == nil)
        time.advance(to: .seconds(2))
        #expect(fired == 0)
    }

    @Test func `A timer fires once, also if it is kept`() {
        var fired = 0
        let timer = time.schedule(after: .seconds(1)) { fired += 1 }
        time.advance(to: .seconds(5))
        time.advance(to: .seconds(9))
        #expect(fired == 1)
        withExtendedLifetime(timer) {}
    }

    @Test func `A timer that a timer makes fires if it is due in the same span`() {
        var moments: [Instant] = []
        var timers: [ScheduledAction] = []
        func tick() {
            moments.append(time.now)
            timers.append(time.schedule(after: .seconds(1), tick))
        }
        timers.append(time.schedule(after: .seconds(1), tick))
        time.advance(to: .seconds(3))
        #expect(moments == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(time.nextDue == .seconds(4))
    }

    @Test func `A timer that is overdue fires at the present time`() {
        time.move(to: .seconds(5))
        var moment: Instant?
        let timer = time.schedule(at: .seconds(1)) { moment = time.now }
        #expect(time.fireNext())
        #expect(moment == .seconds(5))
        #expect(!time.fireNext())
        withExtendedLifetime(timer) {}
    }

    @Test func `A timeline that only moves fires no timer, and never goes back`() {
        var fired = 0
        let timer = time.schedule(at: .seconds(1)) { fired += 1 }
        time.move(to: .seconds(2))
        #expect(fired == 0)
        time.move(to: .seconds(1))
        #expect(time.now == .seconds(2))
        #expect(time.fireNext())
        #expect(fired == 1)
        withExtendedLifetime(timer) {}
    }

    @Test func `The method fireNext fires one timer, and none before its time`() {
        var fired: [Int] = []
        let timers = [1, 2, 9].map { number in
            time.schedule(at: .seconds(Int64(number))) { fired.append(number) }
        }
        #expect(!time.fireNext())
        time.move(to: .seconds(2))
        #expect(time.fireNext())
        #expect(fired == [1])
        #expect(time.fireNext())
        #expect(!time.fireNext())
        #expect(fired == [1, 2])
        withExtendedLifetime(timers) {}
    }

    @Test func `A timer may be dropped after its clock`() {
        var clock: Timeline? = Timeline()
        var timer = clock?.schedule(after: .seconds(1)) {}
        clock = nil
        #expect(timer != nil)
        timer = nil
    }

    @Test func `A timeline begins at the given time`() {
        #expect(Timeline().now == Instant(microseconds: 0))
        #expect(Timeline(now: .seconds(7)).now == .seconds(7))
    }
}

@Suite struct InstantTests {
    @Test func `An instant is counted in whole microseconds`() {
        #expect(Instant.seconds(1) + .milliseconds(1500) == Instant(microseconds: 2_500_000))
        #expect(Instant.seconds(3) - .seconds(1) == .seconds(2))
        #expect(Instant.seconds(1) < .seconds(2))
        #expect(Duration.nanoseconds(1999).microseconds == 1)
        #expect(Duration.nanoseconds(-1999).microseconds == -1)
        #expect(Duration.seconds(86_400).microseconds == 86_400_000_000)
    }
}

@Suite struct HeapTests {
    @Test func `A heap returns its elements in order`() {
        var numbers = SeededGenerator(seed: 7)
        for size in [0, 1, 2, 3, 10, 100, 3_000] {
            let elements = (0..<size).map { _ in Int.random(in: 0..<50, using: &numbers) }
            var heap = Heap<Int>(by: <)
            for element in elements { heap.push(element) }
            #expect(heap.first == elements.min())
            let taken = (0..<size).compactMap { _ in heap.pop() }
            #expect(taken == elements.sorted())
            #expect(heap.pop() == nil)
            #expect(heap.first == nil)
        }
    }

    @Test func `A heap stays in order while elements are added and removed`() {
        var numbers = SeededGenerator(seed: 8)
        var heap = Heap<Int>(by: >)
        var model: [Int] = []
        for _ in 0..<1_000 {
            if Bool.random(using: &numbers) {
                let element = Int.random(in: 0..<100, using: &numbers)
                heap.push(element)
                model.append(element)
            } else {
                let largest = model.max()
                if let largest { model.remove(at: model.firstIndex(of: largest) ?? 0) }
                #expect(heap.pop() == largest)
            }
            #expect(heap.first == model.max())
        }
    }
}
