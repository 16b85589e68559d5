import BusdEventLoop

/// Returns the result of `call`, which is repeated after a signal. Throws `errno`, with the path,
/// if the result is negative.
@discardableResult
func systemCall<Value: SignedInteger>(
    _ function: String, _ path: String, _ call: () -> Value
) throws(StoreError) -> Value {
    try onFile(path) { () throws(SystemError) in try check(function, call) }
}

/// The error of a system call in `body` gets the path.
func onFile<Value>(
    _ path: String, _ body: () throws(SystemError) -> Value
) throws(StoreError) -> Value {
    do {
        return try body()
    } catch {
        throw .file(path: path, function: error.function, code: error.code)
    }
}
