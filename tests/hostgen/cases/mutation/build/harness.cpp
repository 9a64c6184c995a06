// Runs the kernel sum of kernels.cl with its test cases.
//
// Written by `gputest harness`. Yours to copy and change: it needs C++20, the OpenCL headers and
// GpuTestCheck's runtime library. Paths are relative to the folder the executable is in.
#include <gputest/harness.h>

int main(int argc, char** argv) {
  const gputest::KernelDescription kernel{
      .name = "sum",
      .source = "../kernels.cl",
      .kernel = "sum",
      .kernel_dir = ".",
      .global_size = {6},
      .mutation = {
          .threshold = 87.5,
          .operators = {"gpu", "math_replacement"},
          .repeat = 5,
          .sample = 100,
          .seed = 7,
          .since = "origin/main",
          .timeout_factor = 20,
          .all_cases = true,
          .store = "results.db",
      },
  };
  return gputest::harness_main(kernel, argc, argv);
}
