import BusdProtocol
import BusdScreens

/// A step from one page to another.
enum Step: Equatable {
    case open(Address)
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
