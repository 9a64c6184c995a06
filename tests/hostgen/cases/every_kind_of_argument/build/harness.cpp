// Runs the kernel step of kernels.cl with its test cases.
//
// Written by `gputest harness`. Yours to copy and change: it needs C++20, the OpenCL headers and
// GpuTestCheck's runtime library. Paths are relative to the folder the executable is in.
#include <gputest/harness.h>
#include <gputest/reference.h>

#include "../step.h"

namespace {

// Calls physics::step, with the launch as well if that is what it takes.
template <class... Arguments>
void call_reference(const gputest::Launch& launch, Arguments... arguments) {
  // REFERENCE: step.h must define physics::step for these arguments.
  if constexpr (requires { physics::step(arguments..., launch); }) {
    physics::step(arguments..., launch);
  } else {
    static_assert(requires { physics::step(arguments...); }, "REFERENCE: step.h has no function physics::step that takes the kernel's arguments, as in void physics::step(Body* bodies, const cl_float4* positions, const cl_double* mass, const cl_half* half_precision, cl_float dt, cl_float3 origin, Body first, gputest::ImageView field, gputest::SamplerView how, const cl_uchar* scratch); name another with REFERENCE_FUNCTION");
    physics::step(arguments...); // REFERENCE_FUNCTION: step.h must define it: void physics::step(Body* bodies, const cl_float4* positions, const cl_double* mass, const cl_half* half_precision, cl_float dt, cl_float3 origin, Body first, gputest::ImageView field, gputest::SamplerView how, const cl_uchar* scratch)
  }
}

} // namespace

int main(int argc, char** argv) {
  const gputest::KernelDescription kernel{
      .name = "step",
      .source = "../kernels.cl",
      .kernel = "step",
      .kernel_dir = ".",
      .global_size = {6},
      .reference = [](const gputest::ReferenceCall& call) {
          call_reference(call.launch(),
                         call.struct_pointer<32>("bodies"),
                         call.pointer<cl_float>("positions"),
                         call.pointer<cl_double>("mass"),
                         call.pointer<cl_half>("half_precision"),
                         call.scalar<cl_float>("dt"),
                         call.value<16>("origin"),
                         call.value<32>("first"),
                         call.image("field"),
                         call.sampler("how"),
                         call.pointer<cl_uchar>("scratch"));
      },
  };
  return gputest::harness_main(kernel, argc, argv);
}
