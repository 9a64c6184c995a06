// Runs the device function root of kernels.cl with its test cases.
//
// Written by `gputest harness`. Yours to copy and change: it needs C++20, the OpenCL headers and
// GpuTestCheck's runtime library. Paths are relative to the folder the executable is in.
#include <gputest/harness.h>

int main(int argc, char** argv) {
  const gputest::KernelDescription kernel{
      .name = "roots",
      .source = "../../shared kernels/roots.cl",
      .kernel = "gputest_root",
      .function = "root",
      .kernel_dir = ".",
      .user_interface = "../interface.json",
      .global_size = {16, 4, 2},
      .local_size = {4, 2, 1},
      .arguments = {"x:size=128,fill=random(0,100)", "result:size=128,file=../expected.npy,output"},
      .test_cases = {
          "../cases/a.json",
          "../cases/a case with a rather long name.json",
          "../cases/another with a name that is longer still.json",
      },
      .tolerance = {.absolute = 0.5, .relative = 1e-300, .ulp = 18446744073709551615u},
      .build_options = {"-cl-fast-relaxed-math"},
      .definitions = {"SIZE=128", "TEXT=\"a, \\\\ b\"", "EMPTY="},
      .include_dirs = {"../include", "/elsewhere/headers"},
      .cl_std = "CL2.0",
      .timeout = 2.5,
      .device = "gpu",
      .settings = {{"coverage.statement", "0"}, {"coverage.condition", "12.5"}},
  };
  return gputest::harness_main(kernel, argc, argv);
}
