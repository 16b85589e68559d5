public import BusdProtocol

/// The services of a view model through which users sign in.
public protocol HasPasswords {
    var passwords: any PasswordService { get }
}

/// Checks the passwords of users.
public protocol PasswordService: AnyObject {
    /// Answers once, and not before it returns: a check takes long, and runs beside the loop. The
    /// answer and its delay do not depend on whether there is such a user.
    ///
    /// Senders are served in turn, first by uid, then by connection. Dropping the returned
    /// `PasswordCheck` cancels the check: it is not answered, and if it has not begun, it never
    /// does. No check is answered once the daemon is about to end.
    func check(
        _ password: Secret, of username: String, for sender: Sender?,
        _ answer: @escaping (PasswordVerdict) -> Void
    ) -> PasswordCheck
}

/// A check that is waiting or running. It is cancelled when nothing holds this object any more.
public final class PasswordCheck {
    private let cancel: () -> Void

    public init(cancel: @escaping () -> Void) { self.cancel = cancel }

    deinit { cancel() }
}

public enum PasswordVerdict: Sendable {
    case right
    /// The password or the name is wrong, or too many checks have failed before.
    case wrong
    /// There is no room for a check; this says nothing about the password.
    case unknown
}
