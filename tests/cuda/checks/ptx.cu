// PTX that a program loads, with checks: findings name its lines, or those that .loc says.
// Link: -lcuda
// CHECK-DAG: module1.ptx:12:3: error: thread (8, 0, 0) of block (0, 0, 0) writes 4 bytes at byte 32 of 'store_param_0'
// CHECK-DAG: author.cu:41:7: error: data race on byte 4 of 'tile', within a block: {{.*}} reads at author.cu:42:7
#include "../check.h"

#include <cuda.h>

static const char* const kText = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry store(.param .u64 store_param_0) {
  .reg .b32 %r<2>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [store_param_0];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r1;
  ret;
}
.visible .entry race(.param .u64 out) {
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, tile;
  mad.lo.s32 %r3, %r1, 4, %r2;
  .loc 1 41 7
  st.shared.u32 [%r3], %r1;
  .loc 1 42 7
  ld.shared.u32 %r4, [tile+4];
  st.global.u32 [%rd1], %r4;
  ret;
}
.file 1 "author.cu"
)";

int main() {
  CUmodule module = nullptr;
  CUcontext context = nullptr;
  CUfunction store = nullptr, race = nullptr;
  CUdeviceptr out = 0;
  EXPECT(cuInit(0) == CUDA_SUCCESS && cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS && cuCtxSetCurrent(context) == CUDA_SUCCESS);
  EXPECT(cuModuleLoadData(&module, kText) == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&store, module, "store") == CUDA_SUCCESS && cuModuleGetFunction(&race, module, "race") == CUDA_SUCCESS);
  EXPECT(cuMemAlloc(&out, 32) == CUDA_SUCCESS);
  void* arguments[] = {&out};
  EXPECT(cuLaunchKernel(store, 1, 1, 1, 16, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
  EXPECT(cuLaunchKernel(race, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
  EXPECT(cuCtxSynchronize() == CUDA_SUCCESS);
  return wrong;
}
