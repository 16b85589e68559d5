/// Which address of Redis is tried, and why those that were tried cannot be used.
struct RedisChoice {
    private struct Failure {
        let reason: String
        let isRefused: Bool
    }

    private let addresses: [RedisAddress]
    private var place = 0
    /// The latest failure of each address.
    private var failures: [Failure?]
    /// Failures since all addresses had failed.
    private var count = 0

    init(_ addresses: [RedisAddress]) {
        self.addresses = addresses
        failures = addresses.map { _ in nil }
    }

    var address: RedisAddress { addresses[place] }

    /// The reasons of all addresses. If there are several addresses, each reason begins with its
    /// address.
    var problem: String? { text(failures) }

    /// Those of `problem` that are refusals.
    var refusals: String? { text(failures.map { $0?.isRefused == true ? $0 : nil }) }

    private func text(_ failures: [Failure?]) -> String? {
        let reasons = zip(addresses, failures).compactMap { address, failure in
            failure.map { addresses.count == 1 ? $0.reason : Self.text(address, $0.reason) }
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    }

    private static func text(_ address: RedisAddress, _ reason: String) -> String {
        let start = "\(address): "
        return reason.utf8.starts(with: start.utf8) ? reason : start + reason
    }

    /// Each address has refused, so a later try will hardly succeed.
    var isRefused: Bool { failures.allSatisfy { $0?.isRefused == true } }

    /// The address cannot be used, and the next one is tried.
    ///
    /// - Returns: whether all addresses have failed since the last time that this was true.
    @discardableResult
    mutating func fail(_ reason: String, isRefused: Bool) -> Bool {
        note(reason, isRefused: isRefused)
        place = (place + 1) % addresses.count  // fits: at most 8
        count = (count + 1) % addresses.count  // fits: at most 8
        return count == 0
    }

    /// The address could be used so far, and is tried again.
    mutating func lose(_ reason: String) {
        note(reason, isRefused: false)
        count = 0
    }

    private mutating func note(_ reason: String, isRefused: Bool) {
        failures[place] = Failure(reason: reason, isRefused: isRefused)
    }

    /// The address is used, so the reasons of the others do not count any more.
    mutating func succeed() {
        for other in failures.indices where other != place { failures[other] = nil }
    }
}
