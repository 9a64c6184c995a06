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
// The value of the lane `from`, or `otherwise` if that is none of the lanes that have come here.
GPUTEST_HIP_DEVICE int __gputest_lane_value(int value, int from, int otherwise) {
  const unsigned long long here = __gputest_active_lanes(); // asked by all of them
  const bool is_here = from >= 0 && from < gputest_warp_size() && (here >> from & 1) != 0;
  const int found = __shfl(value, is_here ? from : (int)__gputest_lane_id());
  return is_here ? found : otherwise;
}
// Each lane sends its value to the lane address / 4. Of several, the last one counts.
GPUTEST_HIP_DEVICE int __builtin_amdgcn_ds_permute(int address, int value) {
  const int size = gputest_warp_size(), lane = (int)__gputest_lane_id();
  int result = 0;
  for (int from = 0; from < size; ++from) {
    const int to = __gputest_lane_value(address >> 2 & (size - 1), from, -1);
    const int sent = __gputest_lane_value(value, from, 0);
    if (to == lane)
      result = sent;
  }
  return result;
}
// Within 32 lanes: a permutation of four, or lane numbers by bits (AMD's ISA, DS_SWIZZLE_B32).
GPUTEST_HIP_DEVICE int __builtin_amdgcn_ds_swizzle(int value, int pattern) {
  const int lane = (int)__gputest_lane_id();
  const int within = pattern & 0x8000
                         ? (lane & 28) | (pattern >> 2 * (lane & 3) & 3)
                         : ((lane & 31 & pattern) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
  return __gputest_lane_value(value, (lane & ~31) | (within & 31), 0);
}
// From which lane a lane takes its operand by data-parallel primitives; -1: from none (AMD's ISA,
// DPP_CTRL). Rows have 16 lanes.
GPUTEST_HIP_DEVICE int __gputest_dpp_source(int control, int lane) {
  const int size = gputest_warp_size(), row = lane & ~15, in_row = lane & 15, by = control & 15;
  if (control <= 0xff) // quad_perm
    return (lane & ~3) | (control >> 2 * (lane & 3) & 3);
  switch (control >> 4) {
  case 0x10: // row_shl
    return in_row + by <= 15 ? lane + by : -1;
  case 0x11: // row_shr
    return in_row >= by ? lane - by : -1;
  case 0x12: // row_ror
    return row | ((in_row - by) & 15);
  case 0x15: // row_share, row_newbcast
    return row | by;
  case 0x16: // row_xmask
    return row | (in_row ^ by);
  }
  switch (control) {
  case 0x130: // wave_shl
    return lane + 1 < size ? lane + 1 : -1;
  case 0x134: // wave_rol
    return (lane + 1) & (size - 1);
  case 0x138: // wave_shr
    return lane - 1;
  case 0x13c: // wave_ror
    return (lane - 1) & (size - 1);
  case 0x140: // row_mirror
    return row | (15 - in_row);
  case 0x141: // row_half_mirror
    return (lane & ~7) | (7 - (lane & 7));
  case 0x142: // row_bcast:15, to the next row
    return row - 1;
  case 0x143: // row_bcast:31, to all later rows
    return lane >= 32 ? 31 : -1;
  }
  return -1;
}
// `old`: what lanes keep that the masks leave out, and those whose source is not there unless
// `bound_control` makes that 0.
GPUTEST_HIP_DEVICE int __builtin_amdgcn_update_dpp(int old, int value, int control, int row_mask,
                                                   int bank_mask, bool bound_control) {
  const int lane = (int)__gputest_lane_id();
  const int found = __gputest_lane_value(value, __gputest_dpp_source(control, lane),
                                         bound_control ? 0 : old);
  const bool is_enabled = (row_mask >> (lane >> 4) & 1) && (bank_mask >> (lane >> 2 & 3) & 1);
  return is_enabled ? found : old;
}
GPUTEST_HIP_IS(int, __builtin_amdgcn_mov_dpp,
               (int value, int control, int row_mask, int bank_mask, bool bound_control),
               __builtin_amdgcn_update_dpp(0, value, control, row_mask, bank_mask, bound_control))
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
#define __builtin_amdgcn_s_waitcnt(counts) ((void)(counts))
#define __builtin_amdgcn_s_nop(cycles) ((void)(cycles))
GPUTEST_HIP_IS(unsigned long long, __builtin_amdgcn_s_memtime, (), (unsigned long long)clock64())
GPUTEST_HIP_IS(unsigned long long, __builtin_amdgcn_s_memrealtime, (),
               (unsigned long long)clock64())
GPUTEST_HIP_DEVICE void __builtin_amdgcn_endpgm() {
  __nvvm_exit();
}

GPUTEST_HIP_IS(float, __builtin_amdgcn_rcpf, (float x), 1.0f / x)
GPUTEST_HIP_IS(float, __builtin_amdgcn_rsqf, (float x), rsqrtf(x))
GPUTEST_HIP_IS(float, __builtin_amdgcn_sqrtf, (float x), sqrtf(x))
GPUTEST_HIP_IS(double, __builtin_amdgcn_rcp, (double x), 1.0 / x)
GPUTEST_HIP_IS(double, __builtin_amdgcn_rsq, (double x), rsqrt(x))
GPUTEST_HIP_IS(double, __builtin_amdgcn_sqrt, (double x), sqrt(x))
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
// Bytes of two words by number: 0 to 3 of b, 4 to 7 of a, 8 to 11 signs, 12 zeros, else ones.
GPUTEST_HIP_DEVICE unsigned __builtin_amdgcn_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long both = (unsigned long long)a << 32 | b;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned which = selector >> 8 * i & 255;
    const unsigned byte = which < 8    ? (unsigned)(both >> 8 * which) & 255
                          : which < 12 ? (both >> (16 * (which - 8) + 15) & 1 ? 255u : 0u)
                          : which == 12 ? 0u
                                        : 255u;
    result |= byte << 8 * i;
  }
  return result;
}
GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_alignbyte, (unsigned high, unsigned low, unsigned by),
               __funnelshift_r(low, high, 8 * (by & 3)))
GPUTEST_HIP_DEVICE unsigned __builtin_amdgcn_sad_u8(unsigned a, unsigned b, unsigned sum) {
  for (int i = 0; i < 32; i += 8) {
    const unsigned x = a >> i & 255, y = b >> i & 255;
    sum += x > y ? x - y : y - x;
  }
  return sum;
}
// Four products of bytes and a sum, which `clamp` keeps within 32 bits.
GPUTEST_HIP_DEVICE int __builtin_amdgcn_sdot4(int a, int b, int c, bool clamp) {
  long long sum = c;
  for (int i = 0; i < 32; i += 8)
    sum += (signed char)(a >> i) * (signed char)(b >> i);
  return clamp ? (int)(sum > 2147483647LL ? 2147483647LL : sum < -2147483648LL ? -2147483648LL : sum)
               : (int)(unsigned)(unsigned long long)sum;
}
GPUTEST_HIP_DEVICE unsigned __builtin_amdgcn_udot4(unsigned a, unsigned b, unsigned c, bool clamp) {
  unsigned long long sum = c;
  for (int i = 0; i < 32; i += 8)
    sum += (unsigned long long)(a >> i & 255) * (b >> i & 255);
  return clamp && sum > 0xffffffffULL ? 0xffffffffu : (unsigned)sum;
}
GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_alignbit, (unsigned high, unsigned low, unsigned by),
               __funnelshift_r(low, high, by))
GPUTEST_HIP_IS(unsigned, __builtin_amdgcn_mul_u24, (unsigned a, unsigned b),
               (a & 0xffffff) * (b & 0xffffff))
