import Glibc

/// Returns the result of `call`, which is repeated after a signal. Throws `errno`, with the path,
/// if the result is negative.
@discardableResult
func systemCall<Value: SignedInteger>(
    _ function: String, _ path: String, _ call: () -> Value
) throws(StoreError) -> Value {
    while true {
        let value = call()
        if value >= 0 { return value }
        let code = errno
        if code != EINTR { throw StoreError.file(path: path, function: function, code: code) }
    }
}
