/* Sections of every_call.c: programs and their kernels. */
#include "every_call.h"

void link_programs(void) {
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  cl_program header = make_program(context, "int twice(int value);\n#define SHIFT 3\n");
  cl_program helper = make_program(context, "#include \"lib/twice.h\"\n"
                                            "int twice(int value) {\n"
                                            "  return value > LIMIT ? value : 2 * value + SHIFT;\n"
                                            "}\n");
  cl_program user = make_program(context, "#include \"lib/twice.h\"\n"
                                          "__kernel void twice_each(__global int* data) {\n"
                                          "  const size_t i = get_global_id(0);\n"
                                          "  data[i] = twice(data[i]);\n"
                                          "}\n");
  const char* name = "lib/twice.h";
  CHECK(clCompileProgram(helper, 1, &device, "-DLIMIT=4", 1, &header, &name, NULL, NULL));
  CHECK(clCompileProgram(user, 1, &device, "", 1, &header, &name, NULL, NULL));
  cl_int error;
  const cl_program parts[2] = {helper, user};
  cl_program linked = clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &error);
  check(error, "clLinkProgram");
  CHECK(clReleaseProgram(helper));
  CHECK(clReleaseProgram(user));
  CHECK(clReleaseProgram(header));
  cl_kernel each = make_kernel(linked, "twice_each");
  cl_mem data = numbers(context, 8);
  set_arg(each, 0, sizeof data, &data);
  launch(queue, each, 8);
  print_buffer("data", queue, data, 8);
}

void same_names(void) {
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  cl_program a =
      build(context, "__kernel void set(__global int* d) { d[get_global_id(0)] = 1; }", "");
  cl_program b = build(context,
                       "__kernel void set(__global int* d) {\n"
                       "  d[get_global_id(0)] = get_global_id(0) < 2 ? A : 3;\n}\n",
                       "-DA=2");
  cl_mem data = numbers(context, 4);
  cl_kernel set_a = make_kernel(a, "set"), set_b = make_kernel(b, "set");
  set_arg(set_a, 0, sizeof data, &data);
  set_arg(set_b, 0, sizeof data, &data);
  launch(queue, set_a, 4);
  print_buffer("a", queue, data, 4);
  launch(queue, set_b, 4);
  print_buffer("b", queue, data, 4);
  CHECK(clReleaseKernel(set_b));
  CHECK(clBuildProgram(b, 0, NULL, "-D A=20 ", NULL, NULL));
  set_b = make_kernel(b, "set");
  set_arg(set_b, 0, sizeof data, &data);
  launch(queue, set_b, 4);
  print_buffer("b again", queue, data, 4);
}

void build_errors(void) {
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_program program =
      make_program(context, "__kernel void bad(__global int* d) {\n  d[0] = x;\n}\n");
  printf("error %d\n", clBuildProgram(program, 0, NULL, "", NULL, NULL));
  char log[4096];
  CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  const char* place = strstr(log, ":2:");
  printf("names the line: %d\n", place != NULL);
  cl_int error;
  clCreateKernel(program, "bad", &error);
  printf("kernel: %d\n", error);
}

void kernels_in_program(void) {
  Setup s = set_up(kSource, "");
  cl_uint count;
  CHECK(clCreateKernelsInProgram(s.program, 0, NULL, &count));
  cl_kernel kernels[2];
  CHECK(clCreateKernelsInProgram(s.program, 2, kernels, NULL));
  cl_mem data = numbers(s.context, 8);
  printf("%u kernels\n", count);
  for (int i = 0; i < 2; ++i) {
    char name[16];
    CHECK(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    set_arg(kernels[i], 0, sizeof data, &data);
    if (strcmp(name, "one") == 0) {
      CHECK(clEnqueueTask(s.queue, kernels[i], 0, NULL, NULL));
      print_buffer("one", s.queue, data, 8);
    }
  }
}

static void CL_CALLBACK native(void* arguments) {
  printf("native %d\n", *(int*)arguments);
}

void native_kernels(void) {
  Setup s = set_up(kSource, "");
  int value = 42;
  const cl_int error =
      clEnqueueNativeKernel(s.queue, native, &value, sizeof value, 0, NULL, NULL, 0, NULL, NULL);
  CHECK(clFinish(s.queue));
  printf("%s\n", error == CL_SUCCESS ? "ran" : "cannot");
}

void binaries(void) {
  Setup s = set_up(kSource, "");
  size_t size;
  CHECK(clGetProgramInfo(s.program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char* binary = malloc(size);
  CHECK(clGetProgramInfo(s.program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  cl_int error, status;
  cl_program program = clCreateProgramWithBinary(s.context, 1, &s.device, &size,
                                                 (const unsigned char**)&binary, &status, &error);
  check(error, "clCreateProgramWithBinary");
  CHECK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
  cl_kernel add = make_kernel(program, "add");
  cl_mem data = numbers(s.context, 8);
  run_add(s.queue, add, data, 11, 8);
  print_buffer("data", s.queue, data, 8);
}
