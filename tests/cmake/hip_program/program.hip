#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

void launch_sum(float* data, int n);
int devices();

int main(int, char** arguments) {
  const int n = std::atoi(arguments[1]);
  float host[64], *data = nullptr;
  for (int i = 0; i < 64; ++i)
    host[i] = i;
  if (devices() != 1 || hipMalloc(&data, sizeof host) != hipSuccess)
    return 2;
  (void)hipMemcpy(data, host, sizeof host, hipMemcpyHostToDevice);
  launch_sum(n > 64 ? data + 1 : data, n);
  (void)hipMemcpy(host, data, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%g %g\n", host[0], host[32]);
  return n == 64 && (host[0] != 496 || host[32] != 1520);
}
