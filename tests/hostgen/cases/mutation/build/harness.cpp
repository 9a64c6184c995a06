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
      .settings = {
          {"mutation.threshold", "87.5"},
          {"mutation.operators", "gpu,math_replacement"},
          {"mutation.repeat", "5"},
          {"mutation.sample", "100"},
          {"mutation.seed", "7"},
          {"mutation.since", "origin/main"},
          {"mutation.timeout-factor", "20"},
          {"mutation.all-cases", ""},
          {"mutation.store", "results.db"},
      },
  };
  return gputest::harness_main(kernel, argc, argv);
}
