/* HIP's runtime in C, by the host's compiler. */
#include <hip/hip_runtime_api.h>

int main(void) {
  hipDeviceProp_t properties;
  hipDevice_t device;
  int *data = 0;
  if (hipInit(0) != hipSuccess || hipDeviceGet(&device, 0) != hipSuccess)
    return 1;
  if (hipGetDeviceProperties(&properties, 0) != hipSuccess || hipMalloc((void **)&data, 16) != hipSuccess)
    return 2;
  return hipFree(data) != hipSuccess;
}
