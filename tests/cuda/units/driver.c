// C, compiled by the host's compiler: loads each module that it is given, launches its kernel, and
// unloads it.
#include <cuda.h>

int main(int argc, char** argv) {
  CUcontext context;
  if (cuInit(0) || cuCtxCreate(&context, 0, 0))
    return 100;
  for (int i = 1; i < argc; ++i) {
    CUmodule module;
    CUfunction add;
    CUdeviceptr values, sum;
    int host[40], n = 40, result = 0;
    for (int j = 0; j < n; ++j)
      host[j] = j;
    if (cuModuleLoad(&module, argv[i]) || cuModuleGetFunction(&add, module, "add") ||
        cuModuleGetGlobal(&sum, 0, module, "sum") || cuMemAlloc(&values, sizeof host) ||
        cuMemcpyHtoD(values, host, sizeof host))
      return 10 * i;
    void* arguments[] = {&values, &n};
    if (cuLaunchKernel(add, 2, 1, 1, 32, 1, 1, 0, 0, arguments, 0) || cuCtxSynchronize() ||
        cuMemcpyDtoH(&result, sum, sizeof result) || result != 39 * 40 / 2)
      return 10 * i + 1;
    if (cuMemFree(values) || cuModuleUnload(module))
      return 10 * i + 2;
  }
  return cuCtxDestroy(context) ? 101 : 0;
}
