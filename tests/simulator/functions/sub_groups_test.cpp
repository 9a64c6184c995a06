// Sub-groups: their size, functions that not all work-items call, and those of Intel's extensions.
#include "ir/error.h"
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include <fmt/format.h>

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;

namespace {

constexpr std::size_t kItems = 80;

// What `statements` leave in `x`, an int that begins as 3 * id; `a` is attributes.
std::vector<int> left(const std::string& statements, const std::string& a = "",
                      const std::string& cl_std = "CL3.0") {
  std::vector<int> in;
  for (std::size_t i = 0; i < kItems; ++i)
    in.push_back(static_cast<int>(3 * i));
  const Ran ran = run({.text = a +
                               "\nkernel void k(global int* in, global int* out) {\n"
                               "const uint id = get_global_id(0);\nint x = in[id];\n" +
                               statements + "\nout[id] = x;\n}\n",
                       .global_size = kItems,
                       .local_size = kItems,
                       .arguments = {buffer(in), buffer(std::vector<int>(kItems))},
                       .checks = {"races", "barriers", "bounds"},
                       .cl_std = cl_std});
  CHECK(ran.findings() == "");
  return ran.values<int>(1);
}

template <typename Value> std::vector<int> of_all(Value value) {
  std::vector<int> all;
  for (std::size_t i = 0; i < kItems; ++i)
    all.push_back(static_cast<int>(value(static_cast<unsigned>(i))));
  return all;
}

std::string sized(unsigned size) {
  return fmt::format("__attribute__((intel_reqd_sub_group_size({})))", size);
}

} // namespace

TEST_CASE("A sub-group has the size that the kernel requires") {
  for (const unsigned size : {8U, 16U, 32U, 64U}) {
    CHECK(left("x = get_max_sub_group_size() * 1000 + get_sub_group_id();", sized(size)) ==
          of_all([&](unsigned i) { return size * 1000 + i / size; }));
    CHECK(left("x = sub_group_scan_inclusive_add(1) * 100 + get_sub_group_size();", sized(size)) ==
          of_all([&](unsigned i) {
            return (i % size + 1) * 100 + std::min<unsigned>(size, kItems - i / size * size);
          }));
  }
  CHECK_THROWS_AS(left("x = get_sub_group_id();", sized(12)), SourceError);
}

TEST_CASE("Functions of sub-groups work in OpenCL C 1.2") {
  const std::string pragma = "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n";
  CHECK(left("x = sub_group_reduce_max(x);", pragma, "CL1.2") ==
        of_all([](unsigned i) { return 3 * std::min<unsigned>(i / 32 * 32 + 31, kItems - 1); }));
}

TEST_CASE("Masks, ballots and votes of sub-groups") {
  for (const unsigned size : {8U, 64U}) {
    const auto lane = [&](unsigned i) { return i % size; };
    CHECK(left("#define N(name) (popcount(get_sub_group_##name##_mask().x) + "
               "popcount(get_sub_group_##name##_mask().y))\n"
               "x = N(eq) + 65 * (N(lt) + 65 * (N(le) + 65 * (N(ge) + 65 * N(gt))));",
               sized(size)) == of_all([&](unsigned i) {
            const unsigned l = lane(i);
            return 1 + 65 * (l + 65 * (l + 1 + 65 * (size - l + 65 * (size - l - 1))));
          }));
    CHECK(left("const uint4 b = sub_group_ballot(get_sub_group_local_id() % 3 == 1); x = "
               "sub_group_inverse_ballot(b) + 2 * sub_group_ballot_bit_extract(b, 4) + 4 * "
               "sub_group_ballot_find_lsb(b);",
               sized(size)) == of_all([&](unsigned i) { return (lane(i) % 3 == 1) + 2 + 4; }));
  }
  CHECK(left("if (id & 1) x = sub_group_non_uniform_all(id & 1) + 2 * sub_group_non_uniform_any(id "
             "== 3) + 4 * sub_group_non_uniform_all_equal(id); else x = 8 + "
             "sub_group_non_uniform_all_equal(5);") ==
        of_all([](unsigned i) { return i & 1 ? 1 + 2 * (i < 32) : 9; }));
  CHECK(left("x = sub_group_non_uniform_reduce_logical_xor(id % 32 < 3) + 2 * "
             "sub_group_clustered_reduce_logical_and(id % 4 < 3, 2);") ==
        of_all([](unsigned i) { return 1 + 2 * (i % 4 < 2); }));
}

TEST_CASE("Vectors of sub-groups are broadcast whole") {
  CHECK(left("const short4 v = sub_group_broadcast((short4)(id, id + 1, id + 2, id + 3), 2); "
             "const double2 d = sub_group_non_uniform_broadcast((double2)(id, id + 0.5), 1); "
             "x = v.x + v.y + v.z + v.w + (int)(2 * (d.x + d.y));") == of_all([](unsigned i) {
          const unsigned first = i / 32 * 32;
          return 4 * (first + 2) + 6 + 4 * (first + 1) + 1;
        }));
}

TEST_CASE("Intel's shuffles and block reads") {
  for (const char* standard : {"CL1.2", "CL3.0"}) {
    const auto shuffled = [&](const std::string& statements) {
      return left(statements, sized(16), standard);
    };
    CHECK(shuffled("x = intel_sub_group_shuffle(x, 3);") ==
          of_all([](unsigned i) { return 3 * (i / 16 * 16 + 3); }));
    CHECK(shuffled("int2 v = intel_sub_group_shuffle_xor((int2)(x, 1), 5); x = v.x + v.y;") ==
          of_all([](unsigned i) { return 3 * (i ^ 5) + 1; }));
    CHECK(shuffled("x = intel_sub_group_shuffle_down(x, -x, 3);") == of_all([](unsigned i) {
            return i % 16 < 13 ? 3 * static_cast<int>(i + 3) : -3 * static_cast<int>(i + 3 - 16);
          }));
    CHECK(shuffled("x = intel_sub_group_shuffle_up(-x, x, 3);") == of_all([](unsigned i) {
            return i % 16 >= 3 ? 3 * static_cast<int>(i - 3) : -3 * static_cast<int>(i + 13);
          }));
  }
  CHECK(left("global uint* part = (global uint*)in + id / 16 * 16; x = "
             "intel_sub_group_block_read(part);",
             sized(16)) == of_all([](unsigned i) { return 3 * i; }));
  CHECK(left("uint2 v = 0; if (get_sub_group_id() == 1) v = intel_sub_group_block_read2((global "
             "uint*)in + 4); x = v.x + 1000 * v.y;",
             sized(8)) ==
        of_all([](unsigned i) { return i / 8 == 1 ? 3 * (i - 8 + 4) + 3000 * (i - 8 + 12) : 0; }));
  CHECK(left("local ushort t[96]; intel_sub_group_block_write_us2((global ushort*)out + id / 16 * "
             "32, (ushort2)(id, id + 100)); sub_group_barrier(CLK_GLOBAL_MEM_FENCE); x = "
             "((global ushort*)out)[id / 16 * 32 + id % 16 * 2] + 1; "
             "sub_group_barrier(CLK_GLOBAL_MEM_FENCE);",
             sized(16)) == of_all([](unsigned i) {
          const unsigned at = i % 16 * 2, first = i / 16 * 16;
          return (at < 16 ? first + at : first + at - 16 + 100) + 1;
        }));
  CHECK(left("x = intel_sub_group_reduce_add((short)1) + intel_sub_group_scan_exclusive_max((uchar)"
             "id) + intel_sub_group_broadcast((ushort)id, 1);",
             sized(8)) ==
        of_all([](unsigned i) { return 8 + (i % 8 ? i - 1 : 0) + i / 8 * 8 + 1; }));
}

TEST_CASE("Blocks of images are bytes of rows, whatever the format") {
  constexpr std::size_t kWidth = 20, kHeight = 6;
  Given image = buffer(std::vector<unsigned char>(kWidth * kHeight));
  for (std::size_t i = 0; i < image.bytes.size(); ++i)
    image.bytes[i] = std::byte(i);
  image.kind = Parameter::Kind::Image;
  image.image = {.pixels = nullptr,
                 .type = 0x10F1, // 2D
                 .width = kWidth,
                 .height = kHeight,
                 .channel_order = 0x10B0, // R
                 .channel_type = 0x10D2}; // UNORM_INT8
  const auto ran = [&](const std::string& statements, const std::string& standard) {
    return run({.text = sized(8) +
                        "\nkernel void k(read_only image2d_t a, write_only image2d_t b, "
                        "global ulong* out) {\nconst uint lane = get_local_id(0);\n"
                        "local uint t[16]; t[lane] = lane; t[lane + 8] = lane + 8;\n"
                        "barrier(CLK_LOCAL_MEM_FENCE);\n" +
                        statements + "\n}\n",
                .global_size = 8,
                .local_size = 8,
                .arguments = {image, image, buffer(std::vector<std::uint64_t>(8))},
                .checks = {"races", "barriers", "bounds"},
                .cl_std = standard});
  };
  const auto at = [&](std::size_t x, std::size_t y) { return y * kWidth + x; };
  for (const char* standard : {"CL1.2", "CL3.0"}) {
    const Ran read =
        ran("const ushort2 v = intel_sub_group_block_read_us2(a, (int2)(3, 1));\n"
            "const uchar4 c = intel_sub_group_block_read_uc4(a, (int2)(12, 2));\n"
            "const uint2 l = intel_sub_group_block_read2(t);\n"
            "out[lane] = v.x | (ulong)v.y << 16 | (ulong)c.w << 32 | (ulong)l.y << 40;",
            standard);
    CHECK(read.findings() == "");
    for (std::size_t lane = 0; lane < 8; ++lane) {
      const auto two = [&](std::size_t y) {
        return at(3 + 2 * lane, y) | at(4 + 2 * lane, y) << 8;
      };
      CHECK(read.values<std::uint64_t>(2)[lane] ==
            (two(1) | two(2) << 16 | at(12 + lane, 5) << 32 | (lane + 8) << 40));
    }
    const Ran written = ran(
        "intel_sub_group_block_write_us2(b, (int2)(2, 4), (ushort2)(lane * 257, 9));", standard);
    CHECK(written.findings() == "");
    for (std::size_t x = 0; x < 16; ++x) {
      CHECK(written.values<unsigned char>(1)[at(2 + x, 4)] == x / 2);
      CHECK(written.values<unsigned char>(1)[at(2 + x, 5)] == (x % 2 ? 0 : 9));
    }
  }
  CHECK(ran("out[lane] = intel_sub_group_block_read_uc(a, (int2)(13, 0));", "CL2.0").findings() ==
        "out_of_bounds 6\n");
  CHECK(ran("intel_sub_group_block_write(b, (int2)(0, 5), lane);", "CL2.0").findings() ==
        "out_of_bounds 6\n");
  CHECK(ran("intel_sub_group_block_write_us(b, (int2)(0, 0), (ushort)lane);\n"
            "intel_sub_group_block_write_us(b, (int2)(2, 0), (ushort)lane);",
            "CL2.0")
            .findings() == "race 6/7\n");
}

TEST_CASE("A function of a sub-group that not all reach is found") {
  const auto findings = [](const std::string& call) {
    return run({.text = "kernel void k(global int* out) {\nint x = get_local_id(0);\n"
                        "if (x < 5)\nx = " +
                        call + ";\nout[get_global_id(0)] = x;\n}\n",
                .global_size = 32,
                .local_size = 32,
                .arguments = {buffer(std::vector<int>(32))},
                .checks = {"barriers"},
                .cl_std = "CL3.0"})
        .findings();
  };
  for (const char* call : {"sub_group_reduce_add(x)", "sub_group_scan_inclusive_min(x)",
                           "sub_group_broadcast(x, 1)", "sub_group_all(x)"})
    CHECK(findings(call) == "divergent_warp 4\n");
  for (const char* call : {"sub_group_non_uniform_reduce_add(x)", "sub_group_shuffle(x, 1)",
                           "sub_group_clustered_reduce_max(x, 4)", "sub_group_elect()",
                           "sub_group_shuffle_up(x, 1)", "(int)sub_group_ballot(x).x",
                           "intel_sub_group_shuffle_xor(x, 0)", "sub_group_broadcast_first(x)"})
    CHECK(findings(call) == "");
  // The value of a work-item that has not come.
  for (const char* call :
       {"sub_group_rotate(x, 1)", "sub_group_shuffle(x, 7)", "sub_group_shuffle_xor(x, 4)",
        "sub_group_shuffle_down(x, 8)", "sub_group_non_uniform_broadcast(x, 5)",
        "sub_group_clustered_rotate(x, 1, 8)", "intel_sub_group_shuffle(x, 31)",
        "intel_sub_group_shuffle_down(x, x, 1)"})
    CHECK(findings(call) == "divergent_warp 4\n");
}

TEST_CASE("Only a barrier of a sub-group orders its accesses") {
  const auto findings = [](const std::string& between) {
    return run({.text = "kernel void k(global int* out) {\nlocal int t[32];\n"
                        "const int i = get_local_id(0);\nint x = i;\nt[i] = i;\n" +
                        between + "\nout[get_global_id(0)] = t[i ^ 1] + x;\n}\n",
                .global_size = 32,
                .local_size = 32,
                .arguments = {buffer(std::vector<int>(32))},
                .checks = {"races"},
                .cl_std = "CL3.0"})
        .findings();
  };
  for (const char* call : {"sub_group_barrier(CLK_LOCAL_MEM_FENCE);",
                           "sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);",
                           "x = sub_group_reduce_add(x); sub_group_barrier(CLK_LOCAL_MEM_FENCE);"})
    CHECK(findings(call) == "");
  for (const char* call :
       {"x = sub_group_reduce_add(x);", "x = sub_group_shuffle(x, 3);", "x = sub_group_any(x);",
        "x = sub_group_broadcast(x, 1);", "x = sub_group_ballot(x).x;", "",
        "sub_group_barrier(CLK_LOCAL_MEM_FENCE); t[i] = 1; x = sub_group_scan_inclusive_add(x);"})
    CHECK(findings(call).starts_with("race "));
}

TEST_CASE("Clocks go on, and hints are no more than hints") {
  const Ran ran = run({.text = "kernel void k(global ulong* out) {\n"
                               "const ulong a = clock_read_device(), b = clock_read_work_group();\n"
                               "const uint2 c = clock_read_hilo_sub_group();\n"
                               "__builtin_assume(b >= a);\n"
                               "out[0] = __builtin_expect(b >= a, 1);\nout[1] = c.y <= c.x;\n}\n",
                       .arguments = {buffer(std::vector<std::uint64_t>(2))},
                       .cl_std = "CL3.0"});
  CHECK(ran.values<std::uint64_t>(0) == std::vector<std::uint64_t>{1, 1});
}
