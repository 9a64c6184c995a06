// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The image functions of OpenCL C 1.2 and the image queries, which libclc leaves to devices. Compiled
// when a kernel calls one of them, behind image_calls.cl, and linked with it.

#define READS(floats, integers, ...)                                                                                   \
  FUNCTION float4 read_imagef(__VA_ARGS__) { return floats; }                                                          \
  FUNCTION half4 read_imageh(__VA_ARGS__) { return HALVES(floats); }                                                   \
  FUNCTION int4 read_imagei(__VA_ARGS__) { return integers; }                                                          \
  FUNCTION uint4 read_imageui(__VA_ARGS__) { return as_uint4(integers); }
#define READS_INT(access, image_type, int_type, I)                                                                     \
  READS(gputest_fetch_imagef(gputest_image_of(image), WITHOUT_SAMPLER, I(at)),                                         \
        gputest_fetch_imagei(gputest_image_of(image), WITHOUT_SAMPLER, I(at)), access image_type image, int_type at)

#define READS_SAMPLER(image_type, int_type, float_type, I, F)                                                          \
  READS(gputest_fetch_imagef(gputest_image_of(image), gputest_sampler_of(sampler), I(at)),                             \
        gputest_fetch_imagei(gputest_image_of(image), gputest_sampler_of(sampler), I(at)),                             \
        read_only image_type image, sampler_t sampler, int_type at)                                                    \
  READS(gputest_read_imagef(gputest_image_of(image), gputest_sampler_of(sampler), F(at)),                              \
        gputest_read_imagei(gputest_image_of(image), gputest_sampler_of(sampler), F(at)),                              \
        read_only image_type image, sampler_t sampler, float_type at)

#define WRITES(access, image_type, int_type, I)                                                                        \
  FUNCTION void write_imagef(access image_type image, int_type at, float4 colour) {                                    \
    gputest_write_imagef(gputest_image_of(image), I(at), colour);                                                      \
  }                                                                                                                    \
  FUNCTION void write_imageh(access image_type image, int_type at, half4 colour) {                                     \
    gputest_write_imagef(gputest_image_of(image), I(at), __builtin_convertvector(colour, float4));                     \
  }                                                                                                                    \
  FUNCTION void write_imagei(access image_type image, int_type at, int4 colour) {                                      \
    gputest_write_imagei(gputest_image_of(image), I(at), colour);                                                      \
  }                                                                                                                    \
  FUNCTION void write_imageui(access image_type image, int_type at, uint4 colour) {                                    \
    gputest_write_imagei(gputest_image_of(image), I(at), as_int4(colour));                                             \
  }

#define NUMBER(name, type, access, image_type, which)                                                                  \
  FUNCTION type name(access image_type image) { return (type)gputest_image_number(gputest_image_of(image), which); }
#define WIDTH(access, image_type)                                                                                      \
  const global void *__attribute__((overloadable)) gputest_image_of(access image_type image);                          \
  NUMBER(get_image_width, int, access, image_type, 0)                                                                  \
  NUMBER(get_image_channel_data_type, int, access, image_type, 4)                                                      \
  NUMBER(get_image_channel_order, int, access, image_type, 5)
#define HEIGHT(access, image_type)                                                                                     \
  NUMBER(get_image_height, int, access, image_type, 1)                                                                 \
  FUNCTION int2 get_image_dim(access image_type image) {                                                               \
    return (int2)(get_image_width(image), get_image_height(image));                                                    \
  }
#define DEPTH(access, image_type)                                                                                      \
  NUMBER(get_image_height, int, access, image_type, 1)                                                                 \
  NUMBER(get_image_depth, int, access, image_type, 2)                                                                  \
  FUNCTION int4 get_image_dim(access image_type image) {                                                               \
    return (int4)(get_image_width(image), get_image_height(image), get_image_depth(image), 0);                         \
  }
#define LAYERS(access, image_type) NUMBER(get_image_array_size, size_t, access, image_type, 3)

#define QUERIES(access)                                                                                                \
  WIDTH(access, image1d_t)                                                                                             \
  WIDTH(access, image1d_buffer_t)                                                                                      \
  WIDTH(access, image1d_array_t)                                                                                       \
  LAYERS(access, image1d_array_t)                                                                                      \
  WIDTH(access, image2d_t)                                                                                             \
  HEIGHT(access, image2d_t)                                                                                            \
  WIDTH(access, image2d_array_t)                                                                                       \
  HEIGHT(access, image2d_array_t)                                                                                      \
  LAYERS(access, image2d_array_t)                                                                                      \
  WIDTH(access, image3d_t)                                                                                             \
  DEPTH(access, image3d_t)

#define READ_ANY(access)                                                                                               \
  READS_INT(access, image1d_t, int, I1)                                                                                \
  READS_INT(access, image1d_buffer_t, int, I1)                                                                         \
  READS_INT(access, image1d_array_t, int2, I2)                                                                         \
  READS_INT(access, image2d_t, int2, I2)                                                                               \
  READS_INT(access, image2d_array_t, int4, I4)                                                                         \
  READS_INT(access, image3d_t, int4, I4)

#define WRITE_ANY(access)                                                                                              \
  WRITES(access, image1d_t, int, I1)                                                                                   \
  WRITES(access, image1d_buffer_t, int, I1)                                                                            \
  WRITES(access, image1d_array_t, int2, I2)                                                                            \
  WRITES(access, image2d_t, int2, I2)                                                                                  \
  WRITES(access, image2d_array_t, int4, I4)                                                                            \
  WRITES(access, image3d_t, int4, I4)

QUERIES(read_only)
QUERIES(write_only)
READ_ANY(read_only)
WRITE_ANY(write_only)
READS_SAMPLER(image1d_t, int, float, I1, F1)
READS_SAMPLER(image1d_array_t, int2, float2, I2, F2)
READS_SAMPLER(image2d_t, int2, float2, I2, F2)
READS_SAMPLER(image2d_array_t, int4, float4, I4, F4)
READS_SAMPLER(image3d_t, int4, float4, I4, F4)
#if __OPENCL_C_VERSION__ >= 200
QUERIES(read_write)
READ_ANY(read_write)
WRITE_ANY(read_write)
#endif
