// Arguments of every type.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef float real;
typedef real real3 __attribute__((ext_vector_type(3)));
enum Mode { FAST, EXACT };
typedef struct { char tag; float4 position; short pair[2][3]; } Particle;
struct Nested { Particle inner; double weight; uchar3 colour; uchar on; };
typedef union { int i; float f; char bytes[8]; } Word;
typedef struct __attribute__((packed)) { char c; int i; } Packed;

kernel void scalars(char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h, float i, double j,
                    unsigned int k, real l, enum Mode m) {}
kernel void vectors(char2 a, uchar3 b, short4 c, int8 d, uint16 e, float3 f, double2 g, half4 h, real3 i) {}
kernel void structs(Particle a, struct Nested b, Word c, Packed d, global const Particle* e, global struct Nested* f) {
  f[0].inner = e[0];
}
kernel void pointers(global int* read, global int* written, global int* both, global const float* constant_data,
                     constant int* table, local float4* scratch, global int* passed, global volatile uint* counter,
                     global int* incremented, global int (*rows)[4], global half* halves) {
  written[0] = read[0] + table[0];
  both[1] += 2;
  vstore4((int4)(1), 0, passed);
  atomic_inc(counter);
  ++incremented[0];
  rows[0][1] = *(read + 1);
}
kernel void images(read_only image2d_t a, write_only image2d_t b, image3d_t c, read_only image1d_t d,
                   read_only image1d_buffer_t e, read_only image2d_array_t f, write_only image1d_array_t g, sampler_t s) {}
__kernel __attribute__((reqd_work_group_size(16, 4, 1))) void sized(__global int*, int) {}
kernel void calls(global int* out) { sized(out, 1); }

typedef void Anything;

// Memory without a type is bytes, whatever the kernel takes it for.
kernel void untyped(global const void* in, ulong offset, global void* out, constant void* table,
                    local Anything* scratch, global void* unused) {
  global const float* x = (global const float*)((global const char*)in + offset);
  ((local int*)scratch)[0] = ((constant short*)table)[0];
  ((global float*)out)[get_global_id(0)] = x[get_global_id(0)] + ((local int*)scratch)[0];
}
