// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells by vector clocks which operations of streams happen before which others. Operations that
// are ordered one after the other share a chain, whatever their streams are.
#pragma once

#include "model/time/vector_clock.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gputest::cuda {

using Clock = model::VectorClock;
using model::join;

// What decides the order of a stream's work (CUDA C++ Programming Guide, "Streams", "Default
// Stream").
struct StreamPlace {
  int device = 0;
  unsigned long long id = 0; // unique on the device
  bool legacy = false;       // the legacy default stream: it and streams that block wait for each
                             // other
  bool blocks = false;       // not created with cudaStreamNonBlocking
};

struct StreamOperation : model::ClockedWork {
  std::string what;                   // "kernel 'scale'", "a copy"
  std::string stream;                 // "stream 3", "the default stream"
  std::vector<const void*> callers{}; // return addresses of the call that has put it there
  bool signals = false; // it orders its accesses for others, by fences or atomic operations
  bool waited = false;  // a launch that has waited for others, as only the program knows

  using ClockedWork::is_before;
  bool is_before(const StreamOperation& other) const { return is_before(other.done); }
};
using OperationPtr = std::shared_ptr<StreamOperation>;

class StreamOperations {
public:
  // Puts an operation into a stream.
  OperationPtr put(const StreamPlace& stream);
  // An operation after those of `before`, on which the stream does not wait: a node of a graph.
  OperationPtr put_after(Clock before);
  // What a stream's next operation comes after.
  Clock before_next(const StreamPlace& stream);
  // The stream's next operation comes after these.
  void wait(const StreamPlace& stream, const Clock& clock);
  // The stream's work goes on, but nothing is put into it any more.
  void end(const StreamPlace& stream);

  // The host knows that these have ended. All calls count as those of one host thread.
  void host_waits(const Clock& clock) { join(host_, clock); }
  void host_waits_for(const StreamPlace& stream);
  void host_waits_for_device(int device);
  const Clock& host() const { return host_; }
  // Whether the host knows that everything has ended.
  bool host_knows_all() const { return chains_.all_in(host_); }

private:
  struct Stream {
    StreamPlace place;
    Clock clock; // what its next operation comes after
    std::size_t chain = 0;
  };
  Stream& stream_of(const StreamPlace& place);

  std::map<std::pair<int, unsigned long long>, Stream> streams_; // by device and id
  model::WorkChains chains_;
  Clock host_;
};

} // namespace gputest::cuda
