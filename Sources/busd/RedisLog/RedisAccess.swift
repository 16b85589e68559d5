/// How a house reaches Redis: the addresses of a primary and its replicas, and the file with user
/// and password.
package struct RedisAccess: Equatable, Sendable, CustomStringConvertible {
    /// At least one. The first that is a primary is used.
    let addresses: [RedisAddress]
    private let credentials: CredentialsFile?

    private static let most = 8

    /// - Parameter credentials: the path of the file; `nil`: busd does not sign in.
    package init(_ address: RedisAddress, credentials: String? = nil) {
        addresses = [address]
        self.credentials = credentials.map { CredentialsFile(path: $0) }
    }

    /// `nil` unless the text has 1 to 8 addresses, with commas between them.
    package init?(_ text: String, credentials: String?) {
        let words = text.utf8.split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let addresses = words.prefix(Self.most).compactMap { RedisAddress(String(Substring($0))) }
        guard addresses.count == words.count else { return nil }
        self.addresses = addresses
        self.credentials = credentials.map { CredentialsFile(path: $0) }
    }

    /// As `--log` takes it.
    package var description: String { addresses.map(\.description).joined(separator: ",") }

    /// The path of the file with user and password.
    package var pathOfCredentials: String? { credentials?.path }

    /// The first call of a connection; `nil`: none is needed.
    ///
    /// - Throws: `refused` if the file cannot be used.
    func signIn() throws(HouseError) -> [[UInt8]]? { try credentials?.signIn() }

    // MARK: Connections that wait for replies

    /// Tries the addresses in order, and connects to the first Redis that can hold a house.
    ///
    /// - Parameter seconds: how long all calls together may take.
    /// - Throws: `refused` if each address refuses; else `unreachable`.
    func connect(seconds: Int) throws(HouseError) -> RedisCaller {
        var choice = RedisChoice(addresses)
        for _ in addresses {
            do throws(HouseError) {
                return try connect(to: choice.address, seconds)
            } catch {
                switch error {
                case .refused(let reason), .unusable(let reason):
                    choice.fail(reason, isRefused: true)
                case .unreachable(let reason): choice.fail(reason, isRefused: false)
                }
            }
        }
        let reason = choice.problem ?? ""
        throw choice.isRefused ? .refused(reason) : .unreachable(reason)
    }

    private func connect(
        to address: RedisAddress, _ seconds: Int
    ) throws(HouseError) -> RedisCaller {
        let (redis, settings) = try open(address, seconds)
        if let reason = settings.obstacle {
            throw settings.isTransient ? .unreachable(reason) : .refused(reason)
        }
        guard !settings.hasFunctions else { return redis }
        if let reason = EngineSettings.problem(ofLoading: try redis.call(HouseFunctions.loading)) {
            throw .refused(reason)
        }
        return redis
    }

    private func open(
        _ address: RedisAddress, _ seconds: Int
    ) throws(HouseError) -> (RedisCaller, EngineSettings) {
        let signIn = try self.signIn()
        let redis = try RedisCaller(address, seconds: seconds)
        if let signIn, case .error(let text) = try redis.call(signIn) {
            throw .refused(EngineSettings.advice(on: text))
        }
        var settings = EngineSettings()
        for words in EngineSettings.questions + [HouseFunctions.question] {
            settings.note(words, try redis.call(words))
        }
        return (redis, settings)
    }

    /// Like `connect`, but if no Redis can hold a house, connects to the first that answers. Loads
    /// no functions.
    func survey() throws(HouseError) -> (RedisCaller, EngineSettings) {
        var answering: (RedisCaller, EngineSettings)?
        var failure: HouseError?
        for address in addresses {
            do throws(HouseError) {
                let found = try open(address, 60)
                if found.1.obstacle == nil { return found }
                answering = answering ?? found
            } catch {
                failure = failure ?? error
            }
        }
        if let answering { return answering }
        throw failure ?? .unreachable("\(self)")
    }
}
