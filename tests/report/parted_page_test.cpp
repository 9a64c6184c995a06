// Pages whose sources are pages of their own.
#include "report/common/parted_page.h"

#include "driver/report/files.h"
#include "driver/report/report.h"
#include "tests/catch.h"
#include "tests/report/fixtures.h"
#include "tests/temporary_folder.h"

#include <cxxopts.hpp>

using namespace gputest::report;
using gputest::tests::ContainsSubstring;

namespace {

PartedPage page_of(const std::string& file, std::size_t most) {
  const PartedBody body{.sections = {"<section id=\"f0\">aaaa</section>\n",
                                     "<section id=\"f1\">bbbb</section>\n",
                                     "<section id=\"f2\">cccc</section>\n"},
                        .whole =
                            [](const std::string& sections, SourceRange sources) {
                              return "<a href=\"#f2-L7\">at</a> <a href=\"#top\">up</a> [" +
                                     sections + "] " + std::to_string(sources.past);
                            },
                        .end =
                            [](SourceRange sources) {
                              return "data of " + std::to_string(sources.first) + " to " +
                                     std::to_string(sources.past);
                            }};
  return parted(
      {.title = "T",
       .css = "",
       .script = "let steps;",
       .navigation = "<li>first</li>\n<li>second</li>\n<li><a href=\"#f2\">third</a></li>\n",
       .gap = "gap",
       .body = ""},
      body, file, most, 70);
}

} // namespace

TEST_CASE("A page that is not large has all its sources", "[report]") {
  for (const PartedPage& page : {page_of("", 1), page_of("p.html", 1000)}) {
    CHECK(page.parts.empty());
    CHECK_THAT(page.main, ContainsSubstring("aaaa") && ContainsSubstring("cccc") &&
                              ContainsSubstring("href=\"#f2-L7\"") && ContainsSubstring("] 3") &&
                              ContainsSubstring("let steps;") &&
                              !ContainsSubstring("location.replace"));
  }
}

TEST_CASE("Sources of a large page are pages beside it, and links lead there", "[report]") {
  const PartedPage page = page_of("p.html", 90);
  REQUIRE(page.parts.size() == 2);
  CHECK_THAT(page.main, ContainsSubstring("href=\"p-files/2.html#f2-L7\"") &&
                            ContainsSubstring("href=\"p-files/2.html#f2\">third") &&
                            ContainsSubstring("href=\"#top\"") && ContainsSubstring("] 0") &&
                            ContainsSubstring("location.replace(link.href") &&
                            !ContainsSubstring("aaaa") && !ContainsSubstring("let steps;"));
  CHECK_THAT(page.parts[0],
             ContainsSubstring("aaaa") && ContainsSubstring("bbbb") && !ContainsSubstring("cccc") &&
                 ContainsSubstring("<li>second") && !ContainsSubstring("third") &&
                 ContainsSubstring("href=\"../p.html\">T") &&
                 ContainsSubstring("sources 1 to 2 of 3") && ContainsSubstring("data of 0 to 2") &&
                 ContainsSubstring("let steps;"));
  CHECK_THAT(page.parts[1], ContainsSubstring("cccc") && !ContainsSubstring("bbbb") &&
                                ContainsSubstring("href=\"#f2\">third") &&
                                ContainsSubstring("data of 2 to 3"));
}

TEST_CASE("Parts of an older page go", "[report]") {
  const gputest::tests::TemporaryFolder folder;
  const std::string file = (folder.path() / "p.html").string();
  cxxopts::Options options("test");
  gputest::driver::add_report_options(options);
  const std::vector<const char*> words{"test", "--html", file.c_str()};
  const auto arguments = options.parse(static_cast<int>(words.size()), words.data());
  gputest::driver::Outputs outputs(arguments);
  const auto write = [&](std::vector<std::string> parts) {
    outputs.write_page([&](const std::string& name) {
      CHECK(name == "p.html");
      return PartedPage{"main", parts};
    });
  };
  write({"a", "b", "c"});
  CHECK(folder.read("p-files/3.html") == "c");
  write({"d", "e"});
  CHECK(folder.read("p-files/1.html") == "d");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "p-files/3.html"));
  write({});
  CHECK(folder.read("p.html") == "main");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "p-files"));
}
