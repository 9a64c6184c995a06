// Kernels of a fixed seed that access memory in every way that the static analysis has to follow:
// loops of all kinds, branches, early ends, addresses of ids, counters, arguments and of what was
// read; vectors, structures, pointers to one of two buffers, local memory, atomic operations.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>

namespace gputest::memory::tests {

class RandomKernel {
public:
  static constexpr unsigned kElements = 1024; // of each array, and indices are taken modulo it

  explicit RandomKernel(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}

  // kernel void k(global int* a, global int* b, global int* c, int n, uint m), whose groups have
  // 256 work-items at most.
  std::string text() {
    std::string body = "  const int g = get_global_id(0), l = get_local_id(0);\n"
                       "  const int h = get_global_id(1), y = get_local_id(1);\n"
                       "  int v = g, u = 1;\n  int q[4] = {g, 2, n, l};\n";
    const unsigned statements = 2 + draw(4);
    for (unsigned i = 0; i < statements; ++i)
      body += statement(1, true);
    return fmt::format(
        "#define AT(i) ((uint)(i) % {0}u)\n#define FEW(i) ((uint)(i) % 64u)\n"
        "struct wide {{ int x; int y[3]; }};\nstruct narrow {{ int x; short y; char z; }};\n"
        "int twice(global const int* p, int i) {{ return p[AT(i)] + p[AT(i + 1)]; }}\n"
        "kernel void k(global int* a, global int* b, global int* c, int n, uint m) "
        "{{\n  local int t[256], s[64];\n{1}  a[AT(g + 16 * h)] = v + u;\n}}\n",
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

  std::string uniform_number() {
    switch (draw(4)) {
    case 0:
      return "n";
    case 1:
      return "(int)m";
    case 2:
      return "(int)get_group_id(0)";
    default:
      return std::to_string(1 + draw(40));
    }
  }

  std::string number() {
    switch (draw(12)) {
    case 0:
    case 1:
      return uniform_number();
    case 2:
    case 3:
      return "l";
    case 4:
      return "g";
    case 5:
      return draw(2) == 0 ? "h" : "y";
    case 6:
    case 7:
      return counter();
    case 8:
      return "u";
    case 9:
      return fmt::format("q[{} & 3]", draw(2) == 0 ? counter() : "u");
    case 10:
      return "(int)get_local_size(0)";
    default:
      return std::to_string(1 + draw(40));
    }
  }

  std::string index() {
    switch (draw(12)) {
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
    case 8:
      return fmt::format("(short)({} * {})", number(), 1 + draw(300));
    case 9:
      return fmt::format("({} + {}) % {}", number(), number(), 1 + draw(90));
    default:
      return fmt::format("{} * {} + {}", number(), 1 + draw(70), draw(9));
    }
  }

  std::string condition() {
    return fmt::format("{} {} {}", number(), draw(2) == 0 ? "<" : "!=", number());
  }

  std::string array() { return std::string(1, static_cast<char>('a' + draw(3))); }

  // Other accesses than of one element of a buffer.
  std::string access() {
    const std::string from = array(), at = index();
    switch (draw(15)) {
    case 0:
      return fmt::format("v += atomic_add(&c[AT({})], 1);", at);
    case 1:
      return fmt::format("atomic_min(&{}[AT({})], {});", from, at, number());
    case 2:
      return fmt::format("v += atomic_cmpxchg(&t[(uint)({}) % 256u], u, {});", at, number());
    case 3:
      return fmt::format("t[(uint)({}) % 256u] += v;", at);
    case 4:
      return fmt::format("s[FEW({})] = t[l + 16 * y];", at);
    case 5: // of one of two local arrays
      return fmt::format("{{ local int* p = {} ? t : s; v += p[FEW({})]; p[l] = u; }}", condition(),
                         at);
    case 6: // at a place that is no multiple of the vector's size
      return fmt::format("{{ const int4 w = vload4(FEW({}), {} + {}); v += w.x + w.w; }}", at, from,
                         draw(7));
    case 7:
      return fmt::format("vstore8((int8)({}), FEW({}), {} + {});", number(), at, from, draw(9));
    case 8:
      return fmt::format("((global int4*){})[FEW({})].yw += (int2)(v, u);", from, at);
    case 9: // elements of other sizes
      return draw(2) == 0
                 ? fmt::format("((global char*){})[4 * AT({}) + {}] = v;", from, at, draw(4))
                 : fmt::format("v += (int)((global long*){})[AT({}) / 2];", from, at);
    case 10:
      return fmt::format("{{ const struct wide w = ((global struct wide*){})[FEW({})]; v += "
                         "w.y[{} & 1]; }}",
                         from, at, counter());
    case 11:
      return fmt::format("((global struct narrow*){})[FEW({})].{} = {};", from, at,
                         draw(2) == 0 ? "y" : "z", number());
    case 12: // arguments that may be one buffer
      return fmt::format(
          "{{ global int* p = {0} ? {1} : {2} + 5; p[FEW({3})] += 1; v += {1}[FEW({3})]; }}",
          condition(), from, array(), at);
    case 13:
      return fmt::format("v += twice({}, {});", from, at);
    default:
      return fmt::format("q[({}) & 3] = {};", at, number());
    }
  }

  std::string statement(unsigned depth, bool uniform) {
    const std::string space(2 * depth, ' ');
    switch (draw(depth > 3 ? 8 : 16)) {
    case 0:
    case 1:
      return fmt::format("{}v += {}[AT({})];\n", space, array(), index());
    case 2:
      return fmt::format("{}{}[AT({})] = v + {};\n", space, array(), index(), number());
    case 3:
    case 4:
    case 5:
      return space + access() + "\n";
    case 6:
      return fmt::format("{}u = {};\n", space, number());
    case 7:
      return uniform && !ended_ ? fmt::format("{}{}\n", space, kBarrier)
                                : fmt::format("{}v ^= {};\n", space, number());
    case 8:
    case 9: {
      const bool same = uniform && draw(3) == 0;
      std::string text =
          fmt::format("{}if ({}) {{\n", space,
                      same ? uniform_number() + " < " + uniform_number() : condition()) +
          block(depth, same) + space + "}";
      if (draw(2) == 0)
        text += " else {\n" + block(depth, same) + space + "}";
      return text + "\n";
    }
    case 10:
      return several_ways(depth, space);
    case 11:
      if (draw(3) != 0)
        return space + access() + "\n";
      ended_ = true; // of those that go on nobody waits for the others
      return fmt::format("{}if ({}) return;\n", space, condition());
    default:
      return loop(depth, uniform, space);
    }
  }

  std::string several_ways(unsigned depth, const std::string& space) {
    std::string text = fmt::format("{}switch (({}) & 3) {{\n", space, index());
    for (unsigned way = 0; way < 3; ++way)
      text += fmt::format("{}case {}:\n{}{}", space, way, block(depth, false),
                          draw(3) == 0 ? "" : space + "  break;\n");
    return text + fmt::format("{}default:\n{}  v += 1;\n{}}}\n", space, space, space);
  }

  std::string block(unsigned depth, bool uniform) {
    std::string text;
    const unsigned statements = 1 + draw(3);
    for (unsigned i = 0; i < statements; ++i)
      text += statement(depth + 1, uniform);
    return text;
  }

  std::string loop(unsigned depth, bool uniform, const std::string& space) {
    const std::string name = fmt::format("i{}", loops_), outer = counter();
    std::string head, tail;
    bool same = uniform; // all work-items go round as often
    switch (draw(11)) {
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
    case 6:
      head = fmt::format("for (int {0} = 0; {0} < 4 && {1}[AT({2})] % 3 != 0; ++{0})", name,
                         array(), index());
      same = false;
      break;
    case 7: // a triangle
      head = fmt::format("for (int {0} = 0; {0} <= ({1} & 7); ++{0})", name, outer);
      same = false; // the outer counter may be any
      break;
    case 8:
      head = fmt::format("int {} = 0; do", name);
      tail = fmt::format(" while (++{} < (l & 3))", name);
      same = false;
      break;
    case 9:
      head = fmt::format("for (short {0} = {1}; {0} < 120; {0} += 37)", name, draw(100));
      break;
    default:
      head = fmt::format("for (int {0} = 0, r = 3; {0} < 5; ++{0}, r = r * 5 & 255)", name);
      break;
    }
    ++loops_;
    std::string body;
    if (draw(8) == 0)
      body = fmt::format("{}  if ({}) continue;\n", space, condition());
    body += block(depth, same);
    if (draw(5) == 0)
      body += fmt::format("{}  if ({} == {}) break;\n", space, name, draw(4));
    --loops_;
    const auto has = [&](const char* word) { return body.find(word) != std::string::npos; };
    if (has("break") || has("continue") || has("return"))
      for (std::size_t at; (at = body.find(kBarrier)) != std::string::npos;)
        body.replace(at, std::string(kBarrier).size(), ";");
    return fmt::format("{0}{{ {1} {{\n{2}{0}}}{3}; }}\n", space, head, body, tail);
  }

  static constexpr const char* kBarrier = "barrier(CLK_LOCAL_MEM_FENCE);";

  std::uint64_t state_;
  unsigned loops_ = 0;
  bool ended_ = false; // some work-items may have
};

} // namespace gputest::memory::tests
