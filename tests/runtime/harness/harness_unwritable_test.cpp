// Results that may not be written are the user's to mend: 2, and the reason. A full disk is not: 3.
#include "tests/runtime/described_project.h"

using namespace gputest::tests;

TEST_CASE("a result that cannot be written is told with the reason, whatever the analysis") {
  DescribedProject project("kernel void k(global int* data) {\n"
                           "  data[get_global_id(0)] += 1;\n}\n",
                           {"mutants", "schedule"});
  project.description["global_size"] = {4};
  project.description["local_size"] = {2};
  project.description["device"] = "simulator";
  project.add_case("one",
                   R"({"arguments": {"data": {"size": 4}}, "expected": {"data": [1, 1, 1, 1]}})");
  project.folder.write("file", "");
  const std::string simulator = "GPUTEST_SIMULATOR=" GPUTEST_SIMULATOR_PROGRAM;
  const std::string taken = (project.folder.path() / "file/result.json").string();
  for (const std::vector<std::string>& analysis :
       std::vector<std::vector<std::string>>{{"--coverage"},
                                             {"--mutation"},
                                             {"--schedules"},
                                             {"--check"},
                                             {"--memory"},
                                             {"--fuzz", "1"}}) {
    std::vector<std::string> words = analysis;
    words.insert(words.end(), {"--json", taken});
    const auto ran = project.run(words, simulator);
    INFO(analysis.front() << ": " << ran.output);
    CHECK(ran.exit_code == 2);
    CHECK_THAT(ran.output, ContainsSubstring(": error: cannot be written: Not a directory"));
  }
}

TEST_CASE("a full disk is told with the file, also for the log of cases") {
  DescribedProject project("kernel void k(global int* data) {\n"
                           "  data[get_global_id(0)] += 1;\n}\n",
                           {"instrument"});
  project.description["global_size"] = {4};
  project.description["local_size"] = {2};
  project.description["device"] = "simulator";
  project.add_case("one",
                   R"({"arguments": {"data": {"size": 4}}, "expected": {"data": [1, 1, 1, 1]}})");
  // A file that is full: the log is beside the result, with the ending .jsonl.
  std::filesystem::create_symlink("/dev/full", project.folder.path() / "result.jsonl");
  for (const char* analysis : {"", "--coverage"}) {
    std::vector<std::string> words{"--json", (project.folder.path() / "result.json").string()};
    if (*analysis != 0)
      words.insert(words.begin(), analysis);
    const auto ran = project.run(words, "GPUTEST_SIMULATOR=" GPUTEST_SIMULATOR_PROGRAM);
    INFO(ran.output);
    CHECK(ran.exit_code == 3);
    CHECK_THAT(ran.output, ContainsSubstring("result.jsonl: error: cannot be written: No space"));
  }
}
