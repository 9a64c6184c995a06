// Tests a kernel with gputest::run_kernel, and looks at one of two results: runs_kernel <clip.cl>
#include <gputest/run_kernel.h>

#include <cstdio>
#include <vector>

int main(int, char** argv) {
  std::vector<int> checked{1, 9, 5, 5}, other{6, 7};
  gputest::run_kernel(argv[1], "clip", {.global_size = {4}}, checked, 5);
  gputest::run_kernel(argv[1], "clip", {.global_size = {2}}, other, 6);
  if (checked == std::vector<int>{1, 5, 5, 5})
    return 0;
  std::puts("wrong");
  return 1;
}
