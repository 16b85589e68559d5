/// Counts the bytes of one kind of memory.
final class Account {
    fileprivate(set) var bytes = 0
}

/// Bytes that count on an account as long as this object exists.
final class Charge {
    let account: Account
    var bytes: Int {
        didSet { account.bytes += bytes - oldValue }
    }

    init(_ bytes: Int = 0, on account: Account) {
        self.bytes = bytes
        self.account = account
        account.bytes += bytes
    }

    deinit { account.bytes -= bytes }
}
