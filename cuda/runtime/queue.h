// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue of work that cannot run yet, because an earlier kernel or the stream waits for the host
// or for another stream. In programs without such waits it is always empty.
#pragma once

#include "cuda/runtime/graphs.h"
#include "cuda/runtime/order/order.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <set>

namespace gputest::cuda {

StreamPlace place_of(cudaStream_t stream);
// What is kept of a stream: of the thread's own default stream, too, but not of the legacy one.
cudaStream_t record_of(cudaStream_t stream);

// Returns what work is, for messages: "kernel 'scale'", "a copy".
std::string what_of(cudaGraphNodeType type, const Work& work);

// Makes stream 0 the thread's own. Programs that are compiled for per-thread default streams call
// it before main() (include/cuda_runtime_api.h).
extern "C" void gputest_cuda_per_thread_streams(void);

// The caller of each function holds the state's lock.
class Queue {
public:
  bool empty() const { return items_.empty(); }
  // Work is running now; calls that it makes are part of it.
  bool performing() const { return performing_; }

  // Does the work, or keeps it until everything before it is done: earlier work that its stream
  // waits for, and item `after` if it is still in the queue. `operation`: its place in the order of
  // operations; null: that of the stream's next one.
  cudaError_t put(State& state, cudaStream_t stream, cudaGraphNodeType type, const Work& work,
                  std::uint64_t after = 0, OperationPtr operation = nullptr);
  // The item that the last put() kept; 0: it was done at once.
  std::uint64_t last() const { return last_; }

  bool has(std::uint64_t item) const;
  bool has_of(cudaStream_t stream) const;
  bool has_of_device(int device) const;

  // Does what can be done, and resumes kernels that wait. Returns false if nothing changed.
  bool advance(State& state);
  // Whether nothing can ever change while this thread waits.
  bool is_hopeless() const;
  // Ends one waiting kernel or stream with an error that stays, and drops all other work.
  void give_up(State& state);
  // Returns the first error of queued work and clears it.
  cudaError_t take_error();

private:
  struct Item {
    std::uint64_t id = 0;
    StreamPlace stream;
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    Work work{};
    std::set<std::uint64_t> before{}; // items that must be done first
    std::optional<WaitingLaunch> launch{};
    OperationPtr operation{};
    int device = 0;
    std::size_t step = 0; // in WaitingWork
    bool waits = false;   // in that step
    std::chrono::steady_clock::time_point since{};
    bool is_left() const { return launch || waits; }
  };
  cudaError_t run(State& state, Item& item);
  static cudaError_t perform_item(State& state, Item& item);
  void keep(Item item);
  std::list<Item>::iterator remove(std::list<Item>::iterator item);
  void start_thread();

  std::list<Item> items_;
  std::uint64_t next_ = 1, last_ = 0;
  bool performing_ = false, thread_ = false;
  cudaError_t error_ = cudaSuccess;
};

// Waits until `is_done` returns true. Holds the lock only while it asks.
void wait_until(const std::function<bool(const Queue&)>& is_done);
void wait_for_stream(cudaStream_t stream);
void host_has_waited_for(cudaStream_t stream); // for the check of races
// The same after a call has set memory in the default stream: the host waits if it is pinned or
// managed. Returns `result`.
cudaError_t host_has_set(const void* pointer, cudaError_t result);
// The work that runs now calls a function of the host, which may tell other threads of the host.
void let_host_know(State& state);
void wait_for_device();
// Returns the result of a call that has waited: an error of the device or of queued work.
cudaError_t after_waiting();

} // namespace gputest::cuda
