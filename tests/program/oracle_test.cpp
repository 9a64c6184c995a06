// What judges programs: what they print, what they read back, how they end.
#include "program/cuda/reads.h"
#include "program/oracle.h"

#include "tests/catch.h"

#include <cstring>
#include <utility>
#include <vector>

using namespace gputest;
using program::ChildResult;
using program::OutputBaseline;
using program::ProgramOracle;

namespace {

ChildResult ends_with(int code) {
  ChildResult result;
  result.exit_code = code;
  return result;
}

bool differs(const std::vector<std::string>& originals, const std::string& other) {
  OutputBaseline baseline;
  for (const std::string& original : originals)
    baseline.add(original);
  return !baseline.difference(other).empty();
}

template <typename Number> std::string bytes_of(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

} // namespace

TEST_CASE("Outputs are compared without what varies by itself and without times") {
  struct Row {
    std::vector<std::string> originals;
    std::string other;
    bool differs;
  };
  for (const Row& row : std::vector<Row>{
           {{"Test PASSED\n"}, "Test PASSED\n", false},
           {{"Test PASSED\n"}, "Test PASSED", false}, // the last line needs no end
           {{"Test PASSED\n"}, "Test FAILED\n", true},
           {{"sum 41\n"}, "sum 42\n", true},
           {{"sum = 1.5e-3\n"}, "sum = 1.5e-4\n", true},
           {{"a  b \n"}, "a b\n", false}, // spaces count once
           {{"a\nb\n"}, "a\n", true},
           {{"a\n"}, "a\nb\n", true},
           {{"a\n"}, "", true},
           {{"", ""}, "a\n", true},
           {{"id 7\n", "id 9\n"}, "id 12\n", false},
           {{"id 7\n", "id 9\n"}, "id none\n", true},
           {{"at 0x7f01 ok\n", "at 0x7f0200 ok\n"}, "at 0x1 ok\n", false},
           {{"by ann\n", "by bob and ann\n"}, "by nobody\n", false}, // the whole line varies
           {{"by ann\nsum 1\n", "by bob\nsum 1\n"}, "by ann\nsum 2\n", true},
           {{"took 1.25 ms\n"}, "took 0.75 ms\n", false},
           {{"took 1.25 ms\n"}, "took 1.25 us\n", true},
           {{"kernel: 3ms\n"}, "kernel: 4ms\n", false},
           {{"kernel: 3 ms, 4 errors\n"}, "kernel: 3 ms, 5 errors\n", false},
           {{"bandwidth 310 GB/s\n"}, "bandwidth 299.5 GB/s\n", false},
           {{"elapsed time: 12\n"}, "elapsed time: 13\n", false},
           {{"ms 3\n"}, "ms 4\n", true}, // a unit alone says nothing
       }) {
    INFO(row.originals.front() << " -> " << row.other);
    CHECK(differs(row.originals, row.other) == row.differs);
  }
  OutputBaseline baseline;
  baseline.add("a\nTest PASSED\n");
  CHECK(baseline.difference("a\nTest FAILED\n") ==
        "line 2 is 'Test FAILED' instead of 'Test PASSED'");
  CHECK(baseline.difference("a\n") == "it has 1 line instead of 2");
  baseline.add("a\n");
  CHECK(baseline.varies_in_lines());
}

TEST_CASE("An oracle looks at what it is told, and always at how a program dies") {
  using model::Oracle;
  struct Row {
    Oracle oracle;
    int original;
    const char* printed;
    int code;
    const char* other;
    bool reads_differ, noticed;
  };
  const Oracle by_code{}, by_output{.exit_code = false, .output = true},
      by_fail{.exit_code = false, .output = true, .fail_expression = "FAIL(ED)?"},
      by_pass{.exit_code = false, .output = true, .pass_expression = "^all PASSED$"},
      by_reads{.exit_code = false, .reads = true};
  Oracle by_all = by_fail;
  by_all.exit_code = by_all.reads = true;
  const char *const pass = "all PASSED\n", *const fail = "1 FAILED\n";
  for (const Row& row : std::vector<Row>{
           {by_code, 0, pass, 0, fail, true, false},
           {by_code, 0, pass, 1, pass, false, true},
           {by_output, 0, pass, 0, pass, true, false},
           {by_output, 0, pass, 0, fail, false, true},
           {by_output, 0, pass, 1, pass, false, true},
           {by_output, 3, pass, 3, pass, false, false},
           {by_fail, 0, pass, 0, fail, false, true},
           {by_fail, 0, pass, 0, "else\n", true, false},
           {by_pass, 0, pass, 0, "all PASSED!\n", false, true},
           {by_pass, 0, pass, 0, "more\nall PASSED\n", false, false},
           {by_reads, 0, pass, 0, fail, false, false},
           {by_reads, 0, pass, 0, pass, true, true},
           {by_all, 0, pass, 0, pass, false, false},
           {by_all, 0, pass, 0, fail, false, true},
           {by_all, 0, pass, 0, pass, true, true},
           {by_all, 0, pass, 2, pass, false, true},
       }) {
    INFO(model::text_of(row.oracle) << ": " << row.other << " " << row.code);
    ProgramOracle oracle(row.oracle);
    REQUIRE(oracle.add_original(ends_with(row.original), row.printed).empty());
    REQUIRE(oracle.problem().empty());
    const auto verdict = oracle.judge(ends_with(row.code), row.other,
                                      row.reads_differ ? "the 1st of 2 pieces differs" : "");
    CHECK((verdict.verdict == model::Verdict::Killed) == row.noticed);
    ChildResult dead;
    dead.signal = 11;
    CHECK(oracle.judge(dead, row.printed, "").reason == model::KillReason::Crash);
  }
}

TEST_CASE("An oracle refuses originals that it cannot judge by") {
  using model::Oracle;
  const auto problem = [](const Oracle& oracle, int code, const std::vector<std::string>& outputs) {
    ProgramOracle judge(oracle);
    for (const std::string& output : outputs)
      if (std::string wrong = judge.add_original(ends_with(code), output); !wrong.empty())
        return wrong;
    return judge.problem();
  };
  const Oracle output{.exit_code = false, .output = true};
  CHECK(problem({}, 1, {""}) == "exit code 1");
  CHECK(problem(output, 1, {"a"}).empty());
  CHECK(problem(output, 0, {"", ""}).starts_with("it prints nothing"));
  CHECK(problem(output, 0, {"a\n", "a\nb\n"}).find("FAIL_REGULAR_EXPRESSION") != std::string::npos);
  CHECK(problem({.output = true, .fail_expression = "err"}, 0, {"a\n0 errors\n"}) ==
        "its own output matches FAIL_REGULAR_EXPRESSION 'err': '0 errors'");
  CHECK(problem({.output = true, .pass_expression = "OK"}, 0, {"done\n"}) ==
        "its own output does not match PASS_REGULAR_EXPRESSION 'OK': its last line is 'done'");
}

TEST_CASE("A single run is judged by its exit code, unless expressions judge it") {
  const auto passes = [](const model::Oracle& oracle, int code, const char* output) {
    return program::judged_run(ends_with(code), oracle, output).verdict();
  };
  const model::Oracle output{.exit_code = false, .output = true},
      words{.exit_code = false, .output = true, .pass_expression = "PASS"};
  CHECK(passes({}, 0, "") == model::CaseVerdict::Passed);
  CHECK(passes({}, 1, "") == model::CaseVerdict::Failed);
  CHECK(passes(output, 1, "") == model::CaseVerdict::Failed);
  CHECK(passes(output, 0, "") == model::CaseVerdict::Passed);
  CHECK(passes(words, 1, "PASS\n") == model::CaseVerdict::Passed);
  CHECK(passes(words, 0, "FAIL\n") == model::CaseVerdict::Failed);
}

TEST_CASE("A note tells of self-checks that nobody looks at") {
  const auto note = [](const std::string& output, const model::Oracle& oracle = {}) {
    ProgramOracle judge(oracle);
    CHECK(judge.add_original({}, output).empty());
    return judge.note();
  };
  CHECK(note("size 3\nTest passed.\n").starts_with("prints 'passed' (line 2 of its output)"));
  CHECK(note("Max ERROR: 0\n").find("ORACLE OUTPUT") != std::string::npos);
  CHECK(note("no mismatch here\n") != "");
  for (const char* silent : {"", "bypass failsafe errorless\n", "pass_count 3\n", "sum 3\n"})
    CHECK(note(silent) == "");
  CHECK(note("passed\n", {.is_given = true}) == "");
}

TEST_CASE("Numbers that are read back may be close") {
  using program::are_close;
  using Floats = std::vector<float>;
  using Doubles = std::vector<double>;
  using Ints = std::vector<int>;
  CHECK(are_close(bytes_of(Floats{1, 2}), bytes_of(Floats{1, 2.00001f}), 1e-5));
  CHECK_FALSE(are_close(bytes_of(Floats{1, 2}), bytes_of(Floats{1, 2.1f}), 1e-5));
  CHECK(are_close(bytes_of(Doubles{1, 2}), bytes_of(Doubles{1, 2.000001}), 1e-5));
  CHECK_FALSE(are_close(bytes_of(Doubles{1, 2}), bytes_of(Doubles{1, 2.001}), 1e-5));
  CHECK_FALSE(are_close(bytes_of(Ints{1, 1000000}), bytes_of(Ints{1, 1000001}), 1e-1));
  CHECK_FALSE(are_close(bytes_of(Floats{1}), bytes_of(Floats{1, 1}), 1));
}
