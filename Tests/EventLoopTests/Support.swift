import CBusdSystem
import CBusdTestSupport
import Glibc
import TestSupport
import Testing

@testable import BusdEventLoop

extension Loop {
    /// Turns for this long. Returns the number of turns.
    func turns(forMicroseconds span: Int64) -> Int? {
        let end = LoopTimer(loop: self) {}
        end.arm(afterMicroseconds: span)
        return turns { !end.isArmed }
    }

    /// Turns a few times without waiting.
    func settle() { for _ in 0..<3 { turn(block: false) } }
}

/// A close can take effect late: a process that another test is about to start has copies of all
/// our descriptors for a moment.
func eventuallyHungUp(
    _ near: Descriptor?, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    try eventually("a close of the other end", sourceLocation: sourceLocation) {
        near?.isHungUp == true
    }
}

/// Waits until no process listens at the path; see `eventuallyHungUp`.
func eventuallyRefused(
    _ path: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    try eventually("a refused connection", sourceLocation: sourceLocation) {
        connectUnix(path: path).failure?.code
    } is: {
        $0 == ECONNREFUSED
    }
}

extension Descriptor {
    func readOnce() -> (Transfer, String) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let transfer = buffer.withUnsafeMutableBytes { read(into: $0) }
        guard case .bytes(let count) = transfer else { return (transfer, "") }
        return (transfer, String(decoding: buffer[..<count], as: UTF8.self))
    }
}

extension Connecting {
    var descriptor: Descriptor? {
        if case .connected(let descriptor) = self { descriptor } else { nil }
    }

    var failure: SystemError? { if case .failed(let error) = self { error } else { nil } }
}

/// Sets the soft limit; nil sets it to the hard limit. For a test with its own process.
func limit(_ resource: __rlimit_resource, to value: rlim_t?) {
    let resource = __rlimit_resource_t(resource.rawValue)
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = value ?? limit.rlim_max
    setrlimit(resource, &limit)
}

/// Runs a function on a thread that has a descriptor table of its own. So `leaveDescriptors` takes
/// them from no other thread: libdispatch opens descriptors at any time, and ends the process if it
/// gets none. For a test with its own process, because the limit is that of all threads.
func onOwnDescriptors(_ body: @escaping @Sendable () throws -> Void) throws {
    limit(RLIMIT_NOFILE, to: 1_000)
    let thread = try ServiceThread {
        #expect(own_descriptors() == 0)
        #expect(throws: Never.self) { try body() }
    }
    thread.join()
}

/// Lets this thread open exactly this many more descriptors.
func leaveDescriptors(_ count: Int) {
    var held: [Int32] = []
    while case let number = dup(2), number >= 0 { held.append(number) }
    for number in held.suffix(count) { close(number) }
}

/// The process of a test may start with blocked signals.
func unblock(_ signal: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, signal)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
}
