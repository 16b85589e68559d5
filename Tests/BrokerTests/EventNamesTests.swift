import BusdProtocol
import Testing

@testable import BusdBroker

@Suite struct `Numbers of events` {
    private let numbers = EventNumbers()

    @Test func `An event has the number of its name, whatever follows the name`() {
        let names = EventNames(["said", "sai", "saidMore", "s"], numbers)
        let events = [
            #"{"said":{"text":"sai"}}"#, #"{"s":{}}"#, #"{"saidMore":{}}"#, #"{"sai":{}}"#,
            #"{"sai":{}}"#, #"{"said":{}}"#,
        ]
        let found = events.map { names.number(of: Array($0.utf8)[...]) }
        #expect(found == ["said", "s", "saidMore", "sai", "sai", "said"].map(numbers.add))
        #expect(Set(found).count == 4)
    }

    @Test func `Names that begin with the same letters are told apart`() {
        let names = EventNames(["teamsOfTheGame", "teamsOfTheHall", "team"], numbers)
        let events = [#"{"teamsOfTheHall":{}}"#, #"{"team":{}}"#, #"{"teamsOfTheGame":{}}"#]
        let found = events.map { names.number(of: Array($0.utf8)[...]) }
        #expect(found == ["teamsOfTheHall", "team", "teamsOfTheGame"].map(numbers.add))
    }

    @Test func `An event with a custom form may be short`() {
        let names = EventNames(["a", "b"], numbers)
        let found = [#"{"b":1}"#, #"{"c":1}"#].map { names.number(of: Array($0.utf8)[...]) }
        #expect(found[0] == numbers["b"])
        #expect(found[1] != numbers["a"] && found[1] != numbers["b"])
    }

    @Test func `An event without an example is wanted by no filter`() {
        let names = EventNames(["said"], numbers)
        let number = names.number(of: Array(#"{"ended":{}}"#.utf8)[...])
        #expect(number != numbers.add("ended"))
        #expect(!Filter(["said", "ended"], of: numbers, Account()).wants(number))
    }

    @Test func `Events of one name have one number in all kinds`() {
        let kinds = [EventNames(["a", "b"], numbers), EventNames(["c", "b"], numbers)]
        let found = kinds.map { $0.number(of: Array(#"{"b":{}}"#.utf8)[...]) }
        #expect(found[0] == found[1])
        #expect(found[0] == numbers["b"])
        #expect(numbers["d"] == nil)
    }
}
