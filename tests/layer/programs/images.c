/* Launches the kernels of images.cl with images of every kind, in several formats, and with several
 * samplers; prints what they leave. */
#include "support.h"

static char source[1 << 16];

typedef struct {
  cl_context context;
  cl_command_queue queue;
  cl_program program;
} Setup;

static cl_image_desc shape(cl_mem_object_type type, size_t width, size_t height, size_t depth) {
  cl_image_desc description;
  memset(&description, 0, sizeof description);
  description.image_type = type;
  description.image_width = width;
  description.image_height = height;
  if (type == CL_MEM_OBJECT_IMAGE3D)
    description.image_depth = depth;
  else if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
    description.image_array_size = depth;
  return description;
}

/* Devices take other formats too, and compute anything with them. */
static int is_supported(Setup s, cl_image_format format, cl_mem_object_type type) {
  static cl_image_format formats[1000];
  cl_uint count = 0;
  CHECK(clGetSupportedImageFormats(s.context, CL_MEM_READ_WRITE, type, 1000, formats, &count));
  for (cl_uint i = 0; i < count; ++i)
    if (formats[i].image_channel_order == format.image_channel_order &&
        formats[i].image_channel_data_type == format.image_channel_data_type)
      return 1;
  return 0;
}

/* Zeros where there is no content, because what is in them is captured. NULL: the device has none
 * of the kind or format. */
static cl_mem make_image(Setup s, cl_image_format format, cl_image_desc description,
                         const void* content) {
  static unsigned char zeros[4096];
  unsigned char pixels[4096];
  memcpy(pixels, content ? content : zeros, sizeof pixels);
  if (!is_supported(s, format, description.image_type))
    return NULL;
  cl_int error;
  cl_mem image = clCreateImage(s.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format,
                               &description, pixels, &error);
  check(error, "clCreateImage");
  return image;
}

static cl_mem make_buffer_image(Setup s, cl_image_format format, size_t width, cl_mem buffer) {
  if (!is_supported(s, format, CL_MEM_OBJECT_IMAGE1D_BUFFER))
    return NULL;
  cl_image_desc description = shape(CL_MEM_OBJECT_IMAGE1D_BUFFER, width, 0, 0);
  description.buffer = buffer;
  cl_int error;
  cl_mem image = clCreateImage(s.context, CL_MEM_READ_WRITE, &format, &description, NULL, &error);
  check(error, "clCreateImage");
  return image;
}

static void print_floats(const char* title, Setup s, cl_mem buffer, size_t count) {
  float values[256];
  CHECK(clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, 0, count * sizeof *values, values, 0, NULL,
                            NULL));
  printf("%s:", title);
  for (size_t i = 0; i < count; ++i)
    printf(" %g", values[i]);
  printf("\n");
}

/* Once for each format: pixels of 1, 2 and 4 channels. */
static void run_sample(Setup s) {
  static const struct {
    cl_image_format format;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    cl_bool normalized;
  } kinds[] = {
      {{CL_RGBA, CL_FLOAT}, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, CL_FALSE},
      {{CL_RGBA, CL_HALF_FLOAT}, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, CL_FALSE},
      {{CL_RGBA, CL_UNORM_INT8}, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, CL_FALSE},
      {{CL_BGRA, CL_UNORM_INT8}, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, CL_TRUE},
      {{CL_RGBA, CL_SNORM_INT16}, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST, CL_TRUE},
      {{CL_RG, CL_UNORM_INT16}, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, CL_FALSE},
      {{CL_R, CL_FLOAT}, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, CL_FALSE},
      {{CL_R, CL_SNORM_INT8}, CL_ADDRESS_NONE, CL_FILTER_NEAREST, CL_FALSE},
  };
  cl_kernel kernel = make_kernel(s.program, "sample");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    unsigned char pixels[4096];
    for (size_t i = 0; i < sizeof pixels;
         ++i) /* no NaN: an exponent of floats and halves is small */
      pixels[i] = (unsigned char)((i * 37 + k) % 64);
    const cl_image_format format = kinds[k].format;
    cl_mem image = make_image(s, format, shape(CL_MEM_OBJECT_IMAGE2D, 5, 3, 0), pixels);
    if (!image)
      continue;
    cl_int error;
    cl_sampler sampler = clCreateSampler(s.context, kinds[k].normalized, kinds[k].addressing,
                                         kinds[k].filter, &error);
    check(error, "clCreateSampler");
    float zeros[4 * 35] = {0};
    cl_mem out = make_buffer(s.context, sizeof zeros, zeros);
    const float scale = kinds[k].normalized ? 0.2f : 1.0f;
    set_arg(kernel, 0, sizeof image, &image);
    set_arg(kernel, 1, sizeof image, &image); /* twice: the kernel only reads it */
    set_arg(kernel, 2, sizeof sampler, &sampler);
    set_arg(kernel, 3, sizeof scale, &scale);
    set_arg(kernel, 4, sizeof out, &out);
    /* Beyond the edges, unless the sampler says that nobody looks there. */
    const size_t edge = kinds[k].addressing == CL_ADDRESS_NONE ? 0 : 1;
    const size_t offset[2] = {1 - edge, 1 - edge}, global[2] = {5 + 2 * edge, 3 + 2 * edge};
    CHECK(clEnqueueNDRangeKernel(s.queue, kernel, 2, offset, global, NULL, 0, NULL, NULL));
    print_floats("sample", s, out, 4 * 35);
    CHECK(clReleaseMemObject(image));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseSampler(sampler));
  }
}

/* Images of every kind but two-dimensional ones, all read, integers of every size. */
static void run_kinds(Setup s) {
  int values[64], zeros[64] = {0};
  for (int i = 0; i < 64; ++i)
    values[i] = i * 3;
  const cl_image_format ints = {CL_RGBA, CL_SIGNED_INT32}, shorts = {CL_R, CL_SIGNED_INT16},
                        bytes = {CL_RGBA, CL_SIGNED_INT8};
  cl_mem held = make_buffer(s.context, sizeof values, values);
  unsigned char content[4096];
  memset(content, 0, sizeof content);
  memcpy(content, values, sizeof values);
  cl_mem images[] = {make_image(s, ints, shape(CL_MEM_OBJECT_IMAGE1D, 8, 0, 0), content),
                     make_buffer_image(s, ints, 8, held),
                     make_image(s, shorts, shape(CL_MEM_OBJECT_IMAGE1D_ARRAY, 8, 0, 2), content),
                     make_image(s, bytes, shape(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 2, 3), content),
                     make_image(s, ints, shape(CL_MEM_OBJECT_IMAGE3D, 4, 2, 2), content)};
  cl_mem out = make_buffer(s.context, sizeof zeros, zeros);
  cl_kernel kernel = make_kernel(s.program, "kinds");
  for (cl_uint i = 0; i < 5; ++i) {
    if (!images[i])
      return;
    set_arg(kernel, i, sizeof images[i], &images[i]);
  }
  set_arg(kernel, 5, sizeof out, &out);
  launch(s.queue, kernel, 8);
  print_buffer("kinds", s.queue, out, 40);
}

/* Large enough for files, and written. */
static void run_paint(Setup s) {
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8}, numbers = {CL_R, CL_UNSIGNED_INT32};
  cl_mem picture = make_image(s, format, shape(CL_MEM_OBJECT_IMAGE2D, 12, 9, 0), NULL);
  cl_mem layers = make_image(s, format, shape(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 3, 2), NULL);
  int zeros[16] = {0};
  cl_mem held = make_buffer(s.context, sizeof zeros, zeros);
  cl_mem row = make_buffer_image(s, numbers, 16, held);
  if (!picture || !layers || !row)
    return;
  cl_kernel kernel = make_kernel(s.program, "paint");
  set_arg(kernel, 0, sizeof picture, &picture);
  set_arg(kernel, 1, sizeof layers, &layers);
  set_arg(kernel, 2, sizeof row, &row);
  const size_t global[2] = {12, 9}, origin[3] = {0, 0, 0}, region[3] = {12, 9, 1};
  CHECK(clEnqueueNDRangeKernel(s.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
  unsigned char pixels[12 * 9 * 4];
  CHECK(clEnqueueReadImage(s.queue, picture, CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL));
  printf("paint: %d %d\n", pixels[0], pixels[sizeof pixels - 1]);
  print_buffer("row", s.queue, held, 16);
}

/* A format that test cases do not know, and memory given twice that is written. */
static void run_others(Setup s) {
  const cl_image_format packed = {CL_RGB, CL_UNORM_SHORT_565}, depth = {CL_DEPTH, CL_FLOAT};
  cl_image_format formats[] = {packed, depth};
  cl_kernel kernel = make_kernel(s.program, "sample");
  float zeros[4 * 35] = {0};
  cl_mem out = make_buffer(s.context, sizeof zeros, zeros);
  cl_int error;
  cl_sampler sampler =
      clCreateSampler(s.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
  check(error, "clCreateSampler");
  for (int i = 0; i < 2; ++i) {
    cl_mem image = make_image(s, formats[i], shape(CL_MEM_OBJECT_IMAGE2D, 5, 3, 0), NULL);
    if (!image)
      continue;
    const float scale = 1;
    set_arg(kernel, 0, sizeof image, &image);
    set_arg(kernel, 1, sizeof image, &image);
    set_arg(kernel, 2, sizeof sampler, &sampler);
    set_arg(kernel, 3, sizeof scale, &scale);
    set_arg(kernel, 4, sizeof out, &out);
    const size_t global[2] = {7, 5};
    CHECK(clEnqueueNDRangeKernel(s.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
    print_floats("other format", s, out, 4);
  }
  cl_kernel sum = make_kernel(s.program, "sum");
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  cl_mem a = make_buffer(s.context, sizeof values, values);
  cl_mem b = make_buffer(s.context, sizeof values, values);
  cl_mem both[][3] = {{a, a, b}, {a, b, b}};
  for (int i = 0; i < 2; ++i) {
    for (cl_uint k = 0; k < 3; ++k)
      set_arg(sum, k, sizeof both[i][k], &both[i][k]);
    launch(s.queue, sum, 8);
    print_buffer("sum", s.queue, b, 8);
  }
}

int main(int argc, char** argv) {
  FILE* file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  source[fread(source, 1, sizeof source - 1, file)] = '\0';
  fclose(file);
  Setup s;
  cl_device_id device = first_device();
  cl_bool has_images = CL_FALSE;
  CHECK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL));
  if (!has_images) {
    printf("no images\n");
    return 0;
  }
  s.context = make_context(device);
  s.queue = make_queue(s.context, device, 0);
  s.program = build(s.context, source, "");
  run_sample(s);
  run_kinds(s);
  run_paint(s);
  run_others(s);
  return 0;
}
