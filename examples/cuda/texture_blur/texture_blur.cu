// An image enlarged by a texture that interpolates, and by hand on the host.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void enlarge(cudaTextureObject_t image, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = tex2D<float>(image, (x + 0.5f) / 2, (y + 0.5f) / 2);
}

int main() {
  constexpr int w = 9, h = 6;
  std::vector<float> pixels(w * h), out(4 * w * h);
  for (int i = 0; i < w * h; ++i)
    pixels[i] = static_cast<float>(i * 5 % 17);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &format, w, h);
  cudaMemcpy2DToArray(array, 0, 0, pixels.data(), w * sizeof(float), w * sizeof(float), h,
                      cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture = {};
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  texture.filterMode = cudaFilterModeLinear;
  texture.readMode = cudaReadModeElementType;
  cudaTextureObject_t image = 0;
  cudaCreateTextureObject(&image, &resource, &texture, nullptr);
  float* device_out = nullptr;
  cudaMalloc(&device_out, out.size() * sizeof(float));
  enlarge<<<dim3(3, 2), dim3(8, 8)>>>(image, device_out, 2 * w, 2 * h);
  cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
  bool right = cudaGetLastError() == cudaSuccess;
  const auto pixel = [&](int x, int y) {
    x = x < 0 ? 0 : x >= w ? w - 1 : x;
    y = y < 0 ? 0 : y >= h ? h - 1 : y;
    return pixels[y * w + x];
  };
  for (int y = 0; y < 2 * h; ++y)
    for (int x = 0; x < 2 * w; ++x) {
      const float u = (x + 0.5f) / 2 - 0.5f, v = (y + 0.5f) / 2 - 0.5f;
      const int i = static_cast<int>(std::floor(u)), k = static_cast<int>(std::floor(v));
      const float a = u - i, b = v - k;
      const float expected = (1 - a) * (1 - b) * pixel(i, k) + a * (1 - b) * pixel(i + 1, k) +
                             (1 - a) * b * pixel(i, k + 1) + a * b * pixel(i + 1, k + 1);
      right = right && std::fabs(out[y * 2 * w + x] - expected) < 1e-4f;
    }
  cudaDestroyTextureObject(image);
  cudaFreeArray(array);
  cudaFree(device_out);
  std::printf("%s\n", right ? "passed" : "failed");
  return right ? 0 : 1;
}
