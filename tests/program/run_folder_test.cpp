#include "program/opencl/run_folder.h"

#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <array>
#include <fstream>

using namespace gputest::program;
using gputest::tests::TemporaryFolder;

TEST_CASE("What processes left is read in order of their start, as far as it is complete") {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name, std::ios::binary) << text;
  };
  write("9-200.jsonl", "{\"event\": \"process\"}\n");
  write("7-1000.jsonl", R"({"event": "program", "program": 0, "wanted": true, "stem": "a"}
{"event": "not_measured", "program": 0, "kernel": "k", "reason": "r"}
{"event": "not_measured", "program": 0, "kernel": "k", "reason": "r"}
{"event": "not_meas)");
  const std::array<std::uint64_t, 6> words{3,  11, 0,
                                           13, 0,  0}; // there are three; the file is longer
  write("9-200.reads", {reinterpret_cast<const char*>(words.data()), sizeof words});
  const RunRecords records = read_run_folder(folder.path());
  CHECK(records.processes == 2);
  REQUIRE(records.reads.size() == 2);
  CHECK(records.reads[0] == std::vector<std::uint64_t>{11, 0, 13});
  CHECK(records.reads[1].empty());
  REQUIRE(records.programs.size() == 1);
  CHECK(records.not_measured == std::vector{NotMeasured{"a", "k", "r"}});
  CHECK_FALSE(records.no_device);
}

TEST_CASE(
    "The kinds of a recorded launch's arguments are those of arguments, or the log is refused") {
  const auto read = [](const std::string& kind) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "1-1.jsonl")
        << R"({"event": "launch", "program": 0, "kernel": "k", "global_size": [1], "local_size": [1],)"
        << R"( "global_offset": [0], "file": "f", "arguments": [{"size": 4, "kind": )" << kind
        << "}]}\n";
    return read_run_folder(folder.path()).launches.at(0).arguments.at(0).kind;
  };
  using Kind = gputest::model::ArgumentKind;
  CHECK(read("\"value\"") == Kind::Value);
  CHECK(read("\"local\"") == Kind::Local);
  CHECK(read("\"sampler\"") == Kind::Sampler);
  for (const char* kind : {"\"pipe\"", "\"\"", "1", "null"}) {
    CAPTURE(kind);
    CHECK_THROWS_AS(read(kind), gputest::model::FormatError);
  }
}

TEST_CASE("A program is skipped that says so, and one that found no device and failed") {
  RunRecords records;
  ChildResult result;
  CHECK_FALSE(is_skipped(result, records));
  result.exit_code = kSkipped;
  CHECK(is_skipped(result, records));
  result.exit_code = 1;
  CHECK_FALSE(is_skipped(result, records));
  records.no_device = true;
  CHECK(is_skipped(result, records));
}
