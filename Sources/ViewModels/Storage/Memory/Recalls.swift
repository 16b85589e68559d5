import BusdProtocol

/// Keys that are being read, and those that have been and nobody has taken yet.
struct Recalls {
    private var underWay: Set<Address> = []
    private var ended: [Address: Result<[RememberedKey], StoreError>] = [:]

    mutating func take(_ address: Address) -> Result<[RememberedKey], StoreError>? {
        ended.removeValue(forKey: address)
    }

    /// False where they are being read already.
    mutating func begin(_ address: Address) -> Bool { underWay.insert(address).inserted }

    /// Those who have asked are told at once: what nobody has taken by the next time is not wanted
    /// any more.
    mutating func forgetUntaken() { ended = [:] }

    /// Returns what was not as it should be.
    mutating func end(_ address: Address, _ recalled: Mailbox.Recalled) -> String? {
        underWay.remove(address)
        ended[address] = recalled.map(\.keys)
        switch recalled {
        case .success((_, 0)): return nil
        case .success((_, let count)):
            return "\(count) keys of \(address) are lost: damaged"
        case .failure(let error): return "the keys of \(address) can't be read: \(error)"
        }
    }
}
