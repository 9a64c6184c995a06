// Runs the device function blur::sum<int> of kernels.cl with its test cases.
//
// Written by `gputest harness`. Yours to copy and change: it needs C++20, the OpenCL headers and
// GpuTestCheck's runtime library. Paths are relative to the folder the executable is in.
#include <gputest/harness.h>
#include <gputest/reference.h>


// The host's version of blur::sum<int>, from a library that is linked.
extern "C" gputest::HostVersion gputest_host_sum;

int main(int argc, char** argv) {
  const gputest::KernelDescription kernel{
      .name = "gputest_sum",
      .source = "../kernels.cu",
      .kernel = "gputest_sum",
      .function = "blur::sum<int>",
      .kernel_dir = ".",
      .global_size = {6},
      .reference = [](const gputest::ReferenceCall& call) {
        call.run_on_host(gputest_host_sum);
      },
  };
  return gputest::harness_main(kernel, argc, argv);
}
