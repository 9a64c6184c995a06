// Inline PTX that accesses __shared__ memory and waits for other threads.
#include "check.h"

__device__ unsigned address_of(const void* shared) {
  return (unsigned)__cvta_generic_to_shared(shared);
}

// A static and a dynamic array: an address of 32 bits tells which.
__global__ void shared_memory(int* out, const int* in) {
  __shared__ int words[64];
  extern __shared__ int dynamic[];
  const int t = threadIdx.x;
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(address_of(words + t)), "r"(in[t]) : "memory");
  asm volatile("st.shared::cta.u32 [%0+4], %1;" ::"r"(address_of(dynamic + t)), "r"(in[t] * 2) : "memory");
  words[32 + t] = 0;
  __syncthreads();
  int a, b, c, d, old;
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(address_of(words + t / 2 * 2)));
  asm volatile("ld.shared.u32 %0, [%1 + 4];" : "=r"(c) : "r"(address_of(dynamic + (t + 1) % 32)));
  asm volatile("atom.shared.add.u32 %0, [%1], 3;" : "=r"(old) : "r"(address_of(words + 40)) : "memory");
  unsigned long long generic;
  asm("cvta.shared.u64 %0, %1;" : "=l"(generic) : "l"((unsigned long long)address_of(words + t)));
  d = *(int*)generic;
  unsigned back;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(back) : "l"(words + t));
  __syncthreads();
  out[t] = a + b + c + d + (back == address_of(words + t)) + (old % 3 == 0);
  unsigned bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  if (t == 0)
    out[32] = words[40] + bytes;
}

// What is not read of the source is zero; what a predicate excludes is not touched.
__global__ void copies(int* out, const int* in) {
  __shared__ alignas(16) int words[4 * 32];
  const int t = threadIdx.x, used = t < 16 ? 16 : 4;
  const unsigned to = address_of(words + 4 * t);
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(in + 4 * t), "r"(used) : "memory");
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group %0;" ::"n"(0));
  __syncthreads();
  int sum = 7;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 24; @p ld.shared.s32 %0, [%2]; }"
               : "+r"(sum) : "r"(t), "r"(address_of(words + 4 * ((t + 1) % 32) + 3)));
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %0, 0; @p st.global.s32 [%1], %2; }" ::"r"(t), "l"(out + 32), "r"(5) : "memory");
  const int* const nowhere = t < 31 ? in : nullptr;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 31; @p cp.async.ca.shared.global [%1], [%2], 4; }" ::"r"(t), "r"(to), "l"(nowhere) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[t] = sum + words[4 * t] * 100;
}

// Two halves of a block that do not wait for each other, and a half that the other waits for.
__global__ void named_barriers(int* out) {
  out += 96 * blockIdx.x;
  __shared__ int words[96];
  const int t = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    words[t] = t + round;
    if (t < 64)
      asm volatile("bar.sync 1, 64;" ::: "memory");
    else
      asm volatile("barrier.sync %0, %1;" ::"r"(2), "r"(32) : "memory");
    out[t] = t < 64 ? words[63 - t] : words[159 - t];
    __syncthreads();
  }
  if (t < 64) {
    words[t] = 1000;
    asm volatile("bar.arrive 3, 96;" ::: "memory");
  } else {
    asm volatile("bar.sync 3, 96;" ::: "memory");
    out[t] += words[t - 64];
  }
  asm volatile("bar.sync 4;" ::: "memory");
}

// The block has 48 threads, of which two warps wait.
__global__ void partial_warp(int* out) {
  __shared__ int words[48];
  words[threadIdx.x] = threadIdx.x;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = words[47 - threadIdx.x];
}

__global__ void no_such_barrier(int number) {
  asm volatile("bar.sync %0, 32;" ::"r"(number) : "memory");
}

__global__ void sizes(unsigned* out) {
  __shared__ unsigned words[75]; // 300 bytes
  if (threadIdx.x == 0) {
    asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(words[0]));
    asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(words[1]));
    asm volatile("mov.u32 %0, %%aggr_smem_size;" : "=r"(words[2]));
    for (int i = 0; i < 3; ++i)
      out[i] = words[i];
  }
}

__global__ void warps(unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned r;
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, -1;" : "=r"(r) : "r"(t));
  out[t] = r;
  asm volatile("shfl.sync.down.b32 %0, %1, 2, 0x181f, 0xffffffff;" : "=r"(r) : "r"(t)); // of 8 lanes
  out[32 + t] = r;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 4; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(r) : "r"(t));
  out[64 + t] = r;
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 4; vote.sync.all.pred q, p, -1; selp.u32 %0, 1, 2, q; }" : "=r"(r) : "r"(t));
  out[96 + t] = r;
  asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(r) : "r"((int)t - 100));
  out[128 + t] = r + 100;
  asm volatile("bar.warp.sync 0xffffffff;");
}

// The lane that a shuffle of each kind reads, and whether it is one. `range` has the last lane and
// the bits that lanes of a part share.
__global__ void ranges(unsigned* out, unsigned range) {
  const unsigned t = threadIdx.x;
  for (unsigned by = 0; by < 32; ++by) {
    unsigned* const to = out + by * 4 * 32 + t;
#define SHUFFLE(kind, at)                                                                                      \
  asm volatile("{ .reg .pred p; shfl.sync." kind ".b32 %0|p, %1, %2, %3, -1; @!p add.u32 %0, %0, 100; }"       \
               : "=r"(to[at * 32])                                                                             \
               : "r"(t), "r"(by), "r"(range));
    SHUFFLE("up", 0)
    SHUFFLE("down", 1)
    SHUFFLE("bfly", 2)
    SHUFFLE("idx", 3)
#undef SHUFFLE
  }
}

// The same by the definition in the PTX ISA (shfl.sync).
static unsigned lane_of(int kind, int lane, int by, unsigned range) {
  const int shared = range >> 8 & 31, least = lane & shared, most = least | (range & 31 & ~shared);
  const int from[] = {lane - by, lane + by, lane ^ by, least | (by & ~shared)};
  const bool is_there = kind == 0 ? from[kind] >= most : from[kind] <= most;
  return is_there ? from[kind] : lane + 100;
}

static void shuffles() {
  unsigned* out;
  EXPECT(cudaMallocManaged(&out, 32 * 4 * 32 * sizeof *out) == cudaSuccess);
  for (const unsigned range : {0x1fu, 0u, 0x1cu, 0x5u, 0x181fu, 0x1800u, 0x1803u, 0x100fu, 0x1c02u, 0x1f1fu, 0xa15u}) {
    ranges<<<1, 32>>>(out, range);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 32 * 4 * 32; ++i)
      EXPECT(out[i] == lane_of(i / 32 % 4, i % 32, i / 128, range));
  }
}

__global__ void arithmetic(unsigned* out, unsigned a, unsigned b, float one, float tiny) {
  int i = 0;
  unsigned r;
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); out[i++] = r;
  asm("mul24.hi.s32 %0, %1, %2;" : "=r"(r) : "r"(0x00800000), "r"(0x00400000)); out[i++] = r;
  asm("mad24.lo.u32 %0, %1, %2, 7;" : "=r"(r) : "r"(0xff000003u), "r"(5)); out[i++] = r;
  asm("dp4a.u32.u32 %0, %1, %2, 1;" : "=r"(r) : "r"(a), "r"(b)); out[i++] = r;
  asm("dp4a.s32.u32 %0, %1, %2, 0;" : "=r"(r) : "r"(0xffff0000u), "r"(0x02030000)); out[i++] = r;
  asm("dp2a.hi.u32.u32 %0, %1, %2, 0;" : "=r"(r) : "r"(0x00030002), "r"(0x05040000)); out[i++] = r;
  asm("vadd.u32.u32.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); out[i++] = r;
  asm("vsub.s32.u32.u32.sat %0, %1.b1, %2.h0;" : "=r"(r) : "r"(a), "r"(b)); out[i++] = r;
  asm("vadd.s32.s32.s32.sat.max %0, %1, %2, %3;" : "=r"(r) : "r"(~0u >> 1), "r"(5), "r"(9)); out[i++] = r;
  asm("vabsdiff.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r) : "r"(3), "r"(5), "r"(9)); out[i++] = r;
  float f;
  asm("add.rm.f32 %0, %1, %2;" : "=f"(f) : "f"(one), "f"(-tiny)); out[i++] = f == 0x1.fffffep-1f;
  asm("add.rp.f32 %0, %1, %2;" : "=f"(f) : "f"(one), "f"(tiny)); out[i++] = f == 0x1.000002p0f;
  asm("add.rz.f32 %0, %1, %2;" : "=f"(f) : "f"(one), "f"(tiny)); out[i++] = f == 1;
  asm("fma.rp.f32 %0, %1, %1, %2;" : "=f"(f) : "f"(one), "f"(tiny)); out[i++] = f == 0x1.000002p0f;
}

__device__ int leave_above(int t, int most) {
  for (int i = 0; i <= t; ++i)
    if (i > most)
      asm volatile("exit;");
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %0, 3; @p exit; }" ::"r"(t));
  return t + 1;
}

// Threads that end inside of a function; the others wait for each other.
__global__ void ends(int* out) {
  __shared__ int words[32];
  const int t = threadIdx.x;
  words[t] = 0;
  __syncthreads();
  words[t] = leave_above(t, 20);
  __syncthreads();
  out[t] = words[(t + 1) % 32];
}

int main() {
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, 128 * sizeof(int));
  cudaMallocManaged(&out, 192 * sizeof(int));
  for (int i = 0; i < 128; ++i)
    in[i] = i + 1;
  shared_memory<<<1, 32, 33 * sizeof(int)>>>(out, in);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < 32; ++t)
    EXPECT(out[t] == in[t / 2 * 2] + in[t / 2 * 2 + 1] + 2 * in[(t + 1) % 32] + in[t] + 2);
  EXPECT(out[32] == 96 + 33 * sizeof(int));

  sizes<<<1, 100, 100>>>(reinterpret_cast<unsigned*>(out));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[0] == 512 && out[1] == 64 && out[2] == 400 + 1024);

  out[32] = 0;
  copies<<<1, 32>>>(out, in);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && out[32] == 5);
  for (int t = 0; t < 32; ++t) {
    const int next = t + 1, sum = t >= 24 ? 7 : next < 16 ? in[4 * next + 3] : 0;
    EXPECT(out[t] == sum + (t < 31 ? in[0] : in[4 * t]) * 100);
  }

  named_barriers<<<2, 96>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 192; ++i) {
    const int t = i % 96;
    EXPECT(out[i] == (t < 64 ? 63 - t + 2 : 159 - t + 2 + 1000));
  }
  partial_warp<<<1, 48>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < 48; ++t)
    EXPECT(out[t] == 47 - t);

  for (int t = 0; t < 32; ++t)
    out[t] = -1;
  ends<<<1, 32>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < 32; ++t)
    EXPECT(out[t] == (t == 3 || t > 20 ? -1 : t == 2 || t == 20 ? 0 : t + 2));

  auto* const words = reinterpret_cast<unsigned*>(out);
  warps<<<1, 32>>>(words);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned t = 0; t < 32; ++t)
    EXPECT(words[t] == (t ^ 1) && words[32 + t] == (t % 8 < 6 ? t + 2 : t) && words[64 + t] == 15 &&
           words[96 + t] == 2 && words[128 + t] == 31);

  shuffles();
  arithmetic<<<1, 1>>>(words, 0x01020304, 0x00010203, 1.0f, 1e-30f);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  const unsigned wanted[] = {118493452, 0xe0000000u, 22, 21, (unsigned)-5, 2 * 4 + 3 * 5, 0x01030507,
                             (unsigned)(3 - 0x203), ~0u >> 1, 11, 1, 1, 1, 1};
  for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; ++i)
    if (words[i] != wanted[i])
      std::printf("arithmetic %u gives %u, not %u\n", i, words[i], wanted[i]), ++wrong;

  no_such_barrier<<<1, 32>>>(16);
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  return wrong;
}
// ENDS: error: the kernel waits at barrier 16; a block has 16
