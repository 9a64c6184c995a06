#include "tests/passes/random_calls.h"

#include <cctype>
#include <fmt/format.h>
#include <random>

namespace gputest::tests {
namespace {

struct Type {
  const char* name;
  const char* of_unsigned; // the same width
  unsigned bits;
  bool is_signed;
};
constexpr Type kIntegers[] = {{"char", "uchar", 8, true},    {"uchar", "uchar", 8, false},
                              {"short", "ushort", 16, true}, {"ushort", "ushort", 16, false},
                              {"int", "uint", 32, true},     {"uint", "uint", 32, false},
                              {"long", "ulong", 64, true},   {"ulong", "ulong", 64, false}};

// T: the type. a, b, c: operands of it. Of scalars and vectors alike.
constexpr const char* kOfIntegers[] = {"abs(a)",           "clz(a)",
                                       "popcount(a)",      "add_sat(a, b)",
                                       "sub_sat(a, b)",    "hadd(a, b)",
                                       "rhadd(a, b)",      "max(a, b)",
                                       "min(a, b)",        "mul_hi(a, b)",
                                       "rotate(a, b)",     "abs_diff(a, b)",
                                       "clamp(a, b, c)",   "mad_hi(a, b, c)",
                                       "mad_sat(a, b, c)", "bitselect(a, b, c)",
                                       "convert_T_sat(a)", "select(a, b, c < b)"};
constexpr const char* kOfReals[] = {
    "fabs(a)",        "floor(a)",       "ceil(a)",         "trunc(a)",  "rint(a)",    "fmin(a, b)",
    "fmax(a, b)",     "clamp(a, b, c)", "max(a, b)",       "min(a, b)", "step(a, b)", "sign(a)",
    "copysign(a, b)", "fma(a, b, c)",   "nextafter(a, b)", "fdim(a, b)"};

// Written with v and w for vectors of four, s for a scalar, e for an array, m for a struct.
constexpr const char* kScalars[] = {"v.x",
                                    "w.y",
                                    "v.s2",
                                    "v.hi.x",
                                    "w.yx.y",
                                    "s",
                                    "e[i & 1]",
                                    "m.t",
                                    "(T)5",
                                    "same_T(w.z)",
                                    "(v.y = w.x)",
                                    "(s += v.w)",
                                    "(v.x++)",
                                    "(T)(n > 7 ? v.y : w.z)",
                                    "(T)(v.x + w.y)",
                                    "*(e + 1)",
                                    "(T)-w.x"};
constexpr const char* kVectors[] = {"v",
                                    "w",
                                    "v.wzyx",
                                    "(T4)(v.x, w.y, s, 3)",
                                    "(v + w)",
                                    "(n > 7 ? v : w)",
                                    "(T4)(s)",
                                    "v.xxyy",
                                    "same_T4(w)",
                                    "(v = w)",
                                    "(T4)(v.lo, w.hi)"};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// `a`, `b` and `c` where they stand alone.
std::string with_operands(const std::string& call, const std::vector<std::string>& operands) {
  std::string result;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const auto is_name = [&](std::size_t at) {
      return at < call.size() &&
             (std::isalnum(static_cast<unsigned char>(call[at])) || call[at] == '_');
    };
    const bool alone =
        call[i] >= 'a' && call[i] <= 'c' && (i == 0 || !is_name(i - 1)) && !is_name(i + 1);
    result += alone ? operands[static_cast<std::size_t>(call[i] - 'a')] : std::string(1, call[i]);
  }
  return result;
}

bool is_real(const std::string& type) {
  return type == "float" || type == "half";
}

// The type, and what programs have of it.
std::string functions_of(const std::string& type) {
  return replaced("T same_T(T x) { return x; }\nT4 same_T4(T4 x) { return x; }\n"
                  "typedef struct { char c; T t; } struct_T;\n",
                  "T", type);
}

// Where `in` is, from element i on.
std::string values_of(const std::string& type, unsigned bits) {
  std::string first, second;
  if (type == "float" || type == "half") {
    first = fmt::format("convert_{}4(vload4(0, in + i) & 1023u)", type);
    second = fmt::format("convert_{}4(vload4(1, in + i) & 511u)", type);
  } else if (bits == 8) {
    first = fmt::format("as_{}4(in[i])", type);
    second = fmt::format("as_{}4(in[i + 1])", type);
  } else if (bits == 16) {
    first = fmt::format("as_{}4(vload2(0, in + i))", type);
    second = fmt::format("as_{}4(vload2(1, in + i))", type);
  } else {
    first = fmt::format("convert_{}4(vload4(0, in + i) & 4095u)", type);
    second = fmt::format("convert_{}4(vload4(1, in + i) & 4095u)", type);
  }
  return replaced("    T4 v = " + first + ", w = " + second +
                      ";\n    T s = v.z, e[2] = {w.x, v.w};\n    struct_T m = {1, w.z};\n",
                  "T", type);
}

// An int that tells values of an expression apart.
std::string as_int(const std::string& expression, const std::string& type, bool vector) {
  if (!vector)
    return is_real(type) ? fmt::format("as_int((float)({}))", expression)
                         : fmt::format("(int)({})", expression);
  return fmt::format("fold_{}4({})", type, expression);
}

std::string folds_of(const std::string& type) {
  const std::string part = is_real(type) ? "as_int((float)x.{0})" : "(int)x.{0}";
  const auto component = [&](char c) { return replaced(part, "{0}", std::string(1, c)); };
  return fmt::format("int fold_{}4({}4 x) {{ return {} ^ {} << 3 ^ {} << 7 ^ {} << 11; }}\n", type,
                     type, component('x'), component('y'), component('z'), component('w'));
}

class Random {
public:
  explicit Random(std::uint32_t seed) : random_(seed) {}
  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
  template <typename T, std::size_t N> const T& of(const T (&all)[N]) {
    return all[below(static_cast<unsigned>(N))];
  }

private:
  std::mt19937 random_;
};

// abs() and abs_diff() give unsigned numbers, comparisons of vectors signed ones; a scalar's
// comparison is an int.
std::string for_vectors(std::string call, const Type& type, bool vector) {
  if (call.starts_with("select"))
    return vector ? replaced(call, "c < b", fmt::format("as_{}4(c < b)", type.of_unsigned))
                  : replaced(call, "c < b", fmt::format("({})(c < b)", type.of_unsigned));
  if (call.starts_with("convert_T") && vector)
    return replaced(call, "T", fmt::format("{}4", type.name));
  return replaced(call, "T", type.name);
}

std::string result_type(const std::string& call, const Type& type) {
  return call.starts_with("abs") ? type.of_unsigned : type.name;
}

} // namespace

std::string random_calls(std::uint32_t seed, unsigned statements) {
  Random random(seed);
  std::string text;
  for (const Type& type : kIntegers)
    text += functions_of(type.name) + folds_of(type.name);
  text += functions_of("float") + folds_of("float");
  text += "void put(global int* out, int k, int value) { out[k] = value; }\n"
          "kernel void test(global int* out, global const uint* in) {\n"
          "  const int i = get_global_id(0);\n  const int n = in[i] & 15;\n"
          "  bool flag = n > 3;\n";
  for (unsigned k = 0; k < statements; ++k) {
    const bool real = random.below(6) == 0, vector = random.below(3) == 0;
    const Type type = real ? Type{"float", "uint", 32, true} : random.of(kIntegers);
    const std::string call = real ? random.of(kOfReals) : random.of(kOfIntegers);
    std::vector<std::string> operands;
    for (int o = 0; o < 3; ++o)
      operands.push_back(
          replaced(vector ? random.of(kVectors) : random.of(kScalars), "T", type.name));
    std::string expression = with_operands(for_vectors(call, type, vector), operands);
    std::string value = as_int(expression, result_type(call, type), vector);
    switch (random.below(5)) {
    case 0:
      value = fmt::format("flag ? {} : n", value);
      break;
    case 1:
      value = fmt::format("(flag = n > {}) + {}", random.below(9), value);
      break;
    case 2:
      value = fmt::format("(v.x < w.x || !flag) ^ {}", value);
      break;
    default:
      break;
    }
    text += fmt::format("  {{\n{}    put(out, i + {} * {}, {});\n  }}\n",
                        values_of(type.name, type.bits), kCallItems, k, value);
  }
  return text + "}\n";
}

std::string random_loops(std::uint32_t seed, unsigned statements) {
  static constexpr const char* kTypes[] = {"int", "uint", "long", "size_t", "short", "uchar"};
  static constexpr const char* kNumbers[] = {
      "0", "1", "2", "16", "18", "-1", "n", "(n & 3)", "id", "size", "size / 2", "(u + 1)", "u"};
  static constexpr const char* kSteps[] = {"++j",     "--j",    "j += 2",  "j += 4",       "j -= 2",
                                           "j >>= 1", "j /= 2", "j <<= 1", "j = j * 2 + 1"};
  static constexpr const char* kComparisons[] = {"<", "<=", ">", ">=", "!="};
  Random random(seed);
  std::string text = "kernel void test(global int* out, global const uint* in) {\n"
                     "  const int i = get_global_id(0), n = (int)(in[i] & 31) - 8;\n"
                     "  const int id = get_local_id(0), size = get_local_size(0);\n"
                     "  const uint u = in[i + 1] & 7;\n";
  for (unsigned k = 0; k < statements; ++k) {
    const std::string type = random.of(kTypes);
    text += fmt::format("  {{\n    uint s = 0;\n    int left = 40;\n    {0} bound = {1};\n", type,
                        random.of(kNumbers));
    if (random.below(3) == 0)
      text += fmt::format("    if (bound {} {})\n", random.of(kComparisons), random.of(kNumbers));
    // `left` ends what does not end by itself.
    text += fmt::format(
        "    for ({0} j = {1}; j {2} {3}; {4}) {{\n      if (left-- == 0)\n        break;\n"
        "      s = s * 3 + (uint)j + (j {5} {6});\n    }}\n"
        "    out[i + {7}] = (int)s + left;\n  }}\n",
        type, random.of(kNumbers), random.of(kComparisons),
        random.below(2) == 0 ? "bound" : random.of(kNumbers), random.of(kSteps),
        random.of(kComparisons), random.of(kNumbers), k * kCallItems);
  }
  return text + "}\n";
}

std::string all_calls(bool half) {
  std::string text = half ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "";
  for (const Type& type : kIntegers)
    text += functions_of(type.name) + folds_of(type.name);
  for (const char* type : {"float", "half"})
    if (half || type != std::string("half"))
      text += functions_of(type) + folds_of(type);
  const auto kernel = [&](const Type& type, const auto& calls) {
    text += fmt::format("kernel void test_{}(global int* out, global const uint* in) {{\n"
                        "  const int i = get_global_id(0);\n  const int n = in[i] & 15;\n{}",
                        type.name, values_of(type.name, type.bits));
    for (const bool vector : {false, true}) {
      std::vector<std::string> all;
      if (vector)
        all.assign(std::begin(kVectors), std::end(kVectors));
      else
        all.assign(std::begin(kScalars), std::end(kScalars));
      unsigned at = 0; // so that each kind stands in each place somewhere
      for (const std::string call : calls)
        for (unsigned i = 0; i < 3; ++i, ++at) {
          const auto operand = [&](unsigned o) {
            return replaced(all[(at + o * 5) % all.size()], "T", type.name);
          };
          text += fmt::format("  out[i] ^= {};\n",
                              as_int(with_operands(for_vectors(call, type, vector),
                                                   {operand(0), operand(1), operand(2)}),
                                     result_type(call, type), vector));
        }
    }
    text += "}\n";
  };
  for (const Type& type : kIntegers)
    kernel(type, kOfIntegers);
  kernel({"float", "uint", 32, true}, kOfReals);
  if (half)
    kernel({"half", "ushort", 16, true}, kOfReals);
  return text;
}

} // namespace gputest::tests
