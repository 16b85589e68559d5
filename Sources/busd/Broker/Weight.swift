/// Counts the bytes of all that there is of one sort.
final class Total {
    fileprivate(set) var bytes = 0
}

/// Bytes that are counted for as long as somebody has them.
final class Weight {
    let total: Total
    var bytes: Int {
        didSet { total.bytes += bytes - oldValue }
    }

    init(_ bytes: Int = 0, on total: Total) {
        self.bytes = bytes
        self.total = total
        total.bytes += bytes
    }

    deinit { total.bytes -= bytes }
}
