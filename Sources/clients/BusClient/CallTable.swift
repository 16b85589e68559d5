import BusdProtocol

/// The requests that wait for their answers.
struct CallTable {
    private var lastID = 0
    private var waiting: [Int: (BusConnection.Answer) -> Void] = [:]

    /// Returns the `id` for the request.
    mutating func add(_ answered: @escaping (BusConnection.Answer) -> Void) -> Int {
        lastID += 1
        waiting[lastID] = answered
        return lastID
    }

    mutating func take(_ id: Int) -> ((BusConnection.Answer) -> Void)? {
        waiting.removeValue(forKey: id)
    }

    /// Nil if no request of this client has that `id`.
    mutating func take(_ id: Request.ID?) -> ((BusConnection.Answer) -> Void)? {
        guard case .integer(let number) = id else { return nil }
        return take(number)
    }

    /// The handlers of all requests, in the order of the requests.
    mutating func takeAll() -> [(BusConnection.Answer) -> Void] {
        defer { waiting = [:] }
        return waiting.sorted { $0.key < $1.key }.map(\.value)
    }
}
