// Random OpenCL C programs that keep a record of what they do.
#pragma once

#include <cstdint>
#include <string>

namespace gputest::tests {

// A program with `kernel void test(global int* trace, global const int* in)`, always the same for
// the same seed. It records, by plain code of its own and not by anything an instrumenter inserts:
//   decision or operand n   `t(trace, n, …)`     trace[n] when false, trace[n + 1] when true
//   statement n             `trace[n] = 1`
//   loop n                  `int loop<n>` on a line before; trace[n], [n + 1], [n + 2]: zero,
//   one, many switch n                `sw(trace, n, v)`     trace[n + v] for `case v + 0 * n`
struct RandomProgram {
  std::string text;
  unsigned trace_size = 0;
};

RandomProgram random_program(std::uint32_t seed);

// A program with `kernel void test(global uint* out, global const uint* in)`, always the same for
// the same seed, for groups of 256 work-items at most: barriers within uniform conditions and
// loops, and stores under conditions of all kinds behind them. Work-item i writes out[i] alone;
// what it holds is the same on every device. The first values of `in` decide how often loops run.
std::string random_barriers(std::uint32_t seed);

} // namespace gputest::tests
