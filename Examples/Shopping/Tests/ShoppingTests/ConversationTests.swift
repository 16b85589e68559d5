import BusdProtocol
import BusdTestKit
import Shopping
import ShoppingViewModels
import Testing

/// The whole bus, without a socket.
struct ConversationTests {
    private let bus = TestBus { host in
        host.register(ShoppingViewModel.self, services: Library(host.libraries))
    }

    @Test func `A view that joins gets the list with all edits`() {
        let ann = bus.connect()
        ann.send(
            #"send shopping/home add {"text":"milk"}"#, #"send shopping/home add {"text":"tea"}"#,
            #"send shopping/home move {"item":2,"to":0}"#, "get shopping/home")
        ann.expect(
            #"{"ok":{…"events":[{"items":{"items":[{"id":2,"text":"tea","isChecked":false},"#
                + #"{"id":1,"text":"milk","isChecked":false}]}},{"undoable":{"canUndo":true}}]}}"#)
    }

    @Test func `A list outlives its view model`() {
        let ann = bus.connect()
        ann.send(#"send shopping/home add {"text":"milk"}"#)
        bus.advance(by: .seconds(60))
        ann.send("list shopping/*", "get shopping/home")
        ann.expect(#"{"ok":{"viewModels":[]}}"#, #"{"ok":{…"text":"milk"…}}"#)
    }

    @Test func `An item that is added again with the same key is on the list once`() {
        let ann = bus.connect()
        let add =
            #"{"op":"send","to":"shopping/home","event":{"add":{"text":"milk"}},"key":"a","id":1}"#
        ann.send(add)
        ann.expect(#"{"ok":{"seq":[1,2],"changed":true},"id":1}"#)
        ann.send(add)
        ann.expect(#"{"ok":{"seq":[1,2],"changed":true,"duplicate":true},"id":1}"#)
    }

    @Test func `An item that is too long is refused for ever, and one too many for now`() {
        let ann = bus.connect()
        let text = String(repeating: "x", count: Shopping.itemText.most + 1)
        ann.send(#"send shopping/home add {"text":"\#(text)"}"#)
        ann.expect(
            #"{"error":{"code":"badEvent","message":"an item has at most 200 bytes "#
                + #"(limit itemText)","path":"event.add"}}"#)
        for _ in 1...Shopping.items.most { ann.send(#"send shopping/home add {"text":"tea"}"#) }
        ann.send(#"send shopping/home add {"text":"jam"}"#)
        ann.expect(
            #"{"error":{"code":"overloaded","message":"there are 200 items: remove one "#
                + #"(limit items)"}}"#)
    }

    @Test func `A new list is refused when the limit is reached`() {
        let ann = bus.connect()
        for name in 1...Shopping.lists.most {
            ann.send(#"send shopping/\#(name) add {"text":"tea"}"#)
        }
        ann.send("send shopping/1 undo", #"send shopping/new add {"text":"tea"}"#)
        ann.expect(
            #"{"error":{"code":"overloaded","message":"there are 1000 lists: use one of them "#
                + #"(limit lists)"}}"#)
    }
}
