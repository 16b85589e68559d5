import BusdProtocol

/// A new policy that comes into force for one connection after the other, in pieces (Bus+Policy).
struct Enforcement {
    /// Users that have equal rights before it, and equal rights after it; `nil`: no policy
    /// restricts them.
    struct Users: Hashable {
        let before, after: Rights?

        static func == (a: Self, b: Self) -> Bool { a.before === b.before && a.after === b.after }

        func hash(into hasher: inout Hasher) {
            hasher.combine(before.map { ObjectIdentifier($0) })
            hasher.combine(after.map { ObjectIdentifier($0) })
        }
    }

    /// Its effect on such users.
    struct Change {
        /// View models that they may not look at any more, in address order; those that arrive
        /// during the enforcement come last.
        fileprivate(set) var hidden: [ModelID] = []
        /// View models that they may look at now.
        fileprivate(set) var shown: [ModelID] = []
        /// All view models up to this address were compared; `nil`: all were.
        fileprivate(set) var passed: String? = ""

        var isEmpty: Bool { hidden.isEmpty && shown.isEmpty }
    }

    /// A connection that has its new rights, and still watches view models that they hide.
    struct Hiding {
        let slot: ConnectionSlot
        /// Of the connection.
        let number: Int
        let users: Users
        /// View models that are taken from it. Those before `next` were.
        let hidden: [ModelID]
        fileprivate(set) var next = 0
    }

    /// Called when the policy is in force for all connections.
    let done: () -> Void
    /// The connections before this slot have their rights by the policy.
    private(set) var slot: ConnectionSlot = 0
    private var changes: [Users: Change] = [:]
    private(set) var hiding: Hiding?
    /// Policies that follow.
    private(set) var following: [(Policy, () -> Void)] = []

    init(_ done: @escaping () -> Void) { self.done = done }

    mutating func passSlot() { slot += 1 }

    // MARK: Changes

    func change(for users: Users) -> Change { changes[users] ?? Change() }

    /// View models up to this address were compared; `nil`: all were.
    func passed(for users: Users) -> String? { changes[users].map(\.passed) ?? "" }

    /// The next view models have been compared.
    ///
    /// - Parameter passed: the address of the last; `nil`: all were compared.
    mutating func add(
        hidden: [ModelID], shown: [ModelID], upTo passed: String?, for users: Users
    ) {
        changes[users, default: Change()].hidden += hidden
        changes[users, default: Change()].shown += shown
        changes[users, default: Change()].passed = passed
    }

    /// The users whose comparison has passed the address.
    func users(past address: Address) -> [Users] {
        changes.filter { $0.value.passed.map { address.text <= $0 } ?? true }.map(\.key)
    }

    /// A view model behind them has arrived.
    mutating func add(hidden id: ModelID, for users: Users) { changes[users]?.hidden.append(id) }
    mutating func add(shown id: ModelID, for users: Users) { changes[users]?.shown.append(id) }

    // MARK: Hiding view models from one connection

    mutating func begin(_ hiding: Hiding) { self.hiding = hiding }

    /// The next view model to hide; `nil`: all are hidden.
    mutating func nextHidden() -> ModelID? {
        guard let hiding, hiding.next < hiding.hidden.count else { return nil }
        self.hiding?.next += 1
        return hiding.hidden[hiding.next]
    }

    mutating func endHiding() {
        hiding = nil
        passSlot()
    }

    /// Whether the view model is still to be taken from the connection.
    func isYetToHide(_ model: ModelID, _ slot: ConnectionSlot) -> Bool {
        guard let hiding, hiding.slot == slot else { return false }
        return hiding.hidden[hiding.next...].contains(model)
    }

    // MARK: Following policies

    mutating func follow(_ policy: Policy, _ done: @escaping () -> Void) {
        following.append((policy, done))
    }
}
