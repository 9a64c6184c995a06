// One missing barrier is one message.
#include "tests/catch.h"

#include "model/checks/finding_groups.h"

using namespace gputest::model;

namespace {

Finding race(unsigned line, unsigned other_line, const std::string& cause) {
  return {
      .kind = "race", .site = {"k.cl", line, 3}, .other = {"k.cl", other_line, 0}, .cause = cause};
}

} // namespace

TEST_CASE("Of findings with one cause the first is printed, and the others are named") {
  FindingGroups groups;
  CHECK(groups.leads(race(9, 5, "races on 'tile'")));
  CHECK(groups.leads(race(20, 18, "races on 'row'")));
  CHECK_FALSE(groups.leads(race(10, 5, "races on 'tile'")));
  CHECK_FALSE(groups.leads(race(11, 5, "races on 'tile'")));
  CHECK(groups.leads(race(30, 0, "")));
  CHECK(groups.leads(race(31, 0, "")));
  CHECK(groups.notes() ==
        std::vector<std::string>{"k.cl:9:3: note: 2 more races on 'tile': k.cl:10 and k.cl:5, "
                                 "k.cl:11 and k.cl:5"});
  CHECK_FALSE(groups.leads(race(40, 0, "races on 'row'"))); // with one place
  CHECK(groups.notes().back() == "k.cl:20:3: note: 1 more races on 'row': k.cl:40");
}
