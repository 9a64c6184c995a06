// Pipes of OpenCL C 2.0 in the simulator.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include <algorithm>
#include <array>
#include <deque>
#include <fmt/format.h>
#include <numeric>
#include <random>

using namespace gputest::simulator;
using namespace gputest::simulator::tests;

namespace {

const std::vector<std::string> kEveryCheckOfPipes{"races",         "barriers",   "bounds",
                                                  "uninitialized", "arithmetic", "overflow"};

// A kernel with two pipes of ints, of which the first has `in`, and the second room for `room`.
Run with_pipes(const std::string& body, const std::vector<int>& in, std::size_t room,
               std::size_t items = 1) {
  return {.text = "kernel void k(read_only pipe int in, write_only pipe int out, "
                  "global int* result) {\n" +
                  body + "}\n",
          .global_size = items,
          .local_size = items,
          .arguments = {buffer(in), buffer(std::vector<int>(room)), buffer(std::vector<int>(16))},
          .cl_std = "CL2.0"};
}

// With and without checks, which find nothing, and in both standards.
Ran clean_pipes(Run what) {
  const Ran plain = run(what);
  CHECK(plain.findings() == "");
  what.checks = kEveryCheckOfPipes;
  what.cl_std = "CL3.0";
  const Ran checked = run(what);
  CHECK(checked.findings() == "");
  CHECK(checked.memory == plain.memory);
  return plain;
}

} // namespace

TEST_CASE("Packets leave a pipe in the order in which they came") {
  const Ran ran = clean_pipes(with_pipes("int x = 100;\n"
                                         "result[0] = get_pipe_num_packets(in);\n"
                                         "result[1] = get_pipe_max_packets(out);\n"
                                         "result[2] = read_pipe(in, &x);\n"
                                         "result[3] = x;\n"
                                         "x += 1;\n"
                                         "result[4] = write_pipe(out, &x);\n"
                                         "read_pipe(in, &x);\n"
                                         "result[5] = read_pipe(in, &x);\n"
                                         "result[6] = x;\n"
                                         "write_pipe(out, &x);\n"
                                         "result[7] = write_pipe(out, &x);\n"
                                         "result[8] = get_pipe_num_packets(in);\n"
                                         "result[9] = get_pipe_num_packets(out);\n",
                                         {7, 8}, 2));
  const auto result = ran.values<int>(2);
  CHECK(std::vector(result.begin(), result.begin() + 10) ==
        std::vector{2, 2, 0, 7, 0, -1, 8, -1, 0, 2});
  CHECK(ran.values<int>(0) == std::vector{7, 8});
  CHECK(ran.values<int>(1) == std::vector{8, 8});
}

TEST_CASE("Reservations of a work-item, a work-group and a sub-group are committed") {
  for (const std::string group : {"", "work_group_", "sub_group_"}) {
    INFO(group);
    const std::size_t items = group.empty() ? 1 : 4;
    const Ran ran = clean_pipes(with_pipes(
        fmt::format(
            "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
            "uint i = get_local_id(0);\n"
            "reserve_id_t r = {0}reserve_read_pipe(in, {1});\n"
            "reserve_id_t w = {0}reserve_write_pipe(out, {1});\n"
            "reserve_id_t none = {0}reserve_write_pipe(out, 99);\n"
            "if (i == 0) result[0] = is_valid_reserve_id(r) + 2 * is_valid_reserve_id(none);\n"
            "int x;\n"
            "if (is_valid_reserve_id(r) && is_valid_reserve_id(w)) {{\n"
            "  read_pipe(in, r, {1} - 1 - i, &x);\n"
            "  if (i == 0) result[1] = get_pipe_num_packets(out);\n"
            "  x *= 10;\n"
            "  write_pipe(out, w, i, &x);\n"
            "  {0}commit_write_pipe(out, w);\n"
            "  {0}commit_read_pipe(in, r);\n"
            "}}\n"
            "if (i == 0) result[2] = get_pipe_num_packets(out);\n",
            group, items),
        {1, 2, 3, 4}, 6, items));
    const auto result = ran.values<int>(2);
    CHECK(std::vector(result.begin(), result.begin() + 3) ==
          std::vector{1, 0, static_cast<int>(items)});
    CHECK(ran.values<int>(1) ==
          (items == 1 ? std::vector{10, 0, 0, 0, 0, 0} : std::vector{40, 30, 20, 10, 0, 0}));
  }
}

TEST_CASE("Packets become readable in the order of their reservations") {
  // A pipe that is both written and read is one that two kernels share; here only one end is seen.
  const Ran ran = clean_pipes(with_pipes("int x = 1;\n"
                                         "reserve_id_t a = reserve_write_pipe(out, 1);\n"
                                         "reserve_id_t b = reserve_write_pipe(out, 1);\n"
                                         "write_pipe(out, b, 0, &x);\n"
                                         "commit_write_pipe(out, b);\n"
                                         "result[0] = get_pipe_num_packets(out);\n"
                                         "x = 2;\n"
                                         "write_pipe(out, a, 0, &x);\n"
                                         "commit_write_pipe(out, a);\n"
                                         "result[1] = get_pipe_num_packets(out);\n",
                                         {0}, 2));
  CHECK(ran.values<int>(2)[0] == 0);
  CHECK(ran.values<int>(2)[1] == 2);
  CHECK(ran.values<int>(1) == std::vector{2, 1});
}

TEST_CASE("Packets have every size") {
  for (const std::string type :
       {"char", "uchar3", "half", "short2", "float", "float3", "double4", "ulong16", "point"}) {
    INFO(type);
    std::vector<unsigned char> bytes(256);
    std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(1));
    const Ran ran = clean_pipes(
        {.text = fmt::format("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                             "typedef struct {{ int x; double y; }} point;\n"
                             "kernel void k(read_only pipe {0} in, write_only pipe {0} out, "
                             "global uint* sizes) {{\n"
                             "  {0} packet;\n"
                             "  while (read_pipe(in, &packet) == 0) write_pipe(out, &packet);\n"
                             "  sizes[0] = sizeof(packet) * get_pipe_num_packets(out);\n"
                             "}}\n",
                             type),
         .arguments = {buffer(bytes), buffer(std::vector<unsigned char>(256)),
                       buffer(std::vector<unsigned>(1))},
         .cl_std = "CL2.0"});
    CHECK(ran.values<unsigned>(2)[0] == 256);
    if (type.ends_with("3") || type == "point") // the rest of a packet is padding
      continue;
    CHECK(ran.values<unsigned char>(1) == bytes);
  }
}

TEST_CASE("A kernel counts packets of types that it has no variables of") {
  for (const std::string type : {"struct point", "union number"}) {
    INFO(type);
    const Ran ran = clean_pipes(
        {.text = "struct point { int x; double y; };\n"
                 "union number { int x; double y[2]; };\n"
                 "kernel void k(read_only pipe " +
                 type + " in, write_only pipe " + type + " out, global uint* counts, global " +
                 type +
                 "* first) {\n"
                 "  counts[0] = get_pipe_num_packets(in);\n"
                 "  counts[1] = get_pipe_max_packets(out);\n"
                 "  read_pipe(in, first);\n"
                 "  counts[2] = get_pipe_num_packets(in);\n"
                 "}\n",
         .arguments = {buffer(std::vector<unsigned char>(64, 7)),
                       buffer(std::vector<unsigned char>(32)), buffer(std::vector<unsigned>(3)),
                       buffer(std::vector<unsigned char>(16))},
         .cl_std = "CL2.0"});
    CHECK(ran.values<unsigned>(2) == std::vector<unsigned>{4, 2, 3});
    CHECK(ran.values<unsigned char>(3).back() == 7);
  }
}

TEST_CASE("Wrong uses of reservations are found") {
  const auto found = [](const std::string& body) {
    return run(with_pipes("int x = 1;\n" + body, {1, 2, 3}, 3)).findings();
  };
  CHECK(found("reserve_id_t r = reserve_read_pipe(in, 2);\n"
              "read_pipe(in, r, 2, &x);\n"
              "commit_read_pipe(in, r);\n") == "out_of_bounds 4\n");
  CHECK(found("reserve_id_t w = reserve_write_pipe(out, 2);\n"
              "write_pipe(out, w, 0, &x);\n") == "missing_commit 3\n");
  CHECK(found("reserve_id_t w = reserve_write_pipe(out, 2);\n"
              "commit_write_pipe(out, w);\n"
              "write_pipe(out, w, 0, &x);\n") == "out_of_bounds 5\n");
}

TEST_CASE("A launch with findings of pipes that does not end is known for it") {
  Run what = with_pipes("int x = 1;\n"
                        "reserve_id_t r = reserve_read_pipe(in, 2);\n"
                        "read_pipe(in, r, 2, &x);\n"
                        "for (volatile int go = 1; go;)\n"
                        "  ;\n",
                        {1, 2, 3}, 3);
  what.limit = 0.5;
  const Ran endless = run(what);
  CHECK(endless.findings() == "endless 5\nout_of_bounds 4\n");
  CHECK(is_endless(endless.result));
  CHECK_FALSE(is_endless(run(with_pipes("", {1}, 1)).result));
}

// Random calls of one work-item, beside a model with queues.
TEST_CASE("Random uses of pipes do what plain C++ does") {
  std::mt19937 random(16);
  for (int round = 0; round < 12; ++round) {
    std::vector<int> in(1 + random() % 6);
    std::iota(in.begin(), in.end(), 10);
    const std::size_t room = 1 + random() % 6;
    std::deque<int> left(in.begin(), in.end());
    std::vector<int> out, results;
    std::string body = "int x = 0;\n";
    int x = 0;
    for (int call = 0; call < 14; ++call) {
      const std::size_t n = 1 + random() % 3;
      switch (random() % 4) {
      case 0:
        body += fmt::format("result[{}] = read_pipe(in, &x);\n", call);
        results.push_back(left.empty() ? -1 : 0);
        if (!left.empty()) {
          x = left.front();
          left.pop_front();
        }
        break;
      case 1:
        body += fmt::format("x += 1; result[{}] = write_pipe(out, &x);\n", call);
        ++x;
        results.push_back(out.size() == room ? -1 : 0);
        if (out.size() < room)
          out.push_back(x);
        break;
      case 2:
        body += fmt::format("{{ reserve_id_t r = reserve_read_pipe(in, {0}); if "
                            "(is_valid_reserve_id(r)) {{ read_pipe(in, r, {1}, &x); "
                            "commit_read_pipe(in, r); result[{2}] = 1; }} }}\n",
                            n, n - 1, call);
        results.push_back(left.size() >= n);
        if (left.size() >= n) {
          x = left[n - 1];
          left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(n));
        }
        break;
      default:
        body += fmt::format("{{ reserve_id_t w = reserve_write_pipe(out, {0}); if "
                            "(is_valid_reserve_id(w)) {{ for (int i = 0; i < {0}; ++i) {{ int y = "
                            "x + i; write_pipe(out, w, i, &y); }} commit_write_pipe(out, w); "
                            "result[{1}] = 1; }} }}\n",
                            n, call);
        results.push_back(room - out.size() >= n);
        if (room - out.size() >= n)
          for (std::size_t i = 0; i < n; ++i)
            out.push_back(x + static_cast<int>(i));
      }
    }
    body += "result[14] = get_pipe_num_packets(in); result[15] = get_pipe_num_packets(out);\n";
    results.push_back(static_cast<int>(left.size()));
    results.push_back(static_cast<int>(out.size()));
    const Ran ran = clean_pipes(with_pipes(body, in, room));
    out.resize(room);
    CHECK(ran.values<int>(2) == results);
    CHECK(ran.values<int>(1) == out);
  }
}
