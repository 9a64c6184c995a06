// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data of the functions that replace OpenCL's. They have no other way to reach it.
#pragma once

#include "layer/opencl/calls/objects.h"
#include "layer/opencl/host/host_check.h"
#include "layer/opencl/reads.h"
#include "layer/opencl/services.h"

#include <exception>
#include <memory>
#include <optional>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

namespace gputest::layer {

struct Shared {
  explicit Shared(std::unique_ptr<Services> given);

  std::unique_ptr<Services> services;
  Objects objects;
  std::optional<Reads> reads;
  std::optional<HostCheck> host; // the check HOST
  pid_t process = ::getpid();    // the process that loaded the layer
};
// Called once in a process. The object is never destroyed, because programs call OpenCL from
// destructors of static objects.
void make_shared(std::unique_ptr<Services> services);
bool has_shared(); // whether make_shared() has been called: it must have been for all else
Shared& shared();

// Runs `work`. An error in it goes to the report, and the program does not notice.
template <typename Work> void quietly(Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (const std::exception& error) {
    try {
      shared().services->log.write(runtime::NotMeasuredEvent{.reason = error.what()});
    } catch (const std::exception&) { // no memory: nothing can be said
    }
  }
}

// Called when kernels may have ended as far as the program knows. Collects what they recorded, and
// what was read back meanwhile.
void collect();

} // namespace gputest::layer
