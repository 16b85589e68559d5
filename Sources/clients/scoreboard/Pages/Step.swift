import BusdProtocol
import BusdScreens

/// Where a page leads.
enum Step: Equatable {
    case open(Address)
    case games
    case create
    case help
    case back
    case quit
    /// This page's game has ended.
    case gone
    /// The first that this page asked of the daemon was refused.
    case refused(WireError)
}
