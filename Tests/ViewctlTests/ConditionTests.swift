import BusdProtocol
import Testing

@testable import viewctl

/// Conditions on values.
@Suite struct ConditionTests {
    @Test(arguments: [
        "", ".", "=", "a=", "a=1", ".b=1", "a.=1", "a..b", "a.b!1", "a.b!", "a!=1",
    ])
    func `Any other text is not a condition`(text: String) { #expect(Condition(text) == nil) }

    private let payload =
        #"{"text":"x y","n":3,"half":0.5,"ok":true,"off":false,"list":[1,{"a":"b"}],"empty":"","none":null}"#

    @Test(arguments: [
        ("said", true), ("ended", false), ("said.text", true), ("said.off", false),
        ("said.none", false), ("said.none!=1", false), ("said.missing!=1", false),
        ("said.text=x y", true), ("said.text=x", false), ("said.text!=x", true),
        ("said.text!=x y", false), ("said.text=\"x y\"", true), ("said.text<xz", true),
        ("said.text>x", true), ("said.text<=x y", true), ("said.n=3", true), ("said.n!=3", false),
        ("said.n>=3", true), ("said.n>3", false), ("said.n<10", true), ("said.n>-1", true),
        ("said.half<0.51", true), ("said.half>=1", false), ("said.n>2.5", true),
        ("said.ok=true", true), ("said.ok!=true", false), ("said.ok!=false", true),
        ("said.no=", false), ("said.empty=", true), ("said.empty", true),
        ("said.list.0=1", true), ("said.list.1.a=b", true), ("said.list.2", false),
        ("said.list.-1", false), ("said.list.x", false), ("said.text.0", false),
        ("said.n=9223372036854775808", false), ("said.list=[1,{\"a\":\"b\"}]", true),
    ])
    func `A condition compares a value by its type`(text: String, holds: Bool) throws {
        let condition = try #require(Condition(text))
        let event = try json(#"{"said":\#(payload)}"#)
        let value = event[condition.path.event]?.value(at: condition.path.fields[...])
        #expect(condition.holds(for: value) == holds)
    }

    private func kinds(_ more: String = "") throws -> DescribedKinds {
        DescribedKinds([
            try json(
                #"{"kinds":[{"kind":"board","viewEvents":[],"viewModelEvents":["#
                    + #"{"name":"score","fields":{"home":"integer","text":"text","lead":"number?"},"#
                    + #""delivery":"latest"},{"name":"state","fields":{"state":"text"},"#
                    + #""types":{"state":{"text":["ready","served"]}},"delivery":"latest"},"#
                    + #"{"name":"paused","fields":{"isPaused":"boolean"},"#
                    + #""delivery":"latest"},{"name":"rows","fields":{"rows":"list"},"#
                    + #""types":{"rows":{"list":{"object":{"id":"integer","by":{"object?":"#
                    + #"{"name":"text"}}}}}},"delivery":"latest"},"#
                    + #"{"name":"rowsEdited","fields":{"edits":"list"},"edits":"rows","#
                    + #""delivery":"every"}]}\#(more)]}"#)
        ])
    }

    @Test(
        arguments: [
            ("score.home>=11", nil), ("score.home", nil), ("score", nil), ("score.lead<1.5", nil),
            ("rows.rows.0.id=3", nil), ("rows.rows.0.by.name=Ann", nil), ("rows.rows", nil),
            ("paused.isPaused!=true", nil),
            ("scor.home=1", "the kind board emits no event 'scor'\n  did you mean score?"),
            ("score.hom=1", "score has no field 'hom'\n  did you mean home?"),
            ("state.state=ready", nil), ("state.state>r", nil),
            ("state.state!=redy", "state.state is never 'redy'\n  did you mean ready?"),
            ("score.home=x", "score.home is of type integer, not 'x'"),
            ("score.home<1.5", "score.home is of type integer, not '1.5'"),
            ("score.lead=x", "score.lead is of type number, not 'x'"),
            ("score.text.0", "score.text is of type text, and has no field '0'"),
            ("paused.isPaused=yes", "paused.isPaused is true or false, not 'yes'"),
            ("paused.isPaused<true", "paused.isPaused is true or false: compare it with = or !="),
            (
                "rows.rows.id=1",
                "rows.rows is a list: add the place of an element, such as rows.rows.0"
            ),
            (
                "rows.rows.-1",
                "rows.rows is a list: add the place of an element, such as rows.rows.0"
            ),
            ("rows.rows>1", "rows.rows is a list: compare an element, such as rows.rows.0"),
            ("rows.rows=[]", "rows.rows is a list: compare an element, such as rows.rows.0"),
            ("rows.rows.0!=x", "rows.rows.0 is an object: compare a field, such as rows.rows.0.id"),
            ("rows.rows.0>1", "rows.rows.0 is an object: compare a field, such as rows.rows.0.id"),
            (
                "rowsEdited.edits",
                "rowsEdited is no value, but an event that passes: take rows, which it edits"
            ),
        ] as [(String, String?)])
    func `A condition that can never hold is refused`(text: String, problem: String?) throws {
        let condition = try #require(Condition(text))
        #expect(try kinds().problem(of: [condition], ofState: true) == problem)
    }

    @Test func `One of several kinds must fit all conditions`() throws {
        let other =
            #",{"kind":"player","viewEvents":[],"viewModelEvents":[{"name":"name","fields":"#
            + #"{"text":"text"},"delivery":"latest"}]}"#
        let kinds = try kinds(other)
        func problem(_ texts: String...) -> String? {
            kinds.problem(of: texts.compactMap(Condition.init), ofState: true)
        }
        #expect(problem("name.text=Ann") == nil)
        #expect(problem("score.home=1", "paused.isPaused") == nil)
        #expect(
            problem("nam.text") == "no view model here emits the event 'nam'\n  did you mean name?")
        #expect(problem("name.txt") == "name has no field 'txt'\n  did you mean text?")
        #expect(problem("name.text", "score.home") == "no kind of view model has name and score")
    }

    // MARK: Values of a view model

    private func state() throws -> ViewModelState { ViewModelState(try kinds().edits) }

    private func value(_ state: ViewModelState, _ path: String) -> String? {
        ValuePath(path).flatMap { state.value(at: $0) }
            .map { String(decoding: $0.json, as: UTF8.self) }
    }

    @Test func `A list is followed through its edits`() throws {
        var state = try state()
        #expect(value(state, "rows.rows.0") == nil)
        func apply(_ text: String) throws -> String? { state.apply(try json(text)) }
        #expect(try apply(#"{"rowsEdited":{"edits":[{"delete":{"at":0}}]}}"#) == nil)
        #expect(try apply(#"{"rows":{"rows":[{"id":1},{"id":2}],"count":7}}"#) == "rows")
        #expect(try apply(#"{"score":{"home":3}}"#) == "score")
        #expect(
            try apply(
                #"{"rowsEdited":{"edits":[{"insert":{"at":2,"row":{"id":3}}},{"move":{"from":0,"to":2}},"#
                    + #"{"update":{"at":0,"row":{"id":4}}},{"delete":{"at":1}}]}}"#) == "rows")
        #expect(value(state, "rows.rows") == #"[{"id":4},{"id":1}]"#)
        #expect(value(state, "rows.rows.1.id") == "1")
        #expect(value(state, "rows.rows.2") == nil)
        #expect(value(state, "rows.count") == "7")
        #expect(value(state, "rows") == #"{"count":7,"rows":[{"id":4},{"id":1}]}"#)
        #expect(value(state, "score.home") == "3")
        state.removeAll()
        #expect(value(state, "score.home") == nil)
    }

    @Test(arguments: [
        #"{"delete":{"at":1}}"#, #"{"delete":{"at":-1}}"#, #"{"insert":{"at":2,"row":{}}}"#,
        #"{"insert":{"at":0}}"#, #"{"update":{"at":1,"row":{}}}"#, #"{"move":{"from":0,"to":1}}"#,
        #"{"move":{"from":0}}"#, #"{"other":{"at":0}}"#, "{}", "3",
    ])
    func `A list whose edit does not fit is not known any more`(edit: String) throws {
        var state = try state()
        state.apply(try json(#"{"rows":{"rows":[{"id":1}]}}"#))
        state.apply(try json(#"{"rowsEdited":{"edits":[\#(edit)]}}"#))
        #expect(value(state, "rows.rows.0") == nil)
        state.apply(try json(#"{"rows":{"rows":[{"id":1}]}}"#))
        #expect(value(state, "rows.rows.0.id") == "1")
    }
}
