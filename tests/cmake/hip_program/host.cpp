#include <hip/hip_runtime.h>

int devices() {
  int count = 0;
  return hipGetDeviceCount(&count) == hipSuccess ? count : -1;
}

#ifdef ALONE
int main() {
  return devices() != 1;
}
#endif
