// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memory_counts <file.cl> <kernel> <cases.json>: what the model of an H200 counts in the first
// case, as JSON with the names of hardware.json. compare.py runs it.
#include "memory/kernel.h"
#include "memory/model/machine.h"

#include <cstdio>
#include <fmt/format.h>

using namespace gputest;
using namespace gputest::memory;

int main(int count, char** arguments) {
  if (count != 4) {
    std::fputs("usage: memory_counts <file.cl> <kernel> <cases.json>\n", stderr);
    return 2;
  }
  const Gpu gpu = gpu_named("h200");
  frontend::SourceOptions options;
  options.file = arguments[1];
  const Kernel kernel = kernel_of(options, arguments[2]);
  const Tracer tracer(kernel.source, kernel.name());
  const LaunchTrace trace =
      tracer.trace(launches_of(kernel, {arguments[3]}, {}).front().launch, gpu.warps());
  const RunCount counted = run(gpu, trace);
  std::uint64_t reads = 0, writes = 0, updates = 0, requests = 0, conflicts = 0;
  for (std::size_t i = 0; i < trace.references.size(); ++i) {
    const Reference& reference = trace.references[i];
    const ReferenceCount& one = counted.references[i];
    if (reference.local) {
      conflicts += one.transactions - one.fewest;
      continue;
    }
    requests += one.executions;
    (reference.kind == Reference::Kind::Read    ? reads
     : reference.kind == Reference::Kind::Write ? writes
                                                : updates) += one.transactions;
  }
  const LevelCount& second = counted.caches[1];
  fmt::print(R"({{"reads": {}, "writes": {}, "updates": {}, "requests": {}, "conflicts": {}, )"
             R"("l2_sectors": {}, "dram_bytes": {}, "instructions": {}, "cycles": {}}})"
             "\n",
             reads, writes, updates, requests, conflicts, second.hits + second.misses,
             counted.dram_requests * gpu.caches.back().sector, counted.instructions,
             counted.cycles);
}
