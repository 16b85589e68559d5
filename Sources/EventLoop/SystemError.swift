import Glibc

/// A system call that failed: its C name and what it left in `errno`.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The value of `errno`, such as `ENOENT`.
    package let code: Int32
    /// The C function's name, such as `connect`.
    package let function: String

    package init(code: Int32, function: String) {
        self.code = code
        self.function = function
    }

    /// What strerror(3) says, without the function.
    package var reason: String { String(cString: strerror(code)) }

    /// `connect: Connection refused`
    package var description: String { "\(function): \(reason)" }
}

/// What `call` returned, or `errno` as an error where that is negative. An interrupted call is made
/// again.
@discardableResult
package func check<Value: SignedInteger>(
    _ function: String, _ call: () -> Value
) throws(SystemError) -> Value {
    while true {
        let value = call()
        if value >= 0 { return value }
        let code = errno
        if code != EINTR { throw SystemError(code: code, function: function) }
    }
}
