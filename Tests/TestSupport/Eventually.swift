import Glibc
package import Testing

/// Asks for a value until it is the wanted one, and returns it. Fails after three minutes, which
/// only a program that hangs needs, with the last value.
///
/// A test uses it only for what it cannot be told of: the state of another process, or of a file.
/// - Parameter awaited: completes "waited three minutes for".
@discardableResult
package func eventually<Value>(
    _ awaited: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ value: () throws -> Value, is isWanted: (Value) throws -> Bool
) throws -> Value {
    let end = seconds() + 180
    var pause: Int32 = 1
    while true {
        let last = try value()
        if try isWanted(last) { return last }
        try #require(
            seconds() < end, "waited three minutes for \(awaited); the last value: \(last)",
            sourceLocation: sourceLocation)
        poll(nil, 0, pause)
        pause = min(2 * pause, 50)
    }
}

/// Waits until a condition holds.
package func eventually(
    _ awaited: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
) throws {
    try eventually(awaited, sourceLocation: sourceLocation, condition) { $0 }
}

private func seconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
}
