// gputest::run_kernel with CUDA files, on the device that GPUTEST_DEVICE names.
#include <gputest/run_kernel.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

void expect(bool holds, const char* what) {
  if (!holds) {
    std::printf("not so: %s\n", what);
    std::exit(1);
  }
}

template <typename Error, typename Call> std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing is wrong";
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

void run_calls() {
  const std::filesystem::path folder = SOURCES;
  const gputest::RunOptions options{.global_size = {256},
                                    .local_size = {64},
                                    .definitions = {"SCALED(x)=((x) * 1.0f)"},
                                    .include_dirs = {folder / "a folder"}};
  std::vector<float> x(250, -3), y(250, 1);
  const gputest::Result result = gputest::run_kernel(folder / "saxpy.cu", "saxpy<float>", options,
                                                     250, 2.0f, std::as_const(x), y);
  std::printf("on %s\n", result.device.c_str());
  expect(y == std::vector<float>(250, 7), "y is 2 * 3 + 1");

  const gputest::RunOptions four{.global_size = {4}, .local_size = {4}};
  std::vector<int> data(4, 0);
  const auto fault = [&](const char* kernel, int wrong, const gputest::RunOptions& how) {
    gputest::run_kernel(folder / "faults.cu", kernel, how, wrong, data);
  };
  fault("outside", 0, four);
  expect(data == std::vector<int>(4, 1), "data is 1");
  expect(
      has(message_of<gputest::KernelError>([&] { fault("behind", 1, four); }), "past the end of"),
      "a guard zone lies behind data");
  expect(has(message_of<gputest::UsageError>(
                 [&] { gputest::run_kernel(folder / "faults.cu", "outside", four, 1.5, data); }),
             "argument 0 is a value of 4 bytes"),
         "sizes are checked");
  expect(has(message_of<gputest::UsageError>([&] { fault("nowhere", 1, four); }),
             "no kernel 'nowhere'"),
         "kernels are found by name");
  // The last: a fault spends the process.
  expect(has(message_of<gputest::KernelError>([&] { fault("outside", 1, four); }),
             "CUDA_ERROR_ILLEGAL_ADDRESS"),
         "a fault is an error");
  std::puts("all as it should be");
}

} // namespace

int main() {
  try {
    run_calls();
  } catch (const gputest::NoDevice& error) {
    std::puts(error.what());
    return 77;
  }
}
