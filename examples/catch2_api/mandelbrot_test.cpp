#include "view.h"

#include <gputest/run_kernel.h>

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

#include <complex>

namespace {

using Counts = std::vector<cl_uint>;

Counts mandelbrot(const View& view, const gputest::RunOptions& options) {
  Counts iterations(std::size_t{view.width} * view.height, 12345); // all are to be written
  gputest::run_kernel(KERNELS "/mandelbrot.cl", "mandelbrot", options, view, iterations);
  return iterations;
}

View around_zero(unsigned int limit) {
  return {.left = -2, .top = -1, .step = 1, .width = 4, .height = 3, .limit = limit};
}

} // namespace

TEST_CASE("points whose fate is known") {
  // -2, -1, 0, i and -i never leave; how fast the others do is easy to find by hand.
  CHECK(mandelbrot(around_zero(50), {.global_size = {4, 3}}) ==
        Counts{1, 3, 50, 2, 50, 50, 50, 3, 1, 3, 50, 2});
}

TEST_CASE("no iterations where the limit is zero") {
  CHECK(mandelbrot(around_zero(0), {.global_size = {4, 3}}) == Counts(12, 0));
}

TEST_CASE("a launch larger than the image changes nothing") {
  const View view = around_zero(20);
  CHECK(mandelbrot(view, {.global_size = {8, 8}, .local_size = {4, 4}}) ==
        mandelbrot(view, {.global_size = {4, 3}}));
}

TEST_CASE("a picture agrees with std::complex") {
  // The step is a power of two and the limit is low: single precision is as good as double.
  const View view{
      .left = -2, .top = -1.25f, .step = 0.0625f, .width = 43, .height = 41, .limit = 6};
  Counts expected;
  for (unsigned int y = 0; y < view.height; ++y)
    for (unsigned int x = 0; x < view.width; ++x) {
      const std::complex<double> c{static_cast<double>(view.left) + 0.0625 * x,
                                   static_cast<double>(view.top) + 0.0625 * y};
      std::complex<double> z = 0;
      cl_uint count = 0;
      for (; count < view.limit && std::norm(z) <= 4; ++count)
        z = z * z + c;
      expected.push_back(count);
    }
  CHECK(mandelbrot(view, {.global_size = {48, 44}, .local_size = {8, 4}}) == expected);
}

TEST_CASE("what cannot be launched is refused") {
  Counts iterations(12);
  std::vector<float> numbers(12);
  const gputest::RunOptions options{.global_size = {4, 3}};
  const std::string source = KERNELS "/mandelbrot.cl";
  const View view = around_zero(1);
  CHECK_THROWS_AS(gputest::run_kernel(source, "mandelbrot", options, view, numbers),
                  gputest::UsageError);
  CHECK_THROWS_AS(gputest::run_kernel(source, "mandelbrot", options, view), gputest::UsageError);
  CHECK_THROWS_AS(gputest::run_kernel(source, "julia", options, view, iterations),
                  gputest::UsageError);
}
