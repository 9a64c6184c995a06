// What a test case needs: without it the case is skipped, and CTest says so.
#pragma once

#include <string>
#include <string_view>

namespace gputest::tests {

// Skips the test case that calls it, unless it `has` what it needs. The case has the tags [needs]
// and [needs-<need>], so that CTest runs it by itself (gputest_add_unit_test). A run with a skipped
// case exits with 77, if none fails. `why`: for people.
void needs(std::string_view need, bool has, const std::string& why);

} // namespace gputest::tests
