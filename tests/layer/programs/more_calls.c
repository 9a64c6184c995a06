/* Ways to build and to launch that few programs use, a section for each; the first argument names
 * it, and "all" are those that need no file. What is printed must be the same whether or not there
 * is a layer. A second argument is a file. */
#include "every_call.h"

#include <time.h>

/* Each value above the limit loses it. */
static const char* const kLoses = "int less(int value, int limit);\n"
                                  "__kernel void lose(__global int* data, int limit) {\n"
                                  "  const size_t i = get_global_id(0);\n"
                                  "  data[i] = less(data[i], limit);\n"
                                  "}\n";
static const char* const kLess = "int less(int value, int limit) {\n"
                                 "  if (value > limit)\n"
                                 "    return value - limit;\n"
                                 "  return value;\n"
                                 "}\n";

static cl_mem data_of(cl_context context) {
  return numbers(context, 8);
}

static void run_lose(cl_context context, cl_command_queue queue, cl_program program, cl_int limit) {
  cl_kernel lose = make_kernel(program, "lose");
  cl_mem data = data_of(context);
  set_arg(lose, 0, sizeof data, &data);
  set_arg(lose, 1, sizeof limit, &limit);
  launch(queue, lose, 8);
  print_buffer("lost", queue, data, 8);
  CHECK(clReleaseKernel(lose));
  CHECK(clReleaseMemObject(data));
}

/* A library, linked with what calls it. */
static void library(const char* unused) {
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  cl_program less = make_program(context, kLess), lose = make_program(context, kLoses);
  CHECK(clCompileProgram(less, 1, &device, "", 0, NULL, NULL, NULL, NULL));
  CHECK(clCompileProgram(lose, 1, &device, "", 0, NULL, NULL, NULL, NULL));
  cl_int error;
  cl_program made =
      clLinkProgram(context, 1, &device, "-create-library", 1, &less, NULL, NULL, &error);
  check(error, "clLinkProgram -create-library");
  const cl_program parts[2] = {lose, made};
  cl_program linked = clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &error);
  check(error, "clLinkProgram");
  run_lose(context, queue, linked, 3);
  (void)unused;
}

static char* whole_source(void) {
  char* text = malloc(strlen(kLess) + strlen(kLoses) + 1);
  return strcat(strcpy(text, kLess), kLoses);
}

/* Writes a program's binary to the file, or launches the kernel of one that is there. */
static void binary_to(const char* file) {
  Setup s = set_up(whole_source(), "");
  size_t size;
  CHECK(clGetProgramInfo(s.program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char* binary = malloc(size);
  CHECK(clGetProgramInfo(s.program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  FILE* out = fopen(file, "wb");
  printf("%d\n", out && fwrite(binary, 1, size, out) == size && fclose(out) == 0);
}

static void binary_from(const char* file) {
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  static unsigned char bytes[1 << 22];
  FILE* in = fopen(file, "rb");
  const size_t size = in ? fread(bytes, 1, sizeof bytes, in) : 0;
  const unsigned char* binary = bytes;
  cl_int error, status;
  cl_program program =
      clCreateProgramWithBinary(context, 1, &device, &size, &binary, &status, &error);
  check(error, "clCreateProgramWithBinary");
  CHECK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
  run_lose(context, queue, program, 2);
}

/* The kernel on a part of the device. The part is not released: threads of PoCL 3.1 release events
 * of its commands a while after those have ended, and crash where the part is gone. */
static void partition(const char* unused) {
  cl_device_id device = first_device(), part;
  const cl_device_partition_property by_count[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  if (clCreateSubDevices(device, by_count, 1, &part, NULL) != CL_SUCCESS) {
    printf("no parts\n");
    return;
  }
  cl_context context = make_context(part);
  cl_command_queue queue = make_queue(context, part, 0);
  run_lose(context, queue, build(context, whole_source(), ""), 4);
  (void)unused;
}

static void CL_CALLBACK completed(cl_event event, cl_int status, void* data) {
  *(volatile int*)data = status == CL_COMPLETE ? 1 : -1;
  (void)event;
}

static void CL_CALLBACK destroyed(cl_mem memory, void* data) {
  *(volatile int*)data = 1;
  (void)memory;
}

/* What a callback sets. It runs in a thread of the device's, a while after what it follows. */
static int heard(const volatile int* said) {
  const struct timespec pause = {0, 1000000};
  for (int i = 0; i < 60000 && !*said; ++i)
    nanosleep(&pause, NULL);
  return *said;
}

/* Two halves of a buffer, in a queue without order, a task behind both, and callbacks. */
static void graph(const char* unused) {
  Setup s = set_up(whole_source(), "");
  cl_command_queue queue = make_queue(s.context, s.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_uint bits;
  CHECK(clGetDeviceInfo(s.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL));
  const size_t align = bits / 8, count = 2 * align / sizeof(cl_int);
  cl_mem whole = make_buffer(s.context, 2 * align, NULL), halves[2];
  static volatile int seen[2], gone;
  cl_event filled, lost[2], task;
  const cl_int nine = 9;
  CHECK(clEnqueueFillBuffer(queue, whole, &nine, sizeof nine, 0, 2 * align, 0, NULL, &filled));
  for (int i = 0; i < 2; ++i) {
    const cl_buffer_region region = {(size_t)i * align, align};
    cl_int error;
    halves[i] =
        clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    check(error, "clCreateSubBuffer");
    cl_kernel lose = make_kernel(s.program, "lose");
    const cl_int limit = 2 + i;
    const size_t items = count / 2;
    set_arg(lose, 0, sizeof halves[i], &halves[i]);
    set_arg(lose, 1, sizeof limit, &limit);
    CHECK(clEnqueueNDRangeKernel(queue, lose, 1, NULL, &items, NULL, 1, &filled, &lost[i]));
    CHECK(clSetEventCallback(lost[i], CL_COMPLETE, completed, (void*)&seen[i]));
    CHECK(clReleaseKernel(lose));
  }
  cl_kernel one = make_kernel(s.program, "lose");
  const cl_int limit = 5;
  set_arg(one, 0, sizeof whole, &whole);
  set_arg(one, 1, sizeof limit, &limit);
  CHECK(clEnqueueTask(queue, one, 2, lost, &task));
  CHECK(clFlush(queue));
  CHECK(clWaitForEvents(1, &task));
  CHECK(clFinish(queue));
  printf("callbacks %d %d\n", heard(&seen[0]), heard(&seen[1]));
  print_buffer("whole", queue, whole, count);
  CHECK(clSetMemObjectDestructorCallback(whole, destroyed, (void*)&gone));
  for (int i = 0; i < 2; ++i) {
    CHECK(clReleaseMemObject(halves[i]));
    CHECK(clReleaseEvent(lost[i]));
  }
  CHECK(clReleaseEvent(filled));
  CHECK(clReleaseEvent(task));
  CHECK(clReleaseKernel(one));
  CHECK(clReleaseMemObject(whole));
  CHECK(clReleaseCommandQueue(queue));
  printf("gone %d\n", heard(&gone));
  (void)unused;
}

static void CL_CALLBACK freed(cl_command_queue queue, cl_uint count, void* pointers[], void* data) {
  cl_context context;
  clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  for (cl_uint i = 0; i < count; ++i)
    clSVMFree(context, pointers[i]);
  *(volatile int*)data = (int)count;
}

/* Memory of both kinds, filled, copied, launched on from its middle, and freed by a command. */
static void all_svm(const char* unused) {
  Setup s = set_up(whole_source(), "");
  cl_device_svm_capabilities can = 0;
  if (clGetDeviceInfo(s.device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL) != CL_SUCCESS ||
      !(can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) {
    printf("no SVM\n");
    return;
  }
  const cl_svm_mem_flags fine =
      can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0;
  static volatile int count;
  for (int kind = 0; kind < 2; ++kind) {
    count = 0;
    const size_t bytes = 8 * sizeof(int);
    int* from = clSVMAlloc(s.context, CL_MEM_READ_WRITE, bytes, 0);
    int* to = clSVMAlloc(s.context, CL_MEM_READ_WRITE | (kind ? fine : 0), bytes, 0);
    const cl_int seven = 7, limit = 3;
    CHECK(clEnqueueSVMMemFill(s.queue, from, &seven, sizeof seven, bytes, 0, NULL, NULL));
    CHECK(clEnqueueSVMMemcpy(s.queue, CL_FALSE, to, from, bytes, 0, NULL, NULL));
    cl_kernel lose = make_kernel(s.program, "lose");
    CHECK(clSetKernelArgSVMPointer(lose, 0, to + 2));
    set_arg(lose, 1, sizeof limit, &limit);
    launch(s.queue, lose, 4);
    if (kind && fine)
      CHECK(clFinish(s.queue));
    else
      CHECK(clEnqueueSVMMap(s.queue, CL_TRUE, CL_MAP_READ, to, bytes, 0, NULL, NULL));
    for (int i = 0; i < 8; ++i)
      printf("%d ", to[i]);
    printf("\n");
    if (!(kind && fine))
      CHECK(clEnqueueSVMUnmap(s.queue, to, 0, NULL, NULL));
    void* both[2] = {from, to};
    CHECK(clEnqueueSVMFree(s.queue, 2, both, freed, (void*)&count, 0, NULL, NULL));
    CHECK(clFinish(s.queue));
    printf("freed %d\n", heard(&count));
    CHECK(clReleaseKernel(lose));
  }
  (void)unused;
}

static void all(const char* unused) {
  library(unused);
  partition(unused);
  graph(unused);
  all_svm(unused);
}

static const struct {
  const char* name;
  void (*run)(const char* file);
} kSections[] = {{"library", library},
                 {"binary_to", binary_to},
                 {"binary_from", binary_from},
                 {"partition", partition},
                 {"graph", graph},
                 {"all_svm", all_svm},
                 {"all", all}};

int main(int argc, char** argv) {
  for (size_t i = 0; argc > 1 && i < sizeof kSections / sizeof *kSections; ++i)
    if (strcmp(kSections[i].name, argv[1]) == 0) {
      kSections[i].run(argc > 2 ? argv[2] : "");
      return 0;
    }
  return 2;
}
