package import BusdClient

/// Where the events of a page come from. They reach the browser as busd writes them.
package enum PageStream {
    /// A connection to busd for each browser. It sends these requests.
    case requests([BusRequest])
    /// One subscription for all browsers.
    case shared(SharedPage)
}
