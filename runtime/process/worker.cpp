// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/worker.h"

#include "gputest/error.h"
#include "model/clock.h"
#include "model/names.h"
#include "process/child.h"
#include "process/descriptor.h"
#include "process/end_signals.h"
#include "process/state.h"
#include "runtime/process/passed_error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <poll.h>
#include <unistd.h>

namespace gputest::runtime {
namespace {

using Clock = std::chrono::steady_clock;
using process::EndSignals;

void write_all(int descriptor, std::string_view text) {
  if (!process::write_all(descriptor, text.data(), text.size()))
    ::_exit(3); // the parent is gone, and nobody is left to tell
}

// A line from a worker to its parent.
struct Message {
  enum class Kind { Info, Start, Pause, Phase, Lost, Done, End, Fatal };
  Kind kind = Kind::End;
  std::optional<std::size_t> test_case{}; // Start, Done
  double limit = 0;                       // Start: seconds
  std::string text{};                     // Phase: who is to blame; Lost: for on_lost()
  std::optional<Loss> loss{};             // Lost
  std::optional<PassedError> error{};     // Fatal
  Json content{};                         // Info, Start, Done: for the run's functions
};
constexpr auto names_of(Message::Kind) {
  return std::to_array<std::string_view>(
      {"info", "start", "pause", "phase", "lost", "done", "end", "fatal"});
}
constexpr auto fields_of(const Message*) {
  using T = Message;
  using model::field;
  constexpr auto kPart = model::Presence::IfNotPlain;
  return std::tuple{field("event", &T::kind),
                    field<kPart>("case", &T::test_case),
                    field<kPart>("limit", &T::limit),
                    field<kPart>("text", &T::text),
                    field<kPart>("loss", &T::loss),
                    field<kPart>("error", &T::error),
                    field<kPart>("content", &T::content)};
}
using model::from_json, model::to_json;

void write_line(int descriptor, const Message& message) {
  write_all(descriptor, Json(message).dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
}

// One worker, from fork to its end.
class Worker {
public:
  Worker(const IsolatedRun& run, std::size_t first, process::Tries& tries)
      : run_(run), first_(first), next_(first), tries_(tries) {}

  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Returns the case to go on with.
  std::size_t watch() {
    const EndSignals signals;
    start(signals);
    deadline_ = after(run_.setup_timeout);
    while (!finished()) {
      switch (wait(signals)) {
      case Event::Line:
        break;
      case Event::Closed:
        return charge_death(kill_and_wait());
      case Event::TimeOut:
        if (extend_deadline())
          break;
        return charge_timeout();
      case Event::Damaged:
        kill_and_wait();
        return charge(fmt::format("{} damaged what its process says: no message came", doer_));
      case Event::Lost:
        kill_and_wait();
        return loss_ == Loss::Disturbed ? excuse(lost_) : charge_loss();
      }
    }
    kill_and_wait(); // all messages are there; OpenCL implementations may hang at exit
    return next_;
  }

  bool has_ended() const { return ended_; } // for a run without cases: all messages are there

private:
  enum class Event { Line, Closed, TimeOut, Lost, Damaged };

  static Clock::time_point after(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(std::min(seconds, 1e8)));
  }

  bool finished() const { return run_.cases > 0 ? next_ == run_.cases : ended_; }

  void start(const EndSignals& signals) {
    process::Ends ends = process::pipe_to_us();
    child_ = process::Child::fork([&] { work(signals, ends.theirs.number()); });
    reading_ = std::move(ends.ours);
  }

  void work(const EndSignals& signals, int descriptor) {
    signals.restore();
    // Undoes what the program set up for itself, so that a crash ends the worker by its own signal.
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGTERM})
      std::signal(signal, SIG_DFL);
    std::signal(SIGPIPE, SIG_IGN);
    const WorkerChannel channel(descriptor);
    try {
      run_.work(channel, next_);
      write_line(descriptor, {.kind = Message::Kind::End});
    } catch (const std::exception& error) {
      write_line(descriptor, {.kind = Message::Kind::Fatal, .error = passed_error_of(error)});
    }
    std::fflush(nullptr);
    ::_exit(0); // no destructors, so OpenCL does nothing at exit
  }

  Event wait(const EndSignals& signals) {
    pollfd descriptors[] = {{reading_.number(), POLLIN, 0}, {signals.descriptor(), POLLIN, 0}};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    if (left <= 0)
      return Event::TimeOut;
    const int ready = ::poll(descriptors, 2, static_cast<int>(std::min<long>(left + 1, 1 << 30)));
    if (ready > 0 && descriptors[1].revents != 0)
      end_by_signal(signals);
    if (ready <= 0 || descriptors[0].revents == 0)
      return Event::Line;
    char chunk[65536];
    const ssize_t count = ::read(reading_.number(), chunk, sizeof chunk);
    if (count < 0 && errno == EINTR)
      return Event::Line;
    if (count <= 0)
      return Event::Closed;
    buffer_.append(chunk, static_cast<std::size_t>(count));
    for (std::size_t end = 0; (end = buffer_.find('\n')) != std::string::npos;) {
      const std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      if (!is_taken(line))
        return Event::Damaged;
    }
    return lost_.empty() ? Event::Line : Event::Lost;
  }

  // Returns false if the line is no message, because a kernel may have written over it.
  bool is_taken(const std::string& line) {
    Message message;
    try {
      message = model::parse_json(line).get<Message>();
    } catch (const model::FormatError&) {
      return false;
    }
    try {
      take(message);
    } catch (const nlohmann::json::exception&) {
      return false;
    }
    return true;
  }

  void take(const Message& message) {
    switch (message.kind) {
    case Message::Kind::Info:
      run_.on_info(message.content);
      break;
    case Message::Kind::Start:
      running_ = case_of(message);
      started_ = Clock::now();
      extended_.begin();
      limit_ = message.limit > 0 ? message.limit : run_.timeout;
      deadline_ = after(limit_);
      if (run_.on_start)
        run_.on_start(*running_, message.content);
      break;
    case Message::Kind::Pause:
      running_.reset();
      deadline_ = after(run_.setup_timeout);
      break;
    case Message::Kind::Phase:
      doer_ = message.text;
      break;
    case Message::Kind::Lost:
      lost_ = message.text;
      loss_ = given(message.loss, message);
      break;
    case Message::Kind::Done:
      running_.reset();
      tries_ = {};
      next_ = case_of(message) + 1;
      deadline_ = after(run_.setup_timeout);
      run_.on_done(next_ - 1, message.content);
      break;
    case Message::Kind::End:
      ended_ = true;
      break;
    case Message::Kind::Fatal:
      rethrow(given(message.error, message));
    }
  }

  // Throws nlohmann::json::exception where it is not given.
  template <typename T>
  static const T& given(const std::optional<T>& value, const Message& message) {
    if (!value)
      throw nlohmann::json::out_of_range::create(401, "it is missing", &message.content);
    return *value;
  }

  // Throws nlohmann::json::exception where there is no such case.
  std::size_t case_of(const Message& message) const {
    const std::size_t index = given(message.test_case, message);
    if (index < next_ || index >= std::max<std::size_t>(run_.cases, 1))
      throw nlohmann::json::out_of_range::create(401, "no such case", &message.content);
    return index;
  }

  [[noreturn]] void end_by_signal(const EndSignals& signals) {
    ended_ = true;
    const std::optional<int> signal = signals.take();
    kill_and_wait();
    signals.restore();
    ::raise(signal.value_or(SIGTERM));
    ::_exit(3); // the signal was ignored when we were started
  }

  // Returns how a worker has ended by itself, or that this ends now.
  process::Ended kill_and_wait() {
    reading_.close();
    // A worker that is dying has ended soon. One that only closed the pipe is not waited for long.
    for (int i = 0; i < 100 && child_.runs() && !ended_ && !finished(); ++i) {
      if (const std::optional<process::Ended> ended = child_.look())
        return *ended;
      ::usleep(10'000);
    }
    return child_.end();
  }

  double seconds() const { return model::seconds_since(started_); }

  bool extend_deadline() {
    const double limit = running_ ? limit_ : run_.setup_timeout;
    const double since = running_ ? seconds() : std::numeric_limits<double>::infinity();
    const std::optional<double> more = extended_.more(child_.id(), limit, since);
    if (more)
      deadline_ = after(*more);
    return more.has_value();
  }

  std::size_t charge_timeout() {
    const auto running = running_;
    const double took = seconds();
    const bool stopped = process::is_stopped(child_.id());
    ended_ = true; // it will not end by itself
    kill_and_wait();
    ended_ = false;
    if (stopped)
      return excuse("the worker process was stopped");
    if (!running)
      throw DeviceError(
          fmt::format("the device's set-up timed out after {:g} s", run_.setup_timeout));
    run_.on_lost(
        *running, Loss::Timeout,
        fmt::format("{} timed out after {:g} s; raise it with TIMEOUT or --timeout if that is "
                    "too short",
                    doer_, limit_),
        took);
    return after_loss(*running);
  }

  // Another process ended the worker: begins the case again.
  std::size_t excuse(const std::string& what) {
    if (tries_.again(what))
      return running_.value_or(next_);
    if (!running_)
      throw DeviceError(tries_.given_up());
    run_.on_lost(*running_, Loss::Disturbed, tries_.given_up(), seconds());
    return after_loss(*running_);
  }

  std::size_t after_loss(std::size_t index) const { return run_.retry_lost ? index : index + 1; }

  std::size_t charge_death(const process::Ended& ended) {
    if (ended.by_others())
      return excuse("the worker process was " + ended.text());
    const std::string cause = ended.signal != 0
                                  ? process::signal_name(ended.signal)
                                  : fmt::format("it exited with code {}", ended.exit_code);
    if (!running_ && next_ > first_) { // the device itself works
      fmt::print(stderr,
                 "note: a process died between two test cases: {}; often the one before wrote out "
                 "of bounds. A new one goes on\n",
                 cause);
      return next_;
    }
    if (!running_)
      throw DeviceError(
          fmt::format("the worker process died outside any test case: {}; the device's "
                      "compiler may have crashed",
                      cause));
    const std::string_view hint = doer_.starts_with("kernel")
                                      ? " (often an access out of bounds or a divergent barrier)"
                                      : "";
    return charge(fmt::format("{} crashed the process: {}{}", doer_, cause, hint));
  }

  // Reports what the worker sent when it gave up.
  std::size_t charge_loss() {
    const bool is_whole = loss_ != Loss::Crashed || lost_.starts_with(doer_ + ':');
    return charge(is_whole ? lost_ : fmt::format("{}: {}", doer_, lost_), loss_);
  }

  std::size_t charge(const std::string& message, Loss loss = Loss::Crashed) {
    if (!running_)
      throw DeviceError(message);
    run_.on_lost(*running_, loss, message, seconds());
    return after_loss(*running_);
  }

  const IsolatedRun& run_;
  std::size_t first_, next_;
  process::Tries& tries_;
  process::Child child_;
  process::Descriptor reading_;
  bool ended_ = false;
  double limit_ = 0; // of the running case
  process::ExtendedLimit extended_;
  std::string buffer_, lost_;
  Loss loss_ = Loss::Crashed; // with lost_
  std::string doer_ = "the device";
  std::optional<std::size_t> running_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point deadline_;
};

void send(int descriptor, const Message& message) {
  std::fflush(nullptr); // kernels' output comes before messages about them
  write_line(descriptor, message);
}

} // namespace

void WorkerChannel::write(std::string_view bytes) const {
  write_all(descriptor_, bytes);
}

void WorkerChannel::info(const Json& message) const {
  send(descriptor_, {.kind = Message::Kind::Info, .content = message});
}

void WorkerChannel::start(std::size_t index, double limit, const Json& detail) const {
  send(descriptor_,
       {.kind = Message::Kind::Start, .test_case = index, .limit = limit, .content = detail});
}

void WorkerChannel::pause() const {
  send(descriptor_, {.kind = Message::Kind::Pause});
}

void WorkerChannel::lose(const std::string& message, Loss loss) const {
  send(descriptor_, {.kind = Message::Kind::Lost, .text = message, .loss = loss});
  ::_exit(3);
}

void WorkerChannel::disturbed(const std::string& message) const {
  lose(message, Loss::Disturbed);
}

void WorkerChannel::phase(const std::string& doer) const {
  send(descriptor_, {.kind = Message::Kind::Phase, .text = doer});
}

void WorkerChannel::done(std::size_t index, const Json& message) const {
  send(descriptor_, {.kind = Message::Kind::Done, .test_case = index, .content = message});
}

void run_isolated(const IsolatedRun& run) {
  process::Tries tries;
  for (std::size_t next = 0;;) {
    Worker worker(run, next, tries);
    next = worker.watch();
    if (run.cases > 0 ? next == run.cases : worker.has_ended())
      return;
  }
}

} // namespace gputest::runtime
