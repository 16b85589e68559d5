import BusdBooks
import BusdDaemon
import BusdEcho
import BusdGames
import BusdLogin
import BusdProtocol

@main enum Busd {
    static func main() {
        BusDaemon(
            name: .busd, version: Version.text,
            summary: "Hosts view models; views attach through a Unix socket."
        ).run(.games, .books, .login, .echo)
    }
}
