#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

/* Clamps eight numbers and looks at the result; wants one argument, whole. */
int main(int argc, char** argv) {
  static char source[1 << 16];
  FILE* file = fopen("clamp.cl", "rb");
  cl_platform_id platform;
  cl_device_id device;
  if (argc != 2 || strcmp(argv[1], "two words") != 0 || !file)
    return 2;
  const size_t length = fread(source, 1, sizeof source - 1, file);
  fclose(file);
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
    return 77;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  const char* text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, &length, NULL);
  clBuildProgram(program, 1, &device, "", NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "clamp_values", NULL);
  int values[8] = {0, 1, 2, 3, 4, 50, 60, 70};
  const int low = 1, high = 9, expected[8] = {1, 1, 1, 3, 2, 9, 9, 9};
  cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, NULL);
  cl_mem out = clCreateBuffer(context, 0, sizeof values, NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof in, &in);
  clSetKernelArg(kernel, 1, sizeof out, &out);
  clSetKernelArg(kernel, 2, sizeof low, &low);
  clSetKernelArg(kernel, 3, sizeof high, &high);
  const size_t items = 8;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL);
  return memcmp(values, expected, sizeof values) != 0;
}
