/* Programs that do what a layer must live with; the first argument says what. */
#include "support.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* const kSource = "__kernel void set(__global int* data, int value) {\n"
                                   "  if (value > 3)\n"
                                   "    data[get_global_id(0)] = value;\n"
                                   "}\n";

static void run(const char* source, cl_int value) {
  cl_device_id device = first_device();
  cl_context context = make_context(device);
  cl_command_queue queue = make_queue(context, device, 0);
  cl_program program = build(context, source, "");
  cl_kernel set = make_kernel(program, "set");
  int zeros[4] = {0};
  cl_mem data = make_buffer(context, sizeof zeros, zeros);
  set_arg(set, 0, sizeof data, &data);
  set_arg(set, 1, sizeof value, &value);
  launch(queue, set, 4);
  print_buffer("data", queue, data, 4);
  fflush(stdout);
}

static int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static volatile sig_atomic_t signals, reaped, is_over;

static void count_signal(int signal) {
  (void)signal;
  signals = signals + 1;
}

static void* reap(void* data) {
  while (!is_over) {
    if (waitpid(-1, NULL, WNOHANG) > 0)
      reaped = reaped + 1;
    usleep(50);
  }
  return data;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "no_opencl") == 0) {
    printf("nothing to see\n");
    return 4;
  }
  if (strcmp(what, "crash") == 0) {
    run(kSource, 5);
    signal(SIGSEGV, SIG_DFL); /* drivers handle it themselves */
    raise(SIGSEGV);
  }
  if (strcmp(what, "hang") == 0) {
    run(kSource, 5);
    if (fork() == 0)
      for (;;)
        pause();
    for (;;)
      pause();
  }
  if (strcmp(what, "_exit") == 0) {
    run(kSource, 5);
    _exit(5);
  }
  if (strcmp(what, "abort") == 0) {
    run(kSource, 1);
    abort();
  }
  if (strcmp(what, "fork") == 0) { /* the children use OpenCL, the parent does not */
    for (int i = 2; i < 5; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        run(kSource, i);
        exit(i);
      }
      printf("child: %d\n", wait_for(child));
      fflush(stdout);
    }
    return 0;
  }
  if (strcmp(what, "fork_after") == 0) { /* a child that has what it needs not, and exits */
    run(kSource, 5);
    const pid_t child = fork();
    if (child == 0)
      exit(9);
    printf("child: %d\n", wait_for(child));
    return 0;
  }
  if (strcmp(what, "exec") == 0) {
    run(kSource, 1);
    execl(argv[0], argv[0], "_exit", (char*)NULL);
  }
  if (strcmp(what, "children") == 0) { /* knows of no child but its own */
    signal(SIGCHLD, SIG_IGN);
    run(kSource, 5);
    printf("children: %d\n", waitpid(-1, NULL, WNOHANG) >= 0);
    return 0;
  }
  if (strcmp(what, "reaper") == 0) { /* a thread waits for whatever child there is */
    pthread_t thread;
    signal(SIGCHLD, count_signal);
    pthread_create(&thread, NULL, reap, NULL);
    run(kSource, 5);
    is_over = 1;
    pthread_join(thread, NULL);
    printf("reaped: %d, signals: %d\n", (int)reaped, (int)signals);
    return 0;
  }
  if (strcmp(what, "assembled") == 0) { /* source made at run time */
    char source[512];
    for (int i = 1; i <= 3; ++i) {
      snprintf(source, sizeof source,
               "__kernel void set(__global int* data, int value) {\n"
               "  data[get_global_id(0)] = value > %d ? %d : 0;\n}\n",
               i, 10 * i);
      run(source, 2);
    }
    return 0;
  }
  if (strcmp(what, "varies") == 0) { /* reads back something else each time */
    run(kSource, (cl_int)getpid());
    return 0;
  }
  if (strcmp(what, "untouched") == 0) { /* maps what no kernel has had, and is never the same */
    int number = (int)getpid();
    cl_device_id device = first_device();
    cl_context context = make_context(device);
    cl_command_queue queue = make_queue(context, device, 0);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof number, &number, NULL);
    clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, sizeof number, 0, NULL, NULL, NULL);
    run(kSource, 5);
    return 0;
  }
  if (strcmp(what, "empty") == 0) { /* nothing to cover */
    run("__kernel void set(__global int* data, int value) {}\n", 1);
    return 0;
  }
  if (strcmp(what, "rejected") == 0) { /* OpenCL C has no such function, and PoCL has one */
    run("__kernel void set(__global int* data, int value) {\n"
        "  data[get_global_id(0)] = _cl_max(value, 1);\n}\n",
        7);
    return 0;
  }
  fprintf(stderr, "misbehaves: how?\n");
  return 2;
}
