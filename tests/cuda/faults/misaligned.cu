// CHECK-DAG: no multiple of 16, as its type needs
// Accesses at addresses that a GPU refuses end the launch, without checks, too.
#include "check.h"

#include <cstdlib>
#include <string>
#include <sys/wait.h>

struct Four { float x, y, z, w; };
struct __attribute__((aligned(16))) Together { float x, y, z, w; };

__device__ unsigned read(const unsigned char* from) { return *reinterpret_cast<const unsigned*>(from); }

// Each adds an unknown number of bytes or halves to a pointer, and uses it as one of a larger type.
__global__ void misaligned(int which, unsigned char* bytes, int first, cudaSurfaceObject_t surface) {
  __shared__ unsigned char tile[64] __attribute__((aligned(16)));
  const int t = threadIdx.x;
  unsigned char* at = bytes + first;
  switch (which) {
  case 0: *reinterpret_cast<unsigned*>(at + 16 * t) = 1; break;
  case 1: bytes[128 + t] = *reinterpret_cast<unsigned*>(reinterpret_cast<unsigned short*>(bytes) + first / 2 + 8 * t); break;
  case 2: reinterpret_cast<float4*>(bytes)[8] = *reinterpret_cast<float4*>(at + 16 * t); break;
  case 3: *reinterpret_cast<Together*>(at) = Together{1, 2, 3, 4}; break;
  case 4: *reinterpret_cast<Four*>(at) = Four{1, 2, 3, 4}; break;
  case 5: bytes[128] = static_cast<unsigned char>(read(at)); break;
  case 6: atomicAdd(reinterpret_cast<unsigned*>(at), 1u); break;
  case 7: *reinterpret_cast<unsigned*>(tile + first) = 3; bytes[t] = tile[t]; break;
  case 8: for (unsigned char* p = at; p < bytes + 64; p += 32) *reinterpret_cast<double*>(p) = 1; break;
  case 9: *reinterpret_cast<unsigned*>(reinterpret_cast<size_t>(bytes) + first) = 1; break;
  case 10: bytes[128] = surf1Dread<int>(surface, first, cudaBoundaryModeClamp) == 0; break;
  case 11: surf1Dwrite(7, surface, first, cudaBoundaryModeZero); break;
  }
}

int main(int argc, char** argv) {
  // A fault ends all launches of a process, so each case is one of its own.
  if (argc > 2) {
    unsigned char* bytes;
    cudaMalloc(&bytes, 256);
    cudaMemset(bytes, 0, 256);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaResourceDesc resource{};
    cudaSurfaceObject_t surface = 0;
    resource.resType = cudaResourceTypeArray;
    cudaMallocArray(&resource.res.array.array, &format, 8, 0, cudaArraySurfaceLoadStore);
    cudaCreateSurfaceObject(&surface, &resource);
    misaligned<<<1, 2>>>(std::atoi(argv[1]), bytes, std::atoi(argv[2]), surface);
    const cudaError_t error = cudaDeviceSynchronize();
    return error == cudaSuccess ? 0 : error == cudaErrorMisalignedAddress ? 3 : 4;
  }
  for (int which = 0; which < 12; ++which)
    for (const int first : {0, 16, 2, 6}) {
      const std::string command = std::string(argv[0]) + " " + std::to_string(which) + " " + std::to_string(first);
      const int status = std::system(command.c_str());
      EXPECT(WEXITSTATUS(status) == (first % 16 == 0 ? 0 : 3));
    }
  return wrong;
}
