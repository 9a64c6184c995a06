// run_kernel from GoogleTest, linked as a user links it: exceptions cross from the shared library.
#include <gputest/run_kernel.h>

#include <gtest/gtest.h>

namespace {

// The command is found beside the library.
gputest::RunOptions in_simulator() {
  return {.global_size = {3}, .device = "simulator"};
}

const gputest::Source& add() {
  static const gputest::Source source =
      gputest::source_text("kernel void add(global const int* a, global int* sum) {\n"
                           "  const size_t i = get_global_id(0);\n"
                           "  sum[i] += a[i];\n"
                           "}\n",
                           "add.cl");
  return source;
}

} // namespace

TEST(RunKernel, CopiesBackWhatTheKernelWrote) {
  std::vector<int> sum{1, 2, 3};
  gputest::run_kernel(add(), "add", in_simulator(), std::vector<int>{10, 20, 30}, sum);
  EXPECT_EQ(sum, (std::vector<int>{11, 22, 33}));
}

TEST(RunKernel, ThrowsWhatAFrameworkCanExpect) {
  std::vector<int> sum{1, 2};
  EXPECT_THROW(gputest::run_kernel(add(), "add", in_simulator(), std::vector<int>{10, 20, 30}, sum),
               gputest::CheckError);
  EXPECT_THROW(gputest::run_kernel(add(), "sub", in_simulator(), sum), gputest::UsageError);
}
