// The command: what it prints, and what it refuses.
#include "model/files.h"
#include "tests/needs.h"
#include "tests/random_count.h"
#include "tests/testgen/command.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace fs = std::filesystem;
using gputest::tests::ContainsSubstring;
using namespace gputest::testgen::tests;

TEST_CASE("A kernel alone is enough") {
  const Folder folder;
  const Ran ran = run(fmt::format("{} -o {}/cases", kernel("loops.cl"), folder.path.string()));
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output, ContainsSubstring("0 open"));
  CHECK_THAT(ran.output, ContainsSubstring("recorded, not verified"));
  CHECK_THAT(ran.output, ContainsSubstring("gputest_add_kernel(loops"));
  CHECK_THAT(ran.output, ContainsSubstring("\"out:size=global_size(0)\""));
  CHECK_FALSE(fs::is_empty(folder.path / "cases"));
}

TEST_CASE("Mutants that are killed and left are told") {
  const Folder folder;
  // One work-item, because not all that is asked about several is answered.
  const Ran ran = run(fmt::format("{} --mutants --global-size 1 --local-size 1 -o {}",
                                  kernel("bounds.cl"), folder.path.string()));
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output, ContainsSubstring(" of 45 mutants killed, 0 of them by the cases"));
  CHECK_THAT(ran.output, ContainsSubstring("; kills "));
  CHECK_THAT(ran.output, ContainsSubstring("bounds.cl:9:5: bounds.860e5fb4b9: 'value = -1' -> "
                                           "'value >>= -1': reached, and no values show it on"));
  const Ran without = run(fmt::format("{} -o {}", kernel("bounds.cl"), folder.path.string()));
  CHECK_THAT(without.output, !ContainsSubstring("mutants"));
}

TEST_CASE("A case that a person wrote stays, and what it reaches is not asked for again") {
  const Folder folder;
  const std::string mine =
      R"({"name": "mine", "global_size": [6], "local_size": [3], "arguments": {"out": [0, 0, 0, 0, 0, 0], "n": 17}})";
  std::ofstream(folder.path / "mine.json") << mine;
  const Ran ran = run(fmt::format("{} -o {}", kernel("loops.cl"), folder.path.string()));
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output, ContainsSubstring("of them by the cases that were there"));
  std::ifstream file(folder.path / "mine.json");
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == mine);
}

TEST_CASE("Wrong options are refused with what to do") {
  const Folder folder;
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Ran ran = run(arguments);
    CHECK(ran.exit_code == 2);
    CHECK_THAT(ran.output, ContainsSubstring(message));
  };
  const std::string output = " -o " + folder.path.string();
  refused("", "no source file; give the .cl, .clcpp, .spv, .cu or .hip file to read");
  refused("nowhere.cl" + output, "nowhere.cl: error: no such file");
  refused(kernel("loops.cl"), "--output is missing: say where cases are written to");
  refused(kernel("loops.cl") + output + " --budget 0",
          "--budget: '0' is not a number of seconds above 0");
  refused(kernel("loops.cl") + output + " --global-size 4,x", "is not 1 to 3 sizes, such as 64,8");
  refused(kernel("loops.cl") + output + " --local-size 4", "--local-size needs a --global-size");
  refused(kernel("loops.cl") + output + " --kernel k", "there is no kernel 'k'; there are: loops");
  refused(kernel("loops.cl") + output + " --cl-std CL9", "none of CL1.0, CL1.1");
  refused(kernel("loops.cl") + output + " --argument 'm=range(1,2)'", "has no argument 'm'");
  refused(kernel("loops.cl") + output + " --mutant", "see gputest generate --help");
  refused(kernel("loops.cl") + output + " --absolute x", "--absolute: 'x' is not a number");
  refused(kernel("loops.cl") + output + " --seed x", "--seed: 'x' is not a whole number from 0");
}

TEST_CASE("Cases that lie elsewhere are looked at, in the sizes that the call gives") {
  const Folder folder;
  std::ofstream(folder.path / "mine.json")
      << R"({"name": "mine", "arguments": {"out": [0, 0, 0, 0, 0, 0], "n": 17}})";
  const std::string arguments = fmt::format("{} -o {}/new --cases {}/mine.json", kernel("loops.cl"),
                                            folder.path.string(), folder.path.string());
  const std::string sizes = " --case-global-size 6 --case-local-size 3";
  const Ran ran = run(fmt::format("{}{} --cmake-base {}", arguments, sizes, folder.path.string()));
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output, ContainsSubstring("of them by the cases that were there"));
  CHECK_THAT(ran.output, ContainsSubstring("GENERATE INTO new)"));
  CHECK_THAT(run(arguments).output, ContainsSubstring("case 'mine': no global size"));
  CHECK(run(arguments + " --case-global-size 0").exit_code == 2);
}

TEST_CASE("A project begins with one command, and no file is replaced") {
  const Folder folder;
  const std::string project = (folder.path / "p").string();
  const auto text_of = [&](const char* file) {
    std::ifstream stream(folder.path / "p" / file);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const Ran ran = run(
      fmt::format(R"({} -o {} -D WIDTH=3 -D 'NAME="x"')", kernel("matrix.cl"), project), "init");
  INFO(ran.output);
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output, ContainsSubstring("cmake -S " + project + " -B " + project + "/build"));
  const std::string cmake = text_of("CMakeLists.txt");
  CHECK_THAT(cmake, ContainsSubstring("project(matrix LANGUAGES CXX)"));
  CHECK_THAT(cmake, ContainsSubstring("gputest_add_kernel(rows"));
  CHECK_THAT(cmake, ContainsSubstring("row_start:size=rows+1"));
  CHECK_THAT(cmake, ContainsSubstring(R"(DEFINITIONS "WIDTH=3" "NAME=\"x\"")"));
  CHECK_THAT(cmake, ContainsSubstring("# REFERENCE rows_reference.cpp"));
  CHECK_THAT(cmake, ContainsSubstring("GENERATE INTO cases/rows)"));
  CHECK_THAT(text_of("rows_reference.cpp"), ContainsSubstring("void rows_reference("));

  std::ofstream(folder.path / "p" / "rows_reference.cpp") << "// mine\n";
  const Ran again = run(fmt::format("{} -o {}", kernel("matrix.cl"), project), "init");
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, ContainsSubstring("rows_reference.cpp: stays as it is"));
  CHECK_THAT(again.output, ContainsSubstring("Add to " + project + "/CMakeLists.txt"));
  CHECK_THAT(again.output, ContainsSubstring("gputest_add_kernel(rows"));
  CHECK(text_of("rows_reference.cpp") == "// mine\n");
  CHECK(text_of("CMakeLists.txt") == cmake);
}

TEST_CASE("What a project cannot begin with is said") {
  const Folder folder;
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Ran ran = run(arguments, "init");
    CHECK(ran.exit_code == 2);
    CHECK_THAT(ran.output, ContainsSubstring(message));
  };
  refused("", "no source file");
  refused("nowhere.cl", "nowhere.cl: error: no such file");
  refused(folder.path.string(), "holds no .cl, .cu or .hip file");
  refused(kernel("loops.cl") + " --budget 0", "--budget: '0' is not a number of seconds above 0");
  refused(kernel("loops.cl") + " --kernel k", "there is no kernel 'k'; there are: loops");
  std::ofstream(folder.path / "bad.cl") << "kernel void k(global int* p) { p[get_global_id(0) + "
                                           "(1 << 30)] = 1 / (int)(get_global_id(0) * 0); }\n";
  const Ran ran = run(fmt::format("{}/bad.cl --budget 0.5", folder.path.string()), "init");
  CHECK(ran.exit_code == 2);
  CHECK_THAT(ran.output, ContainsSubstring("k: no cases: "));
  CHECK_FALSE(fs::exists(folder.path / "CMakeLists.txt"));
}

TEST_CASE("A folder that cannot be written gets no half of a case", "[needs][needs-common_user]") {
  gputest::tests::needs("common_user", ::geteuid() != 0, "root may write everywhere");
  const Folder folder;
  fs::permissions(folder.path, fs::perms::owner_read | fs::perms::owner_exec);
  const Ran ran = run(fmt::format("{} -o {}", kernel("loops.cl"), folder.path.string()));
  CHECK(ran.exit_code == 2);
  fs::permissions(folder.path, fs::perms::owner_all);
  CHECK(fs::is_empty(folder.path));
}

TEST_CASE("Fuzzing needs no more than a kernel, and prints the command that replays a failure") {
  const Folder folder;
  // A busy machine has few inputs in the time of a quiet one.
  Ran ran{};
  int seconds = 1;
  for (; seconds < 500; seconds *= 5) {
    ran = run(fmt::format("{} -k outside --seconds {} --left-out 9 --seed 1 --argument "
                          "'n=range(1,50)' --argument data:size=n -o {} --json {}/fuzz.json",
                          kernel("faults.cl"), seconds, folder.path.string(), folder.path.string()),
              "fuzz");
    if (ran.exit_code == 1)
      break;
  }
  CHECK(ran.exit_code == 1);
  CHECK_THAT(ran.output, ContainsSubstring(fmt::format("outside: {} s with seed 1", seconds)));
  CHECK_THAT(ran.output, ContainsSubstring("outside: 1 failure in "));
  CHECK_THAT(ran.output, ContainsSubstring("; 9 s not run: the time limit was over; "));
  const std::string before = "replay: gputest fuzz ";
  const std::size_t at = ran.output.find(before);
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + before.size();
  const Ran again = run(ran.output.substr(begin, ran.output.find('\n', begin) - begin), "fuzz");
  CHECK(again.exit_code == 1);
  CHECK_THAT(again.output, ContainsSubstring("writes 4 bytes at byte 28 of 'data'"));
  CHECK(fs::exists(folder.path / "fuzz.json"));

  const Ran sound = run(fmt::format("{} -k sound --seconds 2 -o {}/sound --quiet",
                                    kernel("faults.cl"), folder.path.string()),
                        "fuzz");
  CHECK(sound.exit_code == 0);
  CHECK(sound.output.empty());
}

TEST_CASE("Wrong options of fuzzing are refused, and folders that cannot be written told") {
  const Folder folder;
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Ran ran = run(kernel("faults.cl") + " -o " + folder.path.string() + arguments, "fuzz");
    CHECK(ran.exit_code == 2);
    CHECK_THAT(ran.output, ContainsSubstring(message));
  };
  refused(" --seconds 0", "--seconds: '0' is not a number of seconds above 0");
  refused(" --kernel k", "there is no kernel 'k'; there are: outside, ");
  refused(" --replay nowhere.json", "nowhere.json: error: no such file");
  refused(" --kernel outside --argument 'm=range(1,2)'", "has no argument 'm'");
  refused(" --kernel outside --seconds 0.5 --argument 'n=range(1,2)' --require 'n > 2'",
          "no input of kernel 'outside' was found");
  std::ofstream(folder.path / "file") << "";
  const Ran ran =
      run(kernel("faults.cl") + " -k sound -o " + (folder.path / "file/fuzz").string(), "fuzz");
  CHECK(ran.exit_code == 2);
  CHECK_THAT(ran.output,
             ContainsSubstring("file/fuzz/corpus: error: cannot be written: Not a directory"));
}

TEST_CASE("The exit code does not depend on why a kernel gets no cases, and others get theirs") {
  const Folder folder;
  const auto generated = [&](const std::string& ending, const std::string& other,
                             const std::string& options = "") {
    const fs::path source = folder.path / ("two." + ending), cases = folder.path / "cases";
    fs::remove_all(cases);
    std::ofstream(source) << other
                          << (ending == "cl" ? "kernel void fine(global int* x) {\n  x[0] = 1;\n}\n"
                                             : "__global__ void fine(int* x) { x[0] = 1; }\n");
    const Ran ran =
        run(fmt::format("'{}' --budget 5 -o '{}' {}", source.string(), cases.string(), options));
    INFO(ran.output);
    CHECK_THAT(ran.output, ContainsSubstring("other: no cases: "));
    CHECK(fs::exists(cases) == options.empty());
    return ran.exit_code;
  };
  for (const auto& [ending, other] :
       {std::pair{"cl", "int somewhere(int);\n"
                        "kernel void other(global int* x) { x[0] = somewhere(x[0]); }\n"},
        {"cu", "__global__ void other(long long* x) { x[0] = clock64(); }\n"},
        {"cl", "struct unknown;\n"
               "kernel void other(global struct unknown* x, int n) { }\n"}}) {
    CHECK(generated(ending, other) == 0);
    CHECK(generated(ending, other, "-k other") == 2);
    if (!gputest::tests::is_long_run())
      return;
  }
  CHECK(generated("cu", "template <class T> __global__ void other(T* x) { x[0] = 1; }\n") == 0);
}

// Unions whose first member does not say all, and others that people have.
constexpr const char* kUnions = R"(
typedef union { uint bits; float number; } word;
typedef union { char first; double all; uchar bytes[8]; } wide;
typedef union { float number; struct { ushort low, high; } parts; } split;
typedef struct { word key; int count; wide more[2]; } entry;
kernel void k(global word* words, global entry* table, wide one, global split* parts,
              global void* raw, global const void* input) {
  const int i = get_global_id(0);
  words[i].number += 1.0f;
  if (table[i].key.bits > 7)
    table[i].count += one.bytes[7] + ((global const short*)input)[i];
  if (table[i].more[1].bytes[6] == 0x40)
    parts[i].parts.high = 3;
  if (((global int*)raw)[2 * i] == 12345)
    ((global float*)raw)[2 * i + 1] = 1;
}
)";

TEST_CASE("Cases can be read again: unions, and memory without a type") {
  const Folder folder;
  const fs::path source = folder.path / "unions.cl", cases = folder.path / "cases";
  std::ofstream(source) << kUnions;
  const std::string arguments =
      fmt::format("'{}' --budget 20 -o '{}'", source.string(), cases.string());
  const Ran first = run(arguments);
  INFO(first.output);
  CHECK(first.exit_code == 0);
  CHECK_THAT(first.output, ContainsSubstring("k: 6 of 6 outcomes reached"));
  const Ran again = run(arguments);
  INFO(again.output);
  CHECK_THAT(again.output, !ContainsSubstring("not looked at"));
  CHECK_THAT(again.output, ContainsSubstring("6 of them by the cases that were there"));
}

TEST_CASE("prove says which mutants nothing can kill") {
  const Folder folder;
  const fs::path source = folder.path / "first.cl";
  std::ofstream(source) << "kernel void first(global int* out, int n) {\n"
                           "  int i = get_global_id(0);\n"
                           "  if (i > 0 && i < n)\n"
                           "    out[i] = n;\n"
                           "}\n";
  const fs::path list = folder.path / "ids", json = folder.path / "proofs.json";
  // Each mutant has an answer, unless there was no time or somebody ended Z3: that is none.
  const auto answers = [&](const std::string& options, const std::string& before = "") {
    const Ran ran =
        run(fmt::format("'{}' {} --output '{}'", source.string(), options, json.string()), "prove",
            before);
    CHECK(ran.exit_code == 0);
    std::ifstream file(json);
    return nlohmann::json::parse(file);
  };
  nlohmann::json complete = answers("");
  std::string proved_one;
  for (const auto& [id, proof] : complete.items())
    if (proof != "" && std::exchange(proved_one, id) != "")
      FAIL_CHECK("a second one is proved: " << id << ": " << proof);
  const bool solves = !proved_one.empty(); // else Z3 is missing
  // It and a few others are enough for what follows.
  std::ofstream ids(list);
  ids << (solves ? proved_one : complete.begin().key()) << '\n';
  for (auto one = complete.begin(); one != complete.end();)
    if (one.key() == proved_one || std::distance(complete.begin(), one) < 3)
      ids << one.key() << '\n', ++one;
    else
      one = complete.erase(one);
  ids.close();
  const std::string few_ids = fmt::format("--mutants '{}'", list.string());
  const Ran all = run(fmt::format("'{}' {}", source.string(), few_ids), "prove");
  INFO(all.output);
  CHECK(all.exit_code == 0);
  if (solves) {
    CHECK_THAT(all.output, ContainsSubstring("first.cl:3:7: first.") &&
                               ContainsSubstring("'i > 0' -> 'i != 0'") &&
                               ContainsSubstring("it never has another value there"));
    CHECK(answers(few_ids + " --time-limit 0.000001").size() < complete.size());
    CHECK(complete.size() > 1);
    const fs::path killed = folder.path / "killed";
    std::ofstream(killed) << "#!/bin/sh\nread line\nkill -KILL $$\n";
    fs::permissions(killed, fs::perms::owner_all);
    const nlohmann::json few =
        answers(few_ids, fmt::format("GPUTEST_SOLVER='{}' ", killed.string()));
    CHECK(few.size() < complete.size());
    for (const auto& [id, proof] : complete.items())
      CHECK((!few.contains(id) || proof == "" || proof.get<std::string>().ends_with("records it")));
  }

  std::ofstream(list) << "first.launch.swap\n";
  const Ran none = run(fmt::format("'{}' --mutants '{}' --output '{}' --time-limit 5",
                                   source.string(), list.string(), json.string()),
                       "prove");
  CHECK(none.exit_code == 0);
  std::ifstream written(json);
  CHECK(std::string(std::istreambuf_iterator<char>(written), {}) == "{}\n");

  std::ofstream(list) << "no.such\n";
  const Ran unknown =
      run(fmt::format("'{}' --mutants '{}'", source.string(), list.string()), "prove");
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.output, ContainsSubstring("there is no mutant 'no.such'"));
  CHECK(run(fmt::format("'{}' --mutants /no/such/file", source.string()), "prove").exit_code == 2);

  // Of a CUDA file; nothing is proved of what a kernel reaches that cannot be looked at.
  const fs::path cuda = folder.path / "first.cu";
  std::ofstream(cuda) << "template <typename T> __global__ void first(T* out, int n) {\n"
                         "  if (threadIdx.x > 0 && n > 3) out[threadIdx.x] = n;\n"
                         "}\n"
                         "__global__ void shuffled(int* out) {\n"
                         "  const int i = threadIdx.x;\n"
                         "  out[i] = __shfl_xor_sync(0xffffffff, i, 1) > 1 || i > 0;\n"
                         "}\n"
                         "__global__ void timed(int* out) {\n"
                         "  const int j = threadIdx.x;\n"
                         "  out[j] = clock64() > 5 || j > 0;\n"
                         "}\n";
  const Ran proved = run(fmt::format("'{}' --instance 'first<int>'", cuda.string()), "prove");
  INFO(proved.output);
  CHECK(proved.exit_code == 0);
  CHECK((proved.output.find("first.cu:2:7: first.") != std::string::npos) == solves);
  CHECK((proved.output.find("'threadIdx.x > 0' -> 'threadIdx.x != 0'") != std::string::npos) ==
        solves);
  CHECK(proved.output.find("'n > 3' -> 'n != 3'") == std::string::npos);
  CHECK((proved.output.find("'i > 0' -> 'i != 0'") != std::string::npos) == solves);
  CHECK(proved.output.find(" > 1' -> ") == std::string::npos);
  CHECK(proved.output.find("'j > 0' -> 'j != 0'") == std::string::npos);
  CHECK_THAT(proved.output,
             ContainsSubstring("first.cu:10:12: error: the kernel asks for the time"));
  const Ran template_alone =
      run(fmt::format("'{}' --instance 'second<int>'", cuda.string()), "prove");
  CHECK(template_alone.exit_code == 2);
  CHECK_THAT(template_alone.output, ContainsSubstring("no kernel 'second<int>'"));
}

TEST_CASE("--html writes a page with an answer for each outcome and mutant") {
  const Folder folder;
  const fs::path page = folder.path / "pages" / "generation.html", json = folder.path / "all.json";
  const Ran ran = run(fmt::format("{} -k impossible -o '{}' --mutants --html '{}' --json '{}'",
                                  kernel("impossible.cl"), (folder.path / "cases").string(),
                                  page.string(), json.string()));
  INFO(ran.output);
  CHECK(ran.exit_code == 0);
  std::ifstream file(page);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  CHECK_THAT(text, ContainsSubstring("<title>Generated cases</title>"));
  CHECK_THAT(text, ContainsSubstring("Outcomes reached"));
  CHECK_THAT(text, ContainsSubstring("Mutants killed"));
  CHECK(text.find("http://") == std::string::npos); // it needs nothing else
  // Where the time went.
  const auto busy = nlohmann::ordered_json::parse(std::ifstream(json))["kernels"][0]["busy"];
  CHECK(busy.begin().key() == "reading");
  for (const char* stage : {"reading", "fuzzing", "proving", "hunting mutants"})
    CHECK(busy[stage].get<double>() > 0);
  CHECK(busy["shrinking"].get<double>() < 5);
  CHECK(run(fmt::format("{} -k impossible -o '{}' --html /proc/no.html", kernel("impossible.cl"),
                        (folder.path / "cases").string()))
            .exit_code != 0);
}

TEST_CASE("Requirements on elements are offered, taken, and refused with their place") {
  const Folder folder;
  const Ran offered = run(fmt::format("{} -k scatter -o '{}/offered' --budget 5",
                                      kernel("elements.cl"), folder.path.string()));
  INFO(offered.output);
  CHECK_THAT(offered.output, ContainsSubstring("REQUIRE \"all(x in place: x < size(out))\""));
  CHECK_THAT(offered.output, ContainsSubstring("REQUIRE \"distinct(place)\""));
  // Each of these makes the offer needless.
  const Ran taken = run(fmt::format("{} -k scatter -o '{}/taken' --budget 5 --require "
                                    "'permutation(place)' --require 'size(place) == size(out)'"
                                    " --require 'size(out) == global_size(0)'",
                                    kernel("elements.cl"), folder.path.string()));
  INFO(taken.output);
  CHECK_THAT(taken.output, ContainsSubstring("2 of 2 outcomes reached"));
  CHECK(taken.output.find("led to faults") == std::string::npos);
  CHECK(taken.output.find("race") == std::string::npos);
  CHECK_THAT(taken.output, ContainsSubstring("REQUIRE \"permutation(place)\""));
  const Ran refused = run(fmt::format("{} -k scatter -o '{}/none' --require 'distinct(places)'",
                                      kernel("elements.cl"), folder.path.string()));
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.output,
             ContainsSubstring("character 10: kernel 'scatter' has no argument 'places'"));
  // A kernel without the fault gets no offer.
  const Ran sound =
      run(fmt::format("{} -o '{}/sound' --budget 5", kernel("constants.cl"), folder.path.string()));
  CHECK(sound.output.find("led to faults") == std::string::npos);
}

TEST_CASE("What a fault blocks is counted, and reached where it is assumed to be fixed") {
  const Folder folder;
  const Ran blocked =
      run(fmt::format("{} -o '{}/blocked' --budget 5 --json '{}/all.json'", kernel("always.cl"),
                      folder.path.string(), folder.path.string()));
  INFO(blocked.output);
  CHECK_THAT(blocked.output, ContainsSubstring("0 of 2 outcomes reached, 0 proved impossible, "
                                               "2 blocked by a fault, 0 open;"));
  CHECK_THAT(gputest::model::read_text(folder.path / "all.json").value_or(""),
             ContainsSubstring("\"blocked\""));
  const Ran behind = run(fmt::format("{} -o '{}/behind' --budget 5 --assume-fixed",
                                     kernel("always.cl"), folder.path.string()));
  INFO(behind.output);
  CHECK_THAT(behind.output, ContainsSubstring("2 of them behind faults that are assumed to be "));
  CHECK_THAT(behind.output, ContainsSubstring("assumes that this is fixed: "));
  CHECK(behind.output.find("recorded, not verified") == std::string::npos);
}
