/// Counts the bytes of one kind of memory.
final class Account {
    fileprivate(set) var bytes = 0
}

/// Bytes that count on an account as long as this object exists.
final class Charge {
    let account: Account
    private(set) var bytes: Int

    init(_ bytes: Int = 0, on account: Account) {
        self.bytes = bytes
        self.account = account
        account.bytes += bytes
    }

    func change(to bytes: Int) {
        account.bytes += bytes - self.bytes
        self.bytes = bytes
    }

    deinit { account.bytes -= bytes }
}
