public import BusdProtocol

/// The services of a view model through which users sign in.
public protocol HasPasswords {
    /// The service that checks the passwords.
    var passwords: any PasswordService { get }
}

/// Checks the passwords of users.
public protocol PasswordService: AnyObject {
    /// Calls `answer` once, after this method has returned: a check is slow, and runs on another
    /// thread. The answer and its delay do not depend on whether the user exists.
    ///
    /// Senders are served in turn, first by uid, then by connection. Releasing the returned
    /// `PasswordCheck` cancels the check: `answer` is not called, and a check that has not begun
    /// does not begin. No check is answered when the daemon is about to end.
    func check(
        _ password: Secret, of username: String, for sender: Sender?,
        _ answer: @escaping (PasswordVerdict) -> Void
    ) -> PasswordCheck
}

/// A check that is waiting or running. `deinit` cancels it.
public final class PasswordCheck {
    private let cancel: () -> Void

    /// `cancel` is called when this object is released, also after the answer.
    public init(cancel: @escaping () -> Void) { self.cancel = cancel }

    deinit { cancel() }
}

/// The result of a check.
public enum PasswordVerdict: Sendable {
    /// The user exists, and this is the password.
    case right
    /// The password or the name is wrong, or too many checks have failed before.
    case wrong
    /// The password was not checked, because a thread or memory was lacking.
    case unknown
}

/// The users of a host that has none: every name is wrong.
package final class NoUsers: PasswordService {
    private let clock: any Clock

    package init(clock: any Clock) { self.clock = clock }

    package func check(
        _ password: Secret, of username: String, for sender: Sender?,
        _ answer: @escaping (PasswordVerdict) -> Void
    ) -> PasswordCheck {
        let timer = clock.schedule(after: .zero) { answer(.wrong) }
        return PasswordCheck { withExtendedLifetime(timer) {} }
    }
}
