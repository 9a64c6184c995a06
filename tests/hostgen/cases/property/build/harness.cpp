// Runs the kernel sum of kernels.cl with its test cases.
//
// Written by `gputest harness`. Yours to copy and change: it needs C++20, the OpenCL headers and
// GpuTestCheck's runtime library. Paths are relative to the folder the executable is in.
#include <gputest/harness.h>
#include <gputest/reference.h>
#include <gputest/property.h>

#include "../sums.cpp"

namespace {

// Calls sums::wanted, with the launch as well if that is what it takes.
template <class... Arguments>
void call_reference(const gputest::Launch& launch, Arguments... arguments) {
  // REFERENCE: sums.cpp must define sums::wanted for these arguments.
  if constexpr (requires { sums::wanted(arguments..., launch); }) {
    sums::wanted(arguments..., launch);
  } else {
    static_assert(requires { sums::wanted(arguments...); }, "REFERENCE: sums.cpp has no function sums::wanted that takes the kernel's arguments, as in void sums::wanted(cl_int* data, cl_int n, cl_int* scratch); name another with REFERENCE_FUNCTION");
    sums::wanted(arguments...); // REFERENCE_FUNCTION: sums.cpp must define it: void sums::wanted(cl_int* data, cl_int n, cl_int* scratch)
  }
}

} // namespace

namespace {

// Calls sums::grow, with the launch as well if that is what it takes.
template <class... Arguments>
void call_property(const gputest::Launch& launch, Arguments... arguments) {
  // PROPERTY: sums.cpp must define sums::grow for these arguments.
  if constexpr (requires { sums::grow(arguments..., launch); }) {
    sums::grow(arguments..., launch);
  } else {
    static_assert(requires { sums::grow(arguments...); }, "PROPERTY: sums.cpp has no function sums::grow that takes the kernel's arguments; name another with PROPERTY_FUNCTION");
    sums::grow(arguments...); // PROPERTY_FUNCTION: sums.cpp must define it for these arguments
  }
}

} // namespace

int main(int argc, char** argv) {
  const gputest::KernelDescription kernel{
      .name = "sum",
      .source = "../kernels.cl",
      .kernel = "sum",
      .kernel_dir = ".",
      .global_size = {6},
      .requirements = {"n <= global_size(0)", "n > 0"},
      .settings = {{"fuzz.seconds", "5"}},
      .reference = [](const gputest::ReferenceCall& call) {
          call_reference(call.launch(),
                         call.pointer<cl_int>("data"),
                         call.scalar<cl_int>("n"),
                         call.pointer<cl_int>("scratch"));
      },
      .property = [](const gputest::PropertyCall& call) {
          call_property(call.launch(),
                        call.pointer<cl_int>("data"),
                        call.scalar<cl_int>("n"),
                        call.pointer<cl_int>("scratch"));
      },
  };
  return gputest::harness_main(kernel, argc, argv);
}
