import CBusdMicrohttpd

/// The library's side of a stream: it asks for bytes when the client takes some, and rests while
/// the stream has none.
final class HTTPStreamBody {
    private let stream: any HTTPStream
    private let head: HTTPResponse
    private let server: HTTPServer
    private let place: HTTPServer.StreamPlace
    private let handle: OpaquePointer
    private(set) var isSuspended = false
    private var isEnded = false

    /// Bytes that the stream is asked for at once.
    static let piece = 4_096

    init(
        _ stream: any HTTPStream, _ head: HTTPResponse, _ server: HTTPServer,
        _ place: HTTPServer.StreamPlace, _ handle: OpaquePointer
    ) {
        (self.stream, self.head, self.server) = (stream, head, server)
        (self.place, self.handle) = (place, handle)
    }

    deinit { server.leave(place) }

    func wake() {
        guard isSuspended else { return }
        isSuspended = false
        MHD_resume_connection(handle)
        server.runSoon()
    }

    func end() {
        isEnded = true
        wake()
    }

    /// The response keeps this object until it is destroyed.
    func queue() -> MHD_Result {
        let response = MHD_create_response_from_callback(
            .max, Self.piece, HTTPTrampoline.read, HTTPTrampoline.retain(self),
            HTTPTrampoline.freed)
        guard let response else {
            HTTPTrampoline.release(self)
            return .NO
        }
        defer { MHD_destroy_response(response) }
        head.addHeaders(to: response)
        return MHD_queue_response(handle, head.status, response)
    }

    /// The library's number for the end of a response.
    static let end = -1

    /// Called by the library when the client takes bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        server.noteCallback()
        if isEnded || server.isStopping { return Self.end }
        switch stream.read(into: buffer) {
        case .bytes(let count): return count
        case .ended: return Self.end
        case .later:
            isSuspended = true
            MHD_suspend_connection(handle)
            return 0
        }
    }
}
