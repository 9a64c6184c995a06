/* module <file> [khr]: gives a module in SPIR-V to OpenCL, by the extension's function with khr, launches its kernel group_sum
   and prints the sums. 77: no device. */
#include "support.h"

int main(int argc, char** argv) {
  static unsigned char module[1 << 16];
  FILE* file = argc >= 2 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  const size_t bytes = fread(module, 1, sizeof module, file);
  fclose(file);
  cl_device_id device = first_device();
  char versions[256] = "";
  clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof versions, versions, NULL);
  if (!strstr(versions, "SPIR-V")) {
    printf("no SPIR-V\n");
    return 0;
  }
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  cl_int error;
  cl_program(CL_API_CALL * create)(cl_context, const void*, size_t, cl_int*) = clCreateProgramWithIL;
  if (argc == 3) {
    static char extensions[1 << 14];
    CHECK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    cl_platform_id platform;
    CHECK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    void* const found = clGetExtensionFunctionAddressForPlatform(platform, "clCreateProgramWithILKHR");
    if (!strstr(extensions, "cl_khr_il_program") || !found) {
      printf("no cl_khr_il_program\n");
      return 0;
    }
    memcpy(&create, &found, sizeof create);
  }
  cl_program program = create(context, module, bytes, &error);
  check(error, "clCreateProgramWithIL");
  CHECK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
  cl_kernel kernel = make_kernel(program, "group_sum");
  cl_uint values[64], sums[8] = {0}, factor = 3;
  for (cl_uint i = 0; i < 64; ++i)
    values[i] = i;
  cl_mem from = make_buffer(context, sizeof values, values), to = make_buffer(context, sizeof sums, sums);
  const size_t items = 64, group = 8;
  set_arg(kernel, 0, sizeof from, &from);
  set_arg(kernel, 1, sizeof to, &to);
  set_arg(kernel, 2, group * sizeof(cl_uint), NULL);
  set_arg(kernel, 3, sizeof factor, &factor);
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL));
  for (int i = 0; i < 8; ++i)
    printf("%u\n", sums[i]);
  clReleaseMemObject(from);
  clReleaseMemObject(to);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
