import Glibc

/// A system call that failed: its C name and its `errno`.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The value of `errno`, such as `ENOENT`.
    package let code: Int32
    /// The C function's name, such as `connect`.
    package let function: String

    package init(code: Int32, function: String) {
        self.code = code
        self.function = function
    }

    /// The text of strerror(3), without the function.
    package var reason: String { String(cString: strerror(code)) }

    /// `connect: Connection refused`
    package var description: String { "\(function): \(reason)" }
}

/// Returns the result of `call`, or throws `errno` if it is negative. Repeats an interrupted call.
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
