// Random OpenCL C programs of built-in functions, of all types.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gputest::tests {

// `kernel void test(global int* out, global const uint* in)`: work-item i of kCallItems writes
// element kCallItems * k + i of `out` for statement k, and reads 8 elements of `in` from i on. The
// same for the same seed. What it computes is defined and exact, so that it is the same in every
// program.
std::string random_calls(std::uint32_t seed, unsigned statements);
constexpr unsigned kCallItems = 16;

// The same signature, with loops and conditions instead: many of the mutants of how they compare
// are equivalent, and many are nearly so.
std::string random_loops(std::uint32_t seed, unsigned statements);

// A kernel for each type, with each function of that type for each kind of operand: a component, a
// swizzle, an element, a member, a number, a call. For compilers alone. `half`: of halves too.
std::string all_calls(bool half);

} // namespace gputest::tests
