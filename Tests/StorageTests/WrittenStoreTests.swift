import BusdAccounts
import Testing

@Suite struct WrittenStoreTests {
    @Test(arguments: WrittenStore.allCases)
    func `The users of a store that busd 0.9.0 wrote are read`(store: WrittenStore) throws {
        try store.expect(User.self)
    }

    @Test(arguments: WrittenStore.allCases)
    func `The drafts of a store that busd 0.9.0 wrote are read`(store: WrittenStore) throws {
        try store.expectDrafts()
    }
}
