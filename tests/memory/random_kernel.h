// Kernels of a fixed seed that access memory in every way that the static analysis has to follow:
// loops of all kinds, branches, addresses of ids, counters, arguments and of what was read.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>

namespace gputest::memory::tests {

class RandomKernel {
public:
  static constexpr unsigned kElements = 1024; // of each array, and indices are taken modulo it

  explicit RandomKernel(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}

  // kernel void k(global int* a, global int* b, global int* c, int n, uint m)
  std::string text() {
    std::string body = "  const int g = get_global_id(0), l = get_local_id(0);\n  int v = g;\n"
                       "  int u = 1;\n";
    const unsigned statements = 2 + draw(4);
    for (unsigned i = 0; i < statements; ++i)
      body += statement(1, true);
    return fmt::format("#define AT(i) ((uint)(i) % {0}u)\n"
                       "kernel void k(global int* a, global int* b, global int* c, int n, uint m) "
                       "{{\n  local int t[256];\n{1}  a[AT(g)] = v + u;\n}}\n",
                       kElements, body);
  }

private:
  unsigned draw(unsigned below) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<unsigned>((state_ >> 33) % below);
  }

  std::string counter() { return loops_ == 0 ? "1" : fmt::format("i{}", draw(loops_)); }

  std::string number() {
    switch (draw(8)) {
    case 0:
      return "n";
    case 1:
      return "(int)m";
    case 2:
      return "l";
    case 3:
      return "g";
    case 4:
    case 5:
      return counter();
    case 6:
      return "u";
    default:
      return std::to_string(1 + draw(40));
    }
  }

  std::string index() {
    switch (draw(10)) {
    case 0:
      return fmt::format("{} * {} + {}", number(), number(), number());
    case 1:
      return fmt::format("({} << {}) ^ {}", number(), draw(4), number());
    case 2:
      return fmt::format("{} / {} + {}", number(), 1 + draw(9), number());
    case 3:
      return fmt::format("({} > {} ? {} : {})", number(), number(), number(), number());
    case 4:
      return fmt::format("min((int){}, (int){}) * 16", number(), number());
    case 5:
      return "v"; // of what was read
    case 6:
      return fmt::format("({} & {}) - {}", number(), draw(64), number());
    case 7:
      return fmt::format("{} * 256 + {}", counter(), draw(16));
    default:
      return fmt::format("{} * {} + {}", number(), 1 + draw(70), draw(9));
    }
  }

  std::string array() { return std::string(1, static_cast<char>('a' + draw(3))); }

  std::string statement(unsigned depth, bool uniform) {
    const std::string space(2 * depth, ' ');
    const unsigned kind = draw(depth > 3 ? 6 : 12);
    switch (kind) {
    case 0:
    case 1:
      return fmt::format("{}v += {}[AT({})];\n", space, array(), index());
    case 2:
      return fmt::format("{}{}[AT({})] = v + {};\n", space, array(), index(), number());
    case 3:
      switch (draw(4)) {
      case 0:
        return fmt::format("{}v += atomic_add(&c[AT({})], 1);\n", space, index());
      case 1:
        return fmt::format("{}t[(uint)({}) % 256u] += v;\n", space, index());
      case 2:
        return fmt::format("{0}{{ const int4 w = vload4((uint)({1}) % 64u, {2} + {3}); v += w.x + "
                           "w.w; }}\n",
                           space, index(), array(), draw(7));
      default:
        return fmt::format("{0}{{ global const int* p = {1} > {2} ? {3} : {3} + 5; v += "
                           "p[(uint)({4}) % 64u]; }}\n",
                           space, number(), number(), array(), index());
      }
    case 4:
      return fmt::format("{}u = {};\n", space, number());
    case 5:
      return uniform ? fmt::format("{}barrier(CLK_LOCAL_MEM_FENCE);\n", space)
                     : fmt::format("{}v ^= {};\n", space, number());
    case 6:
    case 7: {
      std::string text = fmt::format("{}if ({} {} {}) {{\n", space, number(),
                                     draw(2) == 0 ? "<" : "!=", number()) +
                         block(depth, false) + space + "}";
      if (draw(2) == 0)
        text += " else {\n" + block(depth, false) + space + "}";
      return text + "\n";
    }
    default:
      return loop(depth, uniform, space);
    }
  }

  std::string block(unsigned depth, bool uniform) {
    std::string text;
    const unsigned statements = 1 + draw(3);
    for (unsigned i = 0; i < statements; ++i)
      text += statement(depth + 1, uniform);
    return text;
  }

  std::string loop(unsigned depth, bool uniform, const std::string& space) {
    const std::string name = fmt::format("i{}", loops_);
    std::string head;
    bool same = uniform; // all work-items go round as often
    switch (draw(7)) {
    case 0:
      head = fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", name, 1 + draw(6));
      break;
    case 1:
      head = fmt::format("for (int {0} = {1}; {0} > 0; {0} >>= 1)", name, 1 + draw(40));
      break;
    case 2:
      head = fmt::format("for (uint {0} = 1; {0} < m; {0} *= 2)", name);
      break;
    case 3:
      head = fmt::format("for (int {0} = l % 5; {0} < n; {0} += {1})", name, 1 + draw(3));
      same = false;
      break;
    case 4:
      head = fmt::format("for (int {0} = {1}; {0} >= 0; {0} -= {2})", name, draw(9), 1 + draw(3));
      break;
    case 5: // as often as what was read says
      head = fmt::format("for (int {0} = 0; {0} < (v & 3); ++{0})", name);
      same = false;
      break;
    default:
      head = fmt::format("for (int {0} = 0, s = 3; {0} < 5; ++{0}, s = s * 5 & 255)", name);
      break;
    }
    ++loops_;
    std::string body = block(depth, same);
    if (draw(5) == 0)
      body += fmt::format("{}  if ({} == {}) break;\n", space, name, draw(4));
    --loops_;
    if (body.find("break") != std::string::npos && body.find("barrier") != std::string::npos)
      for (std::size_t at; (at = body.find("barrier(CLK_LOCAL_MEM_FENCE);")) != std::string::npos;)
        body.replace(at, 29, ";");
    return fmt::format("{}{} {{\n{}{}}}\n", space, head, body, space);
  }

  std::uint64_t state_;
  unsigned loops_ = 0;
};

} // namespace gputest::memory::tests
