/* Calls that a layer could get wrong, a section for each kind; the first argument names it. What is
 * printed must be the same whether or not there is a layer. */
#include "every_call.h"

#include <CL/cl_ext.h>
#include <pthread.h>
#include <unistd.h>

static cl_uint program_references(cl_program program) {
  cl_uint count = 0;
  CHECK(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

/* Drivers let go of a queue a moment after it was released. */
static cl_uint context_references(cl_context context) {
  cl_uint count = 0;
  usleep(50000);
  CHECK(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

static void queries(void) {
  Setup s = set_up(kSource, "-cl-kernel-arg-info -DX=1");
  char text[4096];
  size_t size;
  cl_uint count;
  CHECK(clGetProgramInfo(s.program, CL_PROGRAM_SOURCE, sizeof text, text, &size));
  printf("source %zu:\n%s\n", size, text);
  CHECK(clGetProgramInfo(s.program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, &size));
  printf("names %s\n", text);
  CHECK(clGetProgramInfo(s.program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL));
  printf("devices %u\n", count);
  CHECK(clGetProgramInfo(s.program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char* binary = malloc(size);
  CHECK(clGetProgramInfo(s.program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  unsigned long sum = 0;
  for (size_t i = 0; i < size; ++i)
    sum = sum * 31 + binary[i];
  printf("binary is there: %d\n", size > 0 && sum != 0);
  CHECK(clGetProgramBuildInfo(s.program, s.device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text,
                              NULL));
  printf("options '%s'\n", text);
  CHECK(clGetProgramBuildInfo(s.program, s.device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
  printf("log '%s'\n", text);
  cl_kernel add = make_kernel(s.program, "add");
  cl_mem data = numbers(s.context, 8);
  run_add(s.queue, add, data, 5, 8);
  print_buffer("data", s.queue, data, 8);
  CHECK(clGetKernelInfo(add, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
  printf("arguments %u\n", count);
  CHECK(clGetKernelInfo(add, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
  printf("function %s\n", text);
  for (cl_uint i = 0; i < 3; ++i) {
    const cl_int error = clGetKernelArgInfo(add, i, CL_KERNEL_ARG_NAME, sizeof text, text, NULL);
    printf("argument %u: %d %s\n", i, error, error == CL_SUCCESS ? text : "");
  }
  cl_program of_kernel;
  cl_context of_program;
  CHECK(clGetKernelInfo(add, CL_KERNEL_PROGRAM, sizeof of_kernel, &of_kernel, NULL));
  CHECK(clGetKernelInfo(add, CL_KERNEL_CONTEXT, sizeof of_program, &of_program, NULL));
  printf("program %d context %d\n", of_kernel == s.program, of_program == s.context);
  CHECK(
      clGetKernelWorkGroupInfo(add, s.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
  printf("work-group size %zu\n", size);
  printf("a third argument: %d\n", clSetKernelArg(add, 2, sizeof data, &data));
  printf("a wrong size: %d\n", clSetKernelArg(add, 1, 3, "abc"));
  cl_int error;
  clCreateKernel(s.program, "nothing", &error);
  printf("no such kernel: %d\n", error);
  cl_kernel fresh = make_kernel(s.program, "add");
  const size_t items = 8;
  printf("no arguments: %d\n",
         clEnqueueNDRangeKernel(s.queue, fresh, 1, NULL, &items, NULL, 0, NULL, NULL));
  printf("four dimensions: %d\n",
         clEnqueueNDRangeKernel(s.queue, add, 4, NULL, &items, NULL, 0, NULL, NULL));
  const size_t three = 3;
  printf("local size 3: %d\n",
         clEnqueueNDRangeKernel(s.queue, add, 1, NULL, &items, &three, 0, NULL, NULL));
}

static void references(void) {
  Setup s = set_up(kSource, "");
  printf("context %u program %u\n", context_references(s.context), program_references(s.program));
  cl_kernel add = make_kernel(s.program, "add");
  cl_mem data = numbers(s.context, 8);
  run_add(s.queue, add, data, 5, 8);
  CHECK(clFinish(s.queue));
  printf("context %u program %u\n", context_references(s.context), program_references(s.program));
  CHECK(clRetainKernel(add));
  CHECK(clReleaseKernel(add));
  CHECK(clRetainProgram(s.program));
  CHECK(clReleaseProgram(s.program));
  CHECK(clReleaseProgram(s.program)); /* the kernel keeps it */
  run_add(s.queue, add, data, 7, 8);
  print_buffer("data", s.queue, data, 8);
  CHECK(clReleaseKernel(add));
  CHECK(clReleaseMemObject(data));
  printf("context %u\n", context_references(s.context));
  CHECK(clReleaseCommandQueue(s.queue));
  printf("context %u\n", context_references(s.context));
  CHECK(clReleaseContext(s.context));
}

static void out_of_order(void) {
  Setup s = set_up(kSource, "");
  cl_command_queue queue = make_queue(
      s.context, s.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  cl_kernel add = make_kernel(s.program, "add");
  cl_mem data = numbers(s.context, 8);
  cl_int error, value = 5;
  cl_event gate = clCreateUserEvent(s.context, &error);
  check(error, "clCreateUserEvent");
  cl_event first, second;
  const size_t items = 8;
  set_arg(add, 0, sizeof data, &data);
  set_arg(add, 1, sizeof value, &value);
  CHECK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, NULL, 1, &gate, &first));
  value = 100;
  set_arg(add, 1, sizeof value, &value);
  CHECK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, NULL, 1, &first, &second));
  cl_int status;
  CHECK(clGetEventInfo(second, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  printf("waits: %d\n", status > CL_COMPLETE);
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clWaitForEvents(1, &second));
  cl_command_type type;
  CHECK(clGetEventInfo(second, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
  cl_ulong begin, end;
  CHECK(clGetEventProfilingInfo(second, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
  CHECK(clGetEventProfilingInfo(second, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
  printf("kernel: %d, time: %d\n", type == CL_COMMAND_NDRANGE_KERNEL, begin <= end);
  print_buffer("data", queue, data, 8);
  CHECK(clReleaseEvent(first));
  CHECK(clReleaseEvent(second));
}

// The launch itself waits for nothing, but its queue does. Its objects are released before it is made.
static void gate(void) {
  Setup s = set_up(kSource, "");
  cl_kernel add = make_kernel(s.program, "add");
  cl_mem data = numbers(s.context, 8);
  cl_int error, value = 5;
  cl_event opened = clCreateUserEvent(s.context, &error);
  check(error, "clCreateUserEvent");
  const size_t items = 8;
  set_arg(add, 0, sizeof data, &data);
  set_arg(add, 1, sizeof value, &value);
  CHECK(clEnqueueMarkerWithWaitList(s.queue, 1, &opened, NULL));
  CHECK(clEnqueueNDRangeKernel(s.queue, add, 1, NULL, &items, NULL, 0, NULL, NULL));
  CHECK(clReleaseKernel(add));
  CHECK(clReleaseProgram(s.program));
  CHECK(clSetUserEventStatus(opened, CL_COMPLETE));
  print_buffer("data", s.queue, data, 8);
  CHECK(clReleaseEvent(opened));
}

static void sub_buffers(void) {
  Setup s = set_up(kSource, "");
  cl_uint bits;
  CHECK(clGetDeviceInfo(s.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL));
  const size_t align = bits / 8;
  cl_mem whole = make_buffer(s.context, 2 * align, NULL);
  const cl_int zero = 0;
  CHECK(clEnqueueFillBuffer(s.queue, whole, &zero, sizeof zero, 0, 2 * align, 0, NULL, NULL));
  cl_int error;
  const cl_buffer_region region = {align, align};
  cl_mem half =
      clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  check(error, "clCreateSubBuffer");
  cl_kernel add = make_kernel(s.program, "add");
  run_add(s.queue, add, half, 9, 8);
  print_buffer("half", s.queue, half, 8);
  print_buffer("whole", s.queue, whole, 8);
  int* mapped =
      clEnqueueMapBuffer(s.queue, half, CL_TRUE, CL_MAP_READ, 0, 32, 0, NULL, NULL, &error);
  check(error, "clEnqueueMapBuffer");
  printf("mapped %d %d\n", mapped[0], mapped[1]);
  CHECK(clEnqueueUnmapMemObject(s.queue, half, mapped, 0, NULL, NULL));
  CHECK(clFinish(s.queue));
}

static void svm(void) {
  Setup s = set_up(kSource, "");
  cl_device_svm_capabilities can = 0;
  if (clGetDeviceInfo(s.device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL) != CL_SUCCESS ||
      !(can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) {
    printf("no SVM\n");
    return;
  }
  int* data = clSVMAlloc(s.context, CL_MEM_READ_WRITE, 8 * sizeof(int), 0);
  CHECK(clEnqueueSVMMap(s.queue, CL_TRUE, CL_MAP_WRITE, data, 8 * sizeof(int), 0, NULL, NULL));
  for (int i = 0; i < 8; ++i)
    data[i] = i;
  CHECK(clEnqueueSVMUnmap(s.queue, data, 0, NULL, NULL));
  cl_kernel add = make_kernel(s.program, "add");
  const cl_int value = 4;
  CHECK(clSetKernelArgSVMPointer(add, 0, data));
  set_arg(add, 1, sizeof value, &value);
  void* pointers[] = {data};
  CHECK(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers));
  launch(s.queue, add, 8);
  CHECK(clEnqueueSVMMap(s.queue, CL_TRUE, CL_MAP_READ, data, 8 * sizeof(int), 0, NULL, NULL));
  for (int i = 0; i < 8; ++i)
    printf("%d ", data[i]);
  printf("\n");
  CHECK(clEnqueueSVMUnmap(s.queue, data, 0, NULL, NULL));
  CHECK(clFinish(s.queue));
  clSVMFree(s.context, data);
}

static void images(void) {
  Setup s = set_up("__kernel void flip(__read_only image2d_t in, __write_only image2d_t out,\n"
                   "                   sampler_t sampler) {\n"
                   "  const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                   "  uint4 pixel = read_imageui(in, sampler, (int2)(3 - at.x, at.y));\n"
                   "  if (pixel.x > 8)\n"
                   "    pixel.x = 8;\n"
                   "  write_imageui(out, at, pixel);\n"
                   "}\n",
                   "");
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc description;
  memset(&description, 0, sizeof description);
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = 4;
  description.image_height = 4;
  unsigned char pixels[64];
  for (int i = 0; i < 64; ++i)
    pixels[i] = (unsigned char)i;
  cl_int error;
  cl_mem in = clCreateImage(s.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                            &description, pixels, &error);
  check(error, "clCreateImage");
  cl_mem out = clCreateImage(s.context, CL_MEM_WRITE_ONLY, &format, &description, NULL, &error);
  check(error, "clCreateImage");
  cl_sampler sampler =
      clCreateSampler(s.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error);
  check(error, "clCreateSampler");
  cl_kernel flip = make_kernel(s.program, "flip");
  set_arg(flip, 0, sizeof in, &in);
  set_arg(flip, 1, sizeof out, &out);
  set_arg(flip, 2, sizeof sampler, &sampler);
  const size_t items[2] = {4, 4}, origin[3] = {0, 0, 0}, region[3] = {4, 4, 1};
  CHECK(clEnqueueNDRangeKernel(s.queue, flip, 2, NULL, items, NULL, 0, NULL, NULL));
  CHECK(clEnqueueReadImage(s.queue, out, CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL));
  for (int i = 0; i < 64; ++i)
    printf("%d ", pixels[i]);
  printf("\n");
}

static void clone(void) {
  Setup s = set_up(kSource, "");
  cl_kernel add = make_kernel(s.program, "add");
  cl_mem data = numbers(s.context, 8);
  run_add(s.queue, add, data, 5, 8);
  cl_int error;
  cl_kernel copy = clCloneKernel(add, &error);
  check(error, "clCloneKernel");
  const cl_int value = 50;
  set_arg(copy, 1, sizeof value, &value);
  launch(s.queue, copy, 8);
  launch(s.queue, add, 8);
  print_buffer("data", s.queue, data, 8);
  CHECK(clReleaseKernel(add));
  launch(s.queue, copy, 8);
  print_buffer("data", s.queue, data, 8);
  CHECK(clReleaseKernel(copy));
}

static void* thread(void* number) {
  Setup s = set_up(kSource, "");
  cl_kernel add = make_kernel(s.program, "add");
  cl_mem data = numbers(s.context, 8);
  for (int i = 0; i < 20; ++i)
    run_add(s.queue, add, data, (cl_int)(size_t)number, 8);
  int* values = malloc(8 * sizeof *values);
  CHECK(clEnqueueReadBuffer(s.queue, data, CL_TRUE, 0, 8 * sizeof *values, values, 0, NULL, NULL));
  CHECK(clReleaseKernel(add));
  CHECK(clReleaseProgram(s.program));
  CHECK(clReleaseMemObject(data));
  CHECK(clReleaseCommandQueue(s.queue));
  CHECK(clReleaseContext(s.context));
  return values;
}

static void threads(void) {
  first_device();
  pthread_t ids[4];
  for (size_t i = 0; i < 4; ++i)
    pthread_create(&ids[i], NULL, thread, (void*)i);
  for (int i = 0; i < 4; ++i) {
    void* values;
    pthread_join(ids[i], &values);
    printf("thread %d: %d %d\n", i, ((int*)values)[0], ((int*)values)[1]);
  }
}

/* Needs two devices in one platform; says so where there is one. */
static void devices(void) {
  cl_platform_id platform;
  cl_device_id ids[2];
  cl_uint count;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, ids, &count));
  if (count < 2) {
    printf("one device\n");
    return;
  }
  cl_int error;
  cl_context context = clCreateContext(NULL, 2, ids, NULL, NULL, &error);
  check(error, "clCreateContext");
  cl_program program = build(context, kSource, "");
  cl_kernel add = make_kernel(program, "add");
  cl_mem data = numbers(context, 8);
  for (int i = 0; i < 2; ++i) {
    cl_command_queue queue = make_queue(context, ids[i], 0);
    run_add(queue, add, data, 10 + i, 8);
    print_buffer("data", queue, data, 8);
  }
}

static void unfinished(void) { /* ends while a command waits for ever */
  Setup s = set_up(kSource, "");
  cl_kernel add = make_kernel(s.program, "add");
  cl_mem data = numbers(s.context, 8);
  run_add(s.queue, add, data, 5, 8);
  print_buffer("data", s.queue, data, 8);
}

/* A kernel that is recorded once and run twice. */
static void command_buffer(void) {
#ifdef cl_khr_command_buffer
  Setup s = set_up(kSource, "");
  cl_platform_id platform;
  CHECK(clGetDeviceInfo(s.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
  char extensions[8192] = "";
  clGetDeviceInfo(s.device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL);
  if (strstr(extensions, "cl_khr_command_buffer")) {
#define FUNCTION(name) ((name##_fn)clGetExtensionFunctionAddressForPlatform(platform, #name))
    cl_int error;
    cl_command_buffer_khr buffer = FUNCTION(clCreateCommandBufferKHR)(1, &s.queue, NULL, &error);
    check(error, "clCreateCommandBufferKHR");
    cl_kernel add = make_kernel(s.program, "add");
    cl_mem data = numbers(s.context, 8);
    const cl_int value = 5;
    const size_t items = 8;
    set_arg(add, 0, sizeof data, &data);
    set_arg(add, 1, sizeof value, &value);
    CHECK(FUNCTION(clCommandNDRangeKernelKHR)(buffer, NULL, NULL, add, 1, NULL, &items, NULL, 0,
                                              NULL, NULL, NULL));
    CHECK(FUNCTION(clFinalizeCommandBufferKHR)(buffer));
    for (int i = 0; i < 2; ++i) {
      CHECK(FUNCTION(clEnqueueCommandBufferKHR)(0, NULL, buffer, 0, NULL, NULL));
      CHECK(clFinish(s.queue));
    }
    print_buffer("data", s.queue, data, 8);
    CHECK(FUNCTION(clReleaseCommandBufferKHR)(buffer));
    return;
  }
#endif
  printf("no command buffers\n");
}

/* For tests whose expectations hold on one platform. */
static void platform_name(void) {
  cl_platform_id platform;
  char name[256] = "";
  CHECK(clGetDeviceInfo(first_device(), CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
  CHECK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL));
  printf("%s\n", name);
}

static const struct {
  const char* name;
  void (*run)(void);
} kSections[] = {{"queries", queries},
                 {"references", references},
                 {"out_of_order", out_of_order},
    {"gate", gate},
                 {"sub_buffers", sub_buffers},
                 {"svm", svm},
                 {"images", images},
                 {"clone", clone},
                 {"link", link_programs},
                 {"same_names", same_names},
                 {"build_errors", build_errors},
                 {"kernels", kernels_in_program},
                 {"native", native_kernels},
                 {"binaries", binaries},
                 {"threads", threads},
                 {"devices", devices},
                 {"command_buffer", command_buffer},
                 {"unfinished", unfinished},
                 {"platform", platform_name}};

int main(int argc, char** argv) {
  for (size_t i = 0; argc > 1 && i < sizeof kSections / sizeof *kSections; ++i)
    if (strcmp(kSections[i].name, argv[1]) == 0) {
      kSections[i].run();
      return 0;
    }
  fprintf(stderr, "sections:\n");
  for (size_t i = 0; i < sizeof kSections / sizeof *kSections; ++i)
    fprintf(stderr, "%s\n", kSections[i].name);
  return 2;
}
