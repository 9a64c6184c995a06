// Running test cases in a process that may die: kernels crash, hang and corrupt.
//
// The parent never touches OpenCL. It forks a worker, which sends a line of JSON over a pipe when
// it starts and when it ends a case. A worker that dies or takes too long is charged to the case it
// was in, and a new one goes on with the next. Workers die with the parent, and on SIGINT and
// SIGTERM.
//
// A worker that somebody else ends is charged to nobody: by SIGKILL, as a system does that has no
// memory left, by SIGTERM, or by stopping it until its time is over. Its case is run again. Nor
// does time count in which the worker waits for a processor.
#pragma once

#include "runtime/cases/values.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace gputest::runtime {

// Verdicts on cases whose worker is lost: it died; or it ended because the loops of a mutant used
// up their budget.
inline constexpr const char *kCrashed = "crashed", *kExhausted = "exhausted";

// The worker's end of the pipe.
class WorkerChannel {
public:
  explicit WorkerChannel(int descriptor) : descriptor_(descriptor) {}

  void info(const Json& message) const; // anything, at any time
  // The case's time begins (anew, if it has begun): `limit` seconds, 0 for IsolatedRun::timeout.
  // `detail` goes to on_start.
  void start(std::size_t index, double limit = 0, const Json& detail = nullptr) const;
  void pause() const;                        // what comes until the next start is no case's fault
  void phase(const std::string& doer) const; // who is to blame for what comes: "kernel 'sum'"
  void done(std::size_t index, const Json& message) const; // the case's time ends
  // As it is: who has no message to send, but bytes that came from elsewhere.
  void write(std::string_view bytes) const;
  // Ends this process as one that crashed in its case: the device cannot be used any more. Another
  // verdict is what on_lost gets, with the message as it is.
  [[noreturn]] void lose(const std::string& message, const char* verdict = kCrashed) const;
  // Ends this process as one that somebody else has ended: it is not known that the case did it.
  [[noreturn]] void disturbed(const std::string& message) const;

private:
  void send(const Json& message) const;
  int descriptor_;
};

// A phase: what comes before a kernel's.
inline constexpr const char* kMakingArguments = "making the case's arguments";

// So often in a row a case is begun whose worker somebody else ends.
constexpr unsigned kWorkerTries = 4;

struct IsolatedRun {
  std::size_t cases = 0;
  double timeout = 60;        // seconds for a case
  double setup_timeout = 300; // seconds before the first case, between two cases, and paused
  bool retry_lost = false;    // a new worker begins with the case that was lost, not after it

  // In the worker: runs cases `first` to `cases - 1` in this order, or without cases only sends
  // what it has to say. An exception that leaves it ends the whole run.
  std::function<void(const WorkerChannel&, std::size_t first)> work;

  // In the parent.
  std::function<void(const Json& message)> on_info;
  std::function<void(std::size_t index, const Json& message)> on_done{};
  std::function<void(std::size_t index, const Json& detail)> on_start = {};
  // verdict: kCrashed, or what WorkerChannel::lose() was given; "timeout"; or "error", where
  // somebody else has ended kWorkerTries workers in a row in this case. An exception ends the whole
  // run.
  std::function<void(std::size_t index, const std::string& verdict, const std::string& message,
                     double seconds)>
      on_lost{};
};

// Returns when every case is done or lost. Throws what left `work` (UsageError, NoDevice,
// BuildError, DeviceError), and DeviceError if a worker died outside any case, or was ended there
// by somebody else kWorkerTries times in a row.
void run_isolated(const IsolatedRun& run);

} // namespace gputest::runtime
