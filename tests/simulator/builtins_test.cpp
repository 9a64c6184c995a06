// OpenCL's built-in functions on all that is unusual, with every check: nothing inside of one may
// be reported, whatever it shifts by and wherever it looks. GPUTEST_ALL_BUILTINS tries every type
// and width.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include "ir/builtins.h"
#include "ir/plain_atomics.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <set>

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;

namespace {

using Names = std::vector<std::string>;

struct Scalar {
  std::string name;
  unsigned size = 1;
  bool is_float = false, is_signed = false;
};
const std::vector<Scalar> kIntegers{
    {"char", 1, false, true}, {"uchar", 1}, {"short", 2, false, true}, {"ushort", 2},
    {"int", 4, false, true},  {"uint", 4},  {"long", 8, false, true},  {"ulong", 8}};
const std::vector<Scalar> kFloats{{"float", 4, true, true}, {"double", 8, true, true}};

bool all_types() {
  return std::getenv("GPUTEST_ALL_BUILTINS") != nullptr;
}

// One type after the other, numbers and vectors in turn.
std::vector<unsigned> widths(std::size_t type) {
  return all_types() ? std::vector<unsigned>{1, 2, 3, 4, 8, 16}
                     : std::vector<unsigned>{type % 2 ? 1U : 3U};
}

std::string type_name(const std::string& scalar, unsigned width) {
  return width == 1 ? scalar : scalar + std::to_string(width);
}

// Text of values at which functions change what they do.
Names edges(const Scalar& scalar) {
  if (scalar.is_float)
    return {"0.0f",
            "-0.0f",
            "1.0f",
            "-1.0f",
            "0.5f",
            "2.0f",
            "-2.5f",
            "3.14159f",
            "1e-3f",
            "100.25f",
            "1e10f",
            "-1e30f",
            "3.4e38f",
            "1e-38f",
            "1e-44f",
            "__builtin_inff()",
            "-__builtin_inff()",
            "__builtin_nanf(\"\")",
            "8388609.0f",
            "-0.99f",
            "1e5f",
            "-16777216.0f",
            "88.8f",
            "-104.0f",
            "0.25f",
            "33.0f"};
  const std::string low =
      scalar.is_signed ? fmt::format("((({0})1 << {1}))", scalar.name, 8 * scalar.size - 1) : "0";
  Names values{"0",
               "1",
               "2",
               "3",
               "7",
               "31",
               "100",
               fmt::format("({})-1", scalar.name),
               fmt::format("({0})(~{1})", scalar.name, low),
               fmt::format("({})-100", scalar.name)};
  if (scalar.is_signed)
    values.push_back(fmt::format("({0})({1})", scalar.name, low));
  return values;
}

// A program of calls: x, y, z are edges of the type in every combination of x and y.
struct Calls {
  Scalar scalar;
  unsigned width = 1;
  Names calls; // "int: ilogb(x)": the result's type; without one that of the arguments
  std::string private_variables;
};

// Constants are values of a constant array: nothing is computed by the compiler.
std::string text_of(const Calls& program) {
  const Names values = edges(program.scalar);
  const std::string type = type_name(program.scalar.name, program.width);
  std::string text = fmt::format("constant {} edges[{}] = {{{}}};\n", program.scalar.name,
                                 values.size(), fmt::join(values, ", "));
  text += fmt::format("kernel void k(global uchar* out) {{\n"
                      "int i = get_global_id(0);\n"
                      "{} x, y, z;\n",
                      type);
  for (unsigned i = 0; i < program.width; ++i)
    for (const char name : {'x', 'y', 'z'})
      text += fmt::format("{}{} = edges[(i {} + {}) % {}];\n", name,
                          program.width == 1 ? "" : fmt::format(".s{:x}", i),
                          name == 'x'   ? ""
                          : name == 'y' ? fmt::format("/ {}", values.size())
                                        : "* 7",
                          name == 'x' ? i : 2 * i, values.size());
  text += program.private_variables;
  for (const std::string& call : program.calls) {
    const std::size_t colon = call.find(": ");
    const std::string result = colon == std::string::npos ? type : call.substr(0, colon);
    text += fmt::format("*(global {}*)(out + 128 * i) = {};\n", result,
                        colon == std::string::npos ? call : call.substr(colon + 2));
  }
  return text + "}\n";
}

// "" or what was found, with the calls.
std::string findings_of(const Calls& program) {
  const std::size_t items = edges(program.scalar).size() * edges(program.scalar).size();
  std::vector<std::string> checks{"races", "barriers", "bounds", "arithmetic", "overflow"};
  if (all_types() || (program.width == 1 && program.scalar.size == 4)) // takes most of the time
    checks.emplace_back("uninitialized");
  const Ran ran = run({.text = text_of(program),
                       .global_size = items,
                       .local_size = 1,
                       .arguments = {buffer(std::vector<std::byte>(128 * items))},
                       .checks = checks,
                       .in_full = all_types()});
  std::string text;
  for (const Finding& finding : ran.result.findings)
    text += fmt::format("{} of {}: {}\n{}\n", type_name(program.scalar.name, program.width),
                        finding.kind, finding.message,
                        finding.site.line ? std::to_string(finding.site.line) : "?");
  return text.empty() ? "" : text + text_of(program);
}

void check(const Scalar& scalar, unsigned width, const Names& calls,
           const std::string& variables = "") {
  constexpr std::size_t kInOneKernel = 12;
  for (std::size_t first = 0; first < calls.size(); first += kInOneKernel) {
    const auto last = std::min(calls.size(), first + kInOneKernel);
    const std::string found = findings_of({scalar, width,
                                           Names(calls.begin() + static_cast<std::ptrdiff_t>(first),
                                                 calls.begin() + static_cast<std::ptrdiff_t>(last)),
                                           variables});
    CHECK(found == "");
  }
}

Names called(const Names& functions, const std::string& arguments) {
  Names calls;
  for (const std::string& function : functions)
    calls.push_back(function + "(" + arguments + ")");
  return calls;
}

Names operator+(Names left, const Names& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

} // namespace

TEST_CASE("Math functions work as they like") {
  const Names one{"acos",    "acosh",   "acospi", "asin",  "asinh", "asinpi", "atan",   "atanh",
                  "atanpi",  "cbrt",    "ceil",   "cos",   "cosh",  "cospi",  "erf",    "erfc",
                  "exp",     "exp2",    "exp10",  "expm1", "fabs",  "floor",  "lgamma", "log",
                  "log2",    "log10",   "log1p",  "logb",  "rint",  "round",  "rsqrt",  "sin",
                  "sinh",    "sinpi",   "sqrt",   "tan",   "tanh",  "tanpi",  "tgamma", "trunc",
                  "degrees", "radians", "sign"};
  const Names two{"atan2", "atan2pi",   "copysign", "fdim",   "fmax",      "fmin",
                  "fmod",  "hypot",     "maxmag",   "minmag", "nextafter", "pow",
                  "powr",  "remainder", "max",      "min",    "step"};
  const Names three{"fma", "mad", "clamp", "mix", "smoothstep"};
  for (const Scalar& scalar : kFloats)
    for (const unsigned width : widths(1)) {
      const std::string ints = type_name("int", width);
      check(scalar, width,
            called(one, "x") + called(two, "x, y") + called(three, "x, y, z") +
                Names{fmt::format("{}: ilogb(x)", ints), "fract(x, &p)", "modf(x, &p)",
                      "sincos(x, &p)", "frexp(x, &q)", "lgamma_r(x, &q)", "remquo(x, y, &q)",
                      fmt::format("pown(x, ({})(3))", ints), "pown(x, -n)", "rootn(x, n)",
                      "ldexp(x, n)", "ldexp(x, n * 100)"},
            fmt::format("{} p; {} q, n = ({})(i % 13 - 6);\n", type_name(scalar.name, width), ints,
                        ints));
    }
}

TEST_CASE("Half and native functions work as they like") {
  const Names both{"cos",   "exp",   "exp2",  "exp10", "log",  "log2",
                   "log10", "recip", "rsqrt", "sin",   "sqrt", "tan"};
  Names calls;
  for (const std::string& name : both)
    calls = calls + Names{"half_" + name + "(x)", "native_" + name + "(x)"};
  for (const char* prefix : {"half_", "native_"})
    calls = calls + Names{prefix + std::string("divide(x, y)"), prefix + std::string("powr(x, y)")};
  check(kFloats[0], 1, calls);
}

TEST_CASE("Integer functions work as they like") {
  const auto index_of = [](const Scalar& scalar) {
    return static_cast<std::size_t>(&scalar - kIntegers.data());
  };
  for (const Scalar& scalar : kIntegers)
    for (const unsigned width : widths(index_of(scalar) + index_of(scalar) / 2)) {
      const std::string name = scalar.is_signed ? "u" + scalar.name : scalar.name;
      const std::string unsigned_type = type_name(name, width);
      Names calls =
          called({"clz", "popcount"}, "x") +
          called({"add_sat", "hadd", "rhadd", "max", "min", "mul_hi", "rotate", "sub_sat"},
                 "x, y") +
          called({"mad_hi", "mad_sat", "bitselect"}, "x, y, z") +
          Names{unsigned_type + ": abs(x)", unsigned_type + ": abs_diff(x, y)",
                "clamp(x, min(y, z), max(y, z))",
                fmt::format("select(x, y, as_{}(z))", unsigned_type)};
      if (scalar.size == 4)
        calls = calls + Names{"mul24(x, y)", "mad24(x, y, z)"};
      if (scalar.size < 8)
        calls.push_back(fmt::format("{}: upsample(x, as_{}(y))",
                                    type_name(kIntegers[index_of(scalar) + 2].name, width),
                                    unsigned_type));
      const std::string ints = type_name("int", 1);
      if (scalar.is_signed)
        calls = calls + Names{ints + ": any(x)", ints + ": all(x)"};
      check(scalar, width, calls);
    }
}

TEST_CASE("Geometric and relational functions work as they like") {
  for (const Scalar& scalar : kFloats)
    for (const unsigned width : {1U, 3U, 4U}) {
      const std::string whole = width == 1         ? "int"
                                : scalar.size == 4 ? type_name("int", width)
                                                   : type_name("long", width);
      Names calls{scalar.name + ": dot(x, y)", scalar.name + ": distance(x, y)",
                  scalar.name + ": length(x)", "normalize(x)", "bitselect(x, y, z)"};
      if (scalar.size == 4)
        calls = calls +
                Names{"float: fast_distance(x, y)", "float: fast_length(x)", "fast_normalize(x)"};
      if (width > 1)
        calls.push_back("cross(x, y)");
      for (const char* name : {"isequal", "isnotequal", "isgreater", "isgreaterequal", "isless",
                               "islessequal", "islessgreater", "isordered", "isunordered"})
        calls.push_back(whole + ": " + name + "(x, y)");
      for (const char* name : {"isfinite", "isinf", "isnan", "isnormal", "signbit"})
        calls.push_back(whole + ": " + name + "(x)");
      check(scalar, width, calls);
    }
}

TEST_CASE("Conversions work as they like") {
  std::vector<Scalar> all = kIntegers;
  all.insert(all.end(), kFloats.begin(), kFloats.end());
  const Names roundings =
      all_types() ? Names{"", "_rte", "_rtz", "_rtp", "_rtn"} : Names{"", "_rtp"};
  unsigned number = 0; // otherwise one of three, which are others for each type
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const unsigned width : widths(i)) {
      Names calls;
      for (const Scalar& to : all) {
        const std::string type = type_name(to.name, width);
        for (const std::string& rounding : roundings)
          for (const char* sat : {"", "_sat"})
            if ((!to.is_float || !*sat) && (all_types() || number++ % 3 == 0))
              calls.push_back(fmt::format("{0}: convert_{0}{1}{2}(x)", type, sat, rounding));
      }
      check(all[i], width, calls);
    }
}

TEST_CASE("Loads, stores and shuffles of vectors work as they like") {
  std::vector<Scalar> all = kIntegers;
  all.insert(all.end(), kFloats.begin(), kFloats.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all_types() && i % 3 != 0) // a type of each size
      continue;
    const Scalar& scalar = all[i];
    const std::string& type = scalar.name;
    Names calls;
    std::string stores = fmt::format("{} a[16]; local {} t[16];\n"
                                     "global {}* o = (global {}*)(out + 128 * i);\n",
                                     type, type, type, type);
    for (const unsigned width : {2U, 3U, 4U, 8U, 16U}) {
      const std::string vector = type_name(type, width);
      for (const char* place : {"a", "t", "o"})
        stores += fmt::format("vstore{}(({})(x), 0, {});\n", width, vector, place);
      for (const char* place : {"a", "t", "o", "edges"})
        if (std::string(place) != "edges" || width < 9)
          calls.push_back(fmt::format("{}: vload{}(0, {})", vector, width, place));
    }
    const std::string mask = (scalar.is_float    ? (scalar.size == 4 ? "uint" : "ulong")
                              : scalar.is_signed ? "u" + type
                                                 : type) +
                             "4";
    calls.push_back(fmt::format("{0}4: shuffle(({0}4)(x), ({1})(i))", type, mask));
    calls.push_back(fmt::format("{0}4: shuffle2(({0}4)(x), ({0}4)(y), ({1})(i))", type, mask));
    check(scalar, 1, calls, stores);
  }
  Names halves;
  std::string stores = "ushort bits[16];\nfor (int n = 0; n < 16; ++n) bits[n] = 0;\n"
                       "half* h = (half*)bits;\n";
  for (const char* rounding : {"", "_rte", "_rtz", "_rtp", "_rtn"}) {
    stores += fmt::format("vstore_half{}(x, 0, h);\n", rounding);
    for (const unsigned width : {2U, 3U, 4U, 8U, 16U})
      stores += fmt::format("vstore_half{}{}((float{})(x), 0, h);\n", width, rounding, width);
  }
  halves.emplace_back("vload_half(0, h)");
  for (const unsigned width : {2U, 3U, 4U, 8U, 16U})
    halves.push_back(fmt::format("float{0}: vload_half{0}(0, h)", width));
  check(kFloats[0], 1, halves, stores);
}

TEST_CASE("Atomic functions work as they like, 64 bits wide as well") {
  const auto all = [](const Scalar& scalar, const std::string& prefix) {
    Names calls;
    for (const char* place : {"t", "o"}) {
      for (const char* name : {"add", "sub", "xchg", "min", "max", "and", "or", "xor"})
        calls.push_back(fmt::format("{}_{}({}, x)", prefix, name, place));
      for (const char* name : {"inc", "dec"})
        calls.push_back(fmt::format("{}_{}({})", prefix, name, place));
      calls.push_back(fmt::format("{}_cmpxchg({}, x, y)", prefix, place));
    }
    check(scalar, 1, calls,
          fmt::format("local {0} t[1]; t[0] = x;\n"
                      "global {0}* o = (global {0}*)(out + 128 * i + 64);\n",
                      scalar.name));
  };
  for (std::size_t i = 4; i < 8; ++i) {
    all(kIntegers[i], "atom");
    if (kIntegers[i].size == 4)
      all(kIntegers[i], "atomic");
  }
  check(kFloats[0], 1, {"atomic_xchg(t, x)"}, "local float t[1]; t[0] = x;\n");
}

TEST_CASE("atomic functions that need no libclc are those of libclc") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic message;
  const auto library = llvm::getLazyIRFileModule(libclc_file(), message, context);
  REQUIRE(library);
  llvm::Module module("own", context);
  std::set<std::string> names;
  for (const std::string operation :
       {"add", "sub", "xchg", "min", "max", "and", "or", "xor", "inc", "dec", "cmpxchg"})
    for (const int space : {1, 3})
      for (const std::string type : {"i", "j"}) {
        std::string types = type;
        if (operation != "inc" && operation != "dec")
          types += operation == "cmpxchg" ? type + type : type;
        names.insert(
            fmt::format("_Z{}atomic_{}PU3AS{}V{}", operation.size() + 7, operation, space, types));
      }
  for (const std::string& name : names) {
    const llvm::Function* const known = library->getFunction(name);
    REQUIRE(known);
    module.getOrInsertFunction(name, known->getFunctionType());
  }
  define_plain_atomics(module);
  const auto body = [](llvm::Function& function) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      stream << instruction << '\n';
    return text;
  };
  for (const std::string& name : names) {
    INFO(name);
    llvm::Function& known = *library->getFunction(name);
    llvm::cantFail(known.materialize());
    CHECK(body(*module.getFunction(name)) == body(known));
  }
}

TEST_CASE("Functions of vectors take scalars where OpenCL C has them") {
  for (const std::string type : {"float", "double", "half"}) {
    std::string body;
    for (const int width : {2, 3, 4, 8, 16}) {
      const std::string vector = type + std::to_string(width);
      body +=
          fmt::format("{{ const {0} x = ({0})(({1})1.5), l = ({0})(({1})1), h = ({0})(({1})3);\n",
                      vector, type);
      for (const auto& [mixed, whole] : {std::pair{"clamp(x, l.x, h.x)", "clamp(x, l, h)"},
                                         {"max(x, h.x)", "max(x, h)"},
                                         {"min(x, l.x)", "min(x, l)"},
                                         {"fmax(x, h.x)", "fmax(x, h)"},
                                         {"fmin(x, l.x)", "fmin(x, l)"},
                                         {"mix(l, h, x.x / h.x)", "mix(l, h, x / h)"},
                                         {"step(h.x, x)", "step(h, x)"},
                                         {"smoothstep(l.x, h.x, x)", "smoothstep(l, h, x)"}})
        body += fmt::format("out[0] += any({} != {}); out[1] += 1;\n", mixed, whole);
      body += "}\n";
    }
    const Ran ran = run({.text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                                 "kernel void k(global int* out) {\n" +
                                 body + "}\n",
                         .global_size = 1,
                         .local_size = 1,
                         .arguments = {buffer(std::vector<int>(2))}});
    CAPTURE(type);
    CHECK(ran.values<int>(0) == std::vector{0, 40});
  }
}
