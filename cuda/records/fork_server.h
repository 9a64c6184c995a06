// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program many times from one process, which stops in front of main(). Each run is a fork.
//
// The program first sends a CudaForkHello to a SOCK_SEQPACKET socket, with the reason if it cannot
// run this way. Then it makes the runs that it receives, one after the other
// (model/mutation/cuda_forks.h), and exits when the other end is closed.
#pragma once

#include "model/mutation/cuda_forks.h"
#include "process/child.h"

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace gputest::cuda {

struct AskedFork {
  model::CudaFork how;
  std::string mutant, output;
};

class ForkServer {
public:
  explicit ForkServer(int socket);
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;
  virtual ~ForkServer() = default;

  // Returns only in forks that are to run the program.
  void serve();

protected:
  using Clock = std::chrono::steady_clock;

  // Returns why no run can be a fork; empty: it can.
  virtual std::string why_not() = 0;
  // Starts what all runs need.
  virtual void start() {}
  // Prepares a run. Returns false if it cannot begin; the result then says why.
  virtual bool begin(const AskedFork& asked, model::CudaForkResult& result) = 0;
  // In the fork.
  virtual void become(const AskedFork& asked) = 0;
  // Returns whether a process has ended without which the run is meaningless.
  virtual bool is_lost() { return false; }
  // Adds to the result of a run that has ended, and prepares for the next one.
  virtual void finish(model::CudaForkResult& result) = 0;
  // Ends what all runs have needed.
  virtual void end() {}

  // Makes a fork an independent process, which writes to `output` and reads the program's input
  // from where it is.
  void leave(const std::string& output) const;
  // To be called in finish(): this is the last run.
  void stop() { is_over_ = true; }

private:
  std::optional<AskedFork> receive() const;
  void watch(process::Child& child, const AskedFork& asked, Clock::time_point start,
             model::CudaForkResult& result);
  bool wait_for_end(Clock::time_point start, double seconds) const;

  int socket_;
  bool is_over_ = false;
  sigset_t child_ends_{}, signals_before_{};
  std::optional<off_t> input_from_; // of a file; nullopt: there is no input
};

// Sets the reason why a run has not been made.
void refuse_run(model::CudaForkResult& result, std::string_view why);

} // namespace gputest::cuda
