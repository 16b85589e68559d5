import BusdOptions
import BusdProtocol
import BusdScreens
import Testing

@testable import BusdClient
@testable import viewctl

@Suite struct TextTests {
    // MARK: list

    @Test func `A list is a table`() throws {
        let models = try ["games", "scoreboard/12"].enumerated().map { index, address in
            try json(
                #"{"address":"\#(address)","kind":"k","views":\#(index * 10),"seq":\#(index)}"#)
        }
        #expect(
            List.text(models, plain) == [
                "ADDRESS        KIND  VIEWS  SEQ", "games          k         0    0",
                "scoreboard/12  k        10    1",
            ])
        #expect(
            List.text(models, coloured)[0] == "\u{1B}[1mADDRESS        KIND  VIEWS  SEQ\u{1B}[0m")
    }

    @Test func `An empty list is its head`() {
        #expect(List.text([], plain) == ["ADDRESS  KIND  VIEWS  SEQ"])
    }

    @Test func `A list shows missing fields as blanks`() throws {
        #expect(
            List.text([try json(#"{"address":"a"}"#)], plain)[1] == "a"
                + String(repeating: " ", count: 24))
    }

    // MARK: describe

    @Test func `The verb describe shows the events that a kind takes and emits`() throws {
        let description = try json(
            #"{"kind":"games","viewEvents":[{"name":"deleteGame","fields":{"game":"text"},"#
                + #""example":{"deleteGame":{"game":"1"}}},{"name":"stop","fields":{},"example":"#
                + #"{"stop":{}}}],"viewModelEvents":[{"name":"games","fields":{"games":"list"},"#
                + #""example":{"games":{"games":[]}},"delivery":"latest"},{"name":"created","#
                + #""fields":{"game":"text","by":"text?"},"example":{"created":{"game":"4"}},"#
                + #""delivery":"every"}]}"#)
        #expect(
            Describe.text(description, plain) == [
                "games", "", "takes", "  deleteGame  game text", #"              {"game":"1"}"#,
                "  stop", "", "emits", "  games       latest  games list",
                #"              {"games":[]}"#, "  created     every   game text, by text?",
                #"              {"game":"4"}"#,
            ])
    }

    @Test func `The verb describe shows the words of an enum of texts`() throws {
        let description = try json(
            #"{"kind":"dish","viewEvents":[{"name":"move","fields":{"to":"text","by":"text?"},"#
                + #""types":{"to":{"text":["grill","salad"]},"by":{"text?":["cook","waiter"]}},"#
                + #""example":{"move":{"to":"grill"}}}],"viewModelEvents":[]}"#)
        #expect(
            Describe.text(description, plain) == [
                "dish", "", "takes", "  move  to grill|salad, by (cook|waiter)?",
                #"        {"to":"grill"}"#, "", "emits nothing",
            ])
        let schema = String(decoding: Schema(description).json, as: UTF8.self)
        #expect(schema.contains(#""to":{"type":"string","enum":["grill","salad"]}"#))
        #expect(schema.contains(#""required":["to"]"#))
    }

    @Test func `The verb describe shows that a kind takes or emits nothing`() throws {
        let description = try json(#"{"kind":"mute","viewEvents":[],"viewModelEvents":[]}"#)
        #expect(
            Describe.text(description, plain) == ["mute", "", "takes nothing", "", "emits nothing"])
    }

    // MARK: get

    @Test func `The verb get prints one line for each value`() throws {
        let events = try [
            #"{"score":{"home":3,"away":2,"text":"3 - 2"}}"#, #"{"paused":{"isPaused":true}}"#,
            #"{"ended":{}}"#,
        ].map(json)
        #expect(
            Get.text(events, plain) == [
                #"score   home=3 away=2 text="3 - 2""#, "paused  isPaused=true", "ended",
            ])
        #expect(
            Get.text([events[1]], coloured) == [
                "\u{1B}[1mpaused\u{1B}[0m  \u{1B}[2misPaused=\u{1B}[0mtrue"
            ])
    }

    @Test(arguments: [
        (#"{"e":{"t":"Hawks"}}"#, "e  t=Hawks"), (#"{"e":{"t":"01:10.3"}}"#, "e  t=01:10.3"),
        (#"{"e":{"t":"München"}}"#, "e  t=München"), (#"{"e":{"t":""}}"#, #"e  t="""#),
        (#"{"e":{"t":"a b"}}"#, #"e  t="a b""#), (#"{"e":{"t":"a=b"}}"#, #"e  t="a=b""#),
        (#"{"e":{"t":"\"a\""}}"#, #"e  t="\"a\"""#), (#"{"e":{"t":"a\nb"}}"#, #"e  t="a\nb""#),
        (#"{"e":{"t":null,"n":-1.5e3}}"#, "e  t=null n=-1.5e3"),
        (#"{"e":{"l":[1,{"a":"b"}],"o":{}}}"#, #"e  l=[1,{"a":"b"}] o={}"#),
        (#"{"e":{"l":["a b"]}}"#, #"e  l=["a b"]"#), (#"{"e":7}"#, "e"), ("{}", "?"),
    ]) func `An event is printed on one line`(event: String, text: String) throws {
        #expect(EventText(try json(event)).line(plain) == text)
    }

    // MARK: send and ping

    @Test(arguments: [
        (#"{"seq":[5,5]}"#, "done, seq 5"), (#"{"seq":[5,7]}"#, "done, seq 5 to 7"),
        (#"{"changed":false}"#, "nothing changed"), (#"{"changed":true}"#, "done"),
        (#"{"seq":[5,5],"changed":true,"duplicate":true}"#, "done before, seq 5"),
        (#"{"changed":true,"duplicate":true}"#, "done before"),
        (#"{"seq":[1,2],"changed":true,"made":"a/2"}"#, "done, seq 1 to 2, made a/2"),
        (#"{"seq":[3,3],"changed":true,"done":"k3:4"}"#, "done, seq 3, done k3:4"),
    ]) func `The verb send prints the result`(ok: String, text: String) throws {
        #expect(Send.text(try json(ok), plain) == text)
    }

    @Test(arguments: [(0, "0.0"), (99, "0.0"), (2449, "2.4"), (1_000_950, "1000.9")])
    func `The verb ping prints the time`(microseconds: Int64, text: String) {
        #expect(Ping.text(.microseconds(microseconds)) == "the daemon answered in \(text) ms")
    }

    // MARK: watch

    @Test
    func `The verb watch prints one line per event, with a growing column of addresses`() throws {
        var watch = WatchText()
        let lines = try [
            #"{"from":"echo/a","seq":1,"event":{"said":{"text":"x"}}}"#,
            #"{"from":"scoreboard/1","seq":1,"event":{"ended":{}}}"#,
            #"{"live":"echo/a","cursor":"k:1"}"#, #"{"gap":"echo/a","missed":37}"#,
            #"{"gap":"echo/a","missed":1}"#,
            #"{"gone":"echo/a"}"#, #"{"later":1}"#, #"{"ping":1}"#, #"{"ok":{}}"#,
        ].map { watch.lines(BusLine(try json($0)), plain).first }
        #expect(
            lines == [
                "echo/a  said  text=x", "scoreboard/1  ended", nil,
                "echo/a        (37 events were missed)", "echo/a        (1 event was missed)",
                "echo/a        (gone)", nil, nil, nil,
            ])
    }

    // MARK: Refusals

    @Test func `A refusal shows the reason, the place and suggestions`() {
        #expect(
            Outcome.refusal(WireError(.notAllowed, "only looking"))
                == Outcome(.denied, "only looking (notAllowed)"))
        #expect(
            Outcome.refusal(
                WireError(.unknownEvent, "no", path: "event.a", suggestions: ["b", "c"])
            ).message == "no (unknownEvent)\n  at event.a\n  did you mean b or c?")
    }
}
