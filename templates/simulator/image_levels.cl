// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depth images (cl_khr_depth_images) and functions with levels of detail (cl_khr_mipmap_image). Compiled
// when a kernel calls one of them, behind image_calls.cl, and linked with it.
//
// Images have one level here. So all levels of detail are clamped to it, and a write to another level is
// none.

#define QUERY(name, type, access, image_type, which)                                                                   \
  FUNCTION type name(access image_type image) { return (type)gputest_image_number(gputest_image_of(image), which); }
#define HANDLE(access, image_type)                                                                                     \
  const global void *__attribute__((overloadable)) gputest_image_of(access image_type image);

#define DEPTH_QUERIES(access, image_type)                                                                              \
  HANDLE(access, image_type)                                                                                           \
  QUERY(get_image_width, int, access, image_type, 0)                                                                   \
  QUERY(get_image_height, int, access, image_type, 1)                                                                  \
  QUERY(get_image_channel_data_type, int, access, image_type, 4)                                                       \
  QUERY(get_image_channel_order, int, access, image_type, 5)                                                           \
  FUNCTION int2 get_image_dim(access image_type image) {                                                               \
    return (int2)(get_image_width(image), get_image_height(image));                                                    \
  }
#define DEPTH_READ(access, image_type, int_type, I)                                                                    \
  FUNCTION float read_imagef(access image_type image, int_type at) {                                                   \
    return gputest_fetch_imagef(gputest_image_of(image), WITHOUT_SAMPLER, I(at)).x;                                    \
  }
#define DEPTH_SAMPLED(image_type, int_type, float_type, I, F)                                                          \
  FUNCTION float read_imagef(read_only image_type image, sampler_t sampler, int_type at) {                             \
    return gputest_fetch_imagef(gputest_image_of(image), gputest_sampler_of(sampler), I(at)).x;                        \
  }                                                                                                                    \
  FUNCTION float read_imagef(read_only image_type image, sampler_t sampler, float_type at) {                           \
    return gputest_read_imagef(gputest_image_of(image), gputest_sampler_of(sampler), F(at)).x;                         \
  }
#define DEPTH_WRITE(access, image_type, int_type, I)                                                                   \
  FUNCTION void write_imagef(access image_type image, int_type at, float depth) {                                      \
    gputest_write_imagef(gputest_image_of(image), I(at), (float4)(depth, 0, 0, 1));                                    \
  }

#define DEPTH_ANY(access)                                                                                              \
  DEPTH_QUERIES(access, image2d_depth_t)                                                                               \
  DEPTH_QUERIES(access, image2d_array_depth_t)                                                                         \
  QUERY(get_image_array_size, size_t, access, image2d_array_depth_t, 3)

DEPTH_ANY(read_only)
DEPTH_ANY(write_only)
DEPTH_READ(read_only, image2d_depth_t, int2, I2)
DEPTH_READ(read_only, image2d_array_depth_t, int4, I4)
DEPTH_SAMPLED(image2d_depth_t, int2, float2, I2, F2)
DEPTH_SAMPLED(image2d_array_depth_t, int4, float4, I4, F4)
DEPTH_WRITE(write_only, image2d_depth_t, int2, I2)
DEPTH_WRITE(write_only, image2d_array_depth_t, int4, I4)

#if __OPENCL_C_VERSION__ >= 200
DEPTH_ANY(read_write)
DEPTH_READ(read_write, image2d_depth_t, int2, I2)
DEPTH_READ(read_write, image2d_array_depth_t, int4, I4)
DEPTH_WRITE(read_write, image2d_depth_t, int2, I2)
DEPTH_WRITE(read_write, image2d_array_depth_t, int4, I4)

#define LEVELS(access, image_type)                                                                                     \
  FUNCTION int get_image_num_mip_levels(access image_type image) { return 1; }
#define LEVEL_READS(access, image_type, at_type, F, ...)                                                               \
  FUNCTION float4 read_imagef(access image_type image, sampler_t sampler, at_type at, __VA_ARGS__) {                   \
    return gputest_read_imagef(gputest_image_of(image), gputest_sampler_of(sampler), F(at));                           \
  }                                                                                                                    \
  FUNCTION int4 read_imagei(access image_type image, sampler_t sampler, at_type at, __VA_ARGS__) {                     \
    return gputest_read_imagei(gputest_image_of(image), gputest_sampler_of(sampler), F(at));                           \
  }                                                                                                                    \
  FUNCTION uint4 read_imageui(access image_type image, sampler_t sampler, at_type at, __VA_ARGS__) {                   \
    return as_uint4(gputest_read_imagei(gputest_image_of(image), gputest_sampler_of(sampler), F(at)));                 \
  }
#define LEVEL_DEPTHS(access, image_type, at_type, F, ...)                                                              \
  FUNCTION float read_imagef(access image_type image, sampler_t sampler, at_type at, __VA_ARGS__) {                    \
    return gputest_read_imagef(gputest_image_of(image), gputest_sampler_of(sampler), F(at)).x;                         \
  }
#define LEVEL_WRITE(name, native, access, image_type, at_type, I, colour_type, convert)                                \
  FUNCTION void name(access image_type image, at_type at, int level, colour_type colour) {                             \
    if (level == 0)                                                                                                    \
      native(gputest_image_of(image), I(at), convert);                                                                 \
  }
#define LEVEL_WRITES(access, image_type, at_type, I)                                                                   \
  LEVEL_WRITE(write_imagef, gputest_write_imagef, access, image_type, at_type, I, float4, colour)                      \
  LEVEL_WRITE(write_imagei, gputest_write_imagei, access, image_type, at_type, I, int4, colour)                        \
  LEVEL_WRITE(write_imageui, gputest_write_imagei, access, image_type, at_type, I, uint4, as_int4(colour))
#define HANDLES(access)                                                                                                \
  HANDLE(access, image1d_t)                                                                                            \
  HANDLE(access, image1d_array_t)                                                                                      \
  HANDLE(access, image2d_t)                                                                                            \
  HANDLE(access, image2d_array_t)                                                                                      \
  HANDLE(access, image3d_t)                                                                                            \
  LEVELS(access, image1d_t)                                                                                            \
  LEVELS(access, image1d_array_t)                                                                                      \
  LEVELS(access, image2d_t)                                                                                            \
  LEVELS(access, image2d_array_t)                                                                                      \
  LEVELS(access, image3d_t)                                                                                            \
  LEVELS(access, image2d_depth_t)                                                                                      \
  LEVELS(access, image2d_array_depth_t)
#define READ_LEVELS(access)                                                                                            \
  LEVEL_READS(access, image1d_t, float, F1, float level)                                                               \
  LEVEL_READS(access, image1d_t, float, F1, float right, float below)                                                  \
  LEVEL_READS(access, image1d_array_t, float2, F2, float level)                                                        \
  LEVEL_READS(access, image1d_array_t, float2, F2, float right, float below)                                           \
  LEVEL_READS(access, image2d_t, float2, F2, float level)                                                              \
  LEVEL_READS(access, image2d_t, float2, F2, float2 right, float2 below)                                               \
  LEVEL_READS(access, image2d_array_t, float4, F4, float level)                                                        \
  LEVEL_READS(access, image2d_array_t, float4, F4, float2 right, float2 below)                                         \
  LEVEL_READS(access, image3d_t, float4, F4, float level)                                                              \
  LEVEL_READS(access, image3d_t, float4, F4, float4 right, float4 below)                                               \
  LEVEL_DEPTHS(access, image2d_depth_t, float2, F2, float level)                                                       \
  LEVEL_DEPTHS(access, image2d_depth_t, float2, F2, float2 right, float2 below)                                        \
  LEVEL_DEPTHS(access, image2d_array_depth_t, float4, F4, float level)                                                 \
  LEVEL_DEPTHS(access, image2d_array_depth_t, float4, F4, float2 right, float2 below)
#define WRITE_LEVELS(access)                                                                                           \
  LEVEL_WRITES(access, image1d_t, int, I1)                                                                             \
  LEVEL_WRITES(access, image1d_array_t, int2, I2)                                                                      \
  LEVEL_WRITES(access, image2d_t, int2, I2)                                                                            \
  LEVEL_WRITES(access, image2d_array_t, int4, I4)                                                                      \
  LEVEL_WRITES(access, image3d_t, int4, I4)                                                                            \
  LEVEL_WRITE(write_imagef, gputest_write_imagef, access, image2d_depth_t, int2, I2, float, (float4)(colour, 0, 0, 1)) \
  LEVEL_WRITE(write_imagef, gputest_write_imagef, access, image2d_array_depth_t, int4, I4, float,                      \
              (float4)(colour, 0, 0, 1))

HANDLES(read_only)
HANDLES(write_only)
HANDLES(read_write)
READ_LEVELS(read_only)
READ_LEVELS(read_write)
WRITE_LEVELS(write_only)
WRITE_LEVELS(read_write)
#endif
