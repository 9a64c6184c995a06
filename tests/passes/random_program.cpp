#include "tests/passes/random_program.h"

#include <fmt/format.h>
#include <random>
#include <vector>

namespace gputest::tests {
namespace {

class Generator {
public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  RandomProgram run() {
    std::string text =
        "int t(global int* trace, int n, int yes) { trace[n + (yes != 0)] = 1; return yes; }\n"
        "int sw(global int* trace, int n, int v) { trace[n + v] = 1; return v; }\n"
        "void cl(global int* trace, int n, int count) { trace[n + min(count, 2)] = 1; }\n";
    for (int f = 0; f < 2; ++f) {
      returns_value_ = true;
      const std::string body = block(2);
      text += fmt::format(
          "int helper{}(global int* trace, int x, int y) {{\n{}  return x + y;\n}}\n", f, body);
      ++helpers_;
    }
    returns_value_ = false;
    const std::string body = block(3);
    text +=
        "kernel void test(global int* trace, global const int* in) {\n"
        "  int x = in[get_global_id(0)], y = (int)get_local_id(0);\n"
        "  x += helper0(trace, x, y) + helper1(trace, y, x);\n" + // or nothing in them is measured
        body +
        "}\n";
    return {std::move(text), next_};
  }

private:
  unsigned pick(unsigned below) {
    return std::uniform_int_distribution<unsigned>(0, below - 1)(random_);
  }

  unsigned record(unsigned places) {
    const unsigned first = next_;
    next_ += places;
    return first;
  }

  std::string value() {
    switch (pick(helpers_ > 0 && !inside_call_ ? 7 : 6)) {
    case 0:
      return "x";
    case 1:
      return "y";
    case 2:
      return fmt::format("(x + {})", pick(7));
    case 3:
      return fmt::format("((x ^ y) & {})", 1 + pick(7));
    case 4:
      return std::to_string(pick(5));
    case 5:
      return fmt::format("({} ? x : y)", decision(0));
    default: {
      inside_call_ = true;
      const std::string call =
          fmt::format("helper{}(trace, {}, {})", pick(helpers_), value(), value());
      inside_call_ = false;
      return call;
    }
    }
  }

  std::string comparison() {
    static const char* const kOperators[] = {"<", ">", "==", "!=", "<=", ">="};
    return fmt::format("{} {} {}", value(), kOperators[pick(6)], pick(9));
  }

  // An operand or a whole decision: atomic, or made of operands.
  std::string decision(int depth) {
    const unsigned n = record(2);
    if (depth == 0 || pick(2))
      return fmt::format("t(trace, {}, {})", n, comparison());
    switch (pick(4)) {
    case 0:
      return fmt::format("t(trace, {}, ({} && {}))", n, decision(depth - 1), decision(depth - 1));
    case 1:
      return fmt::format("t(trace, {}, ({} || !{}))", n, decision(depth - 1), decision(depth - 1));
    case 2: // not wrapped as a whole
      return fmt::format("{} && ({} || {})", decision(0), decision(0), decision(0));
    default:
      return fmt::format("!({} || {})", decision(0), decision(depth - 1));
    }
  }

  std::string mark() { return fmt::format("trace[{}] = 1;", record(1)); }

  std::string block(int depth) {
    std::string text;
    for (unsigned i = 0, count = 1 + pick(4); i < count; ++i)
      text += statement(depth);
    return text + mark() + "\n";
  }

  std::string body(int depth) { return pick(3) ? "{\n" + block(depth) + "}\n" : mark() + "\n"; }

  // Leaves the function from inside any number of loops, which must be recorded first.
  std::string leave() {
    std::string text = "{ ";
    for (const unsigned loop : loops_)
      text += fmt::format("cl(trace, {0}, loop{0}); ", loop);
    return text + mark() + (returns_value_ ? " return x; }\n" : " return; }\n");
  }

  std::string statement(int depth) {
    switch (pick(depth > 0 ? 9 : 2)) {
    case 0:
      return fmt::format("x = {};\n", value());
    case 1:
      return fmt::format("{}\ny = {};\n", mark(), value());
    case 2:
    case 3:
      return fmt::format("if ({}) {}", decision(2), "{\n" + block(depth - 1) + "}\n") +
             (pick(2) ? "else " + body(depth - 1) : "");
    case 4:
      return fmt::format("if ({}) {}", decision(1), mark() + "\n");
    case 5:
      return fmt::format("if ({}) {}", decision(1), leave());
    case 6:
      return switch_statement(depth);
    default:
      return loop(depth);
    }
  }

  std::string loop(int depth) {
    const unsigned n = record(3), fuel = 1 + pick(3);
    loops_.push_back(n);
    const std::string count = fmt::format("loop{}++;\n", n);
    std::string inside = block(depth - 1);
    if (pick(3) == 0)
      inside += fmt::format("if ({}) {{ {} {} }}\n", decision(0), mark(),
                            pick(2) ? "break;" : "continue;");
    if (pick(4) == 0)
      inside += fmt::format("if ({}) {}", decision(0), leave());
    loops_.pop_back();
    const std::string before = fmt::format("{{ int loop{0} = 0;\n", n);
    const std::string after = fmt::format("cl(trace, {0}, loop{0}); }}\n", n);
    const std::string limit = fmt::format("loop{} < {}", n, fuel);
    switch (pick(7)) {
    case 4:
    case 5:
    case 6:
      return before + stepping_for(n, "{\n" + count + inside + "}\n") + after;
    case 0:
      return before +
             fmt::format("for (int k{0} = 0; k{0} < (x & 3) && {1}; ++k{0}) {{\n{2}}}\n", n, limit,
                         count + inside) +
             after;
    case 1:
      return before +
             fmt::format("while ({} && {}) {{\n{}}}\n", limit, decision(0), count + inside) + after;
    case 2:
      return before + fmt::format("do {{\n{}}} while ({});\n", count + inside, limit) + after;
    default:
      return before +
             fmt::format("for (;;) {{\n{}if (loop{} > {}) break;\n{}}}\n", count, n, fuel, inside) +
             after;
    }
  }

  // As most loops are: a variable runs from here to there.
  std::string stepping_for(unsigned n, const std::string& body) {
    static constexpr const char* kTypes[] = {"int", "uint", "long", "size_t"};
    static constexpr const char* kUp[] = {"++k{0}",       "k{0}++",          "k{0} += 2",
                                          "k{0} += s{0}", "k{0} = k{0} + 1", "k{0} = 2 + k{0} * 2"};
    static constexpr const char* kDown[] = {"--k{0}", "k{0} -= 2", "k{0} >>= 1", "k{0} /= 2"};
    static constexpr const char* kBelow[] = {"k{0} < m{0}", "k{0} < m{0} + 1", "k{0} <= 2",
                                             "(m{0} > k{0})"};
    const std::string type = kTypes[pick(4)];
    const std::string start = fmt::format("(({}) & 3)", value());
    const std::string bound =
        fmt::format("int m{0} = ({1}) & 3, s{0} = 1 + (y & 1);\n", n, value());
    const bool up = pick(3) > 0;
    const std::string condition = up ? kBelow[pick(4)] : pick(2) ? "k{0} > 0" : "0 != k{0}";
    std::string step = up ? kUp[pick(6)] : kDown[pick(4)];
    if (!up && condition == "0 != k{0}" && step == "k{0} -= 2")
      step = "--k{0}"; // which ends
    const auto named = [&](const std::string& text) { return fmt::format(fmt::runtime(text), n); };
    const std::string head = named(condition) + "; " + named(step) + ") ";
    switch (pick(4)) {
    case 0:
      return bound + fmt::format("{} k{} = {};\nfor (; {}{}", type, n, start, head, body);
    case 1:
      return bound + fmt::format("{0} k{1};\nfor (k{1} = {2}; {3}{4}", type, n, start, head, body);
    default:
      return bound + fmt::format("for ({} k{} = {}; {}{}", type, n, start, head, body);
    }
  }

  std::string switch_statement(int depth) {
    const unsigned labels = 2 + pick(3), n = record(labels);
    std::string text = fmt::format("switch (sw(trace, {}, (x & 15) % {})) {{\n", n, labels);
    for (unsigned label = 0; label < labels; ++label) {
      text += label + 1 == labels && pick(2) ? "default:\n"
                                             : fmt::format("case {} + 0 * {}:\n", label, n);
      if (pick(4))
        text += block(depth - 1);
      else
        text += mark() + "\n";
      if (pick(3))
        text += "break;\n";
    }
    return text + "}\n";
  }

  std::mt19937 random_;
  unsigned next_ = 0;
  unsigned helpers_ = 0;
  bool inside_call_ = false;
  bool returns_value_ = false;
  std::vector<unsigned> loops_;
};

} // namespace

RandomProgram random_program(std::uint32_t seed) {
  return Generator(seed).run();
}

} // namespace gputest::tests
