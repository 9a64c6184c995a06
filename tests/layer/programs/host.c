/* What the host's code of a program does right and wrong. The argument is "right" or "wrong". A line that a
 * finding names ends with a comment: its kind. */
#include "support.h"

enum { N = 16384, PART = 64 };

static const int N_PATTERN = 5;

static const char* source = "kernel void add(global int* a, int n) { a[get_global_id(0)] += n; }\n"
                            "kernel void take(global const int* from, global int* to, int begin) {\n"
                            "  int i = begin + get_global_id(0);\n"
                            "  to[i] = from[i];\n"
                            "}\n";

typedef struct {
  cl_context context;
  cl_command_queue first, second, free_order;
  cl_kernel add, take;
} Setup;

static int values[N], others[N];

static void add(Setup s, cl_command_queue queue, cl_mem buffer, size_t from, size_t count,
                cl_uint waits, const cl_event* events, cl_event* event) {
  const int one = 1;
  set_arg(s.add, 0, sizeof buffer, &buffer);
  set_arg(s.add, 1, sizeof one, &one);
  CHECK(clEnqueueNDRangeKernel(queue, s.add, 1, &from, &count, NULL, waits, events, event)); /* add */
}

static volatile int called = 0;

static void CL_CALLBACK note(cl_event event, cl_int status, void* data) {
  (void)event;
  *(volatile int*)data = status == CL_COMPLETE;
}

static void wrong(Setup s) {
  cl_mem a = make_buffer(s.context, N * sizeof(int), values);
  cl_event event;
  volatile int seen = 0;

  /* Two queues, and one that is out of order. */
  CHECK(clEnqueueWriteBuffer(s.first, a, CL_FALSE, 0, 4, others, 0, NULL, NULL));
  CHECK(clEnqueueFillBuffer(s.second, a, &N_PATTERN, 4, 0, 16, 0, NULL, NULL)); /* queue_race */
  CHECK(clFinish(s.first));
  CHECK(clFinish(s.second));
  add(s, s.first, a, 0, PART, 0, NULL, NULL);
  CHECK(clEnqueueReadBuffer(s.second, a, CL_TRUE, 0, 4, others, 0, NULL, NULL)); /* queue_race */
  CHECK(clFinish(s.first));
  CHECK(clEnqueueCopyBuffer(s.free_order, a, a, 0, 400, 4, 0, NULL, NULL));
  CHECK(clEnqueueCopyBuffer(s.free_order, a, a, 400, 800, 4, 0, NULL, NULL)); /* queue_race */
  CHECK(clFinish(s.free_order));

  /* A host that does not wait. */
  int* big = malloc(N * sizeof(int));
  CHECK(clEnqueueReadBuffer(s.first, a, CL_FALSE, 0, N * sizeof(int), big, 0, NULL, NULL));
  seen += big[N / 2]; /* early_access */
  CHECK(clFinish(s.first));
  CHECK(clEnqueueWriteBuffer(s.first, a, CL_FALSE, 0, N * sizeof(int), big, 0, NULL, &event));
  big[N / 2] = 7; /* early_access */
  CHECK(clWaitForEvents(1, &event));
  CHECK(clEnqueueReadBuffer(s.first, a, CL_FALSE, 0, 4, others, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(s.second, a, CL_TRUE, 4, 4, others, 0, NULL, NULL)); /* early_access */
  CHECK(clFinish(s.first));
  free(big);

  /* What does not fit. */
  (void)clEnqueueReadBuffer(s.first, a, CL_TRUE, 8, N * sizeof(int), values, 0, NULL, NULL); /* transfer_size */
  (void)clEnqueueCopyBuffer(s.first, a, a, 0, N * sizeof(int), 4, 0, NULL, NULL); /* transfer_size */

  cl_mem lost = make_buffer(s.context, 400, NULL); /* made with the others: support.h */
  CHECK(clRetainMemObject(a));
  CHECK(clReleaseMemObject(a));
  (void)lost;
  CHECK(clEnqueueReadBuffer(s.first, a, CL_FALSE, 0, 4, &others[8], 0, NULL, NULL)); /* early_access */
}

static void right(Setup s) {
  cl_mem a = make_buffer(s.context, N * sizeof(int), values);
  cl_event event, other;
  int* big = malloc(N * sizeof(int));

  /* An event between queues, and in one out of order; a barrier and a marker there. */
  CHECK(clEnqueueWriteBuffer(s.first, a, CL_FALSE, 0, N * sizeof(int), values, 0, NULL, &event));
  add(s, s.second, a, 0, N, 1, &event, &other);
  CHECK(clEnqueueCopyBuffer(s.free_order, a, a, 0, 4096, 4, 1, &other, NULL));
  CHECK(clEnqueueBarrierWithWaitList(s.free_order, 0, NULL, NULL));
  CHECK(clEnqueueCopyBuffer(s.free_order, a, a, 4096, 8192, 4, 0, NULL, NULL));
  CHECK(clEnqueueMarkerWithWaitList(s.free_order, 0, NULL, &event));
  CHECK(clEnqueueReadBuffer(s.first, a, CL_TRUE, 0, N * sizeof(int), big, 1, &event, NULL));
  printf("%d\n", big[2048]);

  /* Parts of one buffer, by kernels, transfers and sub-buffers. */
  add(s, s.first, a, 0, PART, 0, NULL, NULL);
  add(s, s.second, a, PART, PART, 0, NULL, NULL);
  cl_buffer_region region = {4096, 4096};
  cl_int error;
  cl_mem part = clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  check(error, "clCreateSubBuffer");
  CHECK(clEnqueueFillBuffer(s.free_order, part, &N_PATTERN, 4, 0, 4096, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(s.second, a, CL_FALSE, 8192, 400, others, 0, NULL, NULL));
  CHECK(clFinish(s.first));
  CHECK(clFinish(s.second));
  CHECK(clFinish(s.free_order));
  CHECK(clReleaseMemObject(part));

  /* Readers do not race, and a queue keeps its order. */
  CHECK(clEnqueueReadBuffer(s.first, a, CL_FALSE, 0, 400, values, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(s.second, a, CL_FALSE, 0, 400, others, 0, NULL, NULL));
  CHECK(clFinish(s.second));
  CHECK(clFinish(s.first));
  add(s, s.first, a, 0, N, 0, NULL, NULL);
  add(s, s.first, a, 0, N, 0, NULL, NULL);
  CHECK(clEnqueueReadBuffer(s.first, a, CL_TRUE, 0, N * sizeof(int), big, 0, NULL, NULL));

  /* A host that waits by looking, by a callback, by an event, and by a later call that blocks. */
  CHECK(clEnqueueReadBuffer(s.first, a, CL_FALSE, 0, N * sizeof(int), big, 0, NULL, &event));
  CHECK(clFlush(s.first));
  for (cl_int status = CL_QUEUED; status != CL_COMPLETE;)
    CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  printf("%d\n", big[N - 1]);
  CHECK(clEnqueueReadBuffer(s.first, a, CL_FALSE, 0, N * sizeof(int), big, 0, NULL, &event));
  CHECK(clSetEventCallback(event, CL_COMPLETE, note, (void*)&called));
  CHECK(clFlush(s.first));
  while (!called)
    ;
  printf("%d\n", big[0]);
  CHECK(clEnqueueWriteBuffer(s.first, a, CL_FALSE, 0, N * sizeof(int), big, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(s.first, a, CL_TRUE, 0, 4, others, 0, NULL, NULL));
  big[5] = 1;

  /* The host sets an event after it has waited. */
  cl_event mine = clCreateUserEvent(s.context, &error);
  CHECK(clEnqueueFillBuffer(s.first, a, &N_PATTERN, 4, 0, 400, 0, NULL, &event));
  CHECK(clEnqueueReadBuffer(s.second, a, CL_FALSE, 0, 400, others, 1, &mine, &other));
  CHECK(clWaitForEvents(1, &event));
  CHECK(clSetUserEventStatus(mine, CL_COMPLETE));
  CHECK(clWaitForEvents(1, &other));

  int* mapped = clEnqueueMapBuffer(s.first, a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 400, 0, NULL, NULL, &error);
  check(error, "clEnqueueMapBuffer");
  mapped[0] = 3;
  CHECK(clEnqueueUnmapMemObject(s.first, a, mapped, 0, NULL, &event));
  CHECK(clEnqueueReadBuffer(s.second, a, CL_TRUE, 0, 4, others, 1, &event, NULL));
  printf("%d\n", others[0]);
  CHECK(clReleaseMemObject(a));
  free(big);
}

static void take(Setup s, cl_mem from, cl_mem to, int begin, size_t count) {
  set_arg(s.take, 0, sizeof from, &from);
  set_arg(s.take, 1, sizeof to, &to);
  set_arg(s.take, 2, sizeof begin, &begin);
  CHECK(clEnqueueNDRangeKernel(s.first, s.take, 1, NULL, &count, NULL, 0, NULL, NULL));
}

/* Buffers that begin without values, in which a kernel reads what somebody has written. `too_many`: and one element
 * more, of which nobody has. */
static void unwritten(Setup s, int too_many) {
  cl_int error;
  cl_mem a = make_buffer(s.context, 4096, NULL), b = make_buffer(s.context, 8192, NULL), c = make_buffer(s.context, 4096, NULL);
  cl_buffer_region region = {4096, 4096};
  cl_mem part = clCreateSubBuffer(b, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  check(error, "clCreateSubBuffer");
  CHECK(clEnqueueWriteBuffer(s.first, a, CL_TRUE, 16, 16, values, 0, NULL, NULL)); /* elements 4 to 7 of a */
  CHECK(clEnqueueFillBuffer(s.first, a, &N_PATTERN, 4, 32, 16, 0, NULL, NULL));     /* 8 to 11 */
  int* mapped = clEnqueueMapBuffer(s.first, a, CL_TRUE, CL_MAP_WRITE, 48, 16, 0, NULL, NULL, &error);
  check(error, "clEnqueueMapBuffer");
  memset(mapped, 0, 16);
  CHECK(clEnqueueUnmapMemObject(s.first, a, mapped, 0, NULL, NULL)); /* 12 to 15 */
  CHECK(clEnqueueCopyBuffer(s.first, a, part, 16, 0, 52, 0, NULL, NULL)); /* 0 to 11 of the part, and what is not written */
  take(s, part, c, 0, 12);
  take(s, c, a, 0, 12); /* what a kernel has written */
  if (too_many)
    take(s, part, c, 12, 1);
  CHECK(clFinish(s.first));
  CHECK(clReleaseMemObject(part));
  CHECK(clReleaseMemObject(a));
  CHECK(clReleaseMemObject(b));
  CHECK(clReleaseMemObject(c));
}

int main(int argc, char** argv) {
  cl_device_id device = first_device();
  Setup s = {.context = make_context(device)};
  s.first = make_queue(s.context, device, 0);
  s.second = make_queue(s.context, device, 0);
  s.free_order = make_queue(s.context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_program program = build(s.context, source, "");
  s.add = make_kernel(program, "add");
  s.take = make_kernel(program, "take");
  if (argc > 2)
    unwritten(s, strcmp(argv[2], "wrong") == 0);
  else
    (argc > 1 && strcmp(argv[1], "wrong") == 0 ? wrong : right)(s);
  return 0;
}
