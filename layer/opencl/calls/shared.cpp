// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/calls/shared.h"

namespace gputest::layer {
namespace {

// The only global. It cannot be avoided.
Shared* the_shared = nullptr;

} // namespace

void make_shared(std::unique_ptr<Services> services) {
  the_shared = new Shared(std::move(services));
}

Shared& shared() {
  return *the_shared;
}

void collect() {
  quietly([] {
    shared().objects.collect(false);
    if (shared().reads)
      shared().reads->look();
    if (shared().services->capture)
      shared().services->capture->look();
  });
}

} // namespace gputest::layer
