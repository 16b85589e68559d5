public import Protocol

/// The services of a view model at which people sign in.
public protocol HasPasswords {
    var passwords: any PasswordService { get }
}

/// Knows whether a password is a user's.
public protocol PasswordService: AnyObject {
    /// Answers once, and never before it returns: it takes long, and is done beside the loop. The
    /// answer is the same, and takes as long, whether or not there is such a user.
    ///
    /// Nothing is answered once the daemon is about to end.
    func check(
        _ password: Secret, of username: String, _ answer: @escaping (PasswordVerdict) -> Void)
}

public enum PasswordVerdict: Sendable {
    case right
    /// The password or the name, or there were too many failures before.
    case wrong
    /// There is no room for a check; this says nothing of the password.
    case unknown
}
