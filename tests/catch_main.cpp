#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#endif
#include "tests/catch.h"
#include "tests/needs.h"

#include <cstdio>

namespace {

std::string tags; // of the test case that runs
unsigned begun = 0, skipped = 0;

#ifdef CATCH_CONFIG_RUNNER
using Listener = Catch::TestEventListenerBase;
#else
using Listener = Catch::EventListenerBase;
#endif

class Cases : public Listener {
public:
  using Listener::Listener;
  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    Listener::testCaseStarting(info);
    tags = info.tagsAsString();
    ++begun;
  }
};
CATCH_REGISTER_LISTENER(Cases)

} // namespace

void gputest::tests::needs(std::string_view need, bool has, const std::string& why) {
  const std::string tag = "[needs-" + std::string(need) + "]";
  INFO("the tags " << tags << " lack [needs] or " << tag);
  REQUIRE((tags.find("[needs]") != std::string::npos && tags.find(tag) != std::string::npos));
  if (has)
    return;
  ++skipped;
  std::printf("%s%s\n", why.starts_with("skipped: ") ? "" : "skipped: ", why.c_str());
#ifdef SKIP
  SKIP(why);
#else
  throw Catch::TestFailureException(); // ends the case, and is no failure by itself
#endif
}

int main(int argc, char** argv) {
  constexpr int kSkipped = 77, kAllSkipped = 4;  // of CTest's, and of Catch2's version 3
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // what is buffered, a child would print again
  const int failed = Catch::Session().run(argc, argv);
  if (skipped > 0 && (failed == 0 || failed == kAllSkipped))
    return kSkipped;
  for (int i = 1; i < argc && begun == 0 && failed == 0; ++i)
    if (std::string_view(argv[i]).find("[needs") != std::string_view::npos) {
      std::printf("no test case has these tags\n");
      return 1;
    }
  return failed;
}
