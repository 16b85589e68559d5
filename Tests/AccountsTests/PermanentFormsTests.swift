import BusdAccounts
import BusdApplicationTestSupport
import BusdProtocol
import BusdTestKit
import Testing

/// The released action, with its form in the log and its effect. None of these lines may ever
/// change, because every later version reads the logs of earlier ones.
struct PermanentFormsTests {
    private let forms = StoredThings(now: .seconds(100))

    @Test func `The action and the state of a user have their permanent form`() throws {
        let users = Library<User>(forms.libraries)
        for hash in ["$argon2id$1", "$argon2id$2"] {
            users.propose(.setHash(hash), to: "ann")
            forms.libraries.settle()
        }
        #expect(forms.bodies() == [#"{"setHash":"$argon2id$1"}"#, #"{"setHash":"$argon2id$2"}"#])
        let again: Library<User> = forms.replayed()
        #expect(again.hash(of: "ann") == "$argon2id$2")
        #expect(again.hash(of: "bob") == nil)
        let saved = try forms.states()
        let state = try #require(saved.first { $0.id == "ann" })
        #expect(String(decoding: state.body, as: UTF8.self) == #"{"hash":"$argon2id$2"}"#)
        let restored: Library<User> = forms.replayed(saved)
        #expect(restored.hash(of: "ann") == "$argon2id$2")
    }
}
