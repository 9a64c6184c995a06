// Random textures, beside what an H200 gave: all kinds of arrays and linear memory, formats, addressing modes, filters
// and functions.
//
// usage: results <results> <number of cases> [write]
//
// The file of results has a word for each case: three digits of a hash, or a sum where values are filtered, whose last
// bits are a GPU's own. `write` writes it, on a GPU.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <fstream>
#include <string>
#include <vector>

static uint64_t state;
static uint32_t any() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<uint32_t>(state >> 11);
}
static int below(int count) { return static_cast<int>(any() % static_cast<unsigned>(count)); }

enum Kind { kRow, kPlane, kVolume, kRows, kPlanes, kCube, kCubes, kLinear, kPitched, kKinds };
enum Form { kU8, kS8, kU16, kS16, kU32, kS32, kF16, kF32, kForms };
constexpr int kBits[] = {8, 8, 16, 16, 32, 32, 16, 32};
constexpr int kThreads = 128;

static __device__ float4 bits_of(float4 v) { return v; }
template <typename V> static __device__ float4 bits_of(V v) {
  return make_float4(__int_as_float(v.x), __int_as_float(v.y), __int_as_float(v.z), __int_as_float(v.w));
}
template <typename V> __global__ void fetch(cudaTextureObject_t t, int kind, int how, const float4* at, float4* out) {
  const int i = threadIdx.x;
  const float4 p = at[i];
  const int layer = static_cast<int>(p.w * (kind == kCubes ? 2 : 3));
  V v{};
  switch (kind) {
  case kRow: v = how == 1 ? tex1DLod<V>(t, p.x, p.w) : how == 2 ? tex1DGrad<V>(t, p.x, p.w * 0.01f, p.w * 0.02f) : tex1D<V>(t, p.x); break;
  case kPlane:
  case kPitched:
    v = how == 1 ? tex2DLod<V>(t, p.x, p.y, p.w) : how == 2 ? tex2Dgather<V>(t, p.x, p.y, 0) : how == 3 ? tex2Dgather<V>(t, p.x, p.y, i & 3) : tex2D<V>(t, p.x, p.y);
    break;
  case kVolume: v = how == 1 ? tex3DLod<V>(t, p.x, p.y, p.z, p.w) : tex3D<V>(t, p.x, p.y, p.z); break;
  case kRows: v = how == 1 ? tex1DLayeredLod<V>(t, p.x, layer, 0) : tex1DLayered<V>(t, p.x, layer); break;
  case kPlanes: v = how == 1 ? tex2DLayeredLod<V>(t, p.x, p.y, layer, 0) : tex2DLayered<V>(t, p.x, p.y, layer); break;
  case kCube: v = texCubemap<V>(t, p.x, p.y, p.z); break;
  case kCubes: v = texCubemapLayered<V>(t, p.x, p.y, p.z, layer); break;
  case kLinear: v = tex1Dfetch<V>(t, static_cast<int>(p.x)); break;
  }
  out[i] = bits_of(v);
}

#define CHECKED(call)                                                                                                  \
  do {                                                                                                                 \
    const cudaError_t error = call;                                                                                    \
    if (error != cudaSuccess) {                                                                                        \
      std::printf("%s: %s\n", #call, cudaGetErrorName(error));                                                         \
      std::exit(2);                                                                                                    \
    }                                                                                                                  \
  } while (false)

static std::string result_of(int number) {
  state = 88172645463325252ull + number * 7919ull;
  for (int i = 0; i < 10; ++i)
    any();
  const int kind = below(kKinds);
  const int channels = 1 << below(3);
  const int form = below(kForms), bits = kBits[form];
  const bool real = form >= kF16, cube = kind == kCube || kind == kCubes;
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0,
                            real       ? cudaChannelFormatKindFloat
                            : form % 2 ? cudaChannelFormatKindSigned
                                       : cudaChannelFormatKindUnsigned);
  const int w = 1 + below(9);
  const int h = cube ? w : kind == kRow || kind == kRows || kind == kLinear ? 0 : 1 + below(7);
  const int d = kind == kVolume ? 1 + below(5) : kind == kRows || kind == kPlanes ? 3 : kind == kCube ? 6 : kind == kCubes ? 12 : 0;
  const size_t texel = channels * bits / 8, count = size_t(w) * (h ? h : 1) * (d ? d : 1);
  std::vector<unsigned char> data(count * texel);
  for (size_t i = 0; i < count * channels; ++i) {
    if (form == kF32) {
      const float number = static_cast<float>(below(2000) - 1000) / 8.0f;
      std::memcpy(&data[4 * i], &number, 4);
    } else if (form == kF16) {
      uint16_t half = static_cast<uint16_t>(below(2) << 15);
      half |= static_cast<uint16_t>((10 + below(10)) << 10);
      half |= static_cast<uint16_t>(below(1024));
      std::memcpy(&data[2 * i], &half, 2);
    } else {
      for (int k = 0; k < bits / 8; ++k)
        data[i * bits / 8 + k] = static_cast<unsigned char>(below(256));
    }
  }
  const bool normalized_read = !real && bits < 32 && below(2);
  const bool filtered = (real || normalized_read) && below(2) && kind != kLinear;
  cudaTextureDesc how{};
  how.filterMode = filtered ? cudaFilterModeLinear : cudaFilterModePoint;
  how.readMode = normalized_read ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  how.normalizedCoords = cube ? 1 : below(2);
  for (cudaTextureAddressMode& mode : how.addressMode)
    mode = static_cast<cudaTextureAddressMode>(below(4));
  for (float& color : how.borderColor)
    color = static_cast<float>(below(3)) * 0.5f;
  const int gather = below(4);
  const int function = kind == kRow ? below(3) : kind == kPlane ? gather : kind == kPitched ? 0 : below(2);
  cudaResourceDesc resource{};
  cudaArray_t array = nullptr;
  void* memory = nullptr;
  if (kind == kLinear) {
    how.normalizedCoords = 0;
    CHECKED(cudaMalloc(&memory, data.size()));
    CHECKED(cudaMemcpy(memory, data.data(), data.size(), cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = data.size();
  } else if (kind == kPitched) {
    size_t pitch = 0;
    CHECKED(cudaMallocPitch(&memory, &pitch, w * texel, h));
    CHECKED(cudaMemcpy2D(memory, pitch, data.data(), w * texel, w * texel, h, cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = format;
    resource.res.pitch2D.width = w;
    resource.res.pitch2D.height = h;
    resource.res.pitch2D.pitchInBytes = pitch;
  } else {
    const unsigned flags = kind == kRows || kind == kPlanes       ? cudaArrayLayered
                           : kind == kCube                        ? cudaArrayCubemap
                           : kind == kCubes                       ? cudaArrayCubemap | cudaArrayLayered
                           : kind == kPlane && function >= 2      ? cudaArrayTextureGather
                                                                  : cudaArrayDefault;
    CHECKED(cudaMalloc3DArray(&array, &format, make_cudaExtent(w, h, d), flags));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(data.data(), w * texel, w, h ? h : 1);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(w, h ? h : 1, d ? d : 1);
    copy.kind = cudaMemcpyHostToDevice;
    CHECKED(cudaMemcpy3D(&copy));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
  }
  cudaTextureObject_t texture = 0;
  CHECKED(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  std::vector<float4> at(kThreads), got(kThreads);
  const auto coordinate = [&](int size) { // also at the edges of texels, and outside
    if (size == 0)
      size = 1;
    const float one = how.normalizedCoords ? 1.0f / size : 1;
    switch (below(4)) {
    case 0: return below(size) * one + 0.5f * one;
    case 1: return (below(4 * size * 16) / 16.0f - 1.5f * size) * one;
    case 2: return below(size * 256) / 256.0f * one;
    default: return (below(3 * size * 1000) / 1000.0f - size) * one;
    }
  };
  for (float4& p : at) {
    p.x = coordinate(w);
    p.y = coordinate(h);
    p.z = coordinate(d);
    p.w = below(256) / 256.0f;
    if (cube) {
      p.x = below(2001) / 1000.0f - 1;
      p.y = below(2001) / 1000.0f - 1;
      p.z = below(2001) / 1000.0f - 1;
    }
    if (kind == kLinear)
      p.x = static_cast<float>(below(w + 4) - 2);
  }
  float4 *places = nullptr, *out = nullptr;
  CHECKED(cudaMalloc(&places, kThreads * sizeof(float4)));
  CHECKED(cudaMalloc(&out, kThreads * sizeof(float4)));
  CHECKED(cudaMemcpy(places, at.data(), kThreads * sizeof(float4), cudaMemcpyHostToDevice));
  if (real || normalized_read)
    fetch<float4><<<1, kThreads>>>(texture, kind, function, places, out);
  else if (form % 2)
    fetch<int4><<<1, kThreads>>>(texture, kind, function, places, out);
  else
    fetch<uint4><<<1, kThreads>>>(texture, kind, function, places, out);
  CHECKED(cudaGetLastError());
  CHECKED(cudaMemcpy(got.data(), out, kThreads * sizeof(float4), cudaMemcpyDeviceToHost));
  CHECKED(cudaDestroyTextureObject(texture));
  CHECKED(cudaFreeArray(array));
  CHECKED(cudaFree(memory));
  CHECKED(cudaFree(places));
  CHECKED(cudaFree(out));
  const float* const values = &got[0].x;
  double sum = 0; // in which each value has a weight of its own
  uint32_t hash = 2166136261u;
  for (int i = 0; i < 4 * kThreads; ++i) {
    uint32_t word;
    const float value = real || normalized_read ? values[i] + 0.0f : values[i]; // -0 is 0
    std::memcpy(&word, &value, 4);
    hash = (hash ^ word) * 16777619u;
    sum += ((i * 2654435761u >> 7) % 97 + 1) * std::abs(static_cast<double>(value));
  }
  // The edges of cubes' texels, and gathered bytes, are not the same to the last bit, either.
  if (!filtered && !cube && !(form == kS8 && normalized_read && function == 3)) {
    char digits[8];
    std::snprintf(digits, sizeof digits, "%03x", (hash ^ hash >> 12 ^ hash >> 24) & 0xfff);
    return digits;
  }
  if (!real && !normalized_read)
    return "-"; // integers of cubes
  char text[32];
  std::snprintf(text, sizeof text, "~%.5g", sum);
  return text;
}

static __global__ void fetch_of_cube(cudaTextureObject_t t, const float3* at, float* out) {
  const float3 p = at[threadIdx.x];
  out[threadIdx.x] = texCubemap<float>(t, p.x, p.y, p.z);
}
// Directions between two faces, between three, and none at all: a texel is 100 face + 10 y + x.
static int wrong_of_cube() {
  static const float kOnHardware[] = {
    257, 427, 405, 407,
    250, 420, 402, 400,
    327, 457, 475, 477,
    320, 450, 472, 470,
    227, 520, 502, 500,
    220, 527, 505, 507,
    357, 550, 572, 570,
    350, 557, 575, 577,
    444};
  constexpr int kSize = 8, kDirections = 33;
  float texels[6 * kSize * kSize], got[kDirections];
  for (int i = 0; i < 6 * kSize * kSize; ++i)
    texels[i] = static_cast<float>(i / 64 * 100 + i % 64 / 8 * 10 + i % 8);
  float3 at[kDirections]{};
  for (int i = 0; i + 1 < kDirections; ++i) {
    const int signs = i / 4, least = i % 4; // 0: z, 1: y, 2: x, 3: none is the least
    at[i].x = (signs & 1 ? -1.0f : 1.0f) * (least == 2 ? 0.3f : 0.7f);
    at[i].y = (signs & 2 ? -1.0f : 1.0f) * (least == 1 ? 0.3f : 0.7f);
    at[i].z = (signs & 4 ? -1.0f : 1.0f) * (least == 0 ? 0.3f : 0.7f);
  }
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  CHECKED(cudaMalloc3DArray(&resource.res.array.array, &format, make_cudaExtent(kSize, kSize, 6), cudaArrayCubemap));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(texels, kSize * sizeof(float), kSize, kSize);
  copy.dstArray = resource.res.array.array;
  copy.extent = make_cudaExtent(kSize, kSize, 6);
  copy.kind = cudaMemcpyHostToDevice;
  CHECKED(cudaMemcpy3D(&copy));
  cudaTextureDesc how{};
  how.normalizedCoords = 1;
  how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  CHECKED(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  float3* places = nullptr;
  float* out = nullptr;
  CHECKED(cudaMalloc(&places, sizeof at));
  CHECKED(cudaMalloc(&out, sizeof got));
  CHECKED(cudaMemcpy(places, at, sizeof at, cudaMemcpyHostToDevice));
  fetch_of_cube<<<1, kDirections>>>(texture, places, out);
  CHECKED(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < kDirections; ++i)
    if (got[i] != kOnHardware[i])
      std::printf("direction %d gives %g, not %g\n", i, got[i], kOnHardware[i]), ++wrong;
  return wrong;
}

int main(int argc, char** argv) {
  if (argc < 3)
    return 2;
  const int count = std::atoi(argv[2]);
  if (argc > 3) {
    std::ofstream out(argv[1]);
    out << "# What results.cu has written on an H200, for each random texture.\n";
    for (int i = 0; i < count; ++i)
      out << result_of(i) << (i % 12 == 11 || i + 1 == count ? "\n" : " ");
    return 0;
  }
  std::ifstream file(argv[1]);
  std::string line, wanted;
  std::getline(file, line);
  int wrong = wrong_of_cube();
  for (int i = 0; i < count; ++i) {
    if (!(file >> wanted)) {
      std::printf("there are only %d results\n", i);
      return 1;
    }
    const std::string got = result_of(i);
    const bool same = got[0] == '~' && wanted[0] == '~'
                          ? std::abs(std::atof(&got[1]) - std::atof(&wanted[1])) <= 0.0015 * std::atof(&wanted[1])
                          : got == wanted;
    if (!same)
      std::printf("texture %d gives %s, not %s\n", i, got.c_str(), wanted.c_str()), ++wrong;
  }
  std::printf("%d textures, %d wrong\n", count, wrong);
  return wrong != 0;
}
