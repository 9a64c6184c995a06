// HIP in a source of C++, a function of another unit, and a kernel that is compiled at run time.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <cstdio>
#include <cstring>
#include <vector>

extern __device__ int twice(int x);

__global__ void doubled(int* data) {
  data[threadIdx.x] = twice(data[threadIdx.x]);
}

static int fail(const char* what) {
  std::printf("%s\n", what);
  return 1;
}

int main(int, char** arguments) {
  int host[32] = {}, *data = nullptr;
  host[31] = 20;
  if (hipMalloc(&data, sizeof host) != hipSuccess)
    return fail("hipMalloc");
  (void)hipMemcpy(data, host, sizeof host, hipMemcpyHostToDevice);
  doubled<<<1, 32>>>(data);

  // A module from a file, by pointers and by a packed block of arguments.
  hipModule_t module;
  hipFunction_t add;
  if (hipModuleLoad(&module, arguments[1]) != hipSuccess ||
      hipModuleGetFunction(&add, module, "add") != hipSuccess)
    return fail("hipModuleLoad");
  int one = 1;
  void* values[] = {&data, &one};
  if (hipModuleLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, values, nullptr) != hipSuccess)
    return fail("hipModuleLaunchKernel");
  struct {
    int* data;
    int value;
  } packed{data, 2};
  size_t size = sizeof packed;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   HIP_LAUNCH_PARAM_END};
  if (hipModuleLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra) != hipSuccess)
    return fail("hipModuleLaunchKernel, packed");
  (void)hipMemcpyDtoH(host, data, sizeof host);
  if (host[0] != 3 || host[31] != 43)
    return fail("add");

  // HIPRTC.
  hiprtcProgram program;
  const char* const text = "#include <hip/hip_runtime.h>\n"
                           "extern \"C\" __global__ void lanes(int* d) { if (__any(threadIdx.x == "
                           "3)) d[0] = __popcll(__ballot(1)); }\n";
  if (hiprtcCreateProgram(&program, text, "lanes.hip", 0, nullptr, nullptr) != HIPRTC_SUCCESS)
    return fail("hiprtcCreateProgram");
  const char* const options[] = {"--offload-arch=gfx90a", "-DUNUSED=1"};
  const hiprtcResult compiled = hiprtcCompileProgram(program, 2, options);
  size_t log_size = 0;
  hiprtcGetProgramLogSize(program, &log_size);
  std::vector<char> log(log_size);
  hiprtcGetProgramLog(program, log.data());
  if (compiled != HIPRTC_SUCCESS)
    return fail(log.data());
  size_t code_size = 0;
  hiprtcGetCodeSize(program, &code_size);
  std::vector<char> code(code_size);
  hiprtcGetCode(program, code.data());
  hiprtcDestroyProgram(&program);
  hipFunction_t lanes;
  if (hipModuleLoadData(&module, code.data()) != hipSuccess ||
      hipModuleGetFunction(&lanes, module, "lanes") != hipSuccess)
    return fail("hipModuleLoadData");
  if (hipModuleLaunchKernel(lanes, 1, 1, 1, 32, 1, 1, 0, nullptr, values, nullptr) != hipSuccess)
    return fail("lanes");
  (void)hipMemcpy(host, data, sizeof host, hipMemcpyDeviceToHost);
  if (host[0] != 32)
    return fail("32 lanes");

  // A mistake.
  if (hiprtcCreateProgram(&program, "__global__ void wrong() { nobody(); }", "wrong.hip", 0,
                          nullptr, nullptr) != HIPRTC_SUCCESS ||
      hiprtcCompileProgram(program, 0, nullptr) != HIPRTC_ERROR_COMPILATION)
    return fail("a mistake");
  hiprtcGetProgramLogSize(program, &log_size);
  log.resize(log_size);
  hiprtcGetProgramLog(program, log.data());
  if (!std::strstr(log.data(), "nobody") ||
      std::strcmp(hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION), "HIPRTC_ERROR_COMPILATION") != 0)
    return fail(log.data());
  return 0;
}
