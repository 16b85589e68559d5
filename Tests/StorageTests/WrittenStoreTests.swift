import BusdAccounts
import BusdBooks
import BusdProtocol
import TestSupport
import Testing

@testable import BusdGames
@testable import BusdStorage

/// `Tests/Stores` has files that busd 0.9.0 wrote: a store after a planned stop, the same store
/// after a kill, and a backup. Beside each is what it says. None of them ever changes.
@Suite struct WrittenStoreTests {
    private static let daemon = StoreDaemon(
        "busd", [KindCheck(Game.self), KindCheck(Book.self), KindCheck(User.self)])

    private func path(_ name: String) -> String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return parts.joined(separator: "/") + "/Stores/\(name)"
    }

    private func copy(_ name: String) throws -> Folder {
        let folder = try Folder()
        for file in TestSupport.names(in: path(name)) where file != "content" {
            try write(try bytes(of: path("\(name)/\(file)")), to: folder(file))
        }
        return folder
    }

    /// One line for each library, thing and draft.
    private func content(of folder: Folder) throws -> String {
        let store = try Store(folder: folder.path, durability: .full, of: Self.daemon) {}
        let libraries = Libraries(log: store.log, clock: Timeline(), content: store.content)
        defer {
            libraries.close()
            store.close()
        }
        let (games, books, users) = (
            Library<Game>(libraries), Library<Book>(libraries), Library<User>(libraries)
        )
        #expect(libraries.open() == [])
        var lines: [String] = []
        func add<T: Thing>(_ library: Library<T>) throws {
            lines.append("\(T.kind) \(library.ids.map(\.description))")
            for id in library.ids {
                let thing = try library[id].map { try sharedText($0) }
                lines.append("\(T.kind) \(id) \(thing ?? "unreadable")")
                let summary = try library.summary(of: id).map { try sharedText($0) }
                lines.append("\(T.kind) \(id) \(summary ?? "unreadable")")
            }
        }
        try add(games)
        try add(books)
        try add(users)
        lines += store.drafts.map {
            "draft \($0.address) \(String(decoding: $0.body, as: UTF8.self))"
        }
        return lines.map { $0 + "\n" }.joined()
    }

    @Test(arguments: ["stopped", "killed", "backup"])
    func `A store that busd 0.9.0 wrote is read`(name: String) throws {
        let folder = try copy(name)
        #expect(try Store.check(folder: folder.path, of: Self.daemon) == [])
        let expected = String(decoding: try bytes(of: path("\(name)/content")), as: UTF8.self)
        let found = try content(of: folder)
        #expect(found == expected, "\(found)")
    }
}
