// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/calls/shared.h"

namespace gputest::layer {
namespace {

// The only global. It cannot be avoided.
Shared* the_shared = nullptr;

bool accessed(const void* at, bool writes, const void* pc) {
  return shared().host->accessed(at, writes, pc);
}

} // namespace

Shared::Shared(std::unique_ptr<Services> given) : services(std::move(given)), objects(*services) {
  const Settings& settings = services->settings;
  if (settings.reads || settings.measure_row->hashes_reads)
    reads.emplace(*services);
  if (services->simulator && services->simulator->judges_host())
    host.emplace(*services, accessed);
}

bool has_shared() {
  return the_shared != nullptr;
}

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
