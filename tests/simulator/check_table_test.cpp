// The table of checks: its rows have their files, and a row more is all that another check needs.
#include "tests/simulator/made_up/float_division.h"
#include "tests/simulator/simulated.h"

#include "ir/error.h"
#include "model/checks/checks.h"
#include "tests/catch.h"

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;

TEST_CASE("Each row of the table has the check of its name") {
  const auto rows = gputest::model::check_rows();
  const auto checks = all_checks();
  REQUIRE(rows.size() == checks.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].name == checks[i]->name);
    CHECK(rows[i].variant_of == (checks[i]->variant_of ? checks[i]->variant_of->name : ""));
  }
  CHECK(text_of(checks_named({"bounds", "races", "bounds"})) == "races bounds");
  // A variant stands in for its check.
  CHECK(text_of(checks_named({"bounds", "races_in_step"})) == "races_in_step bounds");
  CHECK(text_of(checks_named({"races_in_step", "races"})) == "races");
  CHECK(checks_named({"races_in_step"}).has("races"));
  CHECK_THROWS_WITH(checks_named({"luck"}),
                    "check 'luck' is not known; there are: races, races_in_step, barriers, bounds, "
                    "uninitialized, arithmetic, overflow, exits, host");
}

TEST_CASE("A made-up check is a file and a row") {
  std::vector<const Check*> table(all_checks().begin(), all_checks().end());
  table.push_back(&float_division_check());
  Run what{.text = "kernel void k(global float* data) {\n"
                   "  size_t i = get_global_id(0);\n"
                   "  data[i] = 1 / data[i];\n"
                   "  data[i + 1] = 2;\n"
                   "}\n",
           .global_size = 4,
           .local_size = 2,
           .arguments = {buffer(std::vector<float>{1, 2, 3, 0})},
           .checks = {"bounds", "float_division"}};
  CHECK_THROWS_AS(run(what), InputError);
  what.table = table;
  const Ran ran = run(what);
  CHECK(ran.findings() == "out_of_bounds 4\n"); // each division is of what another has written
  what.text.replace(what.text.find("  data[i + 1] = 2;\n"), 19, "");
  const Ran by_zero = run(what);
  REQUIRE(by_zero.findings() == "float_division 3\n");
  CHECK(by_zero.result.findings.front().message ==
        "work-item (1) of group (1) divides by zero, in group number 2");
  what.checks = {"bounds"};
  CHECK(run(what).findings().empty());
}
