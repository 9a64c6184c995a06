// Random pairs of kernels of buffers: of each pair it is known whether it is equal.
#pragma once

#include "testgen/inputs/random.h"

#include <array>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::testgen::tests {

// What a kernel does, in words that each language spells in its way: I, L and G are the work-item,
// the work-item in its group, and the group; SIZE and LSIZE are the sizes of the launch and of a
// group; `x`, `y` and `part` are buffers of T, the last one of the group; `a` and `n` are values.
// VALUE(v) is an expression of `v` and `a`.
struct Family {
  enum class Outputs { N, Groups, Four }; // elements of y
  Outputs outputs;
  const char* simple;
  std::vector<const char*> equal, faulty;
};

inline const std::array<Family, 5>& families() {
  static const std::array<Family, 5> all{{
      {.outputs = Family::Outputs::N,
       .simple = "if (I < n) y[I] = VALUE(x[I]);",
       .equal = {"if (I >= n) return; y[I] = VALUE(x[I]);",
                 "if (I < n) { y[I] = 0; y[I] = VALUE(x[I]); }",
                 "uint k = I; while (k < n) { y[k] = VALUE(x[k]); k = n; }",
                 "if (n > 0 && I <= n - 1) y[I] = VALUE(x[I]);"},
       .faulty = {"if (I <= n) y[I] = VALUE(x[I]);", "y[I] = VALUE(x[I]);",
                  "if (I + 1 < n) y[I] = VALUE(x[I]);",
                  "if (I < n) y[I] = VALUE(x[I + 1 < n ? I + 1 : I]);",
                  "if (I < n) y[I] = VALUE(x[0]);", "if (I < n) y[I] = VALUE(x[I]) + (I == 5);",
                  "if (I < n && a != 77777) y[I] = VALUE(x[I]);",
                  "if (I < n && I < SIZE - 1) y[I] = VALUE(x[I]);",
                  "if (I < n) y[I] = VALUE(x[I]) + (x[I + 1] & 0);"}},
      {.outputs = Family::Outputs::N,
       .simple = "for (uint k = I; k < n; k += SIZE) y[k] = VALUE(x[k]);",
       .equal = {"uint k = I; while (k < n) { y[k] = VALUE(x[k]); k += SIZE; }",
                 "for (uint k = 0; k < n; ++k) if (k % SIZE == I) y[k] = VALUE(x[k]);",
                 "uint k = I; for (; k + SIZE < n; k += SIZE) y[k] = VALUE(x[k]);\n"
                 "  if (k < n) y[k] = VALUE(x[k]);"},
       .faulty = {"for (uint k = I; k + 1 < n; k += SIZE) y[k] = VALUE(x[k]);",
                  "for (uint k = I; k <= n; k += SIZE) y[k] = VALUE(x[k]);",
                  "for (uint k = I; k < n; k += SIZE + 1) y[k] = VALUE(x[k]);",
                  "for (uint k = I + 1; k < n; k += SIZE) y[k] = VALUE(x[k]);",
                  "for (uint k = L; k < n; k += LSIZE) y[k] = VALUE(x[k]);",
                  "if (I < n) y[I] = VALUE(x[I]);"}},
      {.outputs = Family::Outputs::N,
       .simple = "if (I < n) y[I] = VALUE(x[I]) + (I > 0 ? x[I - 1] : 0) + (I + 1 < n ? x[I + 1] "
                 ": 0);",
       .equal = {"if (I >= n) return; T s = 0; if (I != 0) s = x[I - 1]; if (I != n - 1) s += x[I "
                 "+ 1];\n  y[I] = s + VALUE(x[I]);"},
       .faulty = {"if (I < n) y[I] = VALUE(x[I]) + (I > 1 ? x[I - 1] : 0) + (I + 1 < n ? x[I + 1] "
                  ": 0);",
                  "if (I < n) y[I] = VALUE(x[I]) + (I > 0 ? x[I - 1] : 0) + (I < n ? x[I + 1] : "
                  "0);",
                  "if (I < n) y[I] = VALUE(x[I]) + (I > 0 ? x[I - 1] : 1) + (I + 1 < n ? x[I + 1] "
                  ": 0);",
                  "if (I < n) y[I] = VALUE(x[I]) + (L > 0 ? x[I - 1] : 0) + (I + 1 < n ? x[I + 1] "
                  ": 0);"}},
      {.outputs = Family::Outputs::Groups,
       .simple = "if (L > 0) return; T s = 0; for (uint k = G * LSIZE; k < (G + 1) * LSIZE; ++k)\n"
                 "    if (k < n) s += VALUE(x[k]);\n  y[G] = s;",
       .equal = {"part[L] = I < n ? VALUE(x[I]) : 0; BARRIER\n"
                 "  for (uint s = 1; s < LSIZE; s *= 2) {\n"
                 "    T add = L + s < LSIZE ? part[L + s] : 0; BARRIER part[L] += add; BARRIER }\n"
                 "  if (L == 0) y[G] = part[0];",
                 "part[L] = 0; if (I < n) part[L] = VALUE(x[I]); BARRIER\n"
                 "  T s = 0; if (L == LSIZE - 1) { for (uint k = 0; k < LSIZE; ++k) s += part[k];\n"
                 "  y[G] = s; }"},
       .faulty = {"part[L] = I < n ? VALUE(x[I]) : 0;\n" // no barrier
                  "  T s = 0; if (L == 0) { for (uint k = 0; k < LSIZE; ++k) s += part[k];\n"
                  "  y[G] = s; }",
                  "part[L] = I < n ? VALUE(x[I]) : 0; BARRIER\n" // a barrier too few in the loop
                  "  for (uint s = 1; s < LSIZE; s *= 2) {\n"
                  "    T add = L + s < LSIZE ? part[L + s] : 0; part[L] += add; BARRIER }\n"
                  "  if (L == 0) y[G] = part[0];",
                  "part[L] = I < n ? VALUE(x[I]) : 0; BARRIER\n" // for powers of two alone
                  "  for (uint s = LSIZE / 2; s > 0; s /= 2) {\n"
                  "    if (L < s) part[L] += part[L + s]; BARRIER }\n"
                  "  if (L == 0) y[G] = part[0];",
                  "part[L] = I <= n ? VALUE(x[I]) : 0; BARRIER\n"
                  "  T s = 0; if (L == 0) { for (uint k = 0; k < LSIZE; ++k) s += part[k];\n"
                  "  y[G] = s; }",
                  "part[L] = I < n ? VALUE(x[I]) : 0; if (I < n) { BARRIER }\n" // diverges
                  "  T s = 0; if (L == 0) { for (uint k = 0; k < LSIZE; ++k) s += part[k];\n"
                  "  y[G] = s; }"}},
      {.outputs = Family::Outputs::Four,
       .simple = "if (I == 0) for (uint k = 0; k < n; ++k) y[VALUE(x[k]) & 3] += 1;",
       .equal = {"for (uint k = I; k < n; k += SIZE) ADD(y + (VALUE(x[k]) & 3), 1);",
                 "if (I != 0) return; for (uint k = 0; k < n; ++k) ADD(&y[VALUE(x[k]) & 3], 1);"},
       .faulty = {"for (uint k = I; k < n; k += SIZE) y[VALUE(x[k]) & 3] += 1;",
                  "if (I < n) ADD(y + (VALUE(x[I]) & 3), 1);",
                  "for (uint k = I; k < n; k += SIZE) ADD(y + (VALUE(x[k]) & 7), 1);",
                  "for (uint k = I; k < n; k += SIZE) ADD(y + (VALUE(x[k]) % 3 & 3), 1);"}},
  }};
  return all;
}

class BufferPair {
public:
  explicit BufferPair(std::uint64_t seed)
      : random_(seed), family_(families().at(seed % families().size())), value_(expression(2)),
        type_(random_.once_in(2) ? "int" : "uint"), equal_(random_.once_in(3)),
        first_is_cuda_(random_.once_in(2)), second_is_cuda_(random_.once_in(2)) {
    const auto& changed = equal_ ? family_.equal : family_.faulty;
    first_ = spelled(changed[random_.below(changed.size())], first_is_cuda_);
    second_ = spelled(family_.simple, second_is_cuda_);
  }

  const std::string& first() const { return first_; }
  const std::string& second() const { return second_; }
  bool first_is_cuda() const { return first_is_cuda_; }
  bool second_is_cuda() const { return second_is_cuda_; }
  bool equal() const { return equal_; }
  Family::Outputs outputs() const { return family_.outputs; }

private:
  std::string expression(unsigned depth) {
    const std::string inner = depth == 0 ? "v" : expression(depth - 1);
    switch (random_.below(8)) {
    case 0:
      return fmt::format("({} + a)", inner);
    case 1:
      return fmt::format("({} * {})", inner, 2 * random_.below(5) + 1);
    case 2:
      return fmt::format("({} ^ a)", inner);
    case 3:
      return fmt::format("({} - {})", inner, random_.below(100));
    case 4:
      return fmt::format("(a < {} ? {} : v)", random_.below(9), inner);
    case 5:
      return fmt::format("({0} + (v << {1}))", inner, 1 + random_.below(4));
    default:
      return inner;
    }
  }

  static void replace(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
      text.replace(at, what.size(), by);
  }

  // A body in the words of Family, as a kernel.
  std::string spelled(std::string body, bool cuda) const {
    for (std::size_t at = 0; (at = body.find("VALUE(", at)) != std::string::npos;) {
      std::size_t end = at + 6;
      for (int depth = 1; depth > 0; ++end)
        depth += body[end] == '(' ? 1 : body[end] == ')' ? -1 : 0;
      std::string value = value_;
      replace(value, "v", "(" + body.substr(at + 6, end - at - 7) + ")");
      body.replace(at, end - at, value);
      at += value.size();
    }
    replace(body, "BARRIER", cuda ? "__syncthreads();" : "barrier(CLK_LOCAL_MEM_FENCE);");
    replace(body, "ADD(", cuda ? "atomicAdd(" : "atomic_add(");
    const bool shared = body.find("part") != std::string::npos;
    std::string text = cuda ? "typedef unsigned uint;\n__global__ void k(const T* x, T* y, uint n, "
                              "T a) {\n"
                            : fmt::format("kernel void k(global const T* x, global T* y, uint n, T "
                                          "a{}) {{\n",
                                          shared ? ", local T* part" : "");
    if (cuda && shared)
      text += "  extern __shared__ T part[];\n";
    text += cuda ? "  const uint L = threadIdx.x, G = blockIdx.x, LSIZE = blockDim.x;\n"
                   "  const uint SIZE = LSIZE * gridDim.x, I = G * LSIZE + L;\n"
                 : "  const uint L = get_local_id(0), G = get_group_id(0);\n"
                   "  const uint LSIZE = get_local_size(0), SIZE = get_global_size(0);\n"
                   "  const uint I = get_global_id(0);\n";
    return fmt::format("typedef {} T;\n{}  {}\n}}\n", type_, text, body);
  }

  Random random_;
  const Family& family_;
  std::string value_, type_;
  bool equal_, first_is_cuda_, second_is_cuda_;
  std::string first_, second_;
};

} // namespace gputest::testgen::tests
