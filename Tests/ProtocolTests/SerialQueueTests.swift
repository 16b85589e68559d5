import BusdProtocol
import Testing

@Suite struct SerialQueueTests {
    @Test func `A value is sent at once while no other value is being sent`() {
        var queue = SerialQueue<String>()
        #expect(queue.sent == 0)
        #expect(queue.begin("a") == 0)
        #expect(queue.end() == true)
        #expect(queue.begin("b") == 1)
        #expect(queue.end() == true)
        #expect(queue.sent == 2)
    }

    @Test func `Values that are sent meanwhile wait, in the order of sending`() {
        var queue = SerialQueue<String>()
        #expect(queue.begin("a") == 0)
        #expect(queue.begin("b") == nil)
        #expect(queue.begin("c") == nil)
        #expect(queue.sent == 3)
        #expect(queue.end() == false)
        #expect(queue.next().value == "b")
        #expect(queue.begin("d") == nil)
        #expect(queue.end() == false)
        #expect(queue.next().value == "c")
        #expect(queue.end() == false)
        #expect(queue.sent == 4)
        #expect(queue.next().value == "d")
        #expect(queue.end() == true)
        #expect(queue.begin("e") == 4)
    }
}
