#include "tests/store/fixtures.h"

#include <algorithm>
#include <tuple>

using namespace gputest;
using namespace gputest::tests;
using store::Outcome;
using store::Store;
using namespace std::string_literals;

namespace {

std::vector<Outcome> sorted(std::vector<Outcome> outcomes) {
  std::sort(outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) {
    return std::tie(a.mutant, a.test_case, a.order) < std::tie(b.mutant, b.test_case, b.order);
  });
  return outcomes;
}

} // namespace

TEST_CASE("What is put is found again, in this process and the next", "[store]") {
  const Folder folder;
  const auto file = folder / "new/folders/results.db";
  const std::vector<Outcome> all{
      {.mutant = "a", .test_case = "c"},
      {.mutant = "b",
       .test_case = "c",
       .order = "reversed",
       .runs = 20,
       .noticed = 7,
       .verdict = model::Verdict::Undecided,
       .reason = model::KillReason::DivergentBarrier,
       .detail = "with 'quotes', \xff no UTF-8, a \0 and\na line\xc3\xa9"s,
       .seconds = 1e-7},
      {.mutant = "c",
       .test_case = "d",
       .runs = 4294967295u,
       .noticed = 4294967295u,
       .verdict = model::Verdict::CompileError,
       .detail = std::string(100000, 'x'),
       .seconds = 86400.5},
      {.mutant = "d", .test_case = "d", .runs = 1, .verdict = model::Verdict::Timeout}};
  {
    Store results(file);
    for (const Outcome& each : all)
      results.put("program", each);
    CHECK(sorted(results.outcomes("program")) == all);
  }
  CHECK(sorted(Store(file).outcomes("program")) == all);
}

TEST_CASE("A second outcome replaces the first, of the same program, mutant, case and order",
          "[store]") {
  const Folder folder;
  Store results(folder / "results.db");
  Outcome first = outcome(1);
  results.put("program", first);
  Outcome second = first;
  second.verdict = model::Verdict::Survived;
  second.reason.reset();
  second.noticed = 0;
  results.put("program", second);
  CHECK(results.outcomes("program") == std::vector{second});

  Outcome other_case = first, other_order = first;
  other_case.test_case = "another";
  other_order.order = "reversed";
  results.put("program", other_case);
  results.put("program", other_order);
  results.put("another program", first);
  CHECK(results.outcomes("program").size() == 3);
  CHECK(results.outcomes("another program") == std::vector{first});
  CHECK(results.outcomes("progra").empty());
}

TEST_CASE("Documents are kept by name and kind, the newest one", "[store]") {
  const Folder folder;
  Store results(folder / "results.db");
  CHECK(results.document("reduce", "mutation").empty());
  results.put_document("reduce", "mutation", "{1}");
  results.put_document("reduce", "mutation", "{2}");
  results.put_document("reduce", "coverage", "{3}");
  results.put_document("scan", "mutation", std::string(5'000'000, 'y'));
  CHECK(results.document("reduce", "mutation") == "{2}");
  CHECK(results.document("reduce", "coverage") == "{3}");
  CHECK(results.document("scan", "mutation").size() == 5'000'000);
  CHECK(results.document("scan", "coverage").empty());
}

TEST_CASE("A store can be moved", "[store]") {
  const Folder folder;
  Store first(folder / "a.db");
  first.put("program", outcome(1));
  Store second(std::move(first));
  second.put("program", outcome(2));
  first = Store(folder / "b.db");
  first.put("program", outcome(3));
  CHECK(second.outcomes("program").size() == 2);
  CHECK(first.outcomes("program") == std::vector{outcome(3)});
}

TEST_CASE("Names that SQLite gives a meaning are files like others", "[store]") {
  const Folder folder;
  for (const char* name : {":memory:", "file:a.db?mode=memory", "100% #1.db", "-", " "}) {
    const auto file = folder / name;
    Store(file).put("program", outcome(1));
    CHECK(std::filesystem::exists(file));
    CHECK(count(file, "program") == 1);
  }
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder / "");
  Store("relative.db").put("program", outcome(1));
  std::filesystem::current_path(here);
  CHECK(count(folder / "relative.db", "program") == 1);
}

TEST_CASE("The file is what docs/reference/formats.md says", "[store]") {
  const Folder folder;
  const auto file = folder / "results.db";
  Store(file).put("program", outcome(5));
  // Each statement fails when it finds no row or another value.
  execute(file, "CREATE TEMP TABLE seen (what, value CHECK (value = 1));"
                "INSERT INTO seen SELECT 'application', application_id = 1196455252 FROM "
                "pragma_application_id;"
                "INSERT INTO seen SELECT 'version', user_version = 1 FROM pragma_user_version;"
                "INSERT INTO seen SELECT 'log', journal_mode = 'wal' FROM pragma_journal_mode;"
                "INSERT INTO seen SELECT 'row', program = 'program' AND mutant = 'm5' AND "
                "test_case = 'case' AND item_order = '' AND runs = 3 AND noticed = 1 AND verdict = "
                "'killed' AND reason = 'wrong output' AND detail = 'element 5' AND seconds = 1.25 "
                "AND written > 1700000000000000000 FROM outcomes;"
                "INSERT INTO seen SELECT 'all', count(*) = 4 FROM seen;");
}

TEST_CASE("A hash of content is the first half of SHA-256", "[store]") {
  // FIPS 180-2, appendix B.
  CHECK(store::content_hash("abc") == "ba7816bf8f01cfea414140de5dae2223");
  CHECK(store::content_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039");
  CHECK(store::content_hash(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67");
  CHECK(store::content_hash("") == "e3b0c44298fc1c149afbf4c8996fb924");
  CHECK(store::content_hash(std::string_view("\0", 1)) != store::content_hash(""));
}
