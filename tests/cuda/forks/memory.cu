// Memory of all kinds, copies, textures and captured graphs.
#include "check.h"

#include <vector>

constexpr int n = 64;
__device__ int variable[n];

__global__ void add(int* to, const int* from) {
  to[threadIdx.x] += from[threadIdx.x];
}
__global__ void sample(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float* out) {
  const int x = threadIdx.x % 8, y = threadIdx.x / 8;
  float there = 0;
  surf2Dread(&there, surface, x * 4, y);
  out[threadIdx.x] = tex2D<float>(texture, x, y) + there;
}

static void fresh() {
  int *memory = nullptr, host[n];
  CHECK(cudaMalloc(&memory, sizeof host));
  CHECK(cudaMemcpy(host, memory, sizeof host, cudaMemcpyDefault));
  for (const int one : host)
    EXPECT(one == 0); // another run's are not seen
  CHECK(cudaMemset(memory, 1, sizeof host));
  std::size_t left = 0, total = 0;
  CHECK(cudaMemGetInfo(&left, &total));
  EXPECT(0 < left && left <= total);
} // not given back

static void pinned_and_managed() {
  int *managed, *pinned, *mapped, *at, *device;
  CHECK(cudaMallocManaged(&managed, n * 4));
  CHECK(cudaMallocHost(&pinned, n * 4));
  CHECK(cudaHostAlloc(&mapped, n * 4, cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&at, mapped, 0));
  CHECK(cudaMalloc(&device, n * 4));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
#if CUDART_VERSION >= 13000
  const cudaMemLocation where{cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemAdvise(managed, n * 4, cudaMemAdviseSetPreferredLocation, where));
  CHECK(cudaMemPrefetchAsync(managed, n * 4, where, 0, stream));
#else
  CHECK(cudaMemAdvise(managed, n * 4, cudaMemAdviseSetPreferredLocation, 0));
  CHECK(cudaMemPrefetchAsync(managed, n * 4, 0, stream));
#endif
  CHECK(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachGlobal));
  for (int i = 0; i < n; ++i) {
    EXPECT(managed[i] == 0 && pinned[i] == 0);
    managed[i] = i, mapped[i] = 2 * i, pinned[i] = 5 * i;
  }
  add<<<1, n, 0, stream>>>(managed, at);
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; ++i)
    EXPECT(managed[i] == 3 * i);
  CHECK(cudaMemcpyAsync(device, pinned, n * 4, cudaMemcpyHostToDevice, stream));
  add<<<1, n, 0, stream>>>(device, managed);
  CHECK(cudaMemcpyAsync(pinned, device, n * 4, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; ++i)
    EXPECT(pinned[i] == 8 * i);
  int host[n];
  CHECK(cudaMemcpy(host, managed, n * 4, cudaMemcpyDefault)); // one of both is the host's alone
  EXPECT(host[3] == 9);
  CHECK(cudaMemcpy(managed, device, n * 4, cudaMemcpyDefault));
  EXPECT(managed[3] == 24);
  CHECK(cudaFree(managed));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(device));
}

static void rows() {
  constexpr int width = 5, height = 7;
  int host[height][8] = {}, back[height][width] = {};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < 8; ++x)
      host[y][x] = y * 10 + x;
  char *rows, *others;
  std::size_t pitch = 0, other = 0;
  CHECK(cudaMallocPitch(&rows, &pitch, width * 4, height));
  CHECK(cudaMallocPitch(&others, &other, width * 4, height));
  EXPECT(pitch >= width * 4);
  CHECK(cudaMemset2D(others, other, 0xff, width * 4, height));
  CHECK(cudaMemcpy2D(rows, pitch, host, sizeof host[0], width * 4, height, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DAsync(others, other, rows, pitch, width * 4, height - 1, cudaMemcpyDeviceToDevice, nullptr));
  CHECK(cudaMemcpy2D(back, sizeof back[0], others, other, width * 4, height, cudaMemcpyDefault));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      EXPECT(back[y][x] == (y < height - 1 ? y * 10 + x : -1));
}

// More than is copied at once.
static void large() {
  constexpr std::size_t size = (std::size_t{16} << 20) + 12345;
  std::vector<unsigned char> host(size, 7), back(size);
  for (const std::size_t at : {std::size_t{0}, size / 2, (std::size_t{16} << 20) - 1, std::size_t{16} << 20, size - 1})
    host[at] = static_cast<unsigned char>(at >> 3);
  unsigned char* device;
  CHECK(cudaMalloc(&device, size));
  CHECK(cudaMemcpy(device, host.data(), size, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(back.data(), device, size, cudaMemcpyDeviceToHost));
  EXPECT(host == back);
}

static void variables_and_pools() {
  int host[n], back[n], *address, *device;
  for (int i = 0; i < n; ++i)
    host[i] = 3 * i;
  std::size_t size = 0;
  CHECK(cudaGetSymbolSize(&size, variable));
  EXPECT(size == sizeof host);
  CHECK(cudaMemcpyToSymbolAsync(variable, host, 16 * 4, 16 * 4, cudaMemcpyHostToDevice, nullptr));
  CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), variable));
  add<<<1, 32>>>(address, address + 16);
  CHECK(cudaMemcpyFromSymbolAsync(back, variable, 16 * 4, 0, cudaMemcpyDeviceToHost, nullptr));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 16; ++i)
    EXPECT(back[i] == 3 * i);
  CHECK(cudaMallocAsync(&device, sizeof host, nullptr));
  CHECK(cudaMemsetAsync(device, 0, sizeof host, nullptr));
  CHECK(cudaMemcpyToSymbol(variable, device, sizeof host, 0, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpyFromSymbol(back, variable, sizeof host));
  EXPECT(back[5] == 0);
  CHECK(cudaFreeAsync(device, nullptr));
}

static void textures() {
  float texels[n], out[n], *device;
  for (int i = 0; i < n; ++i)
    texels[i] = static_cast<float>(i);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  CHECK(cudaMallocArray(&array, &format, 8, 8, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, 32, 32, 8, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DFromArray(out, 32, array, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
  EXPECT(out[9] == 9);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how{};
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  CHECK(cudaMalloc(&device, sizeof out));
  sample<<<1, n>>>(texture, surface, device);
  CHECK(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    EXPECT(out[i] == 2 * i);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
}

static void graphs() {
  int *device, *pinned;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaMalloc(&device, n * 4));
  CHECK(cudaMallocHost(&pinned, n * 4));
  CHECK(cudaStreamCreate(&stream));
  for (int i = 0; i < n; ++i)
    pinned[i] = i;
  CHECK(cudaMemcpy(device, pinned, n * 4, cudaMemcpyHostToDevice));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, n, 0, stream>>>(device, device);
  CHECK(cudaMemcpyAsync(pinned, device, n * 4, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i)
    CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; ++i)
    EXPECT(pinned[i] == 8 * i);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

int main() {
  fresh();
  pinned_and_managed();
  rows();
  large();
  variables_and_pools();
  textures();
  graphs();
  return 0;
}
