// The command, with CUDA files: several kernels, and what it refuses.
#include "model/files.h"
#include "tests/testgen/command.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;
using gputest::tests::ContainsSubstring;
using namespace gputest::testgen::tests;

namespace {

std::string text_of(const fs::path& file) {
  return gputest::model::read_text(file).value_or("there is none");
}

} // namespace

TEST_CASE("Kernels that cannot be run by themselves are told, and the others get their cases") {
  const Folder folder;
  const std::string output = folder.path.string();
  const Ran ran = run(fmt::format("{} --budget 60 -o {}", kernel("several.cu"), output));
  CHECK(ran.exit_code == 0);
  const auto is_refused = [&](const std::string& kernel, const std::string& place,
                              const std::string& reason) {
    CHECK_THAT(ran.output, ContainsSubstring(kernel + ": no cases: "));
    CHECK_THAT(ran.output, ContainsSubstring("several.cu:" + place + ": error: " + reason));
  };
  is_refused("allocates", "10:28", "the kernel allocates memory here, which no argument is");
  is_refused("asks_for_the_time", "18:23", "the kernel asks for the time here");
  is_refused("samples", "22:22", "a texture or surface is used here");
  for (const char* name : {"choose<int>", "choose<int *>", "halves::take"})
    CHECK_THAT(ran.output, ContainsSubstring(fmt::format("\n{}: ", name)) ||
                               ContainsSubstring(fmt::format("{}: 2 of 2 outcomes", name)));
  CHECK(fs::exists(folder.path / "choose-int-4-conditional-true.json"));
  CHECK(fs::exists(folder.path / "choose-int-pointer-4-conditional-true.json"));
  CHECK_THAT(text_of(folder.path / "halves-take-35-if-true.json"),
             ContainsSubstring("\"shared_memory\": "));
}

TEST_CASE("No case has more threads in a block than __launch_bounds__ allows") {
  const Folder folder;
  const Ran ran =
      run(fmt::format("{} --budget 20 -o {}", kernel("bounded.cu"), folder.path.string()));
  CHECK(ran.exit_code == 0);
  unsigned count = 0;
  for (const auto& entry : fs::directory_iterator(folder.path)) {
    if (entry.path().extension() != ".json")
      continue;
    ++count;
    const auto json = nlohmann::json::parse(text_of(entry.path()));
    std::size_t threads = 1;
    for (const auto& size : json.at("local_size"))
      threads *= size.get<std::size_t>();
    CHECK(threads <= 32);
  }
  CHECK(count > 1);
}

TEST_CASE("A refused kernel that is the only one fails the command") {
  const Folder folder;
  const std::string output = folder.path.string();
  const Ran ran = run(kernel("several.cu") + " --kernel samples -o " + output, "fuzz");
  CHECK(ran.exit_code == 2);
  CHECK_THAT(ran.output, ContainsSubstring("error: kernel 'samples': "));
  CHECK_THAT(ran.output, ContainsSubstring("several.cu:22:22: error: a texture"));
}

TEST_CASE("Cases that give no dynamic __shared__ memory have that of the call") {
  const Folder folder;
  std::ofstream(folder.path / "mine.json")
      << R"({"name": "mine", "global_size": [4], "local_size": [4],)"
         R"( "arguments": {"data": [1, 2, 3, 4], "half": {"upper": 1}}})";
  const auto replayed = [&](const std::string& options) {
    return run(fmt::format("{} --kernel halves::take --replay {}/mine.json -o {} "
                           "--require 'size(part) == local_size(0)' {}",
                           kernel("several.cu"), folder.path.string(), folder.path.string(),
                           options),
               "fuzz");
  };
  const Ran with = replayed("--case-shared-memory 16");
  CHECK(with.exit_code == 0);
  CHECK_THAT(with.output, ContainsSubstring("mine.json: passes"));
  const Ran without = replayed("");
  CHECK(without.exit_code == 1);
  CHECK_THAT(without.output, ContainsSubstring("of 'part', which has 0 bytes"));
  CHECK_THAT(replayed("--case-shared-memory much").output,
             ContainsSubstring("'much' is not a whole number from 0"));
  CHECK(replayed("--case-shared-memory -4").exit_code == 2);
  const Ran other = run(kernel("loops.cl") + " --case-shared-memory 4 -o " + folder.path.string());
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.output, ContainsSubstring("--case-shared-memory is for CUDA C++, and"));
}

TEST_CASE("A project of a CUDA kernel begins with one command") {
  const Folder folder;
  const Ran ran = run(fmt::format("{} --kernel 'choose<int>' --budget 20 -o {}",
                                  kernel("several.cu"), folder.path.string()),
                      "init");
  CHECK(ran.exit_code == 0);
  const std::string project = text_of(folder.path / "CMakeLists.txt");
  CHECK_THAT(project, ContainsSubstring("gputest_add_kernel(choose_int\n"));
  CHECK_THAT(project, ContainsSubstring("KERNEL \"choose<int>\""));
  CHECK_THAT(project, ContainsSubstring("# REFERENCE choose_int_reference.cpp"));
  CHECK_THAT(text_of(folder.path / "choose_int_reference.cpp"),
             ContainsSubstring("void choose_reference(cl_int which, cl_int* out) {"));
  CHECK_FALSE(fs::is_empty(folder.path / "cases" / "choose_int"));
}
