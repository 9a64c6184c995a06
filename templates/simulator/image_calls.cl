// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What images.cl and image_levels.cl share: the native code that they call (simulator/memory/images.h).
//
// Four coordinates are always passed: those that an image does not have are 0. The native code knows
// the kind of the image.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define FUNCTION __attribute__((overloadable)) __attribute__((always_inline))
#define HALVES(colour) __builtin_convertvector(colour, half4)

float4 gputest_read_imagef(const global void *image, uint sampler, float4 at);
int4 gputest_read_imagei(const global void *image, uint sampler, float4 at);
float4 gputest_fetch_imagef(const global void *image, uint sampler, int4 at);
int4 gputest_fetch_imagei(const global void *image, uint sampler, int4 at);
void gputest_write_imagef(const global void *image, int4 at, float4 colour);
void gputest_write_imagei(const global void *image, int4 at, int4 colour);
uint gputest_image_number(const global void *image, int which);

// Calls are replaced by their argument: the handle of a sampler is a number, that of an image a pointer.
uint gputest_sampler_of(sampler_t sampler);

#define WITHOUT_SAMPLER 0x10 // no addressing, nearest, not normalised

#define I1(c) (int4)(c, 0, 0, 0)
#define I2(c) (int4)(c, 0, 0)
#define I4(c) (c)
#define F1(c) (float4)(c, 0, 0, 0)
#define F2(c) (float4)(c, 0, 0)
#define F4(c) (c)
