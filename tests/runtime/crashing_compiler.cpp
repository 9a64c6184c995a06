// A device's compiler that dies of a word in the source. To be preloaded (LD_PRELOAD) into a
// program that is linked with the ICD loader.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <cstdlib>
#include <dlfcn.h>
#include <string>

extern "C" cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint device_count,
                                             const cl_device_id* devices, const char* options,
                                             void(CL_CALLBACK* notify)(cl_program, void*),
                                             void* data) {
  std::size_t size = 0;
  clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &size);
  std::string source(size, ' ');
  clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source.data(), nullptr);
  if (source.find("crash the compiler") != std::string::npos)
    std::abort();
  using Build = decltype(&clBuildProgram);
  static const auto build = reinterpret_cast<Build>(::dlsym(RTLD_NEXT, "clBuildProgram"));
  return build(program, device_count, devices, options, notify, data);
}
