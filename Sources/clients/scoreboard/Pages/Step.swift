import BusdProtocol
import BusdScreens

/// A step from one page to another.
enum Step: Equatable {
    case open(Address)
    /// The plays of the game that is shown.
    case plays
    /// The names and the clock of the game that is shown.
    case correct
    case games
    case create
    case help
    case back
    case quit
    /// This page's game has ended.
    case gone
    /// The first request of this page was refused.
    case refused(WireError)
}
