import BusdApplicationTestSupport
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdBooks

/// The lines of books, as a client gets them.
@Suite struct `Books on the bus` {
    private struct Services: HasBooks, HasDrafts, HasClock, HasDirectory {
        let drafts = DraftSpace()
        let books: Library<Book>
        let clock: any BusdProtocol.Clock
        let directory: any Directory
    }

    private let bus = TestBus { host in
        let services = Services(
            books: Library(host.libraries), clock: host.clock, directory: host)
        host.register(BooksViewModel.self, services: services)
        host.register(BookCreatorViewModel.self, services: services)
        host.register(StudyViewModel.self, services: services)
        host.register(CardsViewModel.self, services: services)
    }

    @Test func `Books are imported, moved, extended and deleted`() {
        let view = bus.connect()
        view.send("subscribe books")
        view.expect(
            #"{"ok":{"to":"books","matched":["books"],"resumed":false}}"#,
            #"{"from":"books","seq":0,"snapshot":true,"more":true,"event":{"currentProgress":{"text":"0% KNOWN","known":0,"cards":0}}}"#,
            #"{"from":"books","seq":0,"snapshot":true,"event":{"books":{"books":[]}}}"#,
            #"{"live":"books","cursor":"…:0","done":"…"}"#)
        let keeper = bus.connect()
        keeper.send(
            #"send books importBook {"name":"漢字","cards":[{"front":"水","back":"water"}]}"#)
        view.expect(
            #"{"from":"books","seq":1,"more":true,"event":{"booksEdited":{"edits":[{"insert":{"at":0,"row":{"id":"1","name":"漢字","cardCount":"1","progress":"0%"}}}]}}}"#,
            #"{"from":"books","seq":2,"event":{"currentProgress":{"text":"0% KNOWN","known":0,"cards":1}}}"#
        )
        keeper.send(
            #"send books importBook {"name":"B","cards":[]}"#,
            #"send books moveBook {"book":"2","to":0}"#,
            #"send books addCards {"book":"2","cards":[{"front":"a","back":"b"}]}"#,
            #"send books deleteBook {"book":"1"}"#)
        view.expect(
            #"{"from":"books","seq":3,"event":{"booksEdited":{"edits":[{"insert":{"at":1,"row":{"id":"2","name":"B","cardCount":"0","progress":"0%"}}}]}}}"#,
            #"{"from":"books","seq":4,"event":{"booksEdited":{"edits":[{"move":{"from":1,"to":0}}]}}}"#,
            #"{"from":"books","seq":5,"more":true,"event":{"booksEdited":{"edits":[{"update":{"at":0,"row":{"id":"2","name":"B","cardCount":"1","progress":"0%"}}}]}}}"#,
            #"{"from":"books","seq":6,"event":{"currentProgress":{"text":"0% KNOWN","known":0,"cards":2}}}"#,
            #"{"from":"books","seq":7,"more":true,"event":{"booksEdited":{"edits":[{"update":{"at":1,"row":{"id":"1","name":"漢字","cardCount":"1","progress":"0%","isDeleted":true}}}]}}}"#,
            #"{"from":"books","seq":8,"event":{"currentProgress":{"text":"0% KNOWN","known":0,"cards":1}}}"#
        )
    }

    @Test func `An event with an unknown book or place changes nothing`() {
        let keeper = bus.connect()
        keeper.send(
            #"{"op":"send","to":"books","event":{"importBook":{"name":"A","cards":[]}},"id":1}"#,
            #"{"op":"send","to":"books","event":{"deleteBook":{"book":"2"}},"id":2}"#,
            #"{"op":"send","to":"books","event":{"moveBook":{"book":"1","to":1}},"id":3}"#,
            #"{"op":"send","to":"books","event":{"addCards":{"book":"x","cards":[]}},"id":4}"#,
            #"{"op":"send","to":"study/2","event":"reveal","id":5}"#)
        keeper.expect(
            #"{"ok":{"seq":[1,1],"changed":true,"made":"study/1"},"id":1}"#,
            #"{"ok":{"changed":false},"id":2}"#, #"{"ok":{"changed":false},"id":3}"#,
            #"{"ok":{"changed":false},"id":4}"#,
            #"{"error":{"code":"unknownViewModel","message":"…","suggestions":["study/1"]},"id":5}"#
        )
    }

    @Test(arguments: [
        (#"{"importBook":{"name":"","cards":[]}}"#, "event.importBook.name"),
        (#"{"importBook":{"name":"A"}}"#, "event.importBook.cards"),
        (
            #"{"importBook":{"name":"A","cards":[{"front":"a","back":"b"},{"front":"a"}]}}"#,
            "event.importBook.cards.1.back"
        ),
        (#"{"moveBook":{"book":"1","to":1.5}}"#, "event.moveBook.to"),
        (#"{"addCards":{"book":1,"cards":[]}}"#, "event.addCards.book"),
    ])
    func `A wrong field of an event is refused with its path`(event: String, path: String) {
        let keeper = bus.connect()
        keeper.send(#"{"op":"send","to":"books","event":\#(event),"id":1}"#)
        keeper.expect(
            #"{"error":{"code":"badEvent","message":"…","path":"\#(path)"},"id":1}"#)
    }

    @Test func `Two connections create a book together over two screens`() {
        let (ann, bob) = (bus.connect(), bus.connect())
        ann.send("subscribe book-creator/x")
        _ = ann.takeLines()
        bob.send(#"send book-creator/x nameChanged {"name":"A"}"#)
        ann.send("send book-creator/x nextTapped")
        bob.send(#"send book-creator/x cardsChanged {"text":"a\tb\nno\n"}"#)
        bob.send(#"send book-creator/x cardsChanged {"text":"a\tb\n"}"#)
        bob.send("send book-creator/x addTapped")
        ann.expect(
            #"{"from":"book-creator/x","seq":1,"more":true,"event":{"name":{"text":"A"}}}"#,
            #"{"from":"book-creator/x","seq":2,"event":{"nextEnabled":{"isEnabled":true}}}"#,
            #"{"from":"book-creator/x","seq":3,"event":{"screen":{"name":"cards"}}}"#,
            #"{"from":"book-creator/x","seq":4,"more":true,"event":{"cardsText":{"text":"a\tb\nno\n","revision":1}}}"#,
            #"{"from":"book-creator/x","seq":5,"event":{"cards":{"count":1,"problems":["line 2 has no tab"]}}}"#,
            #"{"from":"book-creator/x","seq":6,"more":true,"event":{"cardsText":{"text":"a\tb\n","revision":2}}}"#,
            #"{"from":"book-creator/x","seq":7,"more":true,"event":{"cards":{"count":1,"problems":[]}}}"#,
            #"{"from":"book-creator/x","seq":8,"event":{"addEnabled":{"isEnabled":true}}}"#,
            #"{"from":"book-creator/x","seq":9,"more":true,"event":{"added":{"book":"1"}}}"#,
            #"{"from":"book-creator/x","seq":10,"more":true,"event":{"screen":{"name":"name"}}}"#,
            #"{"from":"book-creator/x","seq":11,"more":true,"event":{"name":{"text":""}}}"#,
            #"{"from":"book-creator/x","seq":12,"more":true,"event":{"cardsText":{"text":"","revision":3}}}"#,
            #"{"from":"book-creator/x","seq":13,"more":true,"event":{"cards":{"count":0,"problems":[]}}}"#,
            #"{"from":"book-creator/x","seq":14,"more":true,"event":{"nextEnabled":{"isEnabled":false}}}"#,
            #"{"from":"book-creator/x","seq":15,"event":{"addEnabled":{"isEnabled":false}}}"#)
    }

    @Test func `A book can be studied, and its study ends when it is deleted`() {
        let view = bus.connect()
        view.send(
            #"send books importBook {"name":"A","cards":[{"front":"水","back":"water"}]}"#,
            "subscribe study/1")
        view.expect(
            #"{"ok":{"to":"study/1","matched":["study/1"],"resumed":false}}"#,
            #"{"from":"study/1","seq":0,"snapshot":true,"more":true,"event":{"card":{"front":"水","position":1,"of":1}}}"#,
            #"{"from":"study/1","seq":0,"snapshot":true,"more":true,"event":{"progress":{"text":"0% KNOWN"}}}"#,
            #"{"from":"study/1","seq":0,"snapshot":true,"more":true,"event":{"done":{"isDone":false}}}"#,
            #"{"from":"study/1","seq":0,"snapshot":true,"event":{"undoable":{"canUndo":false}}}"#,
            #"{"live":"study/1","cursor":"…:0","done":"…"}"#)
        view.send("send study/1 known", "send study/1 reveal", "send study/1 known")
        view.expect(
            #"{"from":"study/1","seq":1,"event":{"card":{"front":"水","position":1,"of":1,"back":"water"}}}"#,
            #"{"from":"study/1","seq":2,"more":true,"event":{"progress":{"text":"100% KNOWN"}}}"#,
            #"{"from":"study/1","seq":3,"more":true,"event":{"done":{"isDone":true}}}"#,
            #"{"from":"study/1","seq":4,"event":{"undoable":{"canUndo":true,"position":1}}}"#)
        view.send("get study/1")
        view.expect(
            #"{"ok":{"address":"study/1","cursor":"…:4","done":"…","events":[{"progress":{"text":"100% KNOWN"}},{"done":{"isDone":true}},{"undoable":{"canUndo":true,"position":1}}]}}"#
        )
        view.send(#"send books deleteBook {"book":"1"}"#)
        view.expect(#"{"gone":"study/1"}"#)
    }

    @Test func `The view models of a book end when it is deleted, and return when it is restored`()
    {
        let view = bus.connect()
        view.send(
            #"send books importBook {"name":"A","cards":[{"front":"水","back":"water"}]}"#,
            "subscribe study/*")
        view.expect(
            #"{"ok":{"to":"study/*","matched":["study/1"],"resumed":false}}"#,
            #"{"from":"study/1","seq":0,"snapshot":true,"more":true,"event":{"card":{"front":"水","position":1,"of":1}}}"#,
            #"{"from":"study/1","seq":0,"snapshot":true,"more":true,"event":{"progress":{"text":"0% KNOWN"}}}"#,
            #"{"from":"study/1","seq":0,"snapshot":true,"more":true,"event":{"done":{"isDone":false}}}"#,
            #"{"from":"study/1","seq":0,"snapshot":true,"event":{"undoable":{"canUndo":false}}}"#,
            #"{"live":"study/1","cursor":"…:0","done":"…"}"#, #"{"live":"study/*"}"#)
        view.send("send study/1 reveal", "send study/1 known")
        _ = view.takeLines()
        view.send(#"send books deleteBook {"book":"1"}"#)
        view.expect(#"{"gone":"study/1"}"#)
        view.send("get cards/1")
        view.expect(
            #"{"error":{"code":"unknownViewModel","message":"…"}}"#)
        view.send(#"send books restoreBook {"book":"1"}"#)
        view.expect(
            #"{"from":"study/1","seq":0,"snapshot":true,"more":true,"event":{"progress":{"text":"100% KNOWN"}}}"#,
            #"{"from":"study/1","seq":0,"snapshot":true,"more":true,"event":{"done":{"isDone":true}}}"#,
            #"{"from":"study/1","seq":0,"snapshot":true,"event":{"undoable":{"canUndo":false}}}"#,
            #"{"live":"study/1","cursor":"…:0","done":"…"}"#)
        view.send("get cards/1")
        view.expect(
            #"{"ok":{"address":"cards/1","cursor":"…:0","done":"…","events":[{"name":{"text":"A"}},{"cards":{"cards":[{"front":"水","back":"water"}]}},{"undoable":{"canUndo":false}}]}}"#
        )
        view.send(#"send books deleteBook {"book":"1"}"#)
        view.expect(#"{"gone":"study/1"}"#)
        bus.advance(by: .seconds(600))
        view.send(#"send books restoreBook {"book":"1"}"#, "get books")
        view.expect(
            #"{"ok":{"address":"books","cursor":"…:11","done":"…","events":[{"currentProgress":{"text":"0% KNOWN","known":0,"cards":0}},{"books":{"books":[]}}]}}"#
        )
    }

    @Test func `A correction that does not know the newest card is refused`() {
        let keeper = bus.connect()
        keeper.send(
            #"send books importBook {"name":"A","cards":[{"front":"水","back":"watre"}]}"#)
        keeper.send(
            #"{"op":"send","to":"cards/1","event":{"changeCard":{"at":0,"card":{"front":"水","back":"watre"},"to":{"front":"水","back":"water"}}},"id":1}"#,
            #"{"op":"send","to":"cards/1","event":{"removeCard":{"at":0,"card":{"front":"水","back":"watre"}}},"id":2}"#,
            #"{"op":"send","to":"books","event":{"renameBook":{"book":"1","from":"B","to":"C"}},"id":3}"#,
            #"{"op":"send","to":"cards/1","event":{"undo":{"at":0,"card":{"front":"水","back":"watre"}}},"id":4}"#
        )
        keeper.expect(
            #"{"ok":{"seq":[1,2],"changed":true},"id":1}"#,
            #"{"error":{"code":"stale","message":"…"},"id":2}"#,
            #"{"error":{"code":"stale","message":"…"},"id":3}"#,
            #"{"ok":{"seq":[3,4],"changed":true},"id":4}"#)
    }
}
