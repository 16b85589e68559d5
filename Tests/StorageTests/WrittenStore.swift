import BusdProtocol
import TestSupport
import Testing

@testable import BusdStorage

/// `Tests/Stores` has files that busd 0.9.0 wrote: a store after a planned stop, the same store
/// after a kill, and a backup. Beside each is what it says. None of them ever changes.
enum WrittenStore: String, CaseIterable, Sendable {
    case stopped
    case killed
    case backup

    private var path: String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return parts.joined(separator: "/") + "/Stores/\(rawValue)"
    }

    private func copy() throws -> Folder {
        let folder = try Folder()
        for file in TestSupport.names(in: path) where file != "content" {
            try write(try bytes(of: "\(path)/\(file)"), to: folder(file))
        }
        return folder
    }

    /// The lines of the content that begin with this word.
    private func expected(_ word: String) throws -> String {
        String(decoding: try bytes(of: "\(path)/content"), as: UTF8.self)
            .split(separator: "\n").filter { $0.hasPrefix("\(word) ") }.map { $0 + "\n" }.joined()
    }

    /// Compares the library and the things of this kind with the content.
    func expect<T: Thing>(_ type: T.Type) throws {
        let folder = try copy()
        let daemon = StoreDaemon("busd", [KindCheck(type)])
        #expect(try Store.check(folder: folder.path, of: daemon) == [])
        let store = try Store(folder: folder.path, durability: .full, of: daemon) {}
        let libraries = Libraries(log: store.log, clock: Timeline(), content: store.content)
        defer {
            libraries.close()
            store.close()
        }
        let library = Library<T>(libraries)
        #expect(libraries.open() == [])
        var lines = ["\(T.kind) \(library.ids.map(\.description))"]
        for id in library.ids {
            let thing = try library[id].map { try sharedText($0) }
            lines.append("\(T.kind) \(id) \(thing ?? "unreadable")")
            let summary = try library.summary(of: id).map { try sharedText($0) }
            lines.append("\(T.kind) \(id) \(summary ?? "unreadable")")
        }
        let found = lines.map { $0 + "\n" }.joined()
        #expect(try found == expected(T.kind), "\(found)")
    }

    func expectDrafts() throws {
        let folder = try copy()
        let store = try Store(folder: folder.path, durability: .full, of: StoreDaemon("busd")) {}
        defer { store.close() }
        let found = store.drafts.map {
            "draft \($0.address) \(String(decoding: $0.body, as: UTF8.self))\n"
        }.joined()
        #expect(try found == expected("draft"), "\(found)")
    }
}
