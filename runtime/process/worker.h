// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs test cases in a worker process, which may die: kernels crash, hang and corrupt memory.
//
// The parent never touches OpenCL. It forks a worker, which sends a line of JSON over a pipe when
// it starts and when it ends a case. If a worker dies or takes too long, its current case is to
// blame, and a new worker goes on with the next case. Workers die with the parent, and on SIGINT
// and SIGTERM.
//
// If another process ends a worker, no case is to blame, and the case runs again. This may be a
// SIGKILL of a system without memory, a SIGTERM, or a SIGSTOP that lasts until the worker's time is
// over. Time in which the worker waits for a processor does not count.
#pragma once

#include "model/json.h"
#include "runtime/cases/values.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace gputest::runtime {

// Returns what a worker has sent. A kernel may have written over it: throws
// nlohmann::json::exception if it is no T, and the worker counts as damaged.
template <typename T> T received(const Json& message) {
  try {
    return message.get<T>();
  } catch (const model::FormatError& error) {
    throw nlohmann::json::other_error::create(501, error.what(), &message);
  }
}

// How a case has lost its worker.
enum class Loss {
  Crashed,   // it died
  Exhausted, // it ended because the loops of a mutant used up their budget
  Timeout,   // the case's time was over
  Disturbed  // other processes ended it, and process::kTries in a row in the end
};
// What verdicts are called.
constexpr auto names_of(Loss) {
  return std::to_array<std::string_view>({"crashed", "exhausted", "timeout", "error"});
}
using model::name_of;

// The worker's end of the pipe.
class WorkerChannel {
public:
  explicit WorkerChannel(int descriptor) : descriptor_(descriptor) {}

  void info(const Json& message) const; // sends anything, at any time
  // Begins the time of a case, or begins it anew. `limit` is in seconds; 0: IsolatedRun::timeout.
  // on_start gets `detail`.
  void start(std::size_t index, double limit = 0, const Json& detail = nullptr) const;
  // Ends the case's time. Until the next start, no case is to blame.
  void pause() const;
  // Says who is to blame from now on: "kernel 'sum'".
  void phase(const std::string& doer) const;
  void done(std::size_t index, const Json& message) const; // ends the case's time
  // Sends bytes as they are, which came from elsewhere.
  void write(std::string_view bytes) const;
  // Ends this process as one that crashed in its case, because the device can no longer be used.
  // on_lost gets `loss`, with the message as it is.
  [[noreturn]] void lose(const std::string& message, Loss loss = Loss::Crashed) const;
  // Ends this process as one that another process has ended, because the case may not be the cause.
  [[noreturn]] void disturbed(const std::string& message) const;

private:
  int descriptor_;
};

// The phase before a kernel's.
inline constexpr const char* kMakingArguments = "making the case's arguments";

struct IsolatedRun {
  std::size_t cases = 0;
  double timeout = 60;        // seconds for a case
  double setup_timeout = 300; // seconds before the first case, between two cases, and paused
  bool retry_lost = false;    // true: a new worker begins with the lost case again, not after it

  // Runs in the worker: runs cases `first` to `cases - 1` in this order. If there are no cases, it
  // only sends messages. An exception that leaves it ends the whole run.
  std::function<void(const WorkerChannel&, std::size_t first)> work;

  // These run in the parent.
  std::function<void(const Json& message)> on_info;
  std::function<void(std::size_t index, const Json& message)> on_done{};
  std::function<void(std::size_t index, const Json& detail)> on_start = {};
  // An exception ends the whole run.
  std::function<void(std::size_t index, Loss loss, const std::string& message, double seconds)>
      on_lost{};
};

// Returns when every case is done or lost. Throws what left `work`, as UsageError, NoDevice,
// BuildError or DeviceError. Throws DeviceError if a worker died outside of any case, or if other
// processes ended it there process::kTries times in a row.
void run_isolated(const IsolatedRun& run);

} // namespace gputest::runtime
