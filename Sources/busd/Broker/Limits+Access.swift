import BusdProtocol

// Every user of the machine may look through the view socket. So its clients fill at most half of
// what all clients share; the other half is there for clients of the control socket.

extension Limits {
    func outputTotal(of access: Access) -> Int { share(outputTotal, access) }
    func inputTotal(of access: Access) -> Int { share(inputTotal, access) }
    func subscriptionTotal(of access: Access) -> Int { share(subscriptionTotal, access) }

    private func share(_ total: Int, _ access: Access) -> Int {
        access == .view ? total / 2 : total
    }
}
