// Work-group functions, C11 atomics and sub-groups of OpenCL C 2.0 in the simulator, beside plain
// C++: every function on every type.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>

using namespace gputest::simulator;
using namespace gputest::simulator::tests;

namespace {

const std::vector<std::string> kEveryCheck{"races",         "barriers",   "bounds",
                                           "uninitialized", "arithmetic", "overflow"};

// Small whole numbers, which all types hold: sums do not depend on the type. As text.
struct Type {
  const char* name;
  std::int64_t lowest, highest; // what min and max of nothing are
};
constexpr std::int64_t kInfinity = std::int64_t{1} << 40; // stands for it in results
const Type kTypes[] = {{"int", INT32_MIN, INT32_MAX},    {"uint", 0, UINT32_MAX},
                       {"long", INT64_MIN, INT64_MAX},   {"ulong", 0, -1},
                       {"half", -kInfinity, kInfinity},  {"float", -kInfinity, kInfinity},
                       {"double", -kInfinity, kInfinity}};

std::int64_t value_of(std::size_t item, bool is_unsigned) {
  const auto value = static_cast<std::int64_t>(item * 7 % 13);
  return is_unsigned ? value : value - 6;
}

enum class Kind { Reduce, Inclusive, Exclusive };

std::int64_t expected_of(const std::vector<std::int64_t>& values, std::size_t item, Kind kind,
                         const std::string& operation, const Type& type) {
  const std::size_t end = kind == Kind::Reduce      ? values.size()
                          : kind == Kind::Inclusive ? item + 1
                                                    : item;
  if (end == 0)
    return operation == "add" ? 0 : operation == "min" ? type.highest : type.lowest;
  std::int64_t result = values[0];
  for (std::size_t i = 1; i < end; ++i)
    result = operation == "add"   ? result + values[i]
             : operation == "min" ? std::min(result, values[i])
                                  : std::max(result, values[i]);
  return result;
}

struct Call {
  std::string text, operation;
  Kind kind;
};
std::vector<Call> calls_of(const std::string& group) {
  std::vector<Call> calls;
  for (const char* operation : {"add", "min", "max"}) {
    calls.push_back({group + "_reduce_" + operation + "(x)", operation, Kind::Reduce});
    calls.push_back({group + "_scan_inclusive_" + operation + "(x)", operation, Kind::Inclusive});
    calls.push_back({group + "_scan_exclusive_" + operation + "(x)", operation, Kind::Exclusive});
  }
  return calls;
}

std::string gather_text(const Type& type, const std::vector<Call>& calls,
                        const std::string& others) {
  std::string text = fmt::format("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                                 "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
                                 "long whole({0} x) {{ return {1}; }}\n"
                                 "kernel void k(global const long* in, global long* out) {{\n"
                                 "const size_t i = get_global_id(0);\n"
                                 "const {0} x = ({0})in[i];\n",
                                 type.name,
                                 type.highest == kInfinity
                                     ? "isinf(x) ? (x > 0 ? 1L << 40 : -(1L << 40)) : (long)x"
                                     : "(long)x");
  for (std::size_t c = 0; c < calls.size(); ++c)
    text += fmt::format("out[16 * i + {}] = whole({});\n", c, calls[c].text);
  return text + others + "}\n";
}

bool is_unsigned(const Type& type) {
  return type.name[0] == 'u';
}

std::string wrong_numbers(const std::vector<std::int64_t>& results, const std::vector<Call>& calls,
                          const Type& type, std::size_t items, std::size_t size) {
  std::string wrong;
  for (std::size_t first = 0; first < items; first += size) {
    std::vector<std::int64_t> values;
    for (std::size_t i = first; i < std::min(first + size, items); ++i)
      values.push_back(value_of(i, is_unsigned(type)));
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t c = 0; c < calls.size(); ++c) {
        const std::int64_t expected =
            expected_of(values, i, calls[c].kind, calls[c].operation, type);
        if (results[16 * (first + i) + c] != expected && wrong.size() < 1000)
          wrong += fmt::format("{} of {}, item {}: {} instead of {}\n", calls[c].text, type.name,
                               first + i, results[16 * (first + i) + c], expected);
      }
  }
  return wrong;
}

std::vector<std::int64_t> inputs(std::size_t items, const Type& type) {
  std::vector<std::int64_t> in;
  for (std::size_t i = 0; i < items; ++i)
    in.push_back(value_of(i, is_unsigned(type)));
  return in;
}

} // namespace

TEST_CASE("Work-group functions give what the group's values give") {
  const std::vector<Call> calls = calls_of("work_group");
  for (const Type& type : kTypes)
    for (const bool checked : {false, true}) {
      const std::size_t items = 36, size = 12;
      const Ran ran =
          run({.text = gather_text(type, calls,
                                   "out[16 * i + 9] = whole(work_group_broadcast(x, 5));\n"
                                   "out[16 * i + 10] = work_group_all(in[i] < 6);\n"
                                   "out[16 * i + 11] = work_group_any(in[i] == 6);\n"
                                   "out[16 * i + 12] = work_group_all(1);\n"
                                   "out[16 * i + 13] = work_group_any(0);\n"),
               .global_size = items,
               .local_size = size,
               .arguments = {buffer(inputs(items, type)),
                             buffer(std::vector<std::int64_t>(items * 16))},
               .checks = checked ? kEveryCheck : std::vector<std::string>{},
               .cl_std = checked ? "CL3.0" : "CL2.0"});
      CHECK(ran.findings() == "");
      const auto results = ran.values<std::int64_t>(1);
      CHECK(wrong_numbers(results, calls, type, items, size) == "");
      for (std::size_t i = 0; i < items; ++i) {
        bool all = true, any = false;
        for (std::size_t k = i / size * size; k < i / size * size + size; ++k) {
          all = all && value_of(k, is_unsigned(type)) < 6;
          any = any || value_of(k, is_unsigned(type)) == 6;
        }
        const std::vector<std::int64_t> expected{value_of(i / size * size + 5, is_unsigned(type)),
                                                 all, any, 1, 0};
        CHECK(std::vector(results.begin() + static_cast<std::ptrdiff_t>(16 * i + 9),
                          results.begin() + static_cast<std::ptrdiff_t>(16 * i + 14)) == expected);
      }
    }
}

TEST_CASE("A work-group function that not all reach is a barrier that not all reach") {
  const Ran ran = run({.text = "kernel void k(global int* out) {\n"
                               "if (get_local_id(0) < 3)\n"
                               "out[get_global_id(0)] = work_group_reduce_add(1);\n}\n",
                       .global_size = 4,
                       .local_size = 4,
                       .arguments = {buffer(std::vector<int>(4))},
                       .checks = {"barriers"},
                       .cl_std = "CL2.0"});
  CHECK(ran.findings() == "divergent_barrier 3\n");
}

TEST_CASE("A work-group function is no fence") {
  const auto findings = [](const std::string& between) {
    return run({.text = "kernel void k(global int* out, local int* t) {\n"
                        "const int i = get_local_id(0);\nt[i] = i;\n" +
                        between + "\nout[i] = t[3 - i];\n}\n",
                .global_size = 4,
                .local_size = 4,
                .arguments = {buffer(std::vector<int>(4)), local(16)},
                .checks = {"races"},
                .cl_std = "CL2.0"})
        .findings();
  };
  CHECK(findings("work_group_all(1);") != "");
  CHECK(findings("work_group_barrier(CLK_LOCAL_MEM_FENCE);") == "");
}

TEST_CASE("Sub-groups are 32 work-items that follow each other") {
  const std::vector<Call> calls = calls_of("sub_group");
  for (const Type& type : kTypes)
    for (const bool checked : {false, true}) {
      const std::size_t items = 70;
      const Ran ran =
          run({.text = gather_text(
                   type, calls,
                   "out[16 * i + 9] = get_sub_group_size() + 100 * get_sub_group_id();\n"
                   "out[16 * i + 10] = get_sub_group_local_id();\n"
                   "out[16 * i + 11] = get_num_sub_groups() + 10 * "
                   "get_max_sub_group_size();\n"
                   "out[16 * i + 12] = whole(sub_group_broadcast(x, 2));\n"
                   "out[16 * i + 13] = sub_group_all(i < 64) + 2 * sub_group_any(i == 40);\n"
                   "out[16 * i + 14] = whole(sub_group_shuffle_xor(x, 1));\n"
                   "if (get_sub_group_id() == 1) // a sub-group alone\n"
                   "  out[16 * i + 15] = sub_group_reduce_add(1);\n"),
               .global_size = items,
               .local_size = items,
               .arguments = {buffer(inputs(items, type)),
                             buffer(std::vector<std::int64_t>(items * 16))},
               .checks = checked ? kEveryCheck : std::vector<std::string>{},
               .cl_std = checked ? "CL3.0" : "CL2.0"});
      CHECK(ran.findings() == "");
      const auto results = ran.values<std::int64_t>(1);
      CHECK(wrong_numbers(results, calls, type, items, 32) == "");
      for (std::size_t i = 0; i < items; ++i) {
        const std::size_t id = i / 32, size = id == 2 ? 6 : 32;
        const std::vector<std::int64_t> expected{static_cast<std::int64_t>(size + 100 * id),
                                                 static_cast<std::int64_t>(i % 32),
                                                 3 + 10 * 32,
                                                 value_of(id * 32 + 2, is_unsigned(type)),
                                                 (id < 2) + 2 * (id == 1),
                                                 value_of(i ^ 1, is_unsigned(type)),
                                                 id == 1 ? 32 : 0};
        CHECK(std::vector(results.begin() + static_cast<std::ptrdiff_t>(16 * i + 9),
                          results.begin() + static_cast<std::ptrdiff_t>(16 * i + 16)) == expected);
      }
    }
}

TEST_CASE("A barrier of a sub-group orders its work-items only") {
  const auto findings = [](int other) {
    return run({.text = fmt::format("#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
                                    "kernel void k(global int* out, local int* t) {{\n"
                                    "const int i = get_local_id(0);\nt[i] = i;\n"
                                    "sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "out[i] = t[i ^ {}];\n}}\n",
                                    other),
                .global_size = 64,
                .local_size = 64,
                .arguments = {buffer(std::vector<int>(64)), local(256)},
                .checks = {"races"},
                .cl_std = "CL2.0"})
        .findings();
  };
  CHECK(findings(31) == "");
  CHECK(findings(32) != "");
}

TEST_CASE("C11 atomics of every type, order and scope change memory as they should") {
  struct Atomic {
    const char *name, *type;
    bool is_float;
  };
  const Atomic atomics[] = {{"atomic_int", "int", false},    {"atomic_uint", "uint", false},
                            {"atomic_long", "long", false},  {"atomic_ulong", "ulong", false},
                            {"atomic_float", "float", true}, {"atomic_double", "double", true}};
  const std::array<const char*, 4> orders{"relaxed", "acquire", "release", "acq_rel"};
  const std::array<const char*, 3> scopes{"work_group", "device", "all_svm_devices"};
  // All places with and without checks take long; simulator.every_builtin has them without checks.
  const bool in_full = std::getenv("GPUTEST_RANDOM") != nullptr;
  for (std::size_t number_of_type = 0; number_of_type < std::size(atomics); ++number_of_type) {
    const Atomic& atomic = atomics[number_of_type];
    for (const bool is_local : {false, true}) {
      if (!in_full && is_local != (number_of_type % 2 == 1))
        continue;
      const char* const place = is_local ? "local" : "global";
      std::vector<std::int64_t> expected;
      std::string text;
      unsigned number = 0;
      // Each call begins with 12, and is followed by what it returned and what it left.
      const auto add = [&](const std::string& call, std::int64_t result, std::int64_t left) {
        text += fmt::format(
            "atomic_init(at, V(12)); out[{}] = (long)({}); out[{}] = (long)atomic_load(at);\n",
            number, call, number + 1);
        number += 2;
        expected.push_back(result), expected.push_back(left);
      };
      const auto with_all = [&](const std::string& name, const std::string& value,
                                std::int64_t result, std::int64_t left) {
        add(fmt::format("{}(at, V({}))", name, value), result, left);
        for (const char* order : orders) {
          add(fmt::format("{}_explicit(at, V({}), memory_order_{})", name, value, order), result,
              left);
          for (const char* scope : scopes)
            add(fmt::format("{}_explicit(at, V({}), memory_order_{}, memory_scope_{})", name, value,
                            order, scope),
                result, left);
        }
      };
      with_all("atomic_fetch_add", "5", 12, 17);
      with_all("atomic_fetch_sub", "5", 12, 7);
      with_all("atomic_fetch_min", "5", 12, 5);
      with_all("atomic_fetch_max", "15", 12, 15);
      with_all("atomic_exchange", "3", 12, 3);
      if (!atomic.is_float) {
        with_all("atomic_fetch_or", "3", 12, 15);
        with_all("atomic_fetch_and", "6", 12, 4);
        with_all("atomic_fetch_xor", "5", 12, 9);
      }
      for (const char* name : {"atomic_compare_exchange_strong", "atomic_compare_exchange_weak"})
        for (const int old : {12, 13}) {
          const bool same = old == 12;
          for (const std::string& end :
               {std::string(")"), std::string(", memory_order_acq_rel, memory_order_acquire)"),
                std::string(
                    ", memory_order_relaxed, memory_order_relaxed, memory_scope_device)")}) {
            const std::string suffix = end == ")" ? "" : "_explicit";
            add(fmt::format("expected = {}, {}{}(at, &expected, V(4){}", old, name, suffix, end),
                same, same ? 4 : 12);
            add("expected", 12, 12);
          }
        }
      add("(atomic_store(at, V(2)), 1)", 1, 2);
      add("(atomic_store_explicit(at, V(2), memory_order_release, memory_scope_device), 1)", 1, 2);
      add("atomic_load_explicit(at, memory_order_acquire, memory_scope_work_group)", 12, 12);
      for (const bool with_checks : {false, true}) {
        if (!in_full && with_checks != (number_of_type % 4 == 0 || number_of_type % 4 == 3))
          continue;
        const Ran ran = run(
            {.text = fmt::format("#define V(number) (({3})(number))\n"
                                 "kernel void k(global {0}* g, local {0}* l, global long* out) {{\n"
                                 "{1} {0}* at = {2};\n{3} expected;\n{4}}}\n",
                                 atomic.name, place, place[0], atomic.type, text),
             .arguments = {buffer(std::vector<std::int64_t>(1)), local(8),
                           buffer(std::vector<std::int64_t>(expected.size()))},
             .checks = with_checks ? kEveryCheck : std::vector<std::string>{},
             .cl_std = with_checks ? "CL2.0" : "CL3.0"});
        CHECK(ran.findings() == "");
        CHECK(ran.values<std::int64_t>(2) == expected);
      }
    }
  }
}

TEST_CASE("Flags are set once") {
  const Ran ran =
      run({.text = "kernel void k(global atomic_flag* flag, global int* out) {\n"
                   "out[0] = atomic_flag_test_and_set(flag);\n"
                   "out[1] = atomic_flag_test_and_set_explicit(flag, memory_order_acquire);\n"
                   "atomic_flag_clear_explicit(flag, memory_order_release, "
                   "memory_scope_device);\n"
                   "out[2] = atomic_flag_test_and_set_explicit(flag, memory_order_acq_rel, "
                   "memory_scope_device);\n"
                   "atomic_flag_clear(flag);\n}\n",
           .arguments = {buffer(std::vector<int>{0}), buffer(std::vector<int>(3))},
           .checks = kEveryCheck,
           .cl_std = "CL2.0"});
  CHECK(ran.findings() == "");
  CHECK(ran.values<int>(1) == std::vector<int>{0, 1, 0});
  CHECK(ran.values<int>(0) == std::vector<int>{0});
}

TEST_CASE("What a kernel expects does not change its values") {
  for (const auto& checks : {std::vector<std::string>(), kEveryCheck}) {
    const Ran ran =
        run({.text = "kernel void k(global int* out) {\n"
                     "if (__builtin_expect(out[0] == 3, 1))\n"
                     "  out[0] = __builtin_expect_with_probability(out[0] + 1, 9, 0.5);\n"
                     "}\n",
             .arguments = {buffer(std::vector<int>{3})},
             .checks = checks,
             .cl_std = "CL3.0"});
    CHECK(ran.values<int>(0) == std::vector<int>{4});
  }
}

TEST_CASE("ctz counts the zeros below the lowest one, and all bits of 0") {
  const Ran ran =
      run({.text = "kernel void k(global const int* in, global int* out) {\n"
                   "const int i = get_global_id(0);\n"
                   "out[4 * i] = ctz(in[i]);\nout[4 * i + 1] = ctz((char)in[i]);\n"
                   "out[4 * i + 2] = ctz((ulong)in[i] << 32);\n"
                   "out[4 * i + 3] = ctz((ushort2)(1, in[i])).y;\n}\n",
           .global_size = 4,
           .local_size = 1,
           .arguments = {buffer(std::vector<int>{0, 1, 8, 1 << 20}), buffer(std::vector<int>(16))},
           .cl_std = "CL2.0"});
  CHECK(ran.values<int>(1) ==
        std::vector<int>{32, 8, 64, 16, 0, 0, 32, 0, 3, 3, 35, 3, 20, 8, 52, 16});
}
