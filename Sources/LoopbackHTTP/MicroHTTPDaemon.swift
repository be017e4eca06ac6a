private import CMicroHTTPD
internal import Glibc

/// A running libmicrohttpd daemon; its owner stops it exactly once.
///
/// The pointers are used by one thread at a time: libmicrohttpd's calls are made in `init`, in
/// `closePort()` and in `stop()` only, and the owner keeps the value in a mutex and takes it out
/// before it stops it.
@safe final class MicroHTTPDaemon {
  private let daemon: OpaquePointer
  private let edge: Unmanaged<ConnectionEdge>
  private let watch: pthread_t?
  /// The listening socket once the port is closed.
  private var retired: Int32?

  /// Starts a daemon on a listening socket, which it owns from here on, even when this throws.
  init(
    socket: ListeningSocket, options: LoopbackServer.Options,
    handler: @escaping LoopbackServer.Handler
  ) throws(LoopbackServerError) {
    let origin = socket.address.origin(port: socket.port)
    guard let edge = ConnectionEdge(socket: socket, options: options, handler: handler) else {
      close(socket.descriptor)
      throw .system(call: "socketpair", errno: EMFILE, origin: origin)
    }
    let retained = unsafe Unmanaged.passRetained(edge)
    var flags =
      MHD_USE_INTERNAL_POLLING_THREAD.rawValue | MHD_USE_POLL.rawValue | MHD_USE_ITC.rawValue
    if options.threadPerConnection { flags |= MHD_USE_THREAD_PER_CONNECTION.rawValue }
    guard
      let daemon = unsafe mhd_start_on_socket(
        socket.descriptor, flags, UInt32(options.connectionLimit + ConnectionEdge.reserve),
        UInt32(clamping: options.requestDeadline.components.seconds), LoopbackServer.headerLimit,
        retained.toOpaque(), answer, begin, completed, connectionChanged)
    else {
      close(socket.descriptor)
      edge.latch.open()
      unsafe retained.release()
      throw .daemon(origin: origin)
    }
    var watch = pthread_t()
    let started = unsafe pthread_create(&watch, nil, watchDeadlines, retained.toOpaque())
    unsafe self.daemon = daemon
    unsafe self.edge = retained
    self.watch = started == 0 ? watch : nil
    guard started == 0 else {
      stop()
      throw .system(call: "pthread_create", errno: started, origin: origin)
    }
  }

  /// Closes the port (MHD_quiesce_daemon); connections that are open go on.
  func closePort() {
    let listening = unsafe MHD_quiesce_daemon(daemon)
    guard listening >= 0 else { return }
    // A thread inside poll keeps the socket alive past close; shutdown ends listening now. The
    // descriptor is kept until no thread is left that could take its number for another socket's.
    shutdown(listening, Int32(SHUT_RDWR))
    retired = listening
  }

  /// Closes the port, wakes delayed handlers, joins every thread (MHD_stop_daemon).
  func stop() {
    closePort()
    let context = unsafe edge.takeUnretainedValue()
    context.latch.open()
    if let watch { pthread_join(watch, nil) }
    unsafe MHD_stop_daemon(daemon)
    if let retired { close(retired) }
    unsafe edge.release()
  }
}

/// Closes connections whose request is overdue, until the latch opens.
private func watchDeadlines(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context = unsafe context {
    let edge = unsafe Unmanaged<ConnectionEdge>.fromOpaque(context).takeUnretainedValue()
    edge.watchDeadlines()
  }
  return nil
}

/// MHD_OPTION_URI_LOG_CALLBACK: a request line has arrived.
private func begin(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let holder = unsafe holder(of: connection) else { return nil }
  let exchange = ConnectionExchange()
  if let target = unsafe target {
    exchange.target = unsafe Array(
      UnsafeRawBufferPointer(start: target, count: strlen(target)))
  }
  holder.exchange = exchange
  return unsafe Unmanaged.passUnretained(exchange).toOpaque()
}

/// What keeps the requests of a connection; made when it is accepted.
private func holder(of connection: OpaquePointer?) -> ExchangeHolder? {
  unsafe connection.flatMap { unsafe mhd_connection_context($0) }.map { context in
    unsafe Unmanaged<ExchangeHolder>.fromOpaque(context).takeUnretainedValue()
  }
}

/// MHD_AccessHandlerCallback: called once for the headers, then for each part of the body, then
/// for the answer.
private func answer(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
  _ uploaded: UnsafePointer<CChar>?, _ uploadedSize: UnsafeMutablePointer<Int>?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context = unsafe context, let connection = unsafe connection,
    let method = unsafe method, let size = unsafe uploadedSize, let opaque = unsafe state?.pointee
  else { return .NO }
  let edge = unsafe Unmanaged<ConnectionEdge>.fromOpaque(context).takeUnretainedValue()
  let exchange = unsafe Unmanaged<ConnectionExchange>.fromOpaque(opaque).takeUnretainedValue()
  guard exchange.sawHeaders else {
    exchange.sawHeaders = true
    return .YES
  }
  if unsafe size.pointee > 0 {
    unsafe exchange.append(UnsafeRawBufferPointer(start: uploaded, count: size.pointee))
    unsafe size.pointee = 0
    return .YES
  }
  let socket = unsafe mhd_connection_socket(connection)
  edge.received(socket)
  let response = edge.answer(
    method: unsafe String(cString: method), target: exchange.target,
    headers: unsafe fields(of: connection), body: exchange.body)
  exchange.whenSent = response.whenSent
  unsafe mhd_restart_timeout(connection, edge.timeoutSeconds)
  return unsafe response.dropConnection ? .NO : queue(response, on: connection)
}

/// MHD_OPTION_NOTIFY_COMPLETED: the answer has left or the connection is lost.
private func completed(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
  guard let context = unsafe context, let exchange = unsafe holder(of: connection)?.exchange.take()
  else { return }
  unsafe state?.pointee = nil
  let edge = unsafe Unmanaged<ConnectionEdge>.fromOpaque(context).takeUnretainedValue()
  unsafe edge.answered(mhd_connection_socket(connection))
  exchange.whenSent?()
}

/// MHD_OPTION_NOTIFY_CONNECTION: a connection was accepted or is about to be closed.
private func connectionChanged(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ code: MHD_ConnectionNotificationCode
) {
  guard let context = unsafe context else { return }
  let edge = unsafe Unmanaged<ConnectionEdge>.fromOpaque(context).takeUnretainedValue()
  let socket = unsafe mhd_connection_socket(connection)
  if code == .CONNECTION_NOTIFY_STARTED {
    unsafe state?.pointee = Unmanaged.passRetained(ExchangeHolder()).toOpaque()
    edge.opened(socket)
  } else {
    edge.closed(socket)
    guard let kept = unsafe state?.pointee else { return }
    unsafe state?.pointee = nil
    unsafe Unmanaged<ExchangeHolder>.fromOpaque(kept).release()
  }
}

/// Copies the header fields (MHD_get_connection_values); nil when one is not UTF-8.
private func fields(of connection: OpaquePointer) -> [LoopbackRequest.Field]? {
  let list = FieldList()
  withExtendedLifetime(list) {
    _ = unsafe MHD_get_connection_values(
      connection, .HEADER_KIND,
      { context, _, name, value in
        guard let context = unsafe context, let name = unsafe name else { return .NO }
        let list = unsafe Unmanaged<FieldList>.fromOpaque(context).takeUnretainedValue()
        let text = unsafe value.map { unsafe String(validatingCString: $0) } ?? ""
        if let name = unsafe String(validatingCString: name), let text {
          list.fields.append(LoopbackRequest.Field(name: name, value: text))
        } else {
          list.isValid = false
        }
        return .YES
      }, Unmanaged.passUnretained(list).toOpaque())
  }
  return list.isValid ? list.fields : nil
}

/// Hands an answer to libmicrohttpd, which copies it (MHD_queue_response).
private func queue(_ response: LoopbackResponse, on connection: OpaquePointer) -> MHD_Result {
  var body = response.body
  let count = body.count
  let made = unsafe body.withUnsafeMutableBytes { bytes in
    unsafe MHD_create_response_from_buffer(count, bytes.baseAddress, .RESPMEM_MUST_COPY)
  }
  guard let made = unsafe made else { return .NO }
  for field in response.headers {
    _ = unsafe MHD_add_response_header(made, field.name, field.value)
  }
  let result = unsafe MHD_queue_response(connection, UInt32(response.status), made)
  unsafe MHD_destroy_response(made)
  return result
}

/// The header fields gathered by libmicrohttpd's iterator.
private final class FieldList {
  var fields: [LoopbackRequest.Field] = []
  var isValid = true
}
