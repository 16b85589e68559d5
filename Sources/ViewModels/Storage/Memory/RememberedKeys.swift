import Protocol

/// The keys of all view models: on disk, on the way there, and new.
struct RememberedKeys {
    enum Change: Sendable {
        case remember(String, of: Address, answer: ClosedRange<Int>?)
        /// Those of the address, and of all below it.
        case forget(Address)
    }

    /// In the order of their addresses, so that what is below an address stands together.
    private var windows: [KeyWindow]
    private var inFlight: [Change] = []
    private(set) var pending: [Change] = []

    init(_ windows: [KeyWindow]) { self.windows = windows }

    mutating func change(_ change: Change) { pending.append(change) }

    /// Oldest first.
    func keys(of address: Address) -> [KeyWindow.Entry] {
        let place = place(of: address)
        var entries = has(address, at: place) ? windows[place].entries : []
        for change in inFlight + pending {
            switch change {
            case .remember(let key, let other, let answer):
                if other == address { entries.append((key, answer)) }
            case .forget(let root): if root.covers(address) { entries = [] }
            }
        }
        return entries.suffix(KeyWindow.size)
    }

    // MARK: Commits

    mutating func takeOff() -> [Change] {
        inFlight = pending
        pending = []
        return inFlight
    }

    mutating func land() {
        for change in inFlight { apply(change) }
        inFlight = []
    }

    mutating func rollBack() {
        inFlight = []
        pending = []
    }

    private mutating func apply(_ change: Change) {
        switch change {
        case .remember(let key, let address, let answer):
            let place = place(of: address)
            if !has(address, at: place) { windows.insert(KeyWindow(of: address), at: place) }
            windows[place].remember(key, answer)
        case .forget(let root):
            if has(root, at: place(of: root)) { windows.remove(at: place(of: root)) }
            guard let below = root.appending("-").map(place) else { return }
            let end = windows[below...].firstIndex { !$0.address.isBelow(root) }
            windows.removeSubrange(below..<(end ?? windows.endIndex))
        }
    }

    /// Where the address stands, or would.
    private func place(of address: Address) -> Int {
        var (low, high) = (0, windows.count)
        while low < high {
            let middle = (low + high) / 2
            if windows[middle].address < address { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func has(_ address: Address, at place: Int) -> Bool {
        windows.indices.contains(place) && windows[place].address == address
    }
}

extension Address {
    fileprivate func covers(_ other: Address) -> Bool { other == self || other.isBelow(self) }
}
