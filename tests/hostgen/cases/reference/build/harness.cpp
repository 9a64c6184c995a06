// Runs the kernel sum of kernels.cl with its test cases.
//
// Written by `gputest harness`. Yours to copy and change: it needs C++20, the OpenCL headers and
// GpuTestCheck's runtime library. Paths are relative to the folder the executable is in.
#include <gputest/harness.h>
#include <gputest/reference.h>

#include "../partial_sum_reference.cpp"

namespace {

// Calls sum_reference, with the launch as well if that is what it takes.
template <class... Arguments>
void call_reference(const gputest::Launch& launch, Arguments... arguments) {
  // REFERENCE: partial_sum_reference.cpp must define sum_reference for these arguments.
  if constexpr (requires { sum_reference(arguments..., launch); }) {
    sum_reference(arguments..., launch);
  } else {
    static_assert(requires { sum_reference(arguments...); }, "REFERENCE: partial_sum_reference.cpp has no function sum_reference that takes the kernel's arguments, as in void sum_reference(cl_int* data, cl_int n, cl_int* scratch); name another with REFERENCE_FUNCTION");
    sum_reference(arguments...); // REFERENCE_FUNCTION: partial_sum_reference.cpp must define it: void sum_reference(cl_int* data, cl_int n, cl_int* scratch)
  }
}

} // namespace

int main(int argc, char** argv) {
  const gputest::KernelDescription kernel{
      .name = "partial_sum",
      .source = "../kernels.cl",
      .kernel = "sum",
      .kernel_dir = ".",
      .global_size = {6},
      .local_size = {3},
      .test_cases = {"../cases/six.json"},
      .tolerance = {.absolute = 1e-06, .relative = 1e-05},
      .settings = {
          {"coverage.loop", "75"},
          {"coverage.branch", "100"},
          {"coverage.barrier", "99.5"},
      },
      .driver = "/elsewhere/gputest",
      .reference = [](const gputest::ReferenceCall& call) {
          call_reference(call.launch(),
                         call.pointer<cl_int>("data"),
                         call.scalar<cl_int>("n"),
                         call.pointer<cl_int>("scratch"));
      },
  };
  return gputest::harness_main(kernel, argc, argv);
}
