// Numbers: directed rounding, Bessel functions, SIMD instructions of video, inline PTX, bfloat16;
// recursion, mipmaps.
#include "check.h"

#include <cfloat>
#include <cmath>
#include <vector>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void rounding(const double* in, double* out) {
  const double a = in[0], b = in[1], c = in[2];
  out[0] = __dadd_rd(a, b), out[1] = __dadd_ru(a, b), out[2] = __dadd_rz(-a, -b);
  out[3] = __dmul_rd(a, b), out[4] = __dmul_ru(a, b), out[5] = __dmul_rz(-a, b);
  out[6] = __ddiv_rd(a, c), out[7] = __ddiv_ru(a, c), out[8] = __ddiv_rz(-a, c);
  out[9] = __dsqrt_rd(c), out[10] = __dsqrt_ru(c);
  out[11] = __fma_rd(a, b, c), out[12] = __fma_ru(a, b, c);
  out[13] = __dadd_rd(DBL_MAX, DBL_MAX), out[14] = __dmul_ru(DBL_MAX, 2.0);
  out[15] = __dadd_rd(in[3], in[3]), out[16] = __dadd_ru(in[3], in[3]); // exact
  out[17] = __drcp_ru(c);
}

// Where a double is not exact, and where all bits are ones.
__global__ void rounding_of_floats(float one, float tiny, unsigned long long all, float* out) {
  out[0] = __fadd_rd(one, -tiny), out[1] = __fadd_ru(one, tiny), out[2] = __fadd_rz(-one, tiny), out[3] = __fsub_rd(one, tiny);
  out[4] = __fmaf_ru(one, one, tiny), out[5] = __fmaf_rz(one, one, -tiny), out[6] = __fadd_ru(one, -tiny);
  out[7] = __ull2float_rd(all), out[8] = __ull2float_ru(all), out[9] = __ll2float_rz((long long)(all >> 1));
  out[10] = __ll2float_rd(-(long long)(all >> 1)), out[11] = __uint2float_rz((unsigned)all), out[12] = __int2float_ru(-16777217);
  out[13] = __ull2double_rd(all) < 0x1p64, out[14] = __ull2float_ru(5) == 5, out[15] = __tanhf(0);
}

// Which memory a pointer is of, addresses of spaces, products of vectors.
__constant__ int of_constant = 3;
__global__ void spaces(int* out) {
  __shared__ int of_block[8];
  int own = out[0];
  of_block[2] = 7;
  const auto spaces = [](const void* p) { return __isGlobal(p) + 2 * __isShared(p) + 4 * __isConstant(p) + 8 * __isLocal(p); };
  out[0] = spaces(out), out[1] = spaces(of_block + 5), out[2] = spaces(&of_constant), out[3] = spaces(&own);
  out[4] = *(int*)__cvta_shared_to_generic((unsigned)__cvta_generic_to_shared(of_block + 2));
  out[5] = *(const int*)__cvta_constant_to_generic(__cvta_generic_to_constant(&of_constant));
  out[6] = *(int*)__cvta_global_to_generic(__cvta_generic_to_global(out + 5)) + 0 * *(int*)__cvta_local_to_generic(__cvta_generic_to_local(&own));
  out[7] = __dp4a(make_char4(1, 2, 3, -4), make_char4(5, 1, 1, 2), 10);
  out[8] = __dp2a_lo(make_short2(100, -2), make_char4(2, 3, 4, 5), 1);
  out[9] = (int)__dp2a_hi(make_ushort2(100, 2), make_uchar4(2, 3, 4, 5), 1u);
  out[10] = spaces(of_block + 8), out[11] = spaces((const char*)(((size_t)&own + 2) & ~(size_t)3));
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void bessel(double x, double* out) {
  out[0] = j0(x), out[1] = j1(x), out[2] = jn(3, x), out[3] = y0(x), out[4] = y1(x), out[5] = yn(2, x);
  out[6] = cyl_bessel_i0(x), out[7] = cyl_bessel_i1(x), out[8] = j0f((float)x);
}

__global__ void video(unsigned a, unsigned b, unsigned* out) {
  out[0] = __vadd4(a, b), out[1] = __vsub4(a, b), out[2] = __vaddus4(a, b), out[3] = __vabsdiffu4(a, b);
  out[4] = __vavgu4(a, b), out[5] = __vcmpgtu4(a, b), out[6] = __vminu4(a, b), out[7] = __vmaxs4(a, b);
  out[8] = __vsadu4(a, b), out[9] = __vadd2(a, b), out[10] = __vabsdiffs2(a, b), out[11] = __vsetgeu4(a, b);
  out[12] = __byte_perm(a, b, 0x5140), out[13] = __brev(a), out[14] = __ffs((int)a), out[15] = __mul24((int)a, 3);
  out[16] = __umulhi(a, b), out[17] = __dp4a(a, b, 7u), out[18] = __funnelshift_l(a, b, 8), out[19] = __popc(a);
}

__global__ void assembly(const unsigned* in, unsigned* out, float* real) {
  const unsigned a = in[0], b = in[1];
  unsigned r, low, high;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(4), "r"(8));
  out[0] = r;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(b), "r"(a), "r"(8), "r"(4));
  out[1] = r;
  asm("prmt.b32 %0, %1, %2, 0x5140;" : "=r"(r) : "r"(a), "r"(b));
  out[2] = r;
  asm("{\n\t"
      "add.cc.u32 %0, %2, %3;  // the lower words\n\t"
      "addc.u32 %1, %2, 0;\n\t"
      "}"
      : "=r"(low), "=r"(high)
      : "r"(a), "r"(b));
  out[3] = low, out[4] = high;
  asm volatile("ld.global.cg.u32 %0, [%1+4];" : "=r"(r) : "l"(in));
  asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(out + 5), "r"(r) : "memory");
  asm("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(a), "r"(b));
  out[6] = r;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(3), "r"(b));
  out[7] = r;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(0xff));
  out[8] = r;
  asm("popc.b32 %0, %1;" : "=r"(r) : "r"(a));
  out[9] = r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  out[10] = r;
  unsigned long long both;
  asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(a), "r"(b));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(both + 1));
  out[11] = low, out[12] = high;
  asm("atom.global.add.u32 %0, [%1], %2;" : "=r"(r) : "l"(out + 13), "r"(5) : "memory");
  out[14] = r;
  r = 7;
  asm("{ .reg .pred p; setp.eq.u32 p, %1, 0; @!p add.u32 %0, %0, 1; }" : "+r"(r) : "r"(b));
  out[15] = r;
  float f;
  asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(f) : "f"(2.5f), "f"(4.0f));
  real[0] = f;
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(r) : "f"(-2.75f));
  out[16] = r;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(f) : "f"(16.0f));
  real[1] = f;
}

__device__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ int depth(const int* left, const int* right, int node) {
  if (node < 0)
    return 0;
  const int a = depth(left, right, left[node]), b = depth(left, right, right[node]);
  return 1 + (a > b ? a : b);
}
struct Shape {
  virtual __device__ int area() const = 0;
  virtual __device__ ~Shape() {}
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Pair : Shape { // asks its parts, which may be pairs
  const Shape *a, *b;
  __device__ Pair(const Shape* x, const Shape* y) : a(x), b(y) {}
  __device__ int area() const override { return a->area() + b->area(); }
};
__global__ void recursion(const int* left, const int* right, int* out) {
  out[0] = fibonacci(15);
  out[1] = depth(left, right, 0);
  const Shape *three = new Square(3), *four = new Square(4);
  const Shape* pair = new Pair(three, four);
  const Shape* both = new Pair(pair, three);
  out[2] = both->area();
  delete both;
  delete pair;
  delete four;
  delete three;
}

__global__ void brain(const float* in, float* out) {
  const __nv_bfloat16 a = __float2bfloat16(in[0]), b = __float2bfloat16(in[1]);
  out[0] = __bfloat162float(a);
  out[1] = __bfloat162float(__hadd(a, b));
  out[2] = __bfloat162float(__hfma(a, b, a));
  const __nv_bfloat162 two = __floats2bfloat162_rn(in[0], in[1]);
  out[3] = __high2float(__hmul2(two, two));
  out[4] = __hlt(a, b);
  __shared__ __half2 two_halves;
  two_halves = __floats2half2_rn(1.5f, 2.5f);
  atomicAdd(&two_halves, __float2half2_rn(0.25f));
  out[5] = __high2float(two_halves);
  out[6] = (float)__dp2a_lo(0x00020003, 0x0504, 1);
}

__global__ void levels(cudaTextureObject_t texture, float* out) {
  for (int i = 0; i < 4; ++i)
    out[i] = tex2DLod<float>(texture, 0.5f, 0.5f, i * 0.5f);
  const float4 four = tex2Dgather<float4>(texture, 0.25f, 0.25f, 0);
  out[4] = four.x, out[5] = four.w;
}

static void mipmaps() {
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array;
  EXPECT(cudaMallocMipmappedArray(&array, &desc, make_cudaExtent(4, 4, 0), 3) == cudaSuccess);
  for (int i = 0, size = 4; i < 3; ++i, size /= 2) {
    cudaArray_t level;
    EXPECT(cudaGetMipmappedArrayLevel(&level, array, i) == cudaSuccess);
    float texels[16];
    for (int k = 0; k < 16; ++k)
      texels[k] = 10.0f * i + (i == 0 ? k : 0);
    EXPECT(cudaMemcpy2DToArray(level, 0, 0, texels, size * sizeof(float), size * sizeof(float), size,
                               cudaMemcpyHostToDevice) == cudaSuccess);
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  cudaTextureDesc settings = {};
  settings.normalizedCoords = 1;
  settings.filterMode = cudaFilterModePoint;
  settings.mipmapFilterMode = cudaFilterModeLinear;
  settings.maxMipmapLevelClamp = 2;
  settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture;
  EXPECT(cudaCreateTextureObject(&texture, &resource, &settings, nullptr) == cudaSuccess);
  Device<float> out(8);
  levels<<<1, 1>>>(texture, out.data);
  EXPECT(out[0] == 10 && out[1] == 10 && out[2] == 10 && out[3] == 15);
  EXPECT(out[4] == 4 && out[5] == 0);
  EXPECT(cudaDestroyTextureObject(texture) == cudaSuccess);
  EXPECT(cudaFreeMipmappedArray(array) == cudaSuccess);
}

// Of textures of every shape, whose levels have the values 0, 10 and 20.
struct Shapes {
  cudaTextureObject_t line, lines, planes, box, cube;
};
__global__ void more_levels(Shapes of, float* out) {
  out[0] = tex1DGrad<float>(of.line, 0.5f, 0.05f, 0.5f); // two texels are apart
  out[1] = tex1DLayeredGrad<float>(of.lines, 0.5f, 1, 0.25f, 0.1f);
  out[2] = tex2DLayeredGrad<float>(of.planes, 0.5f, 0.5f, 1, make_float2(0.0f, 1.0f), make_float2(0.1f, 0.0f));
  out[3] = tex3DGrad<float>(of.box, 0.5f, 0.5f, 0.5f, make_float4(0, 0, 0.5f, 0), make_float4(0, 0, 0, 0));
  out[4] = texCubemapLod<float>(of.cube, 1, 0, 0, 2);
  out[5] = tex1DLayeredLod<float>(of.lines, 0.5f, 0, 1);
}
static cudaTextureObject_t with_levels(cudaExtent extent, unsigned flags) {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array;
  EXPECT(cudaMallocMipmappedArray(&array, &desc, extent, 3, flags) == cudaSuccess);
  for (unsigned i = 0; i < 3; ++i) {
    cudaMemcpy3DParms copy = {};
    EXPECT(cudaGetMipmappedArrayLevel(&copy.dstArray, array, i) == cudaSuccess);
    EXPECT(cudaArrayGetInfo(nullptr, &copy.extent, nullptr, copy.dstArray) == cudaSuccess);
    copy.extent.height = copy.extent.height ? copy.extent.height : 1;
    copy.extent.depth = copy.extent.depth ? copy.extent.depth : 1;
    std::vector<float> texels(copy.extent.width * copy.extent.height * copy.extent.depth, 10.0f * static_cast<float>(i));
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), copy.extent.width * sizeof(float), copy.extent.width, copy.extent.height);
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT(cudaMemcpy3D(&copy) == cudaSuccess);
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  cudaTextureDesc settings = {};
  settings.normalizedCoords = 1;
  settings.mipmapFilterMode = cudaFilterModeLinear;
  settings.maxMipmapLevelClamp = 2;
  for (int i = 0; i < 3; ++i)
    settings.addressMode[i] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  EXPECT(cudaCreateTextureObject(&texture, &resource, &settings, nullptr) == cudaSuccess);
  return texture;
}
static void levels_of_shapes() {
  const Shapes of{with_levels(make_cudaExtent(4, 0, 0), 0), with_levels(make_cudaExtent(4, 0, 2), cudaArrayLayered),
                  with_levels(make_cudaExtent(4, 4, 2), cudaArrayLayered), with_levels(make_cudaExtent(4, 4, 4), 0),
                  with_levels(make_cudaExtent(4, 4, 6), cudaArrayCubemap)};
  const Device<float> out(6);
  more_levels<<<1, 1>>>(of, out.data);
  const float expected[] = {10, 0, 20, 10, 20, 10};
  for (int i = 0; i < 6; ++i)
    EXPECT(out[i] == expected[i]);
}

static bool near(double a, double b) {
  return std::fabs(a - b) <= 1e-5 * std::fabs(b);
}

static void floats_and_spaces() {
  float* out = nullptr;
  int* of = nullptr;
  cudaMallocManaged(&out, 16 * sizeof(float));
  cudaMallocManaged(&of, 12 * sizeof(int));
  rounding_of_floats<<<1, 1>>>(1, 1e-30f, ~0ull, out);
  spaces<<<1, 1>>>(of);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  const float below = 0x1.fffffep-1f, above = 0x1.000002p0f;
  const float wanted[] = {below, above, -below, below, above, below, 1, 0x1.fffffep63f, 0x1p64f, 0x1.fffffep62f,
                          -0x1p63f, 0x1.fffffep31f, -16777216, 1, 1, 0};
  for (int i = 0; i < 16; ++i)
    if (out[i] != wanted[i])
      std::printf("rounding %d gives %a, not %a\n", i, out[i], wanted[i]), ++wrong;
  const int of_spaces[] = {1, 2, 4, 8, 7, 3, 3, 10 + 5 + 2 + 3 - 8, 1 + 200 - 6, 1 + 400 + 10, 2, 8};
  for (int i = 0; i < 12; ++i)
    if (of[i] != of_spaces[i])
      std::printf("space %d gives %d, not %d\n", i, of[i], of_spaces[i]), ++wrong;
}

int main() {
  floats_and_spaces();
  const double a = 1.0, b = 1e-20, c = 3.0;
  const double numbers[4] = {a + 0x1p-52, b, c, 0.5};
  Device<double> doubles(4, numbers), results(32);
  rounding<<<1, 1>>>(doubles.data, results.data);
  const auto up = [](double x) { return std::nextafter(x, INFINITY); };
  const double sum = numbers[0];
  EXPECT(results[0] == sum && results[1] == up(sum) && results[2] == -sum);
  EXPECT(results[4] == up(results[3]) && results[5] == -results[3]);
  EXPECT(results[7] == up(results[6]) && results[8] == -results[6]);
  EXPECT(results[10] == up(results[9]) && results[9] * results[9] <= 3);
  EXPECT(results[11] == 3.0 && results[12] == up(3.0));
  EXPECT(results[13] == DBL_MAX && results[14] == INFINITY);
  EXPECT(results[15] == 1.0 && results[16] == 1.0);
  EXPECT(results[17] == up(1.0 / 3));

  const double x = 2.5;
  bessel<<<1, 1>>>(x, results.data);
  EXPECT(near(results[0], ::j0(x)) && near(results[1], ::j1(x)) && near(results[2], ::jn(3, x)));
  EXPECT(near(results[3], ::y0(x)) && near(results[4], ::y1(x)) && near(results[5], ::yn(2, x)));
  EXPECT(near(results[6], 3.2898391440501231) && near(results[7], 2.5167162452886984));
  EXPECT(near(results[8], ::j0(x)));

  const unsigned p = 0x80ff1005u, q = 0x01020310u;
  Device<unsigned> words(32);
  video<<<1, 1>>>(p, q, words.data);
  const unsigned expected[12] = {0x81011315u, 0x7ffd0df5u, 0x81ff1315u, 0x7ffd0d0bu, 0x41810a0bu,
                                 0xffffff00u, 0x01020305u, 0x01021010u, 0x00000194u, 0x82011315u,
                                 0x80030cf5u, 0x01010100u};
  for (int i = 0; i < 12; ++i)
    if (words[i] != expected[i]) {
      std::printf("SIMD %d: %08x, not %08x\n", i, words[i], expected[i]);
      ++wrong;
    }
  EXPECT(words[12] == (((q >> 8 & 255) << 24) | ((p >> 8 & 255) << 16) | ((q & 255) << 8) | (p & 255)));
  EXPECT(words[13] == 0xa008ff01u && words[14] == 1 && words[19] == 12);
  EXPECT(words[15] == (unsigned)((int)(p << 8) / 256 * 3));
  EXPECT(words[16] == (unsigned)((unsigned long long)p * q >> 32));
  EXPECT(words[17] == 0x80 * 1 + 0xff * 2 + 0x10 * 3 + 5 * 16 + 7 && words[18] == (q << 8 | p >> 24));

  const unsigned inputs[2] = {0xf2345678u, 0x20000001u};
  Device<unsigned> in(2, inputs), out(32);
  Device<float> real(8);
  assembly<<<1, 1>>>(in.data, out.data, real.data);
  EXPECT(out[0] == 0x67 && out[1] == 0xf2345178u && out[2] == 0x00560178u);
  EXPECT(out[3] == inputs[0] + inputs[1] && out[4] == inputs[0] + 1 && out[5] == inputs[1]);
  EXPECT(out[6] == 2 && out[7] == inputs[0] * 3 + inputs[1] && out[8] == (inputs[0] ^ inputs[1] ^ 0xff));
  EXPECT(out[9] == 16 && out[10] == 0 && out[11] == inputs[0] + 1 && out[12] == inputs[1]);
  EXPECT(out[13] == 5 && out[14] == 0 && out[15] == 8 && (int)out[16] == -2);
  EXPECT(real[0] == 11.0f && near(real[1], 4.0f));

  const int left[4] = {1, 3, -1, -1}, right[4] = {2, -1, -1, -1};
  Device<int> lefts(4, left), rights(4, right), answers(4);
  recursion<<<1, 1>>>(lefts.data, rights.data, answers.data);
  EXPECT(answers[0] == 610 && answers[1] == 3 && answers[2] == 34);

  const float reals[2] = {1.00390625f * 2, 3.0f};
  Device<float> of_brain(2, reals);
  brain<<<1, 1>>>(of_brain.data, real.data);
  EXPECT(real[0] == 2.0f && real[1] == 5.0f && real[2] == 8.0f && real[3] == 9.0f && real[4] == 1);
  EXPECT(real[5] == 2.75f && real[6] == 1 + 3 * 4 + 2 * 5);
  EXPECT(CUDA_SUCCESS == 0 && sizeof(CUdeviceptr) == 8);
  mipmaps();
  levels_of_shapes();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
