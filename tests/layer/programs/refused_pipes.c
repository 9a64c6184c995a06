/* refused_pipes: pipes and programs of pipes that must be refused. 77: no device. */
#include "support.h"

#define PIPE_SUPPORT 0x1071 /* CL_DEVICE_PIPE_SUPPORT, of OpenCL 3.0 */

static const char* kFills = "#ifdef BROKEN\n"
                            "#error broken\n"
                            "#endif\n"
                            "kernel void fill(write_only pipe int out) {\n"
                            "  int one = 1;\n"
                            "  write_pipe(out, &one);\n"
                            "}\n";
/* No device has this function, and a parser does not mind. */
static const char* kLacksMore = "// The pipeline's second pipe.\n"
                                "int nowhere(int);\n"
                                "kernel void two(global int* out) { out[0] = nowhere(out[1]); }\n";

static void print_program(const char* title, cl_program program, cl_device_id device,
                          const char* options) {
  const cl_int built = clBuildProgram(program, 0, NULL, options, NULL, NULL);
  cl_build_status status = CL_BUILD_NONE;
  CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                              NULL));
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, "fill", &error);
  printf("%s: %s, %s, %s\n", title, built == CL_SUCCESS ? "built" : "failed",
         status == CL_BUILD_SUCCESS ? "success" : "error", kernel ? "a kernel" : "no kernel");
  if (kernel)
    clReleaseKernel(kernel);
}

static void print_pipe(const char* title, cl_context context, cl_uint packet_size,
                       cl_uint packets) {
  cl_int error = CL_SUCCESS;
  cl_mem pipe = clCreatePipe(context, 0, packet_size, packets, NULL, &error);
  const char* why = error == CL_INVALID_PIPE_SIZE ? "of no size" : "refused";
  printf("%s: %s\n", title, pipe ? "made" : why);
  if (pipe)
    clReleaseMemObject(pipe);
}

int main(void) {
  cl_device_id device = first_device();
  cl_bool has = CL_FALSE;
  clGetDeviceInfo(device, PIPE_SUPPORT, sizeof has, &has, NULL);
  if (!has) {
    printf("no pipes\n");
    return 0;
  }
  cl_context context = make_context(device);
  cl_uint most = 0;
  CHECK(clGetDeviceInfo(device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof most, &most, NULL));
  print_pipe("largest packet", context, most, 2);
  print_pipe("larger packet", context, most + 1, 2);
  print_pipe("no packets", context, 4, 0);
  print_pipe("more than memory", context, most, 0xFFFFFFFF);

  cl_int error;
  const cl_mem_flags given = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  cl_mem pipe = clCreatePipe(context, given, 4, 6, NULL, &error);
  check(error, "clCreatePipe");
  size_t bytes = 0;
  cl_mem_flags flags = 0;
  CHECK(clGetMemObjectInfo(pipe, CL_MEM_SIZE, sizeof bytes, &bytes, NULL));
  CHECK(clGetMemObjectInfo(pipe, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
  printf("%d bytes, flags as %s\n", (int)bytes, flags == given ? "given" : "of a buffer");
  clReleaseMemObject(pipe);

  cl_program fills = make_program(context, kFills);
  print_program("first", fills, device, "-cl-std=CL2.0");
  print_program("broken", fills, device, "-cl-std=CL2.0 -DBROKEN");
  print_program("mended", fills, device, "-cl-std=CL2.0");
  clReleaseProgram(fills);
  cl_program lacks_more = make_program(context, kLacksMore);
  print_program("lacks more", lacks_more, device, "-cl-std=CL2.0");
  clReleaseProgram(lacks_more);
  clReleaseContext(context);
  return 0;
}
