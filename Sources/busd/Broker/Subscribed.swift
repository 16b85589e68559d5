import BusdProtocol

/// What all subscriptions together take. Those of the view socket are counted apart: they take no
/// more than half, so they never keep a client of the control socket from subscribing.
struct Subscribed {
    /// Bytes of subscriptions, without what they hear.
    let control = Account()
    let view = Account()
    /// How many view models are heard, by all connections and by those of the view socket.
    private(set) var memberships = 0
    private(set) var viewMemberships = 0

    var bytes: Int { control.bytes + view.bytes }

    func bytes(of access: Access) -> Account { access == .view ? view : control }

    /// So many more view models are heard.
    mutating func count(_ more: Int, _ access: Access) {
        memberships += more
        if access == .view { viewMemberships += more }
    }

    /// Whether `more` bytes of a connection would exceed the limit of its socket.
    func isOver(_ limits: Limits, with more: Int, _ access: Access) -> Bool {
        let all = bytes + Subscription.membershipBytes * memberships
        let views = view.bytes + Subscription.membershipBytes * viewMemberships
        return all + more > limits.subscriptionTotal
            || access == .view && views + more > limits.subscriptionTotal(of: .view)
    }
}
