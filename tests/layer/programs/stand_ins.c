/* stand_ins: programs with a queue argument, which few devices take, as binaries and linked of
 * parts. 77: no device. */
#include "support.h"

/* Two programs whose kernels differ in nothing but what they do. */
static const char* const kScaled[] = {
    "kernel void scaled(global int* a, queue_t q) { a[get_global_id(0)] *= FACTOR; }\n",
    "kernel void scaled(global int* a, queue_t q) { a[get_global_id(0)] -= FACTOR; }\n"};
/* The kernel calls what another part has. */
static const char* kPart = "#include \"part.h\"\n"
                           "int of_part(int x) { return ADDED(x); }\n";
static const char* kHeader = "#define ADDED(x) ((x) + WHAT)\n";
static const char* kKernel = "int of_part(int x);\n"
                             "kernel void scaled(global int* a, queue_t q) { a[get_global_id(0)] = "
                             "of_part(a[get_global_id(0)]); }\n";

static cl_command_queue queue, own;

static void run(const char* title, cl_context context, cl_program program) {
  cl_int values[4] = {1, 2, 3, 4};
  cl_mem memory = make_buffer(context, sizeof values, values);
  cl_kernel kernel = make_kernel(program, "scaled");
  set_arg(kernel, 0, sizeof memory, &memory);
  set_arg(kernel, 1, sizeof own, &own);
  launch(queue, kernel, 4);
  print_buffer(title, queue, memory, 4);
  clReleaseKernel(kernel);
  clReleaseMemObject(memory);
}

static cl_program compiled(cl_context context, const char* text, const char* options,
                           cl_program header) {
  cl_program program = make_program(context, text);
  const char* name = "part.h";
  CHECK(clCompileProgram(program, 0, NULL, options, header ? 1 : 0, header ? &header : NULL,
                         header ? &name : NULL, NULL, NULL));
  return program;
}

int main(void) {
  cl_device_id device = first_device();
  cl_uint queues = 0;
  clGetDeviceInfo(device, CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof queues, &queues, NULL);
  if (queues == 0) {
    printf("no queues of devices\n");
    return 0;
  }
  cl_context context = make_context(device);
  queue = make_queue(context, device, 0);
  const cl_queue_properties on_device[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error, status = 1;
  own = clCreateCommandQueueWithProperties(context, device, on_device, &error);
  check(error, "clCreateCommandQueueWithProperties");

  static unsigned char binaries[2][1 << 20];
  size_t bytes[2] = {0, 0}, needed = 0;
  for (int i = 0; i < 2; ++i) {
    cl_program program = build(context, kScaled[i], "-cl-std=CL2.0 -DFACTOR=3");
    run("source", context, program);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes[i], &bytes[i], &needed));
    if (needed != sizeof bytes[i] || bytes[i] == 0 || bytes[i] > sizeof binaries[i])
      printf("a binary of %d bytes\n", (int)bytes[i]);
    unsigned char* to = binaries[i];
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, NULL));
    clReleaseProgram(program);
  }
  for (int i = 0; i < 2; ++i) {
    const unsigned char* from = binaries[i];
    cl_program program =
        clCreateProgramWithBinary(context, 1, &device, &bytes[i], &from, &status, &error);
    check(error, "clCreateProgramWithBinary");
    check(status, "the binary");
    CHECK(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL));
    CHECK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &needed));
    printf("%d bytes of source\n", needed > 1 ? (int)needed : 0);
    run("binary", context, program);
    clReleaseProgram(program);
  }

  cl_program header = make_program(context, kHeader);
  cl_program parts[] = {compiled(context, kKernel, "-cl-std=CL2.0", NULL),
                        compiled(context, kPart, "-cl-std=CL2.0 -DWHAT=10", header)};
  cl_program_binary_type type = 0;
  CHECK(clGetProgramBuildInfo(parts[0], device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
  printf("%s\n", type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ? "compiled" : "not compiled");
  cl_program program = clLinkProgram(context, 0, NULL, "", 2, parts, NULL, NULL, &error);
  check(error, "clLinkProgram");
  run("linked", context, program);
  clReleaseProgram(program);
  cl_program library =
      clLinkProgram(context, 0, NULL, "-create-library", 1, &parts[1], NULL, NULL, &error);
  check(error, "clLinkProgram");
  CHECK(clGetProgramBuildInfo(library, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
  printf("%s\n", type == CL_PROGRAM_BINARY_TYPE_LIBRARY ? "a library" : "no library");
  cl_program with_library[] = {parts[0], library};
  program = clLinkProgram(context, 0, NULL, "", 2, with_library, NULL, NULL, &error);
  check(error, "clLinkProgram");
  CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
  printf("%s\n", type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE ? "executable" : "not executable");
  run("of a library", context, program);
  clReleaseProgram(program);
  clReleaseProgram(library);
  clReleaseProgram(parts[0]);
  clReleaseProgram(parts[1]);
  clReleaseProgram(header);
  clReleaseCommandQueue(own);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
