import Glibc
import Load
import Measures

/// A publisher and its subscribers at one server.
final class Clients {
    let server: Server
    private let load: OpaquePointer
    private let subscribers: Int
    private let marks: Int

    init(_ server: Server, _ work: Work, subscribers: Int, subscribe: [UInt8]? = nil) {
        let wire = server.system.wire
        self.server = server
        self.subscribers = subscribers
        marks = wire.marks * work.lengths.count
        let marks = Int32(marks)
        let events = wire.publish(work)
        let load = withBytes(subscribe ?? wire.subscribe(work)) { subscribe in
            withBytes(wire.greet) { greet in
                withBytes(events[0]) { first in
                    withBytes(events[events.count - 1]) { second in
                        server.socket.withCString { path in
                            var plan = load_plan(
                                socket: path, subscribers: Int32(subscribers),
                                subscribe: subscribe, greet: greet, publish: (first, second),
                                marks: marks)
                            return load_open(&plan)
                        }
                    }
                }
            }
        }
        guard let load else { stop("\(server.system.name): \(reason)") }
        self.load = load
    }

    deinit { load_close(load) }

    /// Microseconds of the server's processor time for one delivery.
    func cost(outstanding: Int, seconds: Double) -> Double {
        let before = load_cpu_of(server.process)
        let events = events(outstanding: outstanding, seconds: seconds)
        let cpu = load_cpu_of(server.process) - before
        let lines = marks / server.system.wire.marks
        return Double(cpu) / 1000 / Double(events * subscribers * lines)
    }

    /// Number of events that every subscriber has received.
    func events(outstanding: Int, seconds: Double) -> Int {
        let events = load_run(load, Int32(outstanding), seconds)
        if events <= 0 {
            stop("\(server.system.name), N=\(subscribers) W=\(outstanding): \(reason)")
        }
        return events
    }

    /// For each of `count` events: microseconds until the last subscriber has it.
    func roundTrips(_ count: Int) -> Sample {
        var times = [UInt64](repeating: 0, count: count)
        if load_round_trips(load, Int32(count), &times) != 0 {
            stop("\(server.system.name): \(reason)")
        }
        return Sample(times.map { Double($0) / 1000 })
    }
}

private var reason: String { String(cString: strerror(errno)) }

func withBytes<Result>(_ bytes: [UInt8], _ body: (load_bytes) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { body(load_bytes(start: $0.baseAddress, count: $0.count)) }
}
