import Glibc

/// Strings in the form that C uses, valid until `free`. C may reorder them.
struct CStrings {
    /// Has a null pointer at its end.
    let start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    let count: Int

    init(_ strings: [String]) {
        count = strings.count
        start = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() {
            (start + index).initialize(to: strdup(string))
        }
        (start + count).initialize(to: nil)
    }

    func free() {
        for index in 0..<count { Glibc.free(start[index]) }
        start.deallocate()
    }

    subscript(index: Int) -> String { start[index].map { String(cString: $0) } ?? "" }
}
