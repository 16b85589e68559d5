/// Numbered requests that are offered as fast as a daemon takes them.
struct Requests {
    private let request: (Int) -> String
    private let most: Int
    private var bytes: [UInt8] = []
    private var offered = 0
    private var made = 0

    init(_ most: Int, _ request: @escaping (Int) -> String) {
        self.most = most
        self.request = request
    }

    /// The number of requests that were taken whole.
    var taken: Int { made - bytes[offered...].count { $0 == UInt8(ascii: "\n") } }

    /// Returns the number of bytes taken.
    @discardableResult
    mutating func offer(to client: Client) -> Int {
        if offered == bytes.count {
            bytes = []
            offered = 0
            while bytes.count < 1 << 15, made < most {
                bytes += "\(request(made))\n".utf8
                made += 1
            }
        }
        let count = client.offer(bytes[offered...])
        offered += count
        return count
    }
}
