// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records launches: sizes, arguments, and what buffers hold before and after. The copies are
// commands of the program's own queue, so nothing waits that would not wait without them.
#pragma once

#include "layer/instrumentation/settings.h"
#include "layer/opencl/given_argument.h"
#include "layer/opencl/launch_call.h"
#include "layer/run_log.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace gputest::layer {

class Capture {
public:
  Capture(RunLog& log, const Settings& settings) : log_(log), settings_(settings) {}

  // Returns whether another launch of `kernel` (Build::identity), of so many work-items, is wanted.
  bool wants(const std::string& kernel, std::uint64_t items);

  // The launch that was wanted is not captured, so that another one is wanted in its place.
  void give_back(const std::string& kernel, std::uint64_t items);

  // Launches `handle` with copies before and after it. Returns the result of the launch. `reason`
  // says why it was not captured; the launch is made anyway.
  cl_int launch(const LaunchCall& call, cl_kernel handle, unsigned program,
                const std::string& kernel, const std::string& name, std::uint64_t items,
                const std::vector<GivenArgument>& arguments, std::string& reason);

  // Writes captured launches that are complete.
  void look();

private:
  struct Copy {
    std::vector<std::byte> bytes;
    cl_event event = nullptr;
  };
  struct Snapshot {
    std::string kernel;
    std::uint64_t items = 0;
    runtime::LaunchEvent event;
    std::vector<GivenArgument> arguments;
    std::vector<Copy> before, after; // copies of arguments that have memory, in order
  };
  bool copy(const LaunchCall& call, const std::vector<GivenArgument>& arguments,
            const std::vector<cl_event>& waits, std::vector<Copy>& copies) const;
  void forget(const std::string& kernel, std::uint64_t items);
  bool is_among_largest(const std::string& kernel, std::uint64_t items);
  static bool is_complete(const Snapshot& snapshot);
  void write(const Snapshot& snapshot);

  RunLog& log_;
  const Settings& settings_;
  std::mutex mutex_;
  std::deque<std::unique_ptr<Snapshot>> pending_;
  // By kernel: hashes of contents that are written.
  std::map<std::string, std::set<std::uint64_t>> known_;
  std::map<std::string, std::size_t> tried_;
  std::map<std::string, std::multiset<std::uint64_t>> largest_; // by kernel: work-items
  std::map<std::string, std::size_t> repeated_;                 // by kernel: known contents
};

} // namespace gputest::layer
