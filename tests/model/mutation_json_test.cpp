#include "model/files.h"
#include "model/mutation/mutation.h"

#include "tests/catch.h"
#include "tests/model/mutation_builder.h"
#include "tests/temporary_folder.h"

#include <nlohmann/json.hpp>

using namespace gputest::model;
using namespace gputest::tests;
using Json = nlohmann::ordered_json;

namespace {

// Tells which result differs before it says that something does.
void check_same(const Mutation& a, const Mutation& b) {
  REQUIRE(a.results.size() == b.results.size());
  for (std::size_t i = 0; i < a.results.size(); ++i) {
    INFO("result " << i << ", " << a.results[i].mutant.id);
    CHECK(a.results[i] == b.results[i]);
  }
  CHECK(a == b);
}

constexpr const char* kSource = "// sum(\n"
                                "__kernel void sum(__global int *a) {\n"
                                "  /* \xC3\xA4 \xF0\x9F\x98\x80 \xFF */ a[0] < 1;\r\n"
                                "  a[0] = 2;\n"
                                "}\n";

// One of everything.
Mutation sample_mutation() {
  Mutation mutation;
  mutation.name = "sum_small";
  mutation.kernel = "sum";
  mutation.device = "a device";
  mutation.source = "k.cl";
  mutation.sources = {{"k.cl", "// sum(\n__kernel void sum(__global int *a) {\n  a[0] < 1;\n}\n"},
                      {"empty.h", ""}};
  mutation.cases = {"small", "lärge"};
  mutation.operators = {"relational_replacement", "alloc_swap"};
  mutation.repeat = 5;
  mutation.threshold = 87.5;
  mutation.deterministic = false;
  mutation.population = 18446744073709551615U;
  mutation.sample_seed = 0;
  mutation.since = "HEAD~2";
  mutation.functions = {"scale"};
  mutation.files = {"*.cl", "lib/*"};
  mutation.oracle = "exit code and reads";
  mutation.seconds = 0.1;
  mutation.executed = 7;
  mutation.not_mutated = {{.file = "k.cl",
                           .line = 1,
                           .column = 2,
                           .function = "sum",
                           .construct = "goto",
                           .reason = "why"}};
  for (int i = 0; i <= static_cast<int>(Verdict::Ignored); ++i)
    mutation.results.push_back(result("m" + std::to_string(i), static_cast<Verdict>(i), 3, 8));
  // Order is not that of files.
  mutation.results[1].mutant.file = "elsewhere/unknown.h";
  MutantResult& killed = mutation.results[0];
  killed.reason = KillReason::OutOfBounds;
  killed.detail = "a[\"1\"]\nat k.cl:3";
  killed.reached_by = {"small", "lärge"};
  killed.killed_by = {"lärge"};
  killed.runs = 3;
  killed.order = "reversed";
  killed.seconds = 1.0 / 3;
  killed.mutant.operators = {"relational_replacement", "conditional_boundary_replacement"};
  killed.mutant.synchronisation = true;
  mutation.results[3].reason = KillReason::WrongOutput;
  mutation.results[5].mutant.equivalent = true;
  mutation.results[6].mutant.duplicate_of = "m0";
  mutation.results[8].mutant.ignored = true;
  mutation.results[8].mutant.ignore_reason = "by design";
  MutantResult launch = result("launch", Verdict::Survived);
  launch.mutant.kind = MutantKind::Launch;
  launch.mutant.number = 0;
  launch.mutant.operators = {"alloc_decrement"};
  launch.mutant.function = "sum";
  launch.mutant.file = "";
  launch.mutant.line = launch.mutant.column = launch.mutant.end_line = launch.mutant.end_column = 0;
  launch.mutant.text = "local size (x)";
  launch.mutant.replacement = "local size (x) - 1";
  launch.mutant.more_items = -1;
  mutation.results.push_back(launch);
  MutantResult program = result("program", Verdict::Timeout, 2, 1, "", "");
  program.mutant.kind = MutantKind::Program;
  program.mutant.number = 0;
  program.mutant.program = "mutant-program.cl";
  mutation.results.push_back(program);
  return mutation;
}

Json to_json(std::span<const Mutation> mutations) {
  return Json::parse(text_of(mutations));
}
Json to_json(const Mutation& mutation) {
  return to_json(std::span(&mutation, 1));
}

const Json& mutant(const Json& json, const std::string& file, const std::string& id) {
  for (const Json& entry : json.at("files").at(file).at("mutants"))
    if (entry.at("id") == id)
      return entry;
  throw std::runtime_error("no mutant " + id);
}

Json location_of(const MutantResult& one, const std::string& source) {
  Mutation mutation = mutation_of({one}, source);
  mutation.kernel = "sum";
  return mutant(to_json(mutation), "k.cl", one.mutant.id).at("location");
}

Json location(unsigned line, unsigned column, unsigned end_line, unsigned end_column) {
  return {{"start", {{"line", line}, {"column", column}}},
          {"end", {{"line", end_line}, {"column", end_column}}}};
}

} // namespace

TEST_CASE("mutation.json is read as it was written", "[model]") {
  const TemporaryFolder folder;
  const Mutation mutation = sample_mutation();
  write_atomically(folder.path() / "mutation.json", text_of(std::span(&mutation, 1)));
  check_same(read_mutation(folder.path() / "mutation.json"), mutation);

  Mutation bare = mutation_of({});
  write_atomically(folder.path() / "mutation.json", text_of(std::span(&bare, 1)));
  check_same(read_mutation(folder.path() / "mutation.json"), bare);
}

TEST_CASE("mutation.json follows the mutation-testing-elements schema", "[model]") {
  const Json json = to_json(sample_mutation());
  CHECK(json.at("schemaVersion") == "2");
  CHECK(json.at("thresholds") == Json{{"high", 87}, {"low", 60}});
  CHECK(to_json(mutation_of({})).at("thresholds") == Json{{"high", 80}, {"low", 60}});
  CHECK(json.at("testFiles").dump() ==
        R"({"sum_small":{"tests":[{"id":"small","name":"small"},{"id":"lärge","name":"lärge"}]}})");
  CHECK(json.at("files").size() == 3);
  CHECK(json.at("files").at("k.cl").at("language") == "opencl");
  CHECK(json.at("files").at("elsewhere/unknown.h").at("source") == "");
  Mutation cuda = sample_mutation();
  cuda.source = "k.cu";
  const auto of_cuda = to_json(cuda);
  for (const auto& [name, file] : of_cuda.at("files").items())
    CHECK(file.at("language") == "cuda"); // headers, too

  const Json& killed = mutant(json, "k.cl", "m0");
  CHECK(killed.at("mutatorName") == "relational_replacement, conditional_boundary_replacement");
  CHECK(killed.at("replacement") == "<=");
  CHECK(killed.at("location") == location(3, 8, 3, 9));
  CHECK(killed.at("statusReason") ==
        "out of bounds: a[\"1\"]\nat k.cl:3; order of work-items: reversed");
  CHECK(killed.at("coveredBy") == Json{"small", "lärge"});
  CHECK(killed.at("killedBy") == Json{"lärge"});
  CHECK(killed.at("duration").get<double>() == Approx(1000.0 / 3));
  CHECK_FALSE(mutant(json, "k.cl", "m2").contains("duration"));
}

TEST_CASE("Each verdict has a status of the schema", "[model]") {
  const Json json = to_json(sample_mutation());
  const auto check = [&](const std::string& file, const std::string& id, const char* status,
                         const std::string& reason) {
    const Json& entry = mutant(json, file, id);
    CHECK(entry.at("status") == status);
    CHECK(entry.value("statusReason", "") == reason);
  };
  check("elsewhere/unknown.h", "m1", "Survived", "");
  check("k.cl", "m2", "NoCoverage", "");
  check("k.cl", "m3", "Survived", "undecided: some runs notice it (wrong output), others do not");
  check("k.cl", "m4", "Timeout", "");
  check("k.cl", "m5", "Ignored", "equivalent: proved to compute what the original computes");
  check("k.cl", "m6", "Ignored", "duplicate: proved to compute what m0 computes");
  check("k.cl", "m7", "CompileError", "");
  check("k.cl", "m8", "Ignored", "by design");
}

TEST_CASE("The gputest object holds the score and what else the schema cannot say", "[model]") {
  const Json json = to_json(sample_mutation());
  const Json& own = json.at("gputest");
  CHECK(own.at("format") == "gputest-mutation-1");
  CHECK(own.at("score").get<double>() == Approx(100.0 * 3 / 7));
  CHECK(own.at("tallies").dump() ==
        R"({"killed":1,"survived":2,"no_coverage":1,"undecided":1,"timeout":2,)"
        R"("equivalent":1,"duplicate":1,"compile_error":1,"ignored":1,"not_run":0})");
  CHECK(own.at("confidence").at("low").get<double>() < 43);
  CHECK(own.at("sample_seed") == 0);
  const Json bare = to_json(mutation_of({}));
  CHECK(bare.at("gputest").at("score").is_null());
  CHECK(bare.at("gputest").at("confidence").is_null());
  CHECK(bare.at("gputest").at("threshold").is_null());

  const Json& killed = mutant(json, "k.cl", "m0").at("gputest");
  CHECK(killed.at("verdict") == "killed");
  CHECK(killed.at("column") == 8);
  CHECK(killed.at("text") == "<");
  CHECK(killed.at("operators").size() == 2);
}

TEST_CASE("Columns are UTF-16 units outside, bytes inside", "[model]") {
  // ä is 2 bytes and 1 unit, 😀 4 bytes and 2 units, a byte that is no UTF-8 1 of each.
  const std::string before = "  /* \xC3\xA4 \xF0\x9F\x98\x80 \xFF */ a[0] ";
  const auto column = static_cast<unsigned>(before.size() + 1);
  const MutantResult one = result("m", Verdict::Killed, 3, column);
  CHECK(location_of(one, kSource) == location(3, column - 3, 3, column - 2));
  CHECK(mutation_from_json(to_json(mutation_of({one}, "k"))).results.front().mutant.column ==
        column);
  // Beyond the line's end, and beyond the text's.
  CHECK(location_of(result("m", Verdict::Killed, 4, 100), kSource) == location(4, 100, 4, 101));
  CHECK(location_of(result("m", Verdict::Killed, 90, 7), kSource) == location(90, 7, 90, 8));
}

TEST_CASE("What has no place or no extent can be shown all the same", "[model]") {
  CHECK(location_of(result("m", Verdict::Killed, 3, 5, "", ";"), "\n\nab;c;") ==
        location(3, 5, 3, 6));
  MutantResult launch = result("m", Verdict::Killed, 0, 0, "");
  launch.mutant.kind = MutantKind::Launch;
  CHECK(location_of(launch, kSource) == location(2, 15, 2, 18));
  CHECK(location_of(launch, "kernel X sum (int a)") == location(1, 10, 1, 13));
  CHECK(location_of(launch, "K(assume) int checksum(int), sum;") == location(1, 1, 1, 2));
  CHECK(location_of(launch, "") == location(1, 1, 1, 2));
  Mutation mutation = mutation_of({launch});
  const Json json = to_json(mutation);
  CHECK_FALSE(mutant(json, "k.cl", "m").contains("replacement"));
  CHECK(mutant(json, "k.cl", "m").at("description") == " → <=");
}

TEST_CASE("Several kernels share a file of results", "[model]") {
  Mutation first = mutation_of({result("m", Verdict::Killed), result("n", Verdict::Survived)}, "a"),
           second = mutation_of({result("m", Verdict::Survived)}, "a"),
           third = mutation_of({result("m", Verdict::Survived)}, "another text of this name");
  second.name = "second";
  third.name = "third";
  for (Mutation* one : {&first, &second, &third}) {
    one->cases = {"c"};
    one->results[0].reached_by = {"c"};
  }
  const std::vector<Mutation> all{first, second, third};
  const Json json = to_json(all);
  CHECK(mutant(json, "k.cl", "k/m").at("status") == "Killed");
  CHECK(mutant(json, "k.cl", "second/m").at("coveredBy") == Json{"second/c"});
  CHECK(json.at("files").at("third/k.cl").at("mutants").size() == 1);
  const auto read = mutations_from_json(Json::parse(text_of(all)));
  REQUIRE(read.size() == 3);
  for (std::size_t i = 0; i < 3; ++i)
    check_same(read[i], all[i]);
  CHECK(message_of<FormatError>([&] { mutation_from_json(json); }) ==
        "holds the results of 3 kernels, not of one");
}

TEST_CASE("One line of mutation.json is one mutant", "[model]") {
  const Mutation mutation =
      mutation_of({result("m1", Verdict::Killed), result("m2", Verdict::Killed)});
  const std::string text = text_of(std::span(&mutation, 1));
  CHECK_THAT(text, ContainsSubstring("\n{\"id\":\"m1\","));
  CHECK_THAT(text, ContainsSubstring("\n{\"id\":\"m2\","));
}

TEST_CASE("What is no mutation.json is named", "[model]") {
  const TemporaryFolder folder;
  const auto message = [&](const Json& json) {
    const auto file = folder.write("m.json", json.dump());
    return message_of<FormatError>([&] { read_mutation(file); }).substr(file.string().size());
  };
  CHECK(message(1) == ": error: key 'gputest' is missing");
  CHECK(message({{"schemaVersion", "2"}}) == ": error: key 'gputest' is missing");
  CHECK(message({{"gputest", 1}}) == ": error: key 'gputest' is not an object");
  CHECK(
      message({{"gputest", {{"format", "gputest-mutation-9"}}}}) ==
      ": error: format is 'gputest-mutation-9', expected 'gputest-mutation-1'; another version of "
      "GpuTestCheck has written it: make it again with this");
  Json json = to_json(sample_mutation());
  Json& entry = json["files"]["k.cl"]["mutants"][0];
  const Json good = entry;
  entry["gputest"]["verdict"] = "dead";
  CHECK(message(json) == ": error: key 'verdict' has the unknown value 'dead'");
  entry = good;
  entry["gputest"]["reason"] = "boredom";
  CHECK(message(json) == ": error: key 'reason' has the unknown value 'boredom'");
  entry = good;
  entry["gputest"]["kernel"] = 1;
  CHECK(message(json) == ": error: a mutant's 'kernel' is 1, of 1");
  entry = good;
  entry.erase("coveredBy");
  CHECK(message(json) == ": error: key 'coveredBy' is missing");
  json["files"] = Json::array();
  CHECK(message(json) == ": error: key 'files' is not an object");
}
