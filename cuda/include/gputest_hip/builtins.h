// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The built-in functions of Clang for AMD's GPUs that programs use most. Included by device.h.

GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_workitem_id_x, (), threadIdx.x)
GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_workitem_id_y, (), threadIdx.y)
GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_workitem_id_z, (), threadIdx.z)
GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_workgroup_id_x, (), blockIdx.x)
GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_workgroup_id_y, (), blockIdx.y)
GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_workgroup_id_z, (), blockIdx.z)
GPUTEST_HIP_IS(unsigned short, __builtin_amdgcn_workgroup_size_x, (), (unsigned short)blockDim.x)
GPUTEST_HIP_IS(unsigned short, __builtin_amdgcn_workgroup_size_y, (), (unsigned short)blockDim.y)
GPUTEST_HIP_IS(unsigned short, __builtin_amdgcn_workgroup_size_z, (), (unsigned short)blockDim.z)
GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_wavefrontsize, (), gputest_warp_size())

// These functions are about the lanes that have come here.
GPUTEST_HIP_IS(int, __builtin_amdgcn_readfirstlane, (int value),
               __shfl(value, __ffsll((long long)__gputest_active_lanes()) - 1))
GPUTEST_HIP_IS(int, __builtin_amdgcn_readlane, (int value, int lane), __shfl(value, lane))
GPUTEST_HIP_IS(int, __builtin_amdgcn_ds_bpermute, (int address, int value),
               __shfl(value, address >> 2))
GPUTEST_HIP_IS(unsigned long long, __builtin_amdgcn_ballot_w64, (bool predicate),
               __gputest_ballot(predicate))
GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_ballot_w32, (bool predicate),
               (unsigned)__gputest_ballot(predicate))
GPUTEST_HIP_DEVICE unsigned long long __builtin_amdgcn_uicmp(unsigned a, unsigned b, int how) {
  // LLVM's numbers of comparisons: eq 32, ne 33, ugt 34, uge 35, ult 36, ule 37.
  return __gputest_ballot(how == 32   ? a == b
                  : how == 33 ? a != b
                  : how == 34 ? a > b
                  : how == 35 ? a >= b
                  : how == 36 ? a < b
                              : a <= b);
}
GPUTEST_HIP_IS(unsigned long long, __builtin_amdgcn_read_exec, (), __gputest_active_lanes())
// How many lanes of the mask are below this one, in the mask's lower and its upper half.
GPUTEST_HIP_DEVICE int __builtin_amdgcn_mbcnt_lo(unsigned mask, int add) {
  const unsigned lane = __gputest_lane_id();
  return __popc(lane >= 32 ? mask : mask & ((1u << lane) - 1)) + add;
}
GPUTEST_HIP_DEVICE int __builtin_amdgcn_mbcnt_hi(unsigned mask, int add) {
  const unsigned lane = __gputest_lane_id();
  return lane <= 32 ? add : __popc(mask & ((1u << (lane - 32)) - 1)) + add;
}
GPUTEST_HIP_IS(unsigned, __mbcnt_lo, (unsigned mask, unsigned add),
               (unsigned)__builtin_amdgcn_mbcnt_lo(mask, (int)add))
GPUTEST_HIP_IS(unsigned, __mbcnt_hi, (unsigned mask, unsigned add),
               (unsigned)__builtin_amdgcn_mbcnt_hi(mask, (int)add))

GPUTEST_HIP_DEVICE void __builtin_amdgcn_s_barrier() {
  __syncthreads();
}
// The lanes of a wavefront run in step, and this keeps the compiler from moving accesses across it.
GPUTEST_HIP_DEVICE void __builtin_amdgcn_wave_barrier() {
  __syncwarp(__gputest_active_lanes());
}
#define __builtin_amdgcn_fence(order, scope) __threadfence()
#define __builtin_amdgcn_s_sleep(cycles) ((void)(cycles))
#define __builtin_amdgcn_s_setprio(priority) ((void)(priority))
#define __builtin_amdgcn_sched_barrier(mask) ((void)(mask))
GPUTEST_HIP_IS(unsigned long long, __builtin_amdgcn_s_memtime, (), (unsigned long long)clock64())
GPUTEST_HIP_IS(unsigned long long, __builtin_amdgcn_s_memrealtime, (),
               (unsigned long long)clock64())
GPUTEST_HIP_DEVICE void __builtin_amdgcn_endpgm() {
  __nvvm_exit();
}

GPUTEST_HIP_IS(float, __builtin_amdgcn_rcpf, (float x), 1.0f / x)
GPUTEST_HIP_IS(float, __builtin_amdgcn_rsqf, (float x), rsqrtf(x))
GPUTEST_HIP_IS(float, __builtin_amdgcn_sqrtf, (float x), sqrtf(x))
GPUTEST_HIP_IS(float, __builtin_amdgcn_fractf, (float x), x - floorf(x))
GPUTEST_HIP_IS(float, __builtin_amdgcn_fmed3f, (float a, float b, float c),
               fmaxf(fminf(a, b), fminf(fmaxf(a, b), c)))
GPUTEST_HIP_DEVICE unsigned __builtin_amdgcn_ubfe(unsigned value, unsigned at, unsigned width) {
  at &= 31;
  width &= 31;
  return (value >> at) & ((1u << width) - 1);
}
GPUTEST_HIP_DEVICE int __builtin_amdgcn_sbfe(int value, unsigned at, unsigned width) {
  at &= 31;
  width &= 31;
  if (width == 0)
    return 0;
  return at + width >= 32 ? value >> at : (int)((unsigned)value << (32 - at - width)) >> (32 - width);
}
GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_alignbit, (unsigned high, unsigned low, unsigned by),
               __funnelshift_r(low, high, by))
GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_mul_u24, (unsigned a, unsigned b),
               (a & 0xffffff) * (b & 0xffffff))
