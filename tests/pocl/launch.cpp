// launch <file.cl> [runtime]: builds it for PoCL's first device, by itself or as the runtime does,
// runs its kernel k with 64 floats in one work-group, and prints these, or why it does not build.
// The first line says which PoCL it is, and whether it reads its header.
#include "gputest/error.h"
#include "runtime/machine/opencl/pocl_header.h"
#include "runtime/machine/opencl/program.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string text_of(const char* file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Returns null, and prints why, if it does not build.
cl_program built(cl_context context, cl_device_id device, const std::string& source) {
  const char* text = source.c_str();
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) == CL_SUCCESS)
    return program;
  std::array<char, 10000> log{};
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size() - 1, log.data(), nullptr);
  std::puts(log.data());
  return nullptr;
}

} // namespace

int main(int count_of_arguments, char** arguments) {
  cl_device_id device = nullptr;
  std::array<cl_platform_id, 16> platforms{};
  cl_uint count = 0;
  clGetPlatformIDs(static_cast<cl_uint>(platforms.size()), platforms.data(), &count);
  for (cl_uint i = 0; i < count && i < platforms.size(); ++i) {
    std::array<char, 256> name{};
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, name.size() - 1, name.data(), nullptr);
    if (std::string(name.data()) == "Portable Computing Language")
      clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  }
  if (!device) {
    std::puts("skipped: PoCL has no device");
    return 77;
  }
  const std::string files = text_of("/proc/self/maps");
  const bool lazy = files.find("liblazy_pocl") != std::string::npos ||
                    files.find("libgputest_pocl") != std::string::npos;
  const std::string source = text_of(arguments[1]);
  const gputest::runtime::Context context(
      {cl::Device(device, true), "device", "Portable Computing Language", "cpu", ""});
  const bool by_runtime = count_of_arguments > 2;
  const bool headless =
      by_runtime && gputest::runtime::needed_declarations(context.device, source, "");
  std::printf("PoCL%s%s\n", lazy ? " with pocl_library.cpp" : "",
              headless ? " without its header" : "");
  std::fflush(stdout); // PoCL writes past it
  gputest::runtime::BuiltProgram runtimes;
  try {
    if (by_runtime)
      runtimes = gputest::runtime::build_program(context, source, {}, arguments[1]);
  } catch (const gputest::BuildError& error) {
    std::puts(error.log.c_str());
    return 1;
  }
  cl_program program = by_runtime ? runtimes.program() : built(context.context(), device, source);
  if (!program)
    return 1;
  std::array<float, 64> values{};
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 0.5F + static_cast<float>(i) / 64;
  cl_mem buffer = clCreateBuffer(context.context(), CL_MEM_COPY_HOST_PTR, sizeof values,
                                 values.data(), nullptr);
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  const std::size_t size = values.size();
  if (clSetKernelArg(kernel, 0, sizeof buffer, &buffer) != CL_SUCCESS ||
      clEnqueueNDRangeKernel(context.queue(), kernel, 1, nullptr, &size, &size, 0, nullptr,
                             nullptr) != CL_SUCCESS ||
      clEnqueueReadBuffer(context.queue(), buffer, CL_TRUE, 0, sizeof values, values.data(), 0,
                          nullptr, nullptr) != CL_SUCCESS)
    return 1;
  for (const float value : values)
    std::printf("%a\n", static_cast<double>(value));
}
