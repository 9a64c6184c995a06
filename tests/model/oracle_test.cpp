// The oracle as options name it.
#include "model/programs/oracle.h"
#include "model/settings.h"

#include "tests/catch.h"

#include <utility>
#include <vector>

using namespace gputest::model;

TEST_CASE("Oracles have names, each once") {
  CHECK(oracle_named({"output"}) == Oracle{.exit_code = false, .output = true, .is_given = true});
  CHECK(text_of(oracle_named({"reads", "exit-code"})) == "exit code and reads");
  CHECK(text_of(Oracle{}) == "exit code");
  Oracle all = oracle_named({"exit-code", "output", "reads"});
  all.fail_expression = "F";
  all.tolerance = 1e-5;
  CHECK(text_of(all) ==
        "exit code, output (FAIL_REGULAR_EXPRESSION 'F') and reads (tolerance 1e-05)");
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{}, {""}, {"stdout"}, {"OUTPUT"}, {"reads", "reads"}})
    CHECK_THROWS_AS(oracle_named(wrong), SettingError);
}

TEST_CASE("Expressions are whole and have an oracle to which they belong") {
  Oracle output = oracle_named({"output"});
  for (const char* right : {"FAIL", "^[0-9]+ errors?$", "a|b", "(x){2}"}) {
    output.fail_expression = right;
    CHECK_NOTHROW(check(output));
  }
  for (const char* broken : {"", "(", "[a", "*(", "a{2,1}"}) {
    INFO(broken);
    output.fail_expression = broken;
    CHECK_THROWS_AS(check(output), SettingError);
  }
  Oracle code;
  code.pass_expression = "a";
  CHECK_THROWS_WITH(check(code), "--pass-regex is for --oracle output");
  Oracle no_reads;
  no_reads.tolerance = 1;
  CHECK_THROWS_WITH(check(no_reads), "--oracle-tolerance is for --oracle reads");
}

TEST_CASE("An expression is looked for in each line") {
  CHECK(line_with("^b", "a\nb c\nd") == "b c");
  CHECK(line_with("c$", "a\nb c\nd") == "b c");
  CHECK(line_with("d", "a\nb c\nd") == "d");
  CHECK(line_with("a", "a\nb") == "a");
  CHECK(line_with("", "\n") == "");
  CHECK_FALSE(line_with("a.b", "a\nb"));
  CHECK_FALSE(line_with("x", ""));
  CHECK(line_with("z", std::string("a\0z\nb", 5)).has_value());
}
