#include "cli/output/live/live_server.hpp"

#include <fcntl.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <csignal>
#include <thread>

#include "axode/core/error.hpp"
#include "cli/output/live/live_access.hpp"

namespace axode::cli {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Tcp = net::ip::tcp;
using ErrorCode = beast::error_code;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int max_connections = 16, max_streams = 4;
constexpr std::size_t max_request_bytes = 8192, max_incoming_bytes = 64;
constexpr std::size_t frame_bytes = 1 << 20;
constexpr int socket_bytes = 1 << 18;
constexpr seconds request_time{5}, response_time{30}, idle_time{20};
constexpr milliseconds between_looks{30};

struct Counted {
  explicit Counted(std::atomic<int>& of) : number(of) { ++number; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --number; }
  std::atomic<int>& number;
};

/// What all connections share. Only its numbers are for other threads, too.
struct Shared {
  const LiveSamples& samples;
  std::string head, page, policy;
  LiveAccess access;
  std::atomic<int> connections{0}, streams{0};
  std::atomic<bool> had_stream{false};
  std::atomic<Clock::time_point> page_sent{Clock::time_point::min()};
};

/// One page that looks on. It sends a frame, waits until that is gone, and sends what is new by then;
/// so no more than a frame is ever queued.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(beast::tcp_stream stream, http::request<http::empty_body> request, Shared& shared)
      : shared_(shared),
        connection_(shared.connections),
        stream_(shared.streams),
        request_(std::move(request)),
        socket_(std::move(stream)),
        timer_(socket_.get_executor()) {}

  void accept() {
    socket_.set_option(websocket::stream_base::timeout{request_time, idle_time, true});
    socket_.read_message_max(max_incoming_bytes);
    socket_.auto_fragment(false);
    socket_.async_accept(request_, [me = shared_from_this()](ErrorCode error) {
      if (error) return;
      me->shared_.had_stream = true;
      me->listen();
      me->send(me->shared_.head, true);
    });
  }

 private:
  /// Clients have nothing to say: whatever comes, or the end, is the end.
  void listen() {
    socket_.async_read(incoming_, [me = shared_from_this()](ErrorCode, std::size_t) {
      me->gone_ = true;
      me->timer_.cancel();
      if (!me->closing_) beast::get_lowest_layer(me->socket_).close();
    });
  }

  void send(std::string bytes, bool is_text) {
    outgoing_ = std::move(bytes);
    socket_.text(is_text);
    socket_.async_write(net::buffer(outgoing_),
                        [me = shared_from_this()](ErrorCode error, std::size_t) {
                          if (!error && !me->gone_) me->go_on();
                        });
  }

  void go_on() {
    if (told_end_) return close();
    if (reader_.left_out != told_left_out_) {
      told_left_out_ = reader_.left_out;
      return send(live_thinned(told_left_out_), true);
    }
    LiveSamples::Batch batch = shared_.samples.take(reader_, frame_bytes);
    if (!batch.bytes.empty()) return send(std::move(batch.bytes), false);
    if (batch.is_last) {
      told_end_ = true;
      return send(std::move(batch.end), true);
    }
    timer_.expires_after(between_looks);
    timer_.async_wait([me = shared_from_this()](ErrorCode error) {
      if (!error && !me->gone_) me->go_on();
    });
  }

  void close() {
    closing_ = true;
    socket_.async_close(websocket::close_code::normal, [me = shared_from_this()](ErrorCode) {});
  }

  Shared& shared_;
  Counted connection_, stream_;
  http::request<http::empty_body> request_;
  websocket::stream<beast::tcp_stream> socket_;
  net::steady_timer timer_;
  beast::flat_buffer incoming_{max_incoming_bytes};
  LiveSamples::Reader reader_;
  std::uint64_t told_left_out_ = 0;
  std::string outgoing_;
  bool told_end_ = false, closing_ = false, gone_ = false;
};

/// One request and its answer.
class Visit : public std::enable_shared_from_this<Visit> {
 public:
  Visit(Tcp::socket socket, Shared& shared)
      : shared_(shared), connection_(shared.connections), stream_(std::move(socket)) {
    parser_.header_limit(max_request_bytes);
  }

  void read() {
    stream_.expires_after(request_time);  // for all of it
    http::async_read_header(stream_, buffer_, parser_,
                            [me = shared_from_this()](ErrorCode error, std::size_t) {
                              if (!error) me->answer();
                            });
  }

 private:
  std::string_view field(http::field name) const {
    const auto& request = parser_.get();
    if (request.count(name) != 1) return {};
    return {request[name].data(), request[name].size()};
  }

  void answer() {
    const auto& request = parser_.get();
    const std::string_view method(request.method_string().data(), request.method_string().size());
    const std::string_view target(request.target().data(), request.target().size());
    const LiveAnswer answer =
        shared_.access.answer_to({method, target, field(http::field::host),
                                  field(http::field::origin), websocket::is_upgrade(request)});
    if (answer == LiveAnswer::page) return send(http::status::ok, shared_.page, shared_.policy);
    if (answer != LiveAnswer::stream)
      return send(static_cast<http::status>(answer), {}, "default-src 'none'");
    if (shared_.streams >= max_streams)
      return send(http::status::service_unavailable, {}, "default-src 'none'");
    stream_.expires_never();  // from now on the stream has its own limits
    std::make_shared<Stream>(std::move(stream_), parser_.release(), shared_)->accept();
  }

  void send(http::status status, std::string_view body, std::string_view policy) {
    response_.version(11);
    response_.result(status);
    response_.set(http::field::content_type, "text/html; charset=utf-8");
    response_.set("Content-Security-Policy", std::string(policy) + "; frame-ancestors 'none'");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cache-Control", "no-store");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("Cross-Origin-Opener-Policy", "same-origin");
    response_.keep_alive(false);
    response_.body() = {body.data(), body.size()};
    response_.prepare_payload();
    stream_.expires_after(response_time);
    http::async_write(stream_, response_, [me = shared_from_this()](ErrorCode error, std::size_t) {
      if (!error && me->response_.result() == http::status::ok)
        me->shared_.page_sent = Clock::now();
      me->stream_.socket().shutdown(Tcp::socket::shutdown_send, error);
    });
  }

  Shared& shared_;
  Counted connection_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{max_request_bytes};
  http::request_parser<http::empty_body> parser_;
  http::response<http::span_body<const char>> response_;
};

}  // namespace

struct LiveServer::Data {
  Shared shared;
  net::io_context io{1};
  Tcp::acceptor acceptor{io};
  net::steady_timer pause{io};
  std::thread thread{};

  void listen() {
    acceptor.open(Tcp::v4());
    fcntl(acceptor.native_handle(), F_SETFD,
          FD_CLOEXEC);  // a browser that is started has no part in it
    acceptor.bind({net::ip::address_v4::loopback(), 0});
    acceptor.listen(max_connections);
    shared.access = {random_token(), acceptor.local_endpoint().port()};
  }
  void accept() {
    acceptor.async_accept([this](ErrorCode error, Tcp::socket socket) {
      if (error) {  // such as too many open files: not at once again
        pause.expires_after(milliseconds(100));
        pause.async_wait([this](ErrorCode stopped) {
          if (!stopped) accept();
        });
        return;
      }
      accept();
      if (shared.connections >= max_connections) return;
      socket.set_option(net::socket_base::send_buffer_size(socket_bytes), error);
      std::make_shared<Visit>(std::move(socket), shared)->read();
    });
  }
  void serve() {
    for (bool over = false; !over;) try {
        io.run();
        over = true;
      } catch (const std::exception&) {  // of one connection, such as lack of memory: others go on
      }
  }
  void start() {
    accept();
    sigset_t all{}, before{};
    sigfillset(&all);  // signals are for the thread of the run
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread = std::thread([this] { serve(); });
    } catch (...) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
};

LiveServer::LiveServer(const LiveSamples& samples, const std::string& scene, std::string head)
    : data_(new Data{{samples, std::move(head), {}, {}, {}}}) {
  try {
    data_->listen();
    data_->shared.page = live_page(scene, data_->shared.access.streams());
    data_->shared.policy = policy_of(data_->shared.page);
    data_->start();
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw IoError(std::string("this machine cannot be listened on: ") + error.what(), "--live",
                  "run it without");
  }
}

LiveServer::~LiveServer() {
  data_->io.stop();
  if (data_->thread.joinable()) data_->thread.join();
}

std::string LiveServer::address() const { return data_->shared.access.address(); }

void LiveServer::wait(double for_first, double for_streams, const std::atomic<bool>& stop) const {
  const Shared& shared = data_->shared;
  const auto began = Clock::now();
  const auto passed = [&](double s) {
    return std::chrono::duration<double>(Clock::now() - began).count() >= s;
  };
  while (!stop) {
    const bool open = shared.streams > 0;
    if (!open && shared.had_stream) return;
    const bool loading = Clock::now() < shared.page_sent.load() + request_time;
    if (passed(open || loading ? std::max(for_first, for_streams) : for_first)) return;
    std::this_thread::sleep_for(milliseconds(20));
  }
}

}  // namespace axode::cli
