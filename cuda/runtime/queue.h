// Work that cannot be done when it is put into its stream: a kernel ahead of it, or the stream
// itself, waits for the host or for work of another stream. In programs without such it is always
// empty.
#pragma once

#include "cuda/runtime/graphs/graphs.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <set>

namespace gputest::cuda {

// What orders the work of streams (CUDA C++ Programming Guide, "Streams", "Default Stream").
struct StreamPlace {
  int device = 0;
  unsigned long long id = 0; // of no other stream
  bool legacy = false;       // the default stream, which waits for all that block, and they for it
  bool blocks = false;
};
StreamPlace place_of(cudaStream_t stream);

// Programs that are compiled for per-thread default streams call it
// (include/cuda_runtime_api.h).
extern "C" void gputest_cuda_per_thread_streams(void);

// All functions are called with the state's lock.
class Queue {
public:
  bool empty() const { return items_.empty(); }
  // Work is being done: what it calls is part of it.
  bool performing() const { return performing_; }

  // Does the work, or keeps it until all is done that it comes after: earlier work of its stream,
  // and item `after`, if it is there.
  cudaError_t put(State& state, cudaStream_t stream, cudaGraphNodeType type, const Work& work,
                  std::uint64_t after = 0);
  // The item that the last put() has kept; 0: it was done.
  std::uint64_t last() const { return last_; }

  bool has(std::uint64_t item) const;
  bool has_of(cudaStream_t stream) const;
  bool has_of_device(int device) const;

  // Does what can be done, and lets kernels that wait look again. False: nothing came of it.
  bool advance(State& state);
  // Nothing will ever come of it, if this thread waits.
  bool is_hopeless() const;
  // One of the kernels that wait ends with an error that stays, and nothing else is done.
  void give_up(State& state);
  // An error of work that was done late, once.
  cudaError_t take_error();

private:
  struct Item {
    std::uint64_t id = 0;
    StreamPlace stream;
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    Work work{};
    std::set<std::uint64_t> before{}; // items that come first
    std::optional<WaitingLaunch> launch{};
    int device = 0;
    std::size_t step = 0; // of WaitingWork
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

// Waits, without the lock, until `is_done` says so, which is asked with the lock.
void wait_until(const std::function<bool(const Queue&)>& is_done);
void wait_for_stream(cudaStream_t stream);
void wait_for_device();
// What a call returns that has waited: an error of the device, or of work that was done late.
cudaError_t after_waiting();

} // namespace gputest::cuda
