// Clang's built-in functions that move values between lanes, and those on bytes, beside plain loops on the host.
#include <hip/hip_runtime.h>

#include "check.h"

#include <functional>
#include <vector>

constexpr int kLanes = 64;

template <typename T> struct OnDevice {
  T* data = nullptr;
  OnDevice(const T* values, int count) {
    EXPECT(hipMalloc(&data, count * sizeof(T)) == hipSuccess);
    EXPECT(hipMemcpy(data, values, count * sizeof(T), hipMemcpyHostToDevice) == hipSuccess);
  }
  ~OnDevice() { EXPECT(hipFree(data) == hipSuccess); }
  void get(T* values, int count) const {
    EXPECT(hipMemcpy(values, data, count * sizeof(T), hipMemcpyDeviceToHost) == hipSuccess);
  }
};

// Four ways, each with kLanes results. Odd lanes alone do the last.
template <int control> __global__ void moved(int* out) {
  const int lane = threadIdx.x, old = -7 - lane, value = 100 + lane;
  out[lane] = __builtin_amdgcn_update_dpp(old, value, control, 15, 15, false);
  out[kLanes + lane] = __builtin_amdgcn_update_dpp(old, value, control, 15, 15, true);
  out[2 * kLanes + lane] = __builtin_amdgcn_update_dpp(old, value, control, 0xa, 0x6, false);
  if (lane % 2 == 1)
    out[3 * kLanes + lane] = __builtin_amdgcn_mov_dpp(value, control, 15, 15, true);
}
template <int pattern> __global__ void swizzled(int* out) {
  out[threadIdx.x] = __builtin_amdgcn_ds_swizzle(100 + threadIdx.x, pattern);
}
__global__ void sent(const int* addresses, int* out) {
  out[threadIdx.x] = __builtin_amdgcn_ds_permute(addresses[threadIdx.x], 100 + threadIdx.x);
}
__global__ void bytes(const unsigned* in, unsigned* out) {
  const unsigned a = in[0], b = in[1], c = in[2];
  out[0] = __builtin_amdgcn_perm(a, b, 0x07040003u);
  out[1] = __builtin_amdgcn_perm(a, b, 0x0c0d0a08u);
  out[2] = __builtin_amdgcn_alignbyte(a, b, 1);
  out[3] = __builtin_amdgcn_sad_u8(a, b, c);
  out[4] = (unsigned)__builtin_amdgcn_sdot4((int)a, (int)b, (int)c, false);
  out[5] = (unsigned)__builtin_amdgcn_sdot4((int)0x7f7f7f7fu, (int)0x7f7f7f7fu, 0x7fffffff, true);
  out[6] = __builtin_amdgcn_udot4(a, b, c, false);
  out[7] = __builtin_amdgcn_udot4(0xffffffffu, 0xffffffffu, 0xffffffffu, true);
  out[8] = (unsigned)(100 * __builtin_amdgcn_rcp(4.0) + 10 * __builtin_amdgcn_sqrt(16.0) + __builtin_amdgcn_rsq(0.25));
  __builtin_amdgcn_s_waitcnt(0);
}

static std::vector<int> run(const std::function<void(int*)>& launch, int count = kLanes) {
  std::vector<int> out(size_t(count), -1);
  const OnDevice<int> of_device(out.data(), count);
  launch(of_device.data);
  of_device.get(out.data(), count);
  return out;
}
// `source(lane)`: where the lane's value comes from, or -1.
template <int control> static void judge(const char* name, const std::function<int(int)>& source) {
  const std::vector<int> got = run([](int* out) { moved<control><<<1, kLanes>>>(out); }, 4 * kLanes);
  for (int lane = 0; lane < kLanes; ++lane) {
    const int from = source(lane), old = -7 - lane;
    const bool enabled = lane / 16 % 2 == 1 && (lane % 16 / 4 == 1 || lane % 16 / 4 == 2);
    const auto result = [&](int way) { return got[size_t(way * kLanes + lane)]; };
    const bool right = result(0) == (from < 0 ? old : 100 + from) && result(1) == (from < 0 ? 0 : 100 + from) &&
                       result(2) == (from < 0 || !enabled ? old : 100 + from) &&
                       result(3) == (lane % 2 == 0 ? -1 : from < 0 || from % 2 == 0 ? 0 : 100 + from);
    if (!right)
      std::printf("%s, lane %d: %d %d %d %d\n", name, lane, result(0), result(1), result(2), result(3));
    EXPECT(right);
  }
}

int main() {
  const int reversed[] = {3, 2, 1, 0};
  judge<0x1b>("quad_perm", [&](int lane) { return lane / 4 * 4 + reversed[lane % 4]; });
  judge<0x101>("row_shl:1", [](int lane) { return lane % 16 == 15 ? -1 : lane + 1; });
  judge<0x10f>("row_shl:15", [](int lane) { return lane % 16 == 0 ? lane + 15 : -1; });
  judge<0x112>("row_shr:2", [](int lane) { return lane % 16 < 2 ? -1 : lane - 2; });
  judge<0x121>("row_ror:1", [](int lane) { return lane % 16 == 0 ? lane + 15 : lane - 1; });
  judge<0x130>("wave_shl", [](int lane) { return lane == 63 ? -1 : lane + 1; });
  judge<0x134>("wave_rol", [](int lane) { return lane == 63 ? 0 : lane + 1; });
  judge<0x138>("wave_shr", [](int lane) { return lane - 1; });
  judge<0x13c>("wave_ror", [](int lane) { return lane == 0 ? 63 : lane - 1; });
  judge<0x140>("row_mirror", [](int lane) { return lane / 16 * 16 + 15 - lane % 16; });
  judge<0x141>("row_half_mirror", [](int lane) { return lane / 8 * 8 + 7 - lane % 8; });
  judge<0x142>("row_bcast:15", [](int lane) { return lane < 16 ? -1 : lane / 16 * 16 - 1; });
  judge<0x143>("row_bcast:31", [](int lane) { return lane < 32 ? -1 : 31; });
  judge<0x153>("row_share:3", [](int lane) { return lane / 16 * 16 + 3; });
  judge<0x165>("row_xmask:5", [](int lane) { return lane / 16 * 16 + (lane % 16 ^ 5); });

  const std::vector<int> swapped = run([](int* out) { swizzled<0x041f><<<1, kLanes>>>(out); }), // xor 1
      first = run([](int* out) { swizzled<0x0018><<<1, kLanes>>>(out); }),                      // and 0x18
      quads = run([](int* out) { swizzled<0x801b><<<1, kLanes>>>(out); });
  std::vector<int> addresses(kLanes);
  for (int lane = 0; lane < kLanes; ++lane) {
    EXPECT(swapped[size_t(lane)] == 100 + (lane ^ 1) && first[size_t(lane)] == 100 + lane / 8 * 8);
    EXPECT(quads[size_t(lane)] == 100 + lane / 4 * 4 + reversed[lane % 4]);
    addresses[size_t(lane)] = 4 * (lane % 2 ? 62 - lane + 1 : 5); // even lanes all send to lane 5
  }
  const OnDevice<int> of_addresses(addresses.data(), kLanes);
  const std::vector<int> got = run([&](int* out) { sent<<<1, kLanes>>>(of_addresses.data, out); });
  std::vector<int> want(kLanes, 0);
  for (int lane = 0; lane < kLanes; ++lane)
    want[size_t(addresses[size_t(lane)] / 4)] = 100 + lane;
  EXPECT(got == want);

  const unsigned in[] = {0x81020304u, 0x05f60708u, 9};
  unsigned of_out[9] = {};
  const OnDevice<unsigned> inputs(in, 3), outputs(of_out, 9);
  bytes<<<1, 1>>>(inputs.data, outputs.data);
  outputs.get(of_out, 9);
  // Bytes of b are numbers 0 to 3 from the lowest, those of a 4 to 7.
  EXPECT(of_out[0] == 0x81040805u && of_out[1] == 0x00ff0000u && of_out[2] == 0x0405f607u);
  EXPECT(of_out[3] == 9 + (0x81 - 5) + (0xf6 - 2) + (7 - 3) + (8 - 4));
  EXPECT((int)of_out[4] == 9 + -127 * 5 + 2 * -10 + 3 * 7 + 4 * 8 && of_out[5] == 0x7fffffffu);
  EXPECT(of_out[6] == 9 + 0x81 * 5 + 2 * 0xf6 + 3 * 7 + 4 * 8 && of_out[7] == 0xffffffffu);
  EXPECT(of_out[8] == 25 + 40 + 2);
  EXPECT(hipDeviceSynchronize() == hipSuccess);
  return wrong;
}
