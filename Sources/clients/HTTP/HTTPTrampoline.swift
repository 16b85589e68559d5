import BusdEventLoop
import BusdProtocol
import CBusdMicrohttpd
import Glibc

// Calls from the library into Swift. Its context is the server, unretained: the server stops the
// library before it goes. A connection's context is an `HTTPConnection`, a request's an
// `HTTPExchange`, and a stream's an `HTTPStreamBody`. The library holds one reference to each, and
// says when it needs it no more.

enum HTTPTrampoline {
    static let connection: MHD_NotifyConnectionCallback = { context, handle, place, event in
        guard let server: HTTPServer = object(context), let handle, let place else { return }
        server.noteCallback()
        if event == .CONNECTION_NOTIFY_STARTED {
            let connection = HTTPConnection(handle, now: server.loop.now())
            place.pointee = retain(connection)
            server.opened(connection)
        } else if let connection: HTTPConnection = object(place.pointee) {
            server.closed(connection)
            release(connection)
        }
    }

    /// The first call for a request.
    static let target:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { _, target, handle in
            guard let handle, let target,
                let connection: HTTPConnection = object(busd_http_context(handle))
            else { return nil }
            busd_http_hide_cookies(handle)
            connection.arrives(targetSize: strlen(target))
            return nil
        }

    static let fault: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        let server: HTTPServer? = object(context)
        server?.refuseLengths()
    }

    static let request: MHD_AccessHandlerCallback = {
        context, handle, path, method, version, bytes, count, place in
        guard let server: HTTPServer = object(context), let handle, let place, let count else {
            return .NO
        }
        server.noteCallback()
        guard let exchange: HTTPExchange = object(place.pointee) else {
            guard let connection: HTTPConnection = object(busd_http_context(handle)), let path,
                let method, let version
            else { return .NO }
            let request = server.request(
                handle, (method, path, version), target: connection.targetSize ?? 0)
            let exchange = HTTPExchange(request, server, connection, handle)
            place.pointee = retain(exchange)
            return exchange.begin()
        }
        if count.pointee > 0 {
            exchange.received(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
            count.pointee = 0
            return .YES
        }
        return exchange.proceed()
    }

    static let completed: MHD_RequestCompletedCallback = { _, _, place, _ in
        guard let place, let exchange: HTTPExchange = object(place.pointee) else { return }
        place.pointee = nil
        exchange.completed()
        release(exchange)
    }

    static let read: MHD_ContentReaderCallback = { context, _, bytes, count in
        guard let body: HTTPStreamBody = object(context), let bytes else {
            return HTTPStreamBody.end
        }
        return body.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
    }

    static let freed: MHD_ContentReaderFreeCallback = { context in
        if let body: HTTPStreamBody = object(context) { release(body) }
    }

    static let freedBody: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        if let body: HTTPBody = object(context) { release(body) }
    }

    /// A context that holds a reference.
    static func retain(_ object: AnyObject) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(object).toOpaque()
    }

    static func release(_ object: AnyObject) { Unmanaged.passUnretained(object).release() }

    /// A context that holds no reference.
    static func unretained(_ object: AnyObject) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(object).toOpaque()
    }

    private static func object<Object: AnyObject>(
        _ context: UnsafeMutableRawPointer?
    ) -> Object? {
        context.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }
}
