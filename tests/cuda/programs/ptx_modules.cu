// PTX that the program has as a text, as nvcc and Clang write it, and by hand: loaded, linked, launched, refused.
// Link: -lcuda
// CHECK-DAG: kernel says 7 and 2.50
// CHECK-DAG: f:12: f: block: [0,0,0], thread: [{{[0-9]+}},0,0] Assertion `r < 7` failed
// CHECK-DAG: module{{[0-9]+}}.ptx:7:3: error: the simulator does not know 'frobnicate.u32 %r1, %r2'
#include "check.h"

#include <cstring>
#include <cuda.h>
#include <string>

static const std::string kHead = ".version 8.0\n.target sm_80 // for this device\n.address_size 64\n";

// Variables with values and addresses, functions with structures and pointers to functions, tables of jumps, local
// memory, calls of the runtime's functions.
static const char* const kMachine = R"(
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
.global .align 1 .b8 $str[23] = {107,101,114,110,101,108,32,115,97,121,115,32,37,100,32,97,110,100,32,37,46,50,102};
.visible .const .align 4 .f32 factors[4] = {0f3F800000, 0f40000000, 0f40200000, 0f40800000};
.visible .global .align 4 .u32 numbers[2][3] = {{1, 2}, {0x10, 0x11, 077}};
.visible .global .align 8 .u64 pointer = generic(numbers)+8;
.func (.param .b32 result) twice(.param .b32 x);
.func (.param .b32 result) thrice(.param .b32 x);
.global .align 8 .u64 functions[2] = {twice, thrice};
.global .align 4 .u8 parts[16] = {1, 0, 0, 0, 0, 0, 0, 0, 0xFF(numbers), 0xFF00(numbers), 0xFF0000(numbers), 0xFF000000(numbers),
  0xFF00000000(numbers), 0xFF0000000000(numbers), 0xFF000000000000(numbers), 0xFF00000000000000(numbers)};
.shared .align 4 .b8 tile[256];
.extern .shared .align 16 .b8 dynamic[];

.func (.param .b32 result) twice(.param .b32 x) {
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [x];
  shl.b32 %r2, %r1, 1;
  st.param.b32 [result+0], %r2;
  ret;
}
.func (.param .b32 result) thrice(.param .b32 x) {
  .reg .b32 r;
  ld.param.b32 r, [x];
  mul.lo.u32 r, r, 3;
  st.param.b32 [result], r;
  ret;
}
.func (.reg .u32 r) threefold(.reg .u32 x) { mul.lo.u32 r, x, 3; ret; }
/* A structure by value, and one that is given back. */
.func (.param .align 8 .b8 out[16]) swapped(.param .align 8 .b8 in[16]) {
  .reg .b64 %rd<3>;
  ld.param.v2.u64 {%rd1, %rd2}, [in];
  st.param.u64 [out], %rd2;
  st.param.u64 [out+8], %rd1;
  ret.uni;
}

.visible .entry machine(.param .u64 .ptr .global .align 4 out, .param .align 4 .b8 three[12], .param .u8 small)
.maxntid 64, 1, 1
.minnctapersm 2
{
  .reg .pred %p<4>;
  .reg .b16 %rs<4>;
  .reg .f32 %f<6>;
  .reg .b32 %r<40>;
  .reg .b64 %rd<20>;
  .local .align 8 .b8 depot[32];
  .reg .b64 %SP, %SPL;
  mov.u64 %SPL, depot;
  cvta.local.u64 %SP, %SPL;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 64;
  add.s64 %rd4, %rd2, %rd3;
  // A jump by a table, of which the last thread takes a way of its own.
  and.b32 %r2, %r1, 3;
  {
    .reg .b32 %r2b;
    mov.b32 %r2b, %r2;
  targets: .branchtargets A, B, C, D;
    brx.idx %r2b, targets;
  A: mov.u32 %r3, 10; bra.uni AFTER;
  B: mov.u32 %r3, 11; bra AFTER;
  C: mov.u32 %r3, 12; bra AFTER;
  D: mov.u32 %r3, 13;
  AFTER:
  }
  st.global.u32 [%rd4], %r3;
  // Shared memory by 32-bit addresses, static and dynamic.
  mov.u32 %r4, tile;
  shl.b32 %r5, %r1, 2;
  add.s32 %r6, %r4, %r5;
  st.shared.u32 [%r6], %r1;
  mov.u32 %r7, dynamic;
  add.s32 %r8, %r7, %r5;
  @!%p3 mov.u32 %r9, 5;
  mad.lo.s32 %r9, %r1, 100, 5;
  st.shared.u32 [%r8], %r9;
  bar.sync 0;
  ld.shared.u32 %r10, [tile+4];
  xor.b32 %r11, %r5, 4;
  add.s32 %r12, %r7, %r11;
  ld.shared.u32 %r13, [%r12];
  st.global.u32 [%rd4+4], %r10;
  st.global.u32 [%rd4+8], %r13;
  // A thread's own memory, and what the parameters are.
  st.local.v2.u32 [%SPL+8], {%r10, %r1};
  add.u64 %rd5, %SP, 12;
  ld.u32 %r14, [%rd5];
  ld.param.u32 %r15, [three+8];
  ld.param.u8 %rs1, [small];
  cvt.s32.s8 %r16, %rs1;
  st.global.u32 [%rd4+12], %r14;
  st.global.u32 [%rd4+16], %r15;
  st.global.u32 [%rd4+20], %r16;
  // A function by its address; which one it is depends on the thread.
  and.b32 %r17, %r1, 1;
  mul.wide.u32 %rd6, %r17, 8;
  mov.u64 %rd7, functions;
  add.s64 %rd8, %rd7, %rd6;
  ld.global.u64 %rd9, [%rd8];
  {
    .param .b32 param0;
    st.param.b32 [param0+0], %r1;
    .param .b32 retval0;
    prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
    call (retval0), %rd9, (param0), prototype_0;
    ld.param.b32 %r18, [retval0+0];
  }
  call (%r19), threefold, (%r1);
  st.global.v2.u32 [%rd4+24], {%r18, %r19};
  {
    .param .align 8 .b8 pair[16];
    .param .align 8 .b8 back[16];
    st.param.v2.u64 [pair], {%rd3, 77};
    call.uni (back), swapped, (pair);
    ld.param.u64 %rd10, [back];
    ld.param.u64 %rd11, [back+8];
  }
  sub.s64 %rd12, %rd11, %rd3;
  add.s64 %rd12, %rd12, %rd10;
  st.global.u32 [%rd4+32], %rd12;
  // Variables by their names and by addresses in others.
  ld.global.u64 %rd13, [pointer];
  ld.u32 %r20, [%rd13+4];
  ld.const.f32 %f1, [factors+8];
  cvt.rni.s32.f32 %r21, %f1;
  ld.global.u64 %rd14, [parts+8];
  ld.global.u32 %r22, [%rd14+16];
  st.global.u32 [%rd4+36], %r20;
  st.global.v2.u32 [%rd4+40], {%r21, %r22};
  // Exchange within the warp.
  shfl.sync.down.b32 %r23|%p1, %r1, 4, 31, -1;
  selp.b32 %r24, %r23, 99, %p1;
  setp.lt.u32 %p2|%p3, %r1, 8;
  vote.sync.ballot.b32 %r25, !%p3, -1;
  st.global.v4.u32 [%rd4+48], {9, %r24, %r25, 0};
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra $L__end;
  st.local.u32 [%SPL+16], 7;
  st.local.f64 [%SPL+24], 0d4004000000000000;
  add.u64 %rd15, %SP, 16;
  mov.u64 %rd16, $str;
  cvta.global.u64 %rd17, %rd16;
  {
    .param .b64 param0; st.param.b64 [param0+0], %rd17;
    .param .b64 param1; st.param.b64 [param1+0], %rd15;
    .param .b32 retval0;
    call.uni (retval0), vprintf, (param0, param1);
    ld.param.b32 %r26, [retval0+0];
  }
$L__end:
  ret;
}
)";

static void machine() {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  EXPECT(cuModuleLoadData(&module, (kHead + kMachine).c_str()) == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&function, module, "machine") == CUDA_SUCCESS);
  int most = 0, shared = 0;
  EXPECT(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function) == CUDA_SUCCESS && most == 64);
  EXPECT(cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function) == CUDA_SUCCESS && shared == 256);
  CUdeviceptr numbers = 0;
  size_t bytes = 0;
  EXPECT(cuModuleGetGlobal(&numbers, &bytes, module, "numbers") == CUDA_SUCCESS && bytes == 24);
  unsigned* out = nullptr;
  EXPECT(cudaMallocManaged(&out, 32 * 64) == cudaSuccess);
  struct { int list[3]; } three{{1, 2, 3}};
  signed char small = -3;
  void* arguments[] = {&out, &three, &small};
  EXPECT(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 128, nullptr, arguments, nullptr) == CUDA_SUCCESS);
  EXPECT(cuCtxSynchronize() == CUDA_SUCCESS);
  for (unsigned t = 0; t < 32; ++t) {
    const unsigned wanted[] = {10 + t % 4, 1, (t ^ 1) * 100 + 5, t, 3, (unsigned)-3, t % 2 ? 3 * t : 2 * t, 3 * t,
                               77, 0x11, 2, 077, 9, t < 28 ? t + 4 : 99, 255};
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; ++i)
      if (out[16 * t + i] != wanted[i])
        std::printf("thread %u, value %u: %u and not %u\n", t, i, out[16 * t + i], wanted[i]), ++wrong;
  }
  EXPECT(cuLaunchKernel(function, 1, 1, 1, 96, 1, 1, 128, nullptr, arguments, nullptr) != CUDA_SUCCESS); // it says .maxntid
  EXPECT(cudaFree(out) == cudaSuccess && cuModuleUnload(module) == CUDA_SUCCESS);
}

// Instructions with one wanted result each: x is 0x81234567, y 19, f 2.5, g -0.75.
static const struct {
  const char *text;
  unsigned wanted;
} kInstructions[] = {
    {"add.u32 %r, %x, %y;", 0x8123457a},
    {"sub.s32 %r, %y, %x;", 0x7edcbaac},
    {"mul.hi.s32 %r, %x, %y;", 0xfffffff6},
    {"mad.lo.s32 %r, %y, %y, 3;", 364},
    {"mad24.lo.s32 %r, %y, %y, 3;", 364},
    {"sad.s32 %r, %y, 4, 1;", 16},
    {"div.s32 %r, -20, %y;", 0xffffffff},
    {"rem.u32 %r, %x, %y;", 0x81234567 % 19},
    {"shr.s32 %r, %x, 40;", 0xffffffff},
    {"shr.b32 %r, %x, 4;", 0x08123456},
    {"bfe.s32 %r, %x, 28, 4;", 0xfffffff8},
    {"bfi.b32 %r, %y, %x, 8, 8;", 0x81231367},
    {"prmt.b32 %r, %x, %y, 0x0123;", 0x67452381},
    {"lop3.b32 %r, %x, %y, 15, 0x96;", 0x81234567 ^ 19 ^ 15},
    {"shf.l.wrap.b32 %r, %x, %y, 8;", 0x1381},
    {"popc.b32 %r, %x;", 13},
    {"fns.b32 %r, %x, 1, 2;", 2},
    {"cnot.b32 %r, 0;", 1},
    {"min.s32 %r, %x, %y;", 0x81234567},
    {"slct.s32.f32 %r, 1, 2, %g;", 2},
    {"{ .reg .pred p, q; setp.gt.and.f32 p|q, %f, %g, 1; selp.u32 %r, 1, 0, q; }", 0},
    {"{ .reg .pred p; testp.notanumber.f32 p, 0f7FC00000; selp.u32 %r, 1, 0, p; }", 1},
    {"{ .reg .pred p; setp.neu.f32 p, %f, 0f7FC00000; selp.u32 %r, 1, 0, p; }", 1},
    {"set.lt.u32.s32 %r, %x, %y;", 0xffffffff},
    {"{ .reg .u32 l, h; add.cc.u32 l, %x, %x; addc.u32 %r, 0, 0; }", 1},
    {"{ .reg .u32 l; mad.lo.cc.u32 l, %x, 2, 1; madc.hi.u32 %r, %x, 2, 0; }", 1},
    {"cvt.sat.u8.s32 %r, %x;", 0},
    {"cvt.sat.s8.s32 %r, 300;", 127},
    {"cvt.s32.s8 %r, 0x80;", 0xffffff80},
    {"cvt.rmi.s32.f32 %r, %g;", 0xffffffff},
    {"cvt.rzi.f32.f32 %r, %f;", 0x40000000},
    {"{ .reg .f64 d; cvt.f64.f32 d, %f; add.f64 d, d, 0d3E10000000000000; cvt.rp.f32.f64 %r, d; }", 0x40200001},
    {"cvt.rn.f16x2.f32 %r, %f, %g;", 0x4100ba00},
    {"cvt.rn.bf16x2.f32 %r, %f, %g;", 0x4020bf40},
    {"{ .reg .b32 a, b, c; mov.b32 a, 0x41004100; mov.b32 b, 0x40004000; mov.b32 c, 0xba00ba00; fma.rn.f16x2 %r, a, b, c; }", 0x44404440},
    {"{ .reg .b32 a, b, c; mov.b32 a, 0x40204020; mov.b32 b, 0x40004000; mov.b32 c, 0xbf40bf40; fma.rn.bf16x2 %r, a, b, c; }", 0x40884088},
    {"min.f32 %r, 0f80000000, 0f00000000;", 0x80000000},
    {"max.f32 %r, 0f80000000, 0f00000000;", 0},
    {"min.f32 %r, %f, 0f7FC00000;", 0x40200000},
    {"max.NaN.f32 %r, %f, 0f7FC00000;", 0x7fffffff},
    {"add.sat.f32 %r, %f, %g;", 0x3f800000},
    {"rcp.rz.f32 %r, 0f40400000;", 0x3eaaaaaa},
    {"fma.rn.f32 %r, %f, %f, %g;", 0x40b00000},
    {"copysign.f32 %r, %g, %f;", 0xc0200000},
    {"{ .reg .b16 a; mov.b16 a, 2; mov.b32 %r, {%h, a}; }", 0x24567},
    {"{ .reg .u16 a, b; mov.b32 {a, b}, %x; cvt.u32.u16 %r, b; }", 0x8123},
    {"{ .reg .u64 a; cvt.u64.u32 a, %x; mul.hi.u64 a, a, 0x100000000; cvt.u32.u64 %r, a; }", 0},
    {"mul.wide.u16 %r, %h, 2;", 0x8ace},
    {"{ .reg .u32 a, b; mov.u32 a, 0; mov.u32 b, 1; vabsdiff4.u32.u32.u32.add %r, %x, a, b; }", 0x81 + 0x23 + 0x45 + 0x67 + 1},
    {"dp4a.u32.u32 %r, %x, 0x01010101, 2;", 0x81 + 0x23 + 0x45 + 0x67 + 2},
    {"{ .reg .pred p; setp.eq.u32 p, %y, 19; @p bra YES; mov.u32 %r, 0; bra END; YES: mov.u32 %r, 1; END: }", 1},
    {"{ .reg .pred p; mov.u32 %r, 0; AGAIN: add.u32 %r, %r, 3; setp.lt.u32 p, %r, %y; @p bra AGAIN; }", 21},
    {"match.any.sync.b32 %r, %y, 1;", 1},
    {"bar.red.popc.u32 %r, 0, 1;", 1},
    {"{ .reg .pred p; barrier.red.and.pred p, 0, 0; selp.u32 %r, 1, 2, p; }", 2},
    {"{ .reg .u64 a; .reg .pred p; mov.u64 a, word; cvta.shared.u64 a, a; isspacep.shared p, a; selp.u32 %r, 1, 2, p; }", 1},
    {"st.shared.u32 [word], %x; atom.shared.exch.b32 %r, [word], 3;", 0x81234567},
    {"st.shared.u32 [word], 5; atom.shared.cas.b32 %r, [word], 5, 6; ld.volatile.shared.u32 %r, [word];", 6},
    {"st.shared.u32 [word], 0x3c003c00; mov.b32 %r, 0x3c003c00; atom.shared.add.noftz.f16x2 %r, [word], %r; ld.shared.u32 %r, [word];", 0x40004000},
    {"st.release.gpu.shared.u32 [word], 8; ld.acquire.gpu.shared.u32 %r, [word];", 8},
    {"st.shared.u8 [word+1], 0xff; ld.shared.s8 %r, [word+1];", 0xffffffff},
};

static void instructions() {
  std::string text = kHead + ".visible .entry all(.param .u64 out) { .reg .u64 %at; .reg .u32 %x, %y; .reg .u16 %h; .reg .f32 %f, %g;\n"
                             ".shared .u32 word; ld.param.u64 %at, [out]; mov.u32 %x, 0x81234567; cvt.u16.u32 %h, %x; mov.u32 %y, 19; mov.f32 %f, 0f40200000; mov.f32 %g, 0fBF400000;\n";
  for (const auto& one : kInstructions)
    text += std::string("{ .reg .b32 %r; ") + one.text + " st.global.u32 [%at], %r; add.u64 %at, %at, 4; }\n";
  constexpr unsigned count = sizeof kInstructions / sizeof *kInstructions;
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  EXPECT(cudaLibraryLoadData(&library, (text + "ret; }").c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) == cudaSuccess);
  EXPECT(cudaLibraryGetKernel(&kernel, library, "all") == cudaSuccess);
  unsigned* out = nullptr;
  EXPECT(cudaMallocManaged(&out, count * sizeof *out) == cudaSuccess);
  void* arguments[] = {&out};
  EXPECT(cudaLaunchKernel((const void*)kernel, 1, 1, arguments, 0, nullptr) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < count; ++i)
    if (out[i] != kInstructions[i].wanted)
      std::printf("%s gives %#x, not %#x\n", kInstructions[i].text, out[i], kInstructions[i].wanted), ++wrong;
  EXPECT(cudaFree(out) == cudaSuccess && cudaLibraryUnload(library) == cudaSuccess);
}

static const char* const kTextures = R"(
.visible .entry textures(.param .u64 out, .param .u64 texture, .param .u64 surface) {
  .reg .b32 %r<5>; .reg .f32 %f<9>; .reg .b64 %o, %t, %s;
  ld.param.u64 %o, [out]; ld.param.u64 %t, [texture]; ld.param.u64 %s, [surface];
  tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%t, {0f40200000, 0f3FC00000}];
  st.global.f32 [%o], %f1;
  tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%t, {0f3F000000, 0f40200000}], 0f00000000;
  st.global.f32 [%o+4], %f1;
  tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%t, {0f3F800000, 0f3F800000}];
  st.global.v2.f32 [%o+8], {%f1, %f2};
  st.global.v2.f32 [%o+16], {%f3, %f4};
  txq.width.b32 %r1, [%t];
  suq.height.b32 %r2, [%s];
  st.global.v2.u32 [%o+24], {%r1, %r2};
  suld.b.2d.b32.trap %r3, [%s, {8, 1}];
  sust.b.2d.v2.b32.clamp [%s, {0, 2}], {%r3, 0f42C60000};
  suld.b.2d.v2.b32.zero {%r1, %r2}, [%s, {0, 2}];
  st.global.v2.u32 [%o+32], {%r1, %r2};
  ret;
})";

// An array of 4 by 3 whose texels are 10 y + x, as a texture and as a surface.
static void textures() {
  float texels[12], *out = nullptr;
  for (int i = 0; i < 12; ++i)
    texels[i] = 10 * (i / 4) + i % 4;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource{};
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  cudaTextureDesc how{};
  EXPECT(cudaMallocArray(&resource.res.array.array, &format, 4, 3, cudaArraySurfaceLoadStore) == cudaSuccess);
  resource.resType = cudaResourceTypeArray;
  EXPECT(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, texels, 16, 16, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  EXPECT(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess && cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
  EXPECT(cudaMallocManaged(&out, 40) == cudaSuccess);
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  EXPECT(cuModuleLoadData(&module, (kHead + kTextures).c_str()) == CUDA_SUCCESS && cuModuleGetFunction(&function, module, "textures") == CUDA_SUCCESS);
  void* arguments[] = {&out, &texture, &surface};
  EXPECT(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS && cuCtxSynchronize() == CUDA_SUCCESS);
  const float wanted[] = {12, 20, 10, 11, 1, 0, 0, 0, 12, 99};
  for (int i = 0; i < 10; ++i)
    EXPECT(i == 6 || i == 7 || out[i] == wanted[i]);
  EXPECT(reinterpret_cast<int*>(out)[6] == 4 && reinterpret_cast<int*>(out)[7] == 3);
}

static const char* const kRuntime = R"(
.extern .func (.param .b64 r) malloc(.param .b64 bytes);
.extern .func free(.param .b64 pointer);
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e) .noreturn;
.visible .global .attribute(.managed) .align 4 .u32 managed = 5;
.global .align 1 .b8 words[8] = {114, 32, 60, 32, 55, 0, 102};
.visible .entry runtime() .reqntid 32, 1, 1 {
  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p;
  { .param .b64 bytes; .param .b64 pointer; st.param.b64 [bytes], 16; call (pointer), malloc, (bytes); ld.param.b64 %rd1, [pointer]; }
  mov.u32 %r1, %tid.x;
  st.u32 [%rd1+12], %r1;
  ld.u32 %r2, [%rd1+12];
  atom.global.add.u32 %r3, [managed], %r2;
  call free, (%rd1);
  setp.lt.u32 %p, %r3, 7000;
  @%p bra FINE;
  mov.u64 %rd2, words;
  cvta.global.u64 %rd2, %rd2;
  add.u64 %rd3, %rd2, 6;
  call __assertfail, (%rd2, %rd3, 12, %rd3, 1);
  trap;
FINE: exit;
}
)";

// Memory of kernels, a managed variable, and, last of all, an assertion that fails.
static void runtime() {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  unsigned* managed = nullptr;
  size_t bytes = 0;
  EXPECT(cudaLibraryLoadData(&library, (kHead + kRuntime).c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) == cudaSuccess);
  EXPECT(cudaLibraryGetKernel(&kernel, library, "runtime") == cudaSuccess);
  EXPECT(cudaLibraryGetManaged((void**)&managed, &bytes, library, "managed") == cudaSuccess && bytes == 4 && *managed == 5);
  EXPECT(cudaLaunchKernel((const void*)kernel, 2, 32, nullptr, 0, nullptr) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(*managed == 5 + 2 * 31 * 32 / 2);
  *managed = 7000;
  EXPECT(cudaLaunchKernel((const void*)kernel, 1, 32, nullptr, 0, nullptr) == cudaSuccess && cudaDeviceSynchronize() == cudaErrorAssert);
}

// One text calls what another defines, and reads its variable; without it nothing is linked.
static void linked() {
  const std::string caller = kHead + ".extern .func (.param .b32 r) other(.param .b32 x);\n.extern .global .u32 shared_number;\n"
                                     ".visible .entry calls(.param .u64 out) { .reg .u64 a; .reg .u32 v, w; ld.param.u64 a, [out];\n"
                                     ".param .b32 p; .param .b32 q; st.param.u32 [p], 20; call (q), other, (p); ld.param.u32 v, [q];\n"
                                     "ld.global.u32 w, [shared_number]; add.u32 v, v, w; st.global.u32 [a], v; ret; }",
                    called = kHead + ".visible .global .u32 shared_number = 300;\n.visible .func (.param .b32 r) other(.param .b32 x) { .reg .u32 v; ld.param.u32 v, [x]; add.u32 v, v, 1; st.param.u32 [r], v; ret; }";
  char log[512] = "?";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  for (const bool whole : {false, true}) {
    CUlinkState linker = nullptr;
    void *values[] = {log, (void*)sizeof log}, *cubin = nullptr;
    EXPECT(cuLinkCreate(2, options, values, &linker) == CUDA_SUCCESS);
    EXPECT(cuLinkAddData(linker, CU_JIT_INPUT_PTX, (void*)caller.c_str(), caller.size() + 1, "caller.ptx", 0, nullptr, nullptr) == CUDA_SUCCESS);
    if (!whole) {
      EXPECT(cuLinkComplete(linker, &cubin, nullptr) == CUDA_ERROR_INVALID_PTX && std::strstr(log, "is defined nowhere"));
      EXPECT(cuLinkAddData(linker, CU_JIT_INPUT_PTX, (void*)"no PTX", 7, "none.ptx", 0, nullptr, nullptr) == CUDA_ERROR_INVALID_PTX &&
             std::strstr(log, "none.ptx:1:1: error: ") == log);
    } else {
      EXPECT(cuLinkAddData(linker, CU_JIT_INPUT_PTX, (void*)called.c_str(), called.size() + 1, "called.ptx", 0, nullptr, nullptr) == CUDA_SUCCESS);
      CUmodule module = nullptr;
      CUfunction function = nullptr;
      EXPECT(cuLinkComplete(linker, &cubin, nullptr) == CUDA_SUCCESS && cuModuleLoadData(&module, cubin) == CUDA_SUCCESS);
      EXPECT(cuModuleGetFunction(&function, module, "calls") == CUDA_SUCCESS);
      unsigned* out = nullptr;
      EXPECT(cudaMallocManaged(&out, sizeof *out) == cudaSuccess);
      void* arguments[] = {&out};
      EXPECT(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS && cuCtxSynchronize() == CUDA_SUCCESS);
      EXPECT(*out == 321);
    }
    EXPECT(cuLinkDestroy(linker) == CUDA_SUCCESS);
  }
}

// What is wrong is told in the log, with its line.
static void refused() {
  const auto says = [](const std::string& text, const char* message) {
    char log[256] = "?";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, (void*)sizeof log, (void*)100};
    CUmodule module = nullptr;
    const bool told = cuModuleLoadDataEx(&module, text.c_str(), 3, options, values) == CUDA_ERROR_INVALID_PTX && std::strstr(log, message) &&
                      values[1] == (void*)(std::strlen(log) + 1) && values[2] == nullptr;
    if (!told)
      std::printf("instead of '%s' the log is '%s'\n", message, log), ++wrong;
  };
  const auto body = [](const std::string& text) { return kHead + ".visible .entry k(.param .u64 a) {\n.reg .u32 %r<4>; .reg .pred %p; .reg .f32 %f;\n" + text + "\nret; }"; };
  says(body("\n  frobnicate.u32 %r1, %r2;"), ".ptx:7:3: error: the simulator does not know 'frobnicate.u32 %r1, %r2'");
  says(body("add.u32 %r1, %r2;"), ".ptx:6:1: ");
  for (const char* unknown : {"prmt %r1, %r1, %r1, %r1;", "prmt.b32.rc9 %r1, %r1, %r1, %r1;", "mad.hi.sat.u32 %r1, %r1, %r1, %r1;", "add.sat.s64 %r1, %r1, %r1;",
                              "{ .reg .b16 h; cvt.rn.bf16.f64 h, 0d3FF0000000000000; }", "cvt.pack.sat.s5.s32.b32 %r1, %r1, %r1, %r1;"})
    says(body(unknown), "the simulator does not know '");
  says(body("add.u32 %r1, %r2, %r4;"), "'add.u32 %r1, %r2, %r4'");
  says(body("bra NOWHERE;"), ".ptx:6:5: error: there is no label 'NOWHERE'");
  says(body("@%q bra END; END:"), "there is no predicate '%q'");
  says(body("A: A:"), "there is a label 'A' already");
  says(body("call nothing;"), "there is no function 'nothing'");
  says(body("{ mov.u32 %r1, 0;"), "has no '}'");
  says(body("mov.u32 %r1, 0"), "error: ");
  says(body("ld.global.u32 %r1, [b];"), "[b]");
  says(body(".reg .v4 .f32 v;"), "registers of vectors");
  says(body("mov.u32 %r1, %nothing;"), "%nothing");
  says(body("tex.1d.v4.f32.s32 {%f, %f, %f, %f}, [a];"), "tex.1d.v4.f32.s32");
  says(kHead + ".global .u32 x = {1, 2};", ".ptx:4:22: error: there are more values than elements");
  says(kHead + ".global .u64 x = y;", "'y' is no address");
  says(kHead + ".global .u32 x; .global .u32 x;", "there is 'x' already");
  says(kHead + ".func f(.param .u32 a) { ret; } .func f(.param .u32 a) { ret; }", "there is 'f' already");
  says(kHead + ".global .u8 x[4294967296][4294967296];", "too large");
  says(kHead + ".extern .func f(); .visible .entry k() { call f; ret; }", "'f' is defined nowhere");
  says(kHead + "nonsense;", "'nonsense' is not understood here");
  says(".version 8.0\n.target sm_80\n.address_size 32", "addresses have 64 bits");
}

int main() {
  CUcontext context = nullptr;
  EXPECT(cuInit(0) == CUDA_SUCCESS && cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS && cuCtxSetCurrent(context) == CUDA_SUCCESS);
  machine();
  instructions();
  textures();
  linked();
  refused();
  runtime();
  return wrong;
}
