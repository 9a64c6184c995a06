// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gputest compare-kernels` on pairs of kernels that are equal, or differ in what candidates for a
// simple kernel get wrong (tests/testgen/pairs/).
#include "tests/catch.h"
#include "tests/random_count.h"

#include "model/files.h"
#include "tests/testgen/command.h"

#include <array>
#include <nlohmann/json.hpp>

using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::string in_pairs(const std::string& file) {
  return fmt::format("'{}/pairs/{}'", GPUTEST_TEST_DATA, file);
}

struct Pair {
  std::string first, second;
  std::string what; // a part of what is printed
  std::string options{};
};

Ran compare(const Folder& folder, const Pair& pair, const std::string& more) {
  return run(fmt::format("{} {} -o '{}' --json '{}' {} {}", in_pairs(pair.first),
                         in_pairs(pair.second), (folder.path / "compare").string(),
                         (folder.path / "result.json").string(), pair.options, more),
             "compare-kernels");
}

// Short runs have one row of so many of a table. The counter is the table's.
bool is_left_out(unsigned& number, unsigned of) {
  return number++ % gputest::tests::random_stride(of) != 0;
}

// What is not there is looked for as long as the budget says. A busy machine needs more of it until
// enough is compared.
Ran compare_enough(const Folder& folder, const Pair& pair) {
  Ran ran = compare(folder, pair, "--budget 2");
  for (int budget = 10; ran.exit_code > 1 && budget < 500; budget *= 5)
    ran = compare(folder, pair, fmt::format("--budget {}", budget));
  return ran;
}

Json result_in(const Folder& folder) {
  return Json::parse(gputest::model::read_text(folder.path / "result.json").value());
}

} // namespace

TEST_CASE("equal kernels have no difference, and some are proved equal") {
  struct Equal : Pair {
    bool proved = false;
    int more_than = 5; // inputs; a busy machine makes few of some pairs
  };
  const Equal pair = GENERATE(values<Equal>({
      {{"clip.equal.cl", "clip.cl", "launched with different sizes",
        "--require 'n <= global_size(0)' --first-global-size '(global_size(0)+3)/4' "
        "--first-local-size 1"}},
      {{"saxpy.equal.cu", "saxpy.cl", "whose number of iterations is not constant"}},
      {{"saxpy.equal.hip", "saxpy.cl", "largest error: "}},
      {{"sum.equal.cl", "sum.cl", "same to the last bit"}, false, 50},
      {{"grade.equal.cl", "grade.cu", "same to the last bit"}, true},
      {{"mean.equal.cu", "mean.cl", "same to the last bit"}, true},
      {{"transpose.equal.cu", "transpose.cu", "'src' of the first kernel is taken for 'in'"}},
      {{"dot.equal.cu", "dot.cl", "largest error: "}},
      {{"histogram.equal.cu", "histogram.cl", "same to the last bit"}},
      {{"columns.equal.cu", "columns.cl", "'alpha' of the first kernel is not used",
        "--argument 'n=values(12)'"}},
      {{"blur.equal.cl", "blur.cu", "same to the last bit"}, true},
  }));
  static unsigned number = 0;
  if (is_left_out(number, 3) && !pair.proved)
    return;
  CAPTURE(pair.first);
  const Folder folder;
  const Ran ran = pair.proved ? compare(folder, pair, "") : compare_enough(folder, pair);
  CAPTURE(ran.output);
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output, ContainsSubstring(pair.proved ? ": equal, proved for all inputs\n"
                                                       : "no difference found in "));
  CHECK_THAT(ran.output, ContainsSubstring(pair.what));
  CHECK_THAT(ran.output, ContainsSubstring(" cycles, "));
  const Json result = result_in(folder);
  CHECK(result["verdict"] == (pair.proved ? "equal" : "no difference found"));
  CHECK((result["not_proved"] == "") == pair.proved);
  CHECK(result["inputs"] > pair.more_than);
  CHECK(result["cycles"].size() == 1);
  CHECK(result["cycles"][0]["first"] > 0);
  CHECK(!fs::exists(folder.path / "compare"));
}

// The first kernel has local memory, whose size is known by a launch.
TEST_CASE("what was compared until the time was over is said") {
  int ended_by_time = 0;
  bool complete = false;
  for (double budget = 0.05; !complete && ended_by_time < 3 && budget < 60; budget *= 1.25) {
    CAPTURE(budget);
    const Folder folder;
    const Ran ran = compare(folder, {"sum.equal.cl", "sum.cl", ""},
                            fmt::format("--gpu none --budget {:.3f}", budget));
    CAPTURE(ran.output);
    if (ran.exit_code == 2) { // there was no time, or only for inputs that write no output
      CHECK((ran.output.find("could be compared") != std::string::npos ||
             ran.output.find("not enough compared") != std::string::npos));
      continue;
    }
    CHECK(ran.exit_code == 0);
    CHECK_THAT(ran.output, ContainsSubstring("no difference found in "));
    complete = ran.output.find("there was no time for more: see --budget") == std::string::npos;
    ended_by_time += !complete;
  }
  CHECK(ended_by_time > 0);
}

TEST_CASE("the input with which kernels differ is small, and can be replayed") {
  const Pair pair = GENERATE(values<Pair>({
      {"saxpy.unguarded.cu", "saxpy.cl", "out_of_bounds"},
      {"saxpy.constant.cl", "saxpy.cl", "y[0] is "},
      {"sum.racy.cl", "sum.cl", "data race on byte 4 of 'part'"},
      {"sum.power_of_two.cu", "sum.cl", "out[0] is "},
      {"grade.boundary.cu", "grade.cu", "out[0] is 2 by the first kernel, and 1 by the second"},
      {"mean.overflow.cl", "mean.cl", "out[0] is "},
      {"transpose.swapped.cl", "transpose.cu", "of 'out'"},
      {"dot.tail.cl", "dot.cl", "out[0] is "},
      {"histogram.racy.cu", "histogram.cl", "data race on byte"},
      {"blur.beyond.cl", "blur.cu", "--argument <buffer>:size=<elements>"},
      {"clip.special.cu", "clip.cl", "data[0] is "},
  }));
  static unsigned number = 0, found = 0;
  if (is_left_out(number, 2))
    return;
  CAPTURE(pair.first);
  const Folder folder;
  const Ran ran = compare(folder, pair, "");
  CAPTURE(ran.output);
  CHECK(ran.exit_code == 1);
  CHECK_THAT(ran.output, ContainsSubstring(": differs\n") && ContainsSubstring(pair.what));
  const Json result = result_in(folder);
  CHECK(result["verdict"] == "differs");
  const std::string file = result["difference"]["case"];
  CHECK_THAT(ran.output, ContainsSubstring(" --replay " + file));
  const Json input = Json::parse(gputest::model::read_text(file).value());
  CHECK(input["global_size"][0] <= 4);
  if (is_left_out(found, 3))
    return;
  const Ran again = compare(folder, pair, "--replay " + file);
  CHECK(again.exit_code == 1);
  CHECK_THAT(again.output, ContainsSubstring(result["difference"]["message"].get<std::string>()));
  if (pair.first != "transpose.swapped.cl")
    return;
  const Pair itself{pair.second, pair.second, ""};
  CHECK(compare(folder, itself, "--replay " + file).exit_code == 0);
}

// Each kernel is equal to the original with the inputs that are compared, as these are few, or by
// far not equal: a proof would be wrong.
TEST_CASE("what is not equal is not proved") {
  struct Twin {
    const char *original, *twin;
    bool equal;
  };
  const Twin twin = GENERATE(values<Twin>({
      {"if (i < n) y[i] = x[i] + 1;", "if (i >= n) return; y[i] = 1 + x[i];", true},
      {"if (i < n) y[i] = x[i] + 1;", "if (i <= n) y[i] = x[i] + 1;", false},
      {"if (i < n) y[i] = x[i] + 1;", "if (i < n) { int v = x[i + 1]; y[i] = x[i] + 1 + v - v; }",
       false},
      {"if (i < n) y[i] = x[i] + 1;", "if (i < n) { y[i] = x[i]; y[i] += 1; }", true},
      {"if (i < n) y[i] = x[i] * 8;", "if (i < n) y[i] = x[i] << 3;", true},
      {"if (i < n) y[i] = x[i] / 2;", "if (i < n) y[i] = x[i] >> 1;", false},
      {"if (i < n) y[i] = (uint)x[i] / 4u;", "if (i < n) y[i] = (uint)x[i] >> 2;", true},
      {"if (i < n) y[i] = x[i] & 7;", "if (i < n) y[i] = n / n == 1 ? x[i] & 7 : 9;", true},
      {"if (i < n) y[i] = 7;", "if (i < n) y[i] = x[i] / x[i] * 0 + 7;", false},
      {"if (i < n) y[i] = x[i] != 1234567;", "if (i < n) y[i] = 1;", false},
      {"if (i < n) y[i] = max(x[i], 3);", "if (i < n) y[i] = x[i] > 3 ? x[i] : 3;", true},
      {"if (i < n) for (int k = 0; k < 3; ++k) y[i] += x[i];", "if (i < n) y[i] += 3 * x[i];",
       true},
      {"if (i < n) for (int k = 0; k < 3; ++k) y[i] += x[i];", "if (i < n) y[i] += 4 * x[i];",
       false},
      {"if (i < n) y[n - 1 - i] = x[i];", "if (i < n) y[i] = x[n - 1 - i];", false},
  }));
  static unsigned number = 0;
  if (is_left_out(number, 2))
    return;
  CAPTURE(twin.original, twin.twin);
  const Folder folder;
  const auto write = [&](const char* name, const char* body) {
    gputest::model::write_atomically(
        folder.path / name, fmt::format("kernel void k(global const int* x, global int* y, int n) "
                                        "{{ int i = get_global_id(0); {} }}\n",
                                        body));
    return (folder.path / name).string();
  };
  const std::string first = write("first.cl", twin.twin),
                    second = write("second.cl", twin.original);
  const Ran ran = run(fmt::format("'{}' '{}' -o '{}' --budget {} --gpu none", first, second,
                                  (folder.path / "compare").string(), twin.equal ? "60" : "0.5"),
                      "compare-kernels");
  CAPTURE(ran.output);
  const bool proved = ran.output.find("proved for all inputs\n") != std::string::npos;
  CHECK(proved == twin.equal);
  CHECK_THAT(ran.output, !ContainsSubstring(" cycles, "));
}

TEST_CASE("kernels that are equal without a global offset are not proved equal with one") {
  const Folder folder;
  const auto write = [&](const char* name, const char* id) {
    gputest::model::write_atomically(
        folder.path / name,
        fmt::format("kernel void k(global int* y, int n) {{ int i = {}; if (i < n) y[i] = i; }}\n",
                    id));
    return (folder.path / name).string();
  };
  const std::string direct = write("direct.cl", "get_global_id(0)"),
                    sum = write("sum.cl", "get_group_id(0) * get_local_size(0) + get_local_id(0)"),
                    shifted = write("shifted.cl", "get_global_offset(0) + get_group_id(0) * "
                                                  "get_local_size(0) + get_local_id(0)");
  const auto outcome = [&](const std::string& first, const std::string& more) {
    return run(fmt::format("'{}' '{}' -o '{}' --budget 60 --gpu none {}", first, direct,
                           (folder.path / "compare").string(), more),
               "compare-kernels");
  };
  for (const auto& [first, options, what] :
       std::vector<std::array<std::string, 3>>{{sum, "", ": equal, proved for all inputs\n"},
                                               {sum, "--case-global-offset 8", ": differs"},
                                               {shifted, "", ": equal, proved for all inputs\n"}}) {
    CAPTURE(first, options);
    const Ran ran = outcome(first, options);
    CHECK_THAT(ran.output, ContainsSubstring(what));
  }
}

// The number of iterations depends on the input, so nothing is proved.
TEST_CASE("kernels that write nothing with any input are not enough compared") {
  struct Guard {
    const char* requirement;
    int exit_code;
    const char* what;
    int budget = 1; // that nothing is found uses all of it
  };
  const Guard guard = GENERATE(values<Guard>({
      {"n != 7", 2, ": not enough compared\n  no input made the second kernel write"},
      {"n != 8", 0, ": no difference found in ", 60},
  }));
  CAPTURE(guard.requirement);
  const Folder folder;
  const fs::path file = folder.path / "guarded.cl";
  gputest::model::write_atomically(file, "kernel void k(global uint* y, uint n) {\n"
                                         "  uint h = n;\n"
                                         "  for (uint r = 0; r < n % 4; ++r)\n"
                                         "    h = 3 * h + r;\n"
                                         "  if (n == 7) y[get_global_id(0)] = h;\n"
                                         "}\n");
  const Ran ran =
      run(fmt::format("'{0}' '{0}' -o '{1}' --gpu none --require '{2}' --budget {3}", file.string(),
                      (folder.path / "compare").string(), guard.requirement, guard.budget),
          "compare-kernels");
  CAPTURE(ran.output);
  CHECK(ran.exit_code == guard.exit_code);
  CHECK_THAT(ran.output, ContainsSubstring(guard.what));
}

TEST_CASE("a value that one kernel alone has is told") {
  const Pair pair = GENERATE(values<Pair>({
      {"saxpy.scaled.cl", "saxpy.cl", "no difference", "--same scale=1"},
      {"saxpy.cl", "saxpy.scaled.cl", "no difference", "--argument 'scale=values(1)'"},
      {"saxpy.scaled.cl", "saxpy.cl", ": differs", "--same scale=2"},
      {"saxpy.cl", "saxpy.scaled.cl", ": differs", "--argument 'scale=values(1,3)'"},
      {"saxpy.unused.cl", "saxpy.cl", "'scale' of the first kernel is not used"},
      {"saxpy.cl", "saxpy.unused.cl", "'scale' of the second kernel is not used"},
  }));
  CAPTURE(pair.first, pair.options);
  const Folder folder;
  // A difference that is found ends the search.
  const Ran ran = pair.what == ": differs"       ? compare(folder, pair, "")
                  : pair.what == "no difference" ? compare_enough(folder, pair)
                                                 : compare(folder, pair, "--budget 0.5");
  CHECK_THAT(ran.output, ContainsSubstring(pair.what));
}

TEST_CASE("mistakes in what is compared are refused") {
  const Pair pair = GENERATE(values<Pair>({
      {"saxpy.cl", "none.cl", "none.cl: error: no such file"},
      {"saxpy.cl", "sum.cl", "argument 'x' of kernel 'saxpy'"},
      {"saxpy.scaled.cl", "saxpy.cl", "or what it is with --same scale=<number>"},
      {"saxpy.cl", "saxpy.equal.cu", "is no argument of kernel 'saxpy'", "--same z=x"},
      {"saxpy.cl", "saxpy.equal.cu", "corresponds to two others", "--same x=x --same y=x"},
      {"saxpy.cl", "saxpy.equal.cu", "is not <argument of the first kernel>=", "--same x"},
      {"saxpy.cl", "saxpy.equal.cu", "differ: they are of different kinds",
       "--same x=n --same n=x"},
      {"saxpy.cl", "saxpy.equal.cu", "'x' is no number", "--same x=4"},
      {"saxpy.cl", "saxpy.equal.cu", "'4e' is no number", "--same a=4e"},
      {"saxpy.cl", "saxpy.equal.cu", "--argument 'a=values(<number>)'", "--same a=2"},
      {"saxpy.cl", "saxpy.equal.cu", "has no argument 'm'", "--first-global-size m"},
      {"saxpy.cl", "saxpy.equal.cu", "has a local size and no global size", "--first-local-size 4"},
      {"saxpy.cl", "saxpy.equal.cu", "no such file", "--replay none.json"},
      {"saxpy.cl", "saxpy.equal.cu", "'axpy'", "--second-kernel axpy"},
      {"saxpy.cl", "saxpy.equal.cu", "--budget", "--budget never"},
      {"saxpy.cl", "saxpy.equal.cu", "unknown-gpu", "--gpu unknown-gpu"},
      {"saxpy.cl", "saxpy.equal.cu", "could be compared",
       "--require 'n > 4' --require 'n < 3' --budget 0.5"},
  }));
  CAPTURE(pair.what);
  const Folder folder;
  const Ran ran = compare(folder, pair, "");
  CAPTURE(ran.output);
  CHECK(ran.exit_code == 2);
  CHECK_THAT(ran.output, ContainsSubstring(pair.what));
  CHECK(!fs::exists(folder.path / "result.json"));
}
