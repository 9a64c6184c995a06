// A C++ test program with CL/opencl.hpp: two processes' worth of habits, static objects included.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

const std::string kSource = R"(
__kernel void saxpy(__global const float* x, __global float* y, const float a) {
  const int i = get_global_id(0);
  if (a == 0)
    return;
  y[i] += a * x[i];
}
__kernel void scale(__global float* y, float4 by) { y[get_global_id(0)] *= by.x + by.w; }
)";

std::unique_ptr<cl::Context> context; // destroyed after main()
std::unique_ptr<cl::CommandQueue> queue;

void print(const cl::Buffer& buffer, std::size_t count) {
  std::vector<float> values(count);
  cl::copy(*queue, buffer, values.begin(), values.end());
  for (const float value : values)
    std::cout << value << ' ';
  std::cout << '\n';
}

} // namespace

int main() {
  try {
    context = std::make_unique<cl::Context>(CL_DEVICE_TYPE_ALL);
    queue = std::make_unique<cl::CommandQueue>(*context);
    cl::Program program(*context, kSource);
    program.build("-cl-std=CL1.2 -cl-fast-relaxed-math");
    std::vector<float> x(32), y(32, 1);
    std::iota(x.begin(), x.end(), 0.0F);
    cl::Buffer in(*context, x.begin(), x.end(), true);
    cl::Buffer out(*context, y.begin(), y.end(), false);
    cl::KernelFunctor<cl::Buffer, cl::Buffer, float> saxpy(program, "saxpy");
    saxpy(cl::EnqueueArgs(*queue, cl::NDRange(32), cl::NDRange(8)), in, out, 2.0F).wait();
    print(out, 32);
    cl::Kernel scale(program, "scale");
    scale.setArg(0, out);
    scale.setArg(1, cl_float4{{1, 2, 3, 4}});
    queue->enqueueNDRangeKernel(scale, cl::NDRange(4), cl::NDRange(16));
    print(out, 32);
    std::cout << program.getInfo<CL_PROGRAM_REFERENCE_COUNT>() << ' '
              << scale.getInfo<CL_KERNEL_NUM_ARGS>() << ' '
              << scale.getInfo<CL_KERNEL_REFERENCE_COUNT>() << '\n';
    return 3; // an exit code of its own
  } catch (const cl::Error& error) {
    std::cerr << error.what() << ": " << error.err() << '\n';
    return error.err() == CL_DEVICE_NOT_FOUND || error.err() == CL_PLATFORM_NOT_FOUND_KHR ? 77 : 1;
  }
}
