import BusdFiles
import BusdProtocol
import BusdRedisLog
import BusdStorage

// `busd house status`: asks the daemon of the store, else looks at the store and at Redis. It
// changes nothing.

extension HouseCommand {
    func showStatus(of maintenance: Maintenance, _ address: RedisAccess?) throws {
        let folder = maintenance.folder
        let mark = try maintenance.owner.act { try self.mark(of: folder) }
        let status = try maintenance.unlessServed {
            try self.status(mark, in: folder, maintenance.owner, address)
        } else: { client in
            try self.status(mark, of: client, folder, address)
        }
        print(status.text(mark, folder))
        guard status.isSound else {
            throw StartError("\(folder): the house \(mark.name.printable) is not followed")
        }
    }

    private struct Status {
        var isSound = false
        var store = ""
        var redis = "not looked at: add --log to see its position"
        var members: [String] = []
        var state = ""
        var next = ""

        func text(_ mark: HouseMark, _ folder: String) -> String {
            let members = members.isEmpty ? ["none"] : members
            let rows =
                [("house", mark.name), ("store", "\(folder): \(store)"), ("Redis", redis)]
                + members.map { ("member", $0) } + [("state", state), ("next", next)]
            return rows.map { name, value in
                let space = String(repeating: " ", count: 8 - name.utf8.count)  // fits: see above
                return name + space + value.printable
            }.joined(separator: "\n")
        }

        /// A state may end with what to do.
        mutating func note(problem: String) {
            let bytes = problem.utf8
            let end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex
            state = String(Substring(bytes[..<end]))
            let advice = String(Substring(bytes[end...].dropFirst(2)))
            next = advice.isEmpty ? "end this; a daemon then follows by itself" : advice
        }
    }

    // MARK: A daemon serves the store

    private func status(
        _ mark: HouseMark, of client: ControlClient, _ folder: String, _ address: RedisAccess?
    ) throws -> Status {
        let answer: JSONValue
        do {
            answer = try client.get(BusHouse.address)
        } catch let error as StartError {
            throw StartError("\(folder): its daemon does not tell of a house: \(error)")
        }
        let event = answer["events"]?.elements.first { $0["house"] != nil }
        guard let event,
            case .house(_, let member, let position, let state, let daemons) = try event.decode(
                BusHouse.ViewModelEvent.self, at: "event")
        else { throw ControlClient.NoAnswer() }
        var status = Status(store: "served by \(member): entry \(position)")
        status.members = daemons.map { Self.member($0.name, $0.position, $0.behind) }
        if let address { status.redis = newest(mark, address) }
        if state.isExactly("following") {
            (status.isSound, status.state, status.next) = (true, state, "nothing to do")
        } else {
            status.note(problem: state)
        }
        return status
    }

    private func newest(_ mark: HouseMark, _ address: RedisAccess) -> String {
        do throws(HouseError) {
            let survey = try HouseSurvey(address)
            guard let house = HouseName(mark.name, of: daemon),
                let newest = try survey.newest(house)
            else {
                return "\(address): does not have this house"
            }
            return "\(address): entry \(newest)"
        } catch {
            return "cannot be asked: \(error)"
        }
    }

    private static func member(_ name: String, _ position: Int, _ silence: Int) -> String {
        "\(name): entry \(position), \(time(since: silence))"
    }

    // MARK: No daemon serves the store

    private func status(
        _ mark: HouseMark, in folder: String, _ owner: FolderOwner, _ address: RedisAccess?
    ) throws -> Status {
        let reading = try owner.act { try Store.read(folder: folder, of: storeDaemon) }
        guard let house = HouseName(mark.name, of: daemon) else {
            throw StartError("\(folder)/house is damaged")
        }
        guard let address else {
            throw StartError("\(folder): no daemon serves this store: add --log to look at Redis")
        }
        let isDamaged = !reading.findings.isEmpty
        var status = Status(
            store: "no daemon, entry \(reading.position)\(isDamaged ? ", damaged" : "")")
        do throws(HouseError) {
            let survey = try HouseSurvey(address)
            let newest = try survey.newest(house)
            status.redis =
                "\(address): " + (newest.map { "entry \($0)" } ?? "does not have this house")
            status.members = try survey.members(house).map {
                Self.member($0.name, $0.position, $0.silence)
            }
            switch try survey.standing(
                in: house, identity: mark.identity, position: reading.position,
                newest: reading.newestEntry, mustLoad: mark.mustLoad || isDamaged)
            {
            case .possible(let state):
                (status.isSound, status.state) = (true, state)
                status.next = "start \(daemon) --house \(house) --log \(address)"
            case .impossible(let reason): status.note(problem: reason)
            }
        } catch {
            if status.members.isEmpty { status.redis = "\(address): cannot be asked" }
            status.note(problem: "\(error)")
        }
        return status
    }
}
