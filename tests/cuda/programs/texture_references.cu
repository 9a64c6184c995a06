// Texture and surface references, as CUDA had them before version 12.
// CHECK-DAG: texture_references.cu:19:21: error: a thread of block (0, 0, 0) reads through a null pointer
#include "check.h"

#include <vector>

texture<float4, 1, cudaReadModeElementType> places;
static texture<float, cudaTextureType2D> heights;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours(1, cudaFilterModePoint, cudaAddressModeWrap);
texture<int> numbers;
texture<float, cudaTextureType2DLayered> layers;
texture<float, cudaTextureType3D> box;
surface<void, cudaSurfaceType2D> drawn;

__device__ float height(float x, float y) {
  return tex2D(heights, x, y);
}
__global__ void read_places(float* out) {
  const float4 at = tex1Dfetch(places, threadIdx.x);
  out[threadIdx.x] = at.x + 10 * at.y + 100 * at.z + 1000 * at.w;
}
__global__ void read_heights(float* out) {
  out[0] = height(1.5f, 2.5f);
  out[1] = height(2.0f, 2.5f); // between two
  out[2] = height(-5, 0.5f);
}
__global__ void read_colours(float4* out) {
  out[0] = tex2D(colours, 1.25f, 0.25f); // wraps
  out[1] = tex2D(colours, 0.75f, 0.75f);
}
__global__ void read_numbers(int* out) {
  out[threadIdx.x] = tex1Dfetch(numbers, threadIdx.x);
}
__global__ void read_depths(float* out) {
  out[0] = tex2DLayered(layers, 1, 0, 1);
  out[1] = tex3D(box, 1.5f, 0.5f, 1.5f);
  out[2] = tex2Dgather(heights, 2.0f, 1.0f).w;
}
__global__ void draw() {
  int before;
  surf2Dread(&before, drawn, 4 * threadIdx.x, 1);
  surf2Dwrite(before + surf2Dread<int>(drawn, 4 * threadIdx.x, 0), drawn, 4 * threadIdx.x, 1);
}

template <typename T> std::vector<T> back(const T* device, size_t count) {
  std::vector<T> host(count);
  EXPECT(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
  return host;
}
template <typename T> cudaArray_t array_of(const std::vector<T>& texels, size_t width, size_t height) {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  EXPECT(cudaMallocArray(&array, &desc, width, height, cudaArraySurfaceLoadStore) == cudaSuccess);
  EXPECT(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(T), width * sizeof(T), height,
                            cudaMemcpyHostToDevice) == cudaSuccess);
  return array;
}
cudaArray_t deep(unsigned flags) {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  float texels[] = {0, 1, 2, 3};
  cudaArray_t array;
  EXPECT(cudaMalloc3DArray(&array, &desc, make_cudaExtent(2, 1, 2), flags) == cudaSuccess);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(texels, 8, 2, 1);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(2, 1, 2);
  copy.kind = cudaMemcpyHostToDevice;
  EXPECT(cudaMemcpy3D(&copy) == cudaSuccess);
  return array;
}

int main() {
  float* out;
  EXPECT(cudaMalloc(&out, 256) == cudaSuccess);

  // Linear memory, also from its middle on.
  std::vector<float4> at;
  for (int i = 0; i < 64; ++i)
    at.push_back({float(i), 1, 2, 3});
  float4* memory;
  EXPECT(cudaMalloc(&memory, 64 * sizeof(float4)) == cudaSuccess);
  EXPECT(cudaMemcpy(memory, at.data(), 64 * sizeof(float4), cudaMemcpyHostToDevice) == cudaSuccess);
  size_t offset = 1;
  EXPECT(cudaBindTexture(&offset, places, memory, cudaCreateChannelDesc<float4>(), 4 * sizeof(float4)) ==
        cudaSuccess);
  EXPECT(offset == 0);
  read_places<<<1, 5>>>(out);
  std::vector<float> got = back(out, 5);
  EXPECT(got[0] == 3210 && got[3] == 3213 && got[4] == 0); // outside is 0
  EXPECT(cudaBindTexture(&offset, places, memory + 2) == cudaSuccess);
  EXPECT(offset == 2 * sizeof(float4));
  EXPECT(cudaGetTextureAlignmentOffset(&offset, places) == cudaSuccess && offset == 32);
  EXPECT(cudaBindTexture(nullptr, places, memory + 2) == cudaErrorInvalidValue);
  EXPECT(cudaBindTexture(nullptr, places, memory) == cudaSuccess); // all of it
  read_places<<<1, 64>>>(out);
  EXPECT(back(out, 64)[63] == 3273);
  EXPECT(cudaBindTexture(nullptr, numbers, memory, sizeof(float4)) == cudaSuccess);
  read_numbers<<<1, 4>>>(reinterpret_cast<int*>(out));
  EXPECT(back(reinterpret_cast<int*>(out), 4)[1] == 0x3f800000);

  int* few; // wherever a small allocation begins
  for (int i = 0; i < 3; ++i)
    EXPECT(cudaMalloc(&few, 8) == cudaSuccess && cudaBindTexture(nullptr, numbers, few, 8) == cudaSuccess);

  // Arrays and pitched memory, with the filter that the host has set.
  std::vector<float> texels;
  for (int i = 0; i < 12; ++i)
    texels.push_back(float(i));
  cudaArray_t array = array_of(texels, 4, 3);
  heights.filterMode = cudaFilterModeLinear;
  heights.addressMode[0] = cudaAddressModeClamp;
  EXPECT(cudaBindTextureToArray(heights, array) == cudaSuccess);
  read_heights<<<1, 1>>>(out);
  got = back(out, 3);
  EXPECT(got[0] == 9 && got[1] == 9.5f && got[2] == 0);
  float* rows;
  size_t pitch;
  EXPECT(cudaMallocPitch(&rows, &pitch, 16, 3) == cudaSuccess);
  EXPECT(cudaMemcpy2D(rows, pitch, texels.data(), 16, 16, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  const textureReference* by_symbol;
  EXPECT(cudaGetTextureReference(&by_symbol, &heights) == cudaSuccess && by_symbol == &heights);
  heights.filterMode = cudaFilterModePoint;
  EXPECT(cudaBindTexture2D(nullptr, heights, rows, 4, 3, pitch) == cudaSuccess);
  read_heights<<<1, 1>>>(out);
  got = back(out, 3);
  EXPECT(got[0] == 9 && got[1] == 10 && got[2] == 0);

  cudaArray_t picture = array_of(std::vector<uchar4>{{255, 0, 0, 51}, {0, 255, 0, 0}, {0, 0, 0, 0}, {0, 0, 255, 102}}, 2, 2);
  EXPECT(cudaBindTextureToArray(colours, picture, cudaCreateChannelDesc<uchar4>()) == cudaSuccess);
  read_colours<<<1, 1>>>(reinterpret_cast<float4*>(out));
  got = back(out, 8);
  EXPECT(got[0] == 1 && got[3] == 0.2f && got[6] == 1 && got[7] == 0.4f);

  EXPECT(cudaBindTextureToArray(layers, deep(cudaArrayLayered)) == cudaSuccess);
  EXPECT(cudaBindTextureToArray(box, deep(0)) == cudaSuccess);
  read_depths<<<1, 1>>>(out);
  got = back(out, 3);
  EXPECT(got[0] == 3 && got[1] == 3 && got[2] == 1);

  cudaArray_t canvas = array_of(std::vector<int>{1, 2, 10, 20}, 2, 2);
  EXPECT(cudaBindSurfaceToArray(drawn, canvas) == cudaSuccess);
  draw<<<1, 2>>>();
  int ints[4];
  EXPECT(cudaMemcpy2DFromArray(ints, 8, canvas, 0, 0, 8, 2, cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(ints[0] == 1 && ints[2] == 11 && ints[3] == 22);

  textureReference unknown{};
  EXPECT(cudaUnbindTexture(places) == cudaSuccess && cudaUnbindTexture(places) == cudaSuccess);
  EXPECT(cudaUnbindTexture(&unknown) == cudaErrorInvalidTexture);
  EXPECT(cudaGetTextureAlignmentOffset(&offset, places) == cudaErrorInvalidTextureBinding);
  cudaGetLastError();
  read_places<<<1, 1>>>(out); // nothing is bound
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  return wrong;
}
