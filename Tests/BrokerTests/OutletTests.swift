import BusdProtocol
import Testing

@testable import BusdBroker

@Suite struct `The outlet` {
    private var outlet = Outlet()
    private let slot = 0

    init() { outlet.admit(slot) }

    /// Begins the catch-up of a slow view.
    private mutating func fallBehind() {
        let catchUps = CatchUps()
        catchUps.begin(1)
        outlet.keep(catchUps, of: slot)
    }

    private var pace: CatchUps.Pace? { outlet.catchUps(of: slot)?.pace }

    @Test mutating func `A socket is full until it is open again`() {
        #expect(!outlet.isFull(slot))
        let wereOpen = (0..<2).map { _ in outlet.fill(slot) }
        #expect(wereOpen == [true, false])
        #expect(outlet.isFull(slot) && !outlet.hasToDrop(slot))
        outlet.open(slot)
        #expect(!outlet.isFull(slot))
    }

    @Test mutating func `A full socket that has to drop events is still full behind the drop`() {
        let before = [outlet.fill(slot), outlet.dropsNow(slot)]
        #expect(before == [true, false])
        outlet.mustDrop(slot)
        #expect(outlet.isFull(slot) && outlet.hasToDrop(slot))
        let then = [outlet.fill(slot), outlet.dropsNow(slot)]
        #expect(then == [false, true])
        #expect(outlet.isFull(slot) && !outlet.hasToDrop(slot))
        outlet.mustDrop(slot)
        outlet.open(slot)
        #expect(!outlet.isFull(slot) && !outlet.hasToDrop(slot))
    }

    @Test mutating func `A connection is behind while it has a catch-up`() {
        #expect(!outlet.isBehind(slot) && outlet.catchUps(of: slot) == nil)
        fallBehind()
        #expect(outlet.isBehind(slot) && !outlet.isRequestUnfinished(slot))
        guard let catchUps = outlet.catchUps(of: slot) else { return }
        catchUps.complete(1)
        outlet.keep(catchUps, of: slot)
        #expect(!outlet.isBehind(slot) && outlet.catchUps(of: slot) == nil)
    }

    @Test mutating func `A catch-up that is put off goes on when it is told to`() {
        fallBehind()
        outlet.putOff(slot)
        #expect(outlet.putOff == [slot] && pace == .putOff)
        outlet.goOn(slot)
        #expect(outlet.putOff.isEmpty && pace == .running)
        outlet.putOff(slot)
        outlet.mustGoOn(slot)
        outlet.goOn(slot)
        #expect(outlet.putOff.isEmpty && pace == .due)
        outlet.catchUps(of: slot)?.stepped()
        #expect(pace == .running)
    }

    @Test mutating func `A connection without catch-ups is not put off`() {
        fallBehind()
        outlet.putOff(slot)
        outlet.keep(CatchUps(), of: slot)
        #expect(outlet.putOff.isEmpty)
    }

    @Test mutating func `A closed connection leaves nothing behind`() {
        fallBehind()
        outlet.putOff(slot)
        outlet.beginJoin(slot)
        outlet.miss(3, slot)
        _ = outlet.fill(slot)
        #expect(outlet.joiners == [slot] && outlet.missed(slot) == 3)
        outlet.remove(slot)
        #expect(outlet.putOff.isEmpty && outlet.joiners.isEmpty)
        #expect(!outlet.isFull(slot) && !outlet.isBehind(slot) && outlet.missed(slot) == 0)
    }
}
