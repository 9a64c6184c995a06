// The table of checks, and who must know of it.
#include "model/checks/checks.h"

#include "model/analyses.h"
#include "model/files.h"
#include "tests/catch.h"

#include <fmt/format.h>
#include <set>

using namespace gputest::model;
using gputest::tests::ContainsSubstring;

TEST_CASE("docs/simulator.md has every check and every kind of finding") {
  const std::string page = read_text(GPUTEST_DOCS "/simulator.md").value_or("");
  for (const CheckRow& row : check_rows()) {
    CHECK_THAT(page, ContainsSubstring(fmt::format("| `{}` |", keyword_of(row.name))));
    for (const KindOfFinding& kind : row.kinds)
      CHECK_THAT(page, ContainsSubstring(fmt::format("`{}`", kind.name)));
  }
  for (const KindOfFinding& kind : other_kinds())
    CHECK_THAT(page, ContainsSubstring(fmt::format("`{}`", kind.name)));
}

TEST_CASE("A kind of finding belongs to one check, and each check is a word of CHECK") {
  std::set<std::string_view> kinds;
  const Analysis& analysis = *find_analysis(analyses(), "check");
  for (const CheckRow& row : check_rows()) {
    for (const KindOfFinding& kind : row.kinds)
      CHECK(kinds.insert(kind.name).second);
    const Setting* const setting = find_setting(analysis, row.name);
    REQUIRE(setting);
    CHECK((setting->fallback == "on") == row.on);
    CHECK(find_check(row.name) == &row);
  }
  for (const KindOfFinding& kind : other_kinds())
    CHECK(kinds.insert(kind.name).second);
  CHECK_FALSE(find_check("luck"));
}
