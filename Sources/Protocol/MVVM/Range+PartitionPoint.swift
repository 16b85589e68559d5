extension Range<Int> {
    /// The first index for which the predicate is false, found by bisection. The predicate is true
    /// for all indices before it, and false for all others.
    public func partitionPoint(_ predicate: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if predicate(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
