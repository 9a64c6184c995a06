// What device code can do: math, atomics, printf, classes, virtual functions, pointers to functions,
// memory of its own, recursion, votes of a block.
#include "check.h"

#include <cmath>
#include <cuda_fp16.h>
#include <string>

__device__ float twice(float x) {
  return 2 * x;
}
__device__ float plus_one(float x) {
  return x + 1;
}
typedef float (*Function)(float);
__device__ Function functions[2] = {twice, plus_one};

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Disk : Shape {
  float radius;
  __device__ explicit Disk(float r) : radius(r) {}
  __device__ float area() const override { return 3 * radius * radius; }
};

struct Pair {
  int a;
  float* out;
};

__global__ void math(float* out) {
  out[0] = sinf(1.0f);
  out[1] = __expf(1.0f) + powf(2.0f, 10.0f);
  out[2] = (float)sqrt(2.0) + rsqrtf(4.0f) + fmaxf(1.0f, -1.0f);
  out[3] = (float)__popc(0xf0f0) + (float)__clz(1) + (float)__ffs(8) + (float)__brev(1u);
  out[4] = __fdividef(1.0f, 4.0f) + fabsf(-2.0f) + floorf(1.5f) + (float)min(3, 2) + max(1.5f, 2.5f);
  out[5] = (float)erf(0.5) + normcdff(0.0f) + (float)__mulhi(1 << 30, 8) + (float)__umul24(3, 5);
  out[6] = __half2float(__hfma(__float2half(1.5f), __float2half(2.0f), __float2half(0.25f)));
  float s, c;
  sincosf(0.25f, &s, &c);
  out[7] = s * s + c * c;
  out[8] = (float)__float2int_rn(2.5f) + (float)__double2int_rz(-3.7) + __int_as_float(0x3f800000);
  out[9] = (float)__byte_perm(0x03020100, 0x07060504, 0x0040) + (float)__funnelshift_l(1u << 31, 0, 1);
}

__global__ void objects(float* out) {
  if (threadIdx.x == 0)
    return;
  out[0] = functions[threadIdx.x & 1](10.0f);
  out[1] = functions[1](functions[0](4.0f));
  const Square square(3);
  const Disk disk(2);
  const Shape* shapes[2] = {&square, &disk};
  float sum = 0;
  for (int i = 0; i < 2; ++i)
    sum += shapes[i]->area();
  out[2] = sum;
  float* own = (float*)malloc(4 * sizeof(float));
  own[3] = 5;
  out[3] = own[3];
  free(own);
  int* number = new int(8);
  out[4] = (float)*number;
  delete number;
}

// Memory at multiples of alignments, all of it used at once. Counts what is wrong.
__global__ void aligned(int* errors) {
  constexpr int kSizes = 6, kAlignments = 7;
  const size_t sizes[kSizes] = {1, 3, 16, 100, 4096, 5000};
  const size_t alignments[kAlignments] = {1, 2, 8, 16, 32, 256, 4096};
  unsigned char* all[kSizes][kAlignments];
  for (int time = 0; time < 2; ++time) {
    for (int size = 0; size < kSizes; ++size)
      for (int at = 0; at < kAlignments; ++at) {
        unsigned char* const here =
            (unsigned char*)__nv_aligned_device_malloc(sizes[size], alignments[at]);
        *errors += !here || (size_t)here % alignments[at] != 0;
        for (size_t i = 0; i < sizes[size]; ++i)
          here[i] = (unsigned char)(size * kAlignments + at);
        all[size][at] = here;
      }
    for (int size = 0; size < kSizes; ++size)
      for (int at = 0; at < kAlignments; ++at) {
        for (size_t i = 0; i < sizes[size]; ++i)
          *errors += all[size][at][i] != size * kAlignments + at;
        free(all[size][at]);
      }
  }
  free(malloc(0));
  *errors += malloc((size_t)-4) != nullptr;
}

// Each thread has its own list, from memory that others have freed: no two of them race.
struct Link {
  int value;
  Link* next;
};
__device__ Link linked(int value, Link* next) {
  if (value < 0)
    return Link{0, next};
  return {value, next};
}
__global__ void lists(int* out) {
  Link* first = nullptr;
  for (int i = 0; i < 3; ++i)
    first = new Link{static_cast<int>(threadIdx.x) + i, first};
  if (threadIdx.x % 2)
    *first = linked(first->value, first->next);
  else
    *first = Link{first->value, first->next};
  int sum = 0;
  while (first) {
    Link* const next = first->next;
    sum += first->value;
    delete first;
    first = next;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A friend that a class template defines.
template <typename T> struct Both {
  T a, b;
  friend __device__ T total(const Both& both) { return both.a + both.b; }
};
__global__ void friends(float* out) {
  out[threadIdx.x] = total(Both<float>{3, static_cast<float>(threadIdx.x)});
}

// Functions that call each other and use variables of the device.
__constant__ int steps[2] = {1, 2};
__device__ int calls[2];
__device__ int ways_up(int stairs);
__device__ int ways_by(int stairs, int step) {
  ++calls[1];
  return stairs < step ? 0 : ways_up(stairs - step);
}
__device__ int ways_up(int stairs) {
  ++calls[0];
  if (stairs == 0)
    return 1;
  int ways = 0;
  for (const int& step : steps)
    ways += ways_by(stairs, step);
  return ways;
}
__global__ void climb(int stairs, int* out) {
  *out = ways_up(stairs);
}

__global__ void by_value(Pair pair, const float4 v) {
  pair.out[0] = (float)pair.a + v.x + v.w;
}

__global__ void atomics(int* i, unsigned* u, float* f, unsigned long long* l) {
  atomicAdd(&i[0], 1);
  atomicSub(&i[1], 2);
  atomicMax(&i[2], (int)threadIdx.x);
  atomicMin(&i[3], -(int)threadIdx.x);
  atomicOr(&i[4], 1 << (threadIdx.x & 31));
  atomicExch(&i[5], 9);
  atomicCAS(&i[6], 0, 4);
  atomicInc(&u[0], 9);
  atomicDec(&u[1], 9);
  atomicAdd(f, 0.5f);
  atomicAdd(l, 1ull << 33);
}

__global__ void votes(int* out) {
  const int n = __syncthreads_count(threadIdx.x % 3 == 0);
  const int all = __syncthreads_and(threadIdx.x < 100);
  const int any = __syncthreads_or(threadIdx.x == 77);
  if (threadIdx.x == 0) {
    out[0] = n;
    out[1] = all;
    out[2] = any;
  }
}

template <int n> __global__ void transposed(const int* in, int* out) {
  __shared__ int tile[n][n + 1];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void say(int value) {
  if (threadIdx.x < 2)
    printf("thread %d says %d, %5.2f, %s and %llu%%\n", threadIdx.x, value, 1.5f, "text", 1ull << 40);
}

template <typename F> __global__ void each(int* out, F f) {
  out[threadIdx.x] = f(threadIdx.x);
}

// What nvcc takes with a warning.
#define NAME "device"
__device__ float narrowed(double x) {
  register float y[1] = {x};
  return y[0];
}
__device__ int three(bool leaves) {
  if (leaves)
    return;
  return 3;
}
__global__ void narrow(float* out) {
  *out = three(false) == 3 ? narrowed(0.1) : 0;
}

int main() {
  Device<float> narrow_one(1);
  narrow<<<1, 1>>>(narrow_one.data);
  EXPECT(narrow_one[0] == 0.1f && std::string(""NAME) == "device");
  Device<float> of_friends(2);
  friends<<<1, 2>>>(of_friends.data);
  EXPECT(of_friends[0] == 3 && of_friends[1] == 4);
  Device<int> errors(1);
  aligned<<<1, 1>>>(errors.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && errors[0] == 0);
  Device<float> f(16);
  math<<<1, 1>>>(f.data);
  const auto near = [](float a, double b) { return std::fabs(a - b) < 1e-4 * (1 + std::fabs(b)); };
  EXPECT(near(f[0], std::sin(1.0)));
  EXPECT(near(f[1], std::exp(1.0) + 1024));
  EXPECT(near(f[2], std::sqrt(2.0) + 0.5 + 1));
  EXPECT(near(f[3], 8 + 31 + 4 + 2147483648.0));
  EXPECT(near(f[4], 0.25 + 2 + 1 + 2 + 2.5));
  EXPECT(near(f[5], std::erf(0.5) + 0.5 + 2 + 15));
  EXPECT(near(f[6], 3.25));
  EXPECT(near(f[7], 1));
  EXPECT(near(f[8], 2 - 3 + 1));
  EXPECT(near(f[9], 0x00000400 + 1));
  objects<<<1, 2>>>(f.data);
  EXPECT(f[0] == 20 || f[0] == 11);
  EXPECT(f[1] == 9 && f[2] == 21 && f[3] == 5 && f[4] == 8);
  by_value<<<1, 1>>>(Pair{3, f.data}, make_float4(1, 2, 3, 4));
  EXPECT(f[0] == 8);

  Device<int> sums(64);
  for (int launch = 0; launch < 2; ++launch) { // what the first one has freed is used again
    lists<<<2, 32>>>(sums.data);
    for (int thread = 0; thread < 64; ++thread)
      EXPECT(sums[thread] == 3 * (thread % 32) + 3);
  }

  Device<int> i(16);
  climb<<<1, 1>>>(10, i.data);
  EXPECT(i[0] == 89);
  int counted[2];
  cudaMemcpyFromSymbol(counted, calls, sizeof(counted));
  EXPECT(counted[0] == 232 && counted[1] == 286);
  cudaMemset(i.data, 0, sizeof(int));
  Device<unsigned> u(2);
  Device<unsigned long long> l(1);
  cudaMemset(f.data, 0, 4);
  atomics<<<2, 50>>>(i.data, u.data, f.data, l.data);
  EXPECT(i[0] == 100 && i[1] == -200 && i[2] == 49 && i[3] == -49 && i[4] == -1 && i[5] == 9 &&
         i[6] == 4);
  EXPECT(u[0] == 0 && u[1] == 0 && f[0] == 50 && l[0] == 100ull << 33);
  votes<<<1, 96>>>(i.data);
  EXPECT(i[0] == 32 && i[1] == 1 && i[2] == 1);
  int numbers[64];
  for (int k = 0; k < 64; ++k)
    numbers[k] = k;
  Device<int> in(64, numbers), out(64);
  transposed<8><<<1, dim3(8, 8)>>>(in.data, out.data);
  EXPECT(out[1] == 8 && out[63] == 63 && out[8] == 1);
  const int factor = 3;
  each<<<1, 10>>>(out.data, [=] __device__(int k) { return factor * k; });
  EXPECT(out[9] == 27);
  say<<<1, 4>>>(12);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
