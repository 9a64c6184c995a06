// Random kernels: the table's expressions are what the kernel computed, and answers are right.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/testgen/solve/traced_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <random>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;

namespace {

std::size_t kernels() {
  return gputest::tests::random_count(8);
}

// A random expression of a type over variables of it.
class Expressions {
public:
  explicit Expressions(std::mt19937_64& random) : random_(random) {}

  std::string integer(unsigned depth) {
    if (depth == 0 || pick(8) == 0)
      return leaf({"a", "b", "x", "(int)c", "(int)p", "in[i]", "in[(i + 1) & 7]"}, pick(3) == 0);
    const std::string a = integer(depth - 1), b = integer(depth - 1);
    static const char* const kForms[] = {"({0} + {1})",
                                         "({0} - {1})",
                                         "({0} * {1})",
                                         "(int)((uint){0} / ((uint){1} | 1u))",
                                         "({0} % (({1} & 1023) + 2))",
                                         "({0} ^ {1})",
                                         "({0} & {1})",
                                         "({0} << ({1} & 31))",
                                         "({0} >> ({1} & 31))",
                                         "(int)((uint){0} >> ({1} & 31))",
                                         "({0} < {1} ? {1} : {0})",
                                         "(int)(char){0}",
                                         "(int)((ulong)(uint){0} * (ulong)(uint){1} >> 32)",
                                         "max({0}, {1})",
                                         "(int)popcount({0})",
                                         "(int)rotate((uint){0}, (uint){1})",
                                         "(int)clz((uint){0})",
                                         "(int)(((long){0} * {1}) >> 7)",
                                         "(int)((ulong)(long){0} % (((uint){1} & 255) + 3))",
                                         "mul_hi({0}, {1})",
                                         "mad24({0} & 255, {1} & 255, {0})",
                                         "(int)abs({0})",
                                         "bitselect({0}, {1}, x)",
                                         "select({0}, {1}, {0} > a)",
                                         "(int)(short)({0} * {1})",
                                         "(int)add_sat((short){0}, (short){1})",
                                         "(int)convert_uchar_sat({0})",
                                         "as_int(as_uchar4({0}).wzyx)",
                                         "((int4)({0}, {1}, a, x) * 3).z",
                                         "any((int2)({0}, {1}) < (int2)(a, x))",
                                         "helper({0}, {1})"};
    const std::size_t form = pick(std::size(kForms) + 1);
    return form == std::size(kForms) ? "as_int(" + floating(depth - 1) + ")"
                                     : fmt::format(fmt::runtime(kForms[form]), a, b);
  }

  std::string floating(unsigned depth) {
    if (depth == 0 || pick(8) == 0)
      return pick(3) == 0 ? std::to_string(pick(100)) + ".25f" : leaf({"f", "g", "fs[i]"}, false);
    const std::string a = floating(depth - 1), b = floating(depth - 1);
    static const char* const kForms[] = {
        "({0} + {1})",          "({0} - {1})",    "({0} * {1})",
        "({0} / {1})",          "fabs({0})",      "sqrt(fabs({0}))",
        "floor({0})",           "cos({0})",       "({0} < {1} ? {0} : {1})",
        "(float)({2} & 65535)", "fmin({0}, {1})", "(float)((double){0} * 0.5)"};
    const std::size_t form = pick(12);
    return fmt::format(fmt::runtime(kForms[form]), a, b, form == 9 ? integer(depth - 1) : "");
  }

  std::string condition() {
    if (pick(3) == 0)
      return floating(3) + std::vector<std::string>{" < ", " == ", " >= ", " != "}[pick(4)] +
             floating(2);
    return integer(3) + std::vector<std::string>{" < ", " == ", " >= ", " != "}[pick(4)] +
           integer(2);
  }

  std::size_t pick(std::size_t count) { return random_() % count; }

private:
  std::string leaf(const std::vector<std::string>& variables, bool constant) {
    return constant ? std::to_string(static_cast<int>(pick(200)) - 100)
                    : variables[pick(variables.size())];
  }
  std::mt19937_64& random_;
};

// Each statement's value is kept twice: by the kernel in `out`, and as a decision that tells it.
std::string random_kernel(std::mt19937_64& random) {
  Expressions expressions(random);
  std::string text =
      "struct S { char c; short s; int n; };\n"
      "int helper(int p, int q) {\n"
      "  if (p > q) return p - q;\n"
      "  for (int j = 0; j < (q & 3); ++j) p ^= q << j;\n"
      "  return p;\n"
      "}\n"
      "kernel void k(global int* out, global const int* in, global const float* fs, int a, "
      "int b, uchar c, short p, float f, float g) {\n"
      "  local int shared[4];\n"
      "  int i = get_global_id(0), x = 1;\n"
      "  int own[4] = {a, b, 3, 4};\n";
  const auto number = [&] { return expressions.integer(2); };
  for (unsigned line = 0; line < 6; ++line)
    switch (expressions.pick(13)) {
    case 4:
      text += fmt::format("  {{ int words[2] = {{x, {}}}; ((uchar*)words)[{} & 7] = {}; "
                          "x += words[1] ^ words[0]; }}\n",
                          number(), number(), number());
      break;
    case 5:
      text += fmt::format("  x ^= atomic_add(&out[16 + i], {}) + out[16 + i];\n", number());
      break;
    case 6:
      text += fmt::format("  switch ({} & 7) {{ case 1: x = {}; break; case 6: x += 5; case 7: "
                          "x ^= {}; break; default: --x; }}\n",
                          number(), number(), number());
      break;
    case 7:
      text +=
          fmt::format("  {{ int fuel = 4; do {{ x += {}; if ({}) break; }} while (--fuel); }}\n",
                      number(), expressions.condition());
      break;
    case 8:
      text += fmt::format("  {{ struct S s = {{ {}, {}, {} }}, t = s; t.c += s.s; x ^= t.c + t.s * "
                          "t.n; }}\n",
                          number(), number(), number());
      break;
    case 9:
      text +=
          fmt::format("  {{ int4 v = (int4)({}, {}, x, i); v.xz = v.yw * 3 - v.zx; vstore2(v.yz, "
                      "0, own); x ^= v.x + own[1]; }}\n",
                      number(), number());
      break;
    case 10:
      text +=
          fmt::format("  {{ int other[4] = {{x, 1, {}, a}}; int* at = {} ? own : other; at[2] += "
                      "{}; x ^= at[{} & 3] + other[2]; }}\n",
                      number(), expressions.condition(), number(), number());
      break;
    case 0:
      text += "  if (" + expressions.condition() + ") x += " + expressions.integer(2) + ";\n";
      break;
    case 1:
      text += "  own[" + expressions.integer(1) + " & 3] = " + expressions.integer(2) +
              "; x ^= own[" + expressions.integer(1) + " & 3];\n";
      break;
    case 2:
      text += "  shared[i & 3] = " + expressions.integer(3) +
              "; barrier(CLK_LOCAL_MEM_FENCE); x += shared[(i + 1) & 3]; "
              "barrier(CLK_LOCAL_MEM_FENCE);\n";
      break;
    case 3:
      text += "  for (int j = 0; j < (" + expressions.integer(1) + " & 3); ++j) x = x * 3 + j;\n";
      break;
    default:
      text += "  x = " + expressions.integer(3) + ";\n";
      break;
    }
  return text + "  out[i] = x;\n  if (x == out[8 + i]) out[16 + i] = 1;\n}\n";
}

std::vector<Argument> random_arguments(std::mt19937_64& random) {
  const auto small = [&] { return static_cast<int>(random() % 41) - 20; };
  std::vector<int> in(8), out(24);
  std::vector<float> fs(8);
  for (int& one : in)
    one = small();
  for (float& one : fs)
    one = static_cast<float>(small()) * 0.375f;
  return {buffer(out),
          buffer(in),
          buffer(fs),
          value(small()),
          value(static_cast<int>(random())),
          value(static_cast<std::uint8_t>(random())),
          value(static_cast<std::int16_t>(random())),
          value(static_cast<float>(small()) * 0.5f),
          value(static_cast<float>(small()) * 1.7f)};
}

} // namespace

TEST_CASE("The expressions of random kernels are what the kernels computed") {
  std::size_t checked = 0;
  for (const std::size_t seed : gputest::tests::random_seeds(8)) {
    std::mt19937_64 random(seed);
    const std::string text = random_kernel(random);
    INFO("seed " << seed << "\n" << text);
    Tracer tracer = tracer_of(text);
    const Traced traced = tracer.trace(line(8, 4), random_arguments(random));
    CAPTURE(tracer.lost());
    REQUIRE(traced.result.findings.empty());
    REQUIRE(!traced.table.full());
    CHECK(traced.complete);
    std::vector<Label> labels;
    for (const Event& event : traced.events)
      labels.push_back(event.label);
    Tape tape(traced.table, labels, traced.functions.get());
    const auto now = tape.run(traced.values);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      INFO("event " << i << " of line " << (*traced.sites)[traced.events[i].site].place.line << ": "
                    << text_of(traced.table, labels[i], traced.unit_names()));
      REQUIRE(now[i] == traced.events[i].value);
      ++checked;
    }
    // With other inputs the decisions are as evaluated, up to the first that goes another way.
    const std::vector<Argument> others = random_arguments(random);
    const Traced other = tracer.trace(line(8, 4), others);
    const auto then = tape.run(other.values);
    for (std::size_t i = 0; i < std::min(labels.size(), other.events.size()); ++i) {
      if (traced.events[i].site != other.events[i].site ||
          traced.events[i].item != other.events[i].item)
        break;
      INFO("event " << i << " with other inputs");
      REQUIRE(then[i] == other.events[i].value);
      if (other.events[i].value != traced.events[i].value)
        break;
    }
  }
  CHECK(checked > kernels() * 8);
}

TEST_CASE("Answers to random conditions hold, and what is infeasible is so for every input") {
  std::size_t found = 0, infeasible = 0;
  for (std::size_t seed = 0; seed < 2 * kernels(); ++seed) {
    std::mt19937_64 random(1000 + seed);
    const auto pick = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
    const auto side = [&] {
      const std::string a = pick(2) ? "a" : "b", b = pick(2) ? "a" : "b";
      return std::vector<std::string>{a,
                                      "(uchar)(" + a + " + " + std::to_string(pick(256)) + ")",
                                      "(uchar)(" + a + " * " + b + ")",
                                      "(" + a + " & " + std::to_string(pick(256)) + ")",
                                      "(" + a + " % " + std::to_string(2 + pick(20)) + ")",
                                      "(" + a + " ^ " + b + ")",
                                      std::to_string(pick(256)),
                                      "(" + a + " >> " + std::to_string(pick(7)) + ")"}[pick(8)];
    };
    const auto condition = [&] {
      const std::string left = side();
      return left + std::vector<std::string>{" == ", " < ", " > ", " != "}[pick(4)] + side();
    };
    const std::string text = "kernel void k(global int* out, uchar a, uchar b) {\n"
                             "  if (" +
                             condition() +
                             ") out[1] = 1;\n"
                             "  if (" +
                             condition() +
                             ")\n"
                             "    if (" +
                             condition() +
                             ")\n"
                             "      out[0] = 1;\n"
                             "}\n";
    INFO("seed " << seed << "\n" << text);
    Tracer tracer = tracer_of(text);
    const std::uint8_t a = static_cast<std::uint8_t>(random()),
                       b = static_cast<std::uint8_t>(random());
    const Traced traced =
        tracer.trace(line(1, 1), {buffer(std::vector<int>(2)), value(a), value(b)});
    if (traced.events.empty())
      continue;
    const Wanted wanted{.event = traced.events.size() - 1};
    Solver solver;
    const Reached reached = solver.reach(tracer, traced, wanted);
    INFO(reached.answer.condition << ": " << reached.answer.reason);
    // Every input: by the trace's expressions, which the other test looks at.
    const Conditions conditions = conditions_of(traced, wanted);
    std::vector<Label> all = conditions.prefix;
    all.push_back(conditions.wanted);
    Tape tape(conditions.table, all, nullptr);
    std::vector<std::uint64_t> inputs = traced.values;
    bool possible = false;
    for (unsigned i = 0; i < 65536 && !possible; ++i) {
      inputs[inputs.size() - 2] = i & 255;
      inputs[inputs.size() - 1] = i >> 8;
      possible = true;
      for (const std::uint64_t one : tape.run(inputs))
        possible = possible && one != 0;
    }
    if (reached.answer.kind == Answer::Kind::Found)
      REQUIRE(took(traced, wanted, *reached.traced));
    // An answer may take another way there (Wanted::Prefix::Deciding).
    if (!solver_program().empty())
      REQUIRE((reached.answer.kind == Answer::Kind::Found || !possible));
    if (reached.answer.kind == Answer::Kind::Infeasible)
      REQUIRE((!possible && !solver_program().empty()));
    found += reached.answer.kind == Answer::Kind::Found;
    infeasible += reached.answer.kind == Answer::Kind::Infeasible;
  }
  CHECK(found > kernels() / 2);
  CHECK(infeasible > 0);
}
