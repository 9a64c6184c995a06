// A device's compiler that dies of a word in the source, when it is built, or when it is launched
// first; that refuses a source for a while and does not say why; or that somebody kills then. To be
// preloaded (LD_PRELOAD) into a program that is linked with the ICD loader.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace {

bool holds(cl_program program, const char* word) {
  std::size_t size = 0;
  clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &size);
  std::string source(size, ' ');
  clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source.data(), nullptr);
  return source.find(word) != std::string::npos;
}

int refused = 0;
bool refuses = false; // the program that was built last

} // namespace

// The log of a program that was refused is PoCL's when it cannot write its cache.
extern "C" cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                    cl_program_build_info what, std::size_t size,
                                                    void* value, std::size_t* size_ret) {
  static constexpr char kLog[] = "Device cpu failed to build the program\n";
  if (refuses && what == CL_PROGRAM_BUILD_LOG) {
    if (size_ret)
      *size_ret = sizeof kLog;
    if (value)
      std::memcpy(value, kLog, std::min(size, sizeof kLog));
    return CL_SUCCESS;
  }
  using Info = decltype(&clGetProgramBuildInfo);
  static const auto info = reinterpret_cast<Info>(::dlsym(RTLD_NEXT, "clGetProgramBuildInfo"));
  return info(program, device, what, size, value, size_ret);
}

extern "C" cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint device_count,
                                             const cl_device_id* devices, const char* options,
                                             void(CL_CALLBACK* notify)(cl_program, void*),
                                             void* data) {
  if (holds(program, "crash the compiler"))
    std::abort();
  const bool optimises = std::strstr(options ? options : "", "-cl-opt-disable") == nullptr;
  if (holds(program, optimises ? "crash optimised" : "crash unoptimised"))
    std::abort();
  if (holds(program, "killed when it is built"))
    std::raise(SIGKILL);
  // From then on it compiles nothing, as with a full disk.
  static bool fails = false;
  fails = fails || holds(program, "fills the disk");
  if (fails)
    return CL_BUILD_PROGRAM_FAILURE;
  refuses = holds(program, "refused twice") && ++refused <= 2;
  if (refuses)
    return CL_BUILD_PROGRAM_FAILURE;
  using Build = decltype(&clBuildProgram);
  static const auto build = reinterpret_cast<Build>(::dlsym(RTLD_NEXT, "clBuildProgram"));
  return build(program, device_count, devices, options, notify, data);
}

extern "C" cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                     cl_uint dimensions, const std::size_t* offset,
                                                     const std::size_t* global,
                                                     const std::size_t* local, cl_uint wait_count,
                                                     const cl_event* waits, cl_event* event) {
  cl_program program = nullptr;
  clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, static_cast<void*>(&program), nullptr);
  if (holds(program, "crash at the launch"))
    std::abort();
  if (holds(program, "killed at the launch"))
    std::raise(SIGKILL);
  using Enqueue = decltype(&clEnqueueNDRangeKernel);
  static const auto enqueue =
      reinterpret_cast<Enqueue>(::dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel"));
  return enqueue(queue, kernel, dimensions, offset, global, local, wait_count, waits, event);
}
