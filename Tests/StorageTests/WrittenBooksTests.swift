import Testing

@testable import BusdBooks

@Suite struct WrittenBooksTests {
    @Test(arguments: WrittenStore.allCases)
    func `The books of a store that busd 0.9.0 wrote are read`(store: WrittenStore) throws {
        try store.expect(Book.self)
    }
}
