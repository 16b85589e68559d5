import BusdEventLoop
import BusdProtocol
import CBusdMicrohttpd

/// A request and its response.
///
/// Only the first answer counts. After the end of its connection, an answer has no effect.
package final class HTTPExchange {
    private enum Stage {
        case arriving
        /// The handler has the request. The library rests, if the answer was not there at once.
        case asked(isSuspended: Bool)
        case answered(HTTPResponse)
        case streaming(HTTPStreamBody)
        case done
    }

    package private(set) var request: HTTPRequest
    private let server: HTTPServer
    private let connection: HTTPConnection
    private let handle: OpaquePointer
    private var stage = Stage.arriving

    init(
        _ request: HTTPRequest, _ server: HTTPServer, _ connection: HTTPConnection,
        _ handle: OpaquePointer
    ) {
        (self.request, self.server) = (request, server)
        (self.connection, self.handle) = (connection, handle)
    }

    // MARK: For the handler

    /// Whether there is a place for one more stream of this client.
    /// - Parameter reserve: the name for which the stream may take a place of the reserve.
    package func hasRoomForStream(reserve: String? = nil) -> Bool {
        server.hasRoomForStream(of: request.client, reserve: reserve)
    }

    package func answer(_ response: HTTPResponse) {
        guard case .asked(let isSuspended) = stage else { return }
        stage = .answered(response)
        if isSuspended { resume() }
    }

    /// Answers with a response without an end. False if there are too many: answer otherwise then.
    /// - Parameter reserve: the name for which the stream may take a place of the reserve. Each
    ///   name has the same share of it.
    package func stream(
        type: String, headers: [(name: String, value: String)], reserve: String? = nil,
        _ stream: any HTTPStream
    ) -> Bool {
        guard case .asked(let isSuspended) = stage else { return true }
        guard let place = server.takePlace(connection, request.client, reserve: reserve) else {
            return false
        }
        let head = HTTPResponse(200, type: type, [], headers: headers)
        stage = .streaming(HTTPStreamBody(stream, head, server, place, handle))
        if isSuspended { resume() }
        return true
    }

    /// The stream has something again, or has ended.
    package func wake() {
        if case .streaming(let body) = stage { body.wake() }
    }

    // MARK: For the library

    /// The head of the request is there.
    func begin() -> MHD_Result {
        connection.begins(self)
        if connection.isLeaving { return .NO }
        if request.headers.count > HTTPLimits.fields {
            connection.end(
                with: .refusal(431, "a request may have \(HTTPLimits.fields) headers"))
            return .NO
        }
        guard let refusal = request.refusal(server.hosts) else { return .YES }
        return queue(refusal)
    }

    /// More of the body.
    func received(_ bytes: UnsafeRawBufferPointer) { request.body += bytes }

    /// The whole request is there, or its answer.
    func proceed() -> MHD_Result {
        if case .arriving = stage {
            if server.isStopping { return queue(.stopping) }
            stage = .asked(isSuspended: false)
            server.handler(self)
        }
        switch stage {
        case .asked:
            stage = .asked(isSuspended: true)
            connection.waits(now: server.loop.now())
            MHD_suspend_connection(handle)
            return .YES
        case .answered(let response): return queue(response)
        case .streaming(let body):
            connection.streams()
            busd_http_set_timeout(handle, server.limits.stall)
            return body.queue()
        case .arriving, .done: return .NO
        }
    }

    private func queue(_ response: HTTPResponse) -> MHD_Result {
        stage = .answered(response)
        connection.answers(now: server.loop.now())
        return response.queue(on: handle)
    }

    /// The response was sent, or the client has ended.
    func completed() {
        stage = .done
        connection.completed(now: server.loop.now())
    }

    private func resume() {
        MHD_resume_connection(handle)
        server.runSoon()
    }

    /// Whether the library rests until there is more of a stream.
    var isRestingStream: Bool {
        if case .streaming(let body) = stage { body.isSuspended } else { false }
    }

    /// Ends the response, because the server stops, the connection gives way, or the client of a
    /// stream has left.
    func end() {
        switch stage {
        case .asked(isSuspended: true): answer(.stopping)
        case .streaming(let body): body.end()
        case .arriving, .asked, .answered, .done: break
        }
    }
}

extension HTTPResponse {
    func queue(on handle: OpaquePointer) -> MHD_Result {
        let context = HTTPTrampoline.retain(body)
        let response = busd_http_response(
            size, body.bytes.baseAddress, HTTPTrampoline.freedBody, context)
        guard let response else {
            HTTPTrampoline.release(body)
            return .NO
        }
        defer { MHD_destroy_response(response) }
        addHeaders(to: response)
        return MHD_queue_response(handle, status, response)
    }

    func addHeaders(to response: OpaquePointer) {
        for (name, value) in headers { MHD_add_response_header(response, name, value) }
    }

    /// The response as the library would write it, without a date.
    var bytes: [UInt8] {
        let reason = MHD_get_reason_phrase_for(status).map { String(cString: $0) } ?? ""
        let lines = ["HTTP/1.1 \(status) \(reason)", "Content-Length: \(size)"]
        let head = lines + headers.map { "\($0.name): \($0.value)" }
        return Array(head.map { "\($0)\r\n" }.joined().utf8) + Array("\r\n".utf8) + body.bytes
    }
}
