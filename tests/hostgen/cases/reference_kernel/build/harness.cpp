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
      .local_size = {3},
      .reference_kernel = {
          .source = "../../simple kernels/sum.cu",
          .kernel = "simple<int>",
          .dir = "reference",
          .global_size = {"n", "n + 1"},
          .local_size = {"1", "1"},
          .arguments = {"total=data", "size=n"},
      },
  };
  return gputest::harness_main(kernel, argc, argv);
}
