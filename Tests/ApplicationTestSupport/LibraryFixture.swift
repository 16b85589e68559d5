public import BusdProtocol
public import BusdTestKit
public import Testing

/// The services that most view models of things need. The test moves the time.
open class LibraryFixture<Item: Thing>: HasDrafts, HasClock, HasDirectory {
    public let libraries: Libraries
    public let things: Library<Item>
    public let time: Timeline
    public let drafts = DraftSpace()
    public let addresses = RecordingDirectory()

    public var clock: any BusdProtocol.Clock { time }
    public var directory: any Directory { addresses }

    package init(_ log: any Log, _ content: LogContent, now: Instant) {
        time = Timeline(now: now)
        libraries = Libraries(log: log, clock: time, content: content)
        things = Library(libraries)
        _ = libraries.open()
    }

    public func apply(_ action: Item.Action, to id: Item.ID) {
        things.propose(action, to: id)
        libraries.settle()
    }

    public func watch<Model: ViewModel>(
        _ model: Model, only: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation
    ) -> RecordingView<Model> {
        RecordingView(
            model, only: only, settling: libraries, sourceLocation: sourceLocation)
    }

    @discardableResult
    public func create(_ seed: Item.Seed) throws -> Item.ID {
        things.create(seed)
        libraries.settle()
        return try #require(things.ids.last)
    }

    public func delete(_ id: Item.ID) {
        things.delete(id)
        libraries.settle()
    }
}
