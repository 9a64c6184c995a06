// The smallest whole program: reads a kernel file, launches two of its three kernels, prints.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cl_int error, const char* what) {
  if (error != CL_SUCCESS) {
    fprintf(stderr, "%s: %d\n", what, error);
    exit(error == CL_DEVICE_NOT_FOUND || error == -1001 ? 77 : 1);
  }
}

int main(int argc, char** argv) {
  static char source[1 << 16];
  FILE* file = fopen(argc > 1 ? argv[1] : "clamp.cl", "rb");
  if (!file)
    return 2;
  const size_t length = fread(source, 1, sizeof source - 1, file);
  fclose(file);

  cl_int error;
  cl_platform_id platform;
  cl_device_id device;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  const char* text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, &length, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");

  enum { N = 64, GROUP = 16 };
  int in[N], out[N], sums[N / GROUP];
  for (int i = 0; i < N; ++i)
    in[i] = 3 * i - 40;
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof in, in, &error);
  check(error, "clCreateBuffer");
  cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof out, NULL, &error);
  check(error, "clCreateBuffer");
  cl_mem c = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof sums, NULL, &error);
  check(error, "clCreateBuffer");

  cl_kernel clamp = clCreateKernel(program, "clamp_values", &error);
  check(error, "clCreateKernel");
  const cl_int low = -10, high = argc > 2 ? atoi(argv[2]) : 1000;
  check(clSetKernelArg(clamp, 0, sizeof a, &a), "clSetKernelArg");
  check(clSetKernelArg(clamp, 1, sizeof b, &b), "clSetKernelArg");
  check(clSetKernelArg(clamp, 2, sizeof low, &low), "clSetKernelArg");
  check(clSetKernelArg(clamp, 3, sizeof high, &high), "clSetKernelArg");
  const size_t global = N, local = GROUP;
  check(clEnqueueNDRangeKernel(queue, clamp, 1, NULL, &global, NULL, 0, NULL, NULL), "enqueue");
  cl_kernel sum = clCreateKernel(program, "group_sum", &error);
  check(error, "clCreateKernel");
  check(clSetKernelArg(sum, 0, sizeof b, &b), "clSetKernelArg");
  check(clSetKernelArg(sum, 1, sizeof c, &c), "clSetKernelArg");
  check(clSetKernelArg(sum, 2, GROUP * sizeof(int), NULL), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue, sum, 1, NULL, &global, &local, 0, NULL, NULL), "enqueue");
  check(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "read");
  check(clEnqueueReadBuffer(queue, c, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL), "read");
  for (int i = 0; i < N; ++i)
    printf("%d ", out[i]);
  printf("\n");
  for (int i = 0; i < N / GROUP; ++i)
    printf("%d ", sums[i]);
  printf("\n");
  clReleaseKernel(clamp);
  clReleaseKernel(sum);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseMemObject(c);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
