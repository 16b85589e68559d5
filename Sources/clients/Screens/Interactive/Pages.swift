/// A stack of pages. The top page is shown. There is always one.
struct Pages {
    private var below: [any Page] = []
    private(set) var top: any Page

    init(_ page: any Page) { top = page }

    /// Shows a page. `pop` goes back to the current one.
    mutating func push(_ page: any Page) {
        below.append(top)
        top = page
    }

    /// Shows a page instead of all others.
    mutating func replace(with page: any Page) {
        below = []
        top = page
    }

    /// Goes back. False if this is the first page.
    mutating func pop() -> Bool {
        guard let page = below.popLast() else { return false }
        top = page
        return true
    }
}
