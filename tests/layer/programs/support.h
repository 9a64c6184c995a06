/* What the test programs in C share: a device, a queue, and loud failure. */
#ifndef SUPPORT_H
#define SUPPORT_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) check((call), #call)

/* 77: there is no device, and the test is skipped. */
static inline void check(cl_int error, const char* what) {
  if (error == CL_SUCCESS)
    return;
  fprintf(stderr, "%s: %d\n", what, error);
  exit(error == CL_DEVICE_NOT_FOUND || error == -1001 ? 77 : 1);
}

static inline cl_device_id first_device(void) {
  cl_platform_id platform;
  cl_device_id device;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  return device;
}

static inline cl_context make_context(cl_device_id device) {
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  return context;
}

static inline cl_command_queue make_queue(cl_context context, cl_device_id device,
                                          cl_command_queue_properties properties) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueue(context, device, properties, &error);
  check(error, "clCreateCommandQueue");
  return queue;
}

static inline cl_program make_program(cl_context context, const char* source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(error, "clCreateProgramWithSource");
  return program;
}

static inline cl_program build(cl_context context, const char* source, const char* options) {
  cl_program program = make_program(context, source);
  CHECK(clBuildProgram(program, 0, NULL, options, NULL, NULL));
  return program;
}

static inline cl_kernel make_kernel(cl_program program, const char* name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  check(error, name);
  return kernel;
}

static inline cl_mem make_buffer(cl_context context, size_t bytes, void* content) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | (content ? CL_MEM_COPY_HOST_PTR : 0),
                                 bytes, content, &error);
  check(error, "clCreateBuffer");
  return buffer;
}

static inline void set_arg(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
  CHECK(clSetKernelArg(kernel, index, size, value));
}

static inline void launch(cl_command_queue queue, cl_kernel kernel, size_t items) {
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
}

/* Reads `count` integers, waiting, and prints them. */
static inline void print_buffer(const char* title, cl_command_queue queue, cl_mem buffer,
                                size_t count) {
  int* values = malloc(count * sizeof *values);
  CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof *values, values, 0, NULL,
                            NULL));
  printf("%s:", title);
  for (size_t i = 0; i < count; ++i)
    printf(" %d", values[i]);
  printf("\n");
  free(values);
}

#endif
