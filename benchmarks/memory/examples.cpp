// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seconds that each part of the analysis of an example takes, on the model of the embedded GPU:
// what is proved before the kernel runs, the trace, and the model. Best of three.
#include "memory/kernel.h"
#include "memory/model/machine.h"
#include "model/clock.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

using namespace gputest;
using namespace gputest::memory;

namespace {

struct Example {
  const char *file, *kernel, *cases;
};
constexpr std::array kExamples{Example{"bitonic", "bitonic", "bitonic"},
                               Example{"convolution", "convolution_rows", "convolution_rows"},
                               Example{"convolution", "convolution_columns", "convolution_columns"},
                               Example{"histogram", "histogram", "histogram"},
                               Example{"multiply", "multiply", "multiply"},
                               Example{"scan", "scan_best", "scan_best"},
                               Example{"scan", "scan_efficient", "scan_efficient"},
                               Example{"scan", "scan_naive", "scan_naive"},
                               Example{"transpose", "transpose_tiled", "transpose"},
                               Example{"transpose", "transpose", "transpose"},
                               Example{"scalar_product", "scalar_product", "scalar_product"},
                               Example{"bfs", "bfs", "bfs"},
                               Example{"walsh", "walsh", "walsh"},
                               Example{"clock", "clock_least", "clock"}};

template <typename Work> double best_of_three(Work work) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, model::seconds_since(begin));
  }
  return best;
}

} // namespace

int main() {
  const std::string folder = GPUTEST_EXAMPLES "/memory/";
  const Gpu gpu = gpu_named("embedded");
  std::printf(
      "| kernel | work-items | static analysis, s | trace, s | model, s | million instructions "
      "of warps a second |\n|---|---|---|---|---|---|\n");
  for (const Example& example : kExamples) {
    frontend::SourceOptions options;
    options.file = folder + example.file + ".cl";
    const Kernel kernel = kernel_of(options, example.kernel);
    const Tracer tracer(kernel.source, kernel.name());
    const TracedLaunch launch =
        launches_of(kernel, {folder + example.cases + ".json"}, {}).front().launch;
    const double proved = best_of_three([&] { tracer.classify(launch, gpu); });
    LaunchTrace trace;
    const double traced = best_of_three([&] { trace = tracer.trace(launch, gpu.warps()); });
    RunCount count;
    const double run = best_of_three([&] { count = memory::run(gpu, trace); });
    std::printf("| %s | %zu | %.2f | %.2f | %.3f | %.1f |\n", example.kernel, launch.sizes.items(),
                proved, traced, run, static_cast<double>(count.instructions) / run / 1e6);
    std::fflush(stdout);
  }
}
