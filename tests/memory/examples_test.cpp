// The project's examples: what the static analysis is sure of happens there, too.
#include "memory/kernel.h"
#include "tests/catch.h"
#include "tests/memory/alone.h"
#include "tests/random_count.h"

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;

namespace {

struct Example {
  const char *file, *kernel, *cases; // below examples/
  std::vector<std::size_t> global_size{}, local_size{};
  std::vector<std::string> definitions{};
};

const std::vector<Example>& examples() {
  static const std::vector<Example> all{
      {"bfs/bfs.cl", "expand", "bfs/cases/diamond.json", {8}},
      {"bfs/bfs.cl", "expand", "bfs/cases/random_graph.json", {8}},
      {"bitonic_sort/bitonic_sort.cl", "sort_step", "bitonic_sort/cases/steps.json", {8}},
      {"black_scholes/black_scholes.cl", "", "black_scholes/cases/options.json", {8}},
      {"convolution/convolution.cl", "", "convolution/cases/filters.json", {8, 8}, {4, 4}},
      {"histogram/histogram.cl", "", "histogram/cases/counts.json", {64}, {16}},
      {"interpreter/interpreter.cl", "interpret", "interpreter/cases/programs.json", {8}},
      {"lookup/lookup.cl", "", "lookup/cases/between.json", {8}},
      {"matrix_multiply/matrix_multiply.cl",
       "multiply",
       "matrix_multiply/cases/tiles.json",
       {8, 8},
       {8, 8},
       {"TILE=8"}},
      {"memory/bfs.cl", "bfs", "memory/bfs.json"},
      {"memory/bitonic.cl", "bitonic", "memory/bitonic.json"},
      {"memory/clock.cl", "clock_least", "memory/clock.json"},
      {"memory/histogram.cl", "histogram", "memory/histogram.json"},
      {"memory/scalar_product.cl", "scalar_product", "memory/scalar_product.json"},
      {"memory/scan.cl", "scan_best", "memory/scan_best.json"},
      {"memory/scan.cl", "scan_efficient", "memory/scan_efficient.json"},
      {"memory/scan.cl", "scan_naive", "memory/scan_naive.json"},
      {"memory/transpose.cl", "transpose", "memory/transpose.json"},
      {"memory/transpose.cl", "transpose_tiled", "memory/transpose.json"},
      {"memory/walsh.cl", "walsh", "memory/walsh.json"},
      {"nbody/nbody.cl", "advance", "nbody/cases/bodies.json", {8}, {4}},
      {"partial_sum/partial_sum.cl", "sum", "partial_sum/cases/right.json", {2}, {2}},
      {"peaks/peaks.cl", "", "peaks/cases/peaks-12-if-false.json", {8}},
      {"prefix_scan/prefix_scan.cl", "scan_blocks", "prefix_scan/cases/large.json", {16}, {8}},
      {"prefix_scan/prefix_scan.cl", "scan_blocks", "prefix_scan/cases/small.json", {16}, {8}},
      {"reduction/reduction.cl", "reduce", "reduction/cases/sizes.json", {128}, {64}},
      {"spmv/spmv.cl", "", "spmv/cases/rows.json", {8}},
      {"stencil/stencil.cl", "diffuse", "stencil/cases/grids.json", {8, 8}, {8, 8}},
      {"transpose/transpose.cl",
       "transpose",
       "transpose/cases/sizes.json",
       {16, 4, 1},
       {16, 4, 1}}};
  return all;
}

} // namespace

TEST_CASE("What is proved of the examples happens") {
  const std::string folder = GPUTEST_EXAMPLES "/";
  std::size_t number = 0;
  for (const Example& example : examples()) {
    if (number++ % gputest::tests::random_stride(3) != 0)
      continue;
    frontend::SourceOptions options;
    options.file = folder + example.file;
    options.definitions = example.definitions;
    const Kernel kernel = kernel_of(options, example.kernel);
    const Tracer tracer(kernel.source, kernel.name());
    AloneCount count;
    for (const NamedLaunch& named :
         launches_of(kernel, {folder + example.cases},
                     {.global_size = example.global_size, .local_size = example.local_size})) {
      const LaunchTrace trace = tracer.trace(named.launch, {1});
      for (const char* name : {"embedded", "h200"}) {
        INFO(example.cases << ", case '" << named.name << "' on " << name);
        const Gpu gpu = gpu_named(name);
        run_alone(gpu, trace, tracer.classify(named.launch, gpu), count);
        REQUIRE(count.wrong == "");
      }
    }
    INFO(example.cases);
    CHECK(count.hits + count.misses + count.kept + count.open != 0);
  }
}
