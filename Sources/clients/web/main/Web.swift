import BusdGamesSite
import BusdSite

@main enum Web {
    static func main() { WebProgram(.games).run() }
}
