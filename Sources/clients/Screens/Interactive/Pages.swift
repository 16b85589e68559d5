/// The pages, the one that is seen last. There is always one.
struct Pages {
    private var below: [any Page] = []
    private(set) var top: any Page

    init(_ page: any Page) { top = page }

    /// Shows a page from which one can go back to this one.
    mutating func push(_ page: any Page) {
        below.append(top)
        top = page
    }

    /// Shows a page in the place of all.
    mutating func replace(with page: any Page) {
        below = []
        top = page
    }

    /// Goes back; false where this is the first page.
    mutating func pop() -> Bool {
        guard let page = below.popLast() else { return false }
        top = page
        return true
    }
}
