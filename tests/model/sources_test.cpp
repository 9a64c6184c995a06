#include "model/sources.h"

#include "model/interface.h"
#include "model/sites_json.h"
#include "tests/catch.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace gputest::model;
namespace fs = std::filesystem;

TEST_CASE("digests are those of FNV-1a") { // http://www.isthe.com/chongo/tech/comp/fnv
  CHECK(digest_of("") == "cbf29ce484222325");
  CHECK(digest_of("foobar") == "85944171f73967e8");
}

TEST_CASE("a file that holds something else has changed; one that is gone has not") {
  const fs::path folder = fs::temp_directory_path() / "gputest-sources-test";
  fs::create_directories(folder / "sub");
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  };
  const std::vector<std::string> files{write("a.cl", "a"), write("sub/b.h", "b"),
                                       (folder / "none.h").string()};
  const auto sources = source_files(files, [&](const std::string& file) {
    return fs::path(file).lexically_relative(folder).string();
  });
  REQUIRE(sources.size() == 2);
  CHECK(sources[1].file == "sub/b.h");
  CHECK(Json(sources).get<std::vector<SourceFile>>() == sources);
  CHECK_THROWS_AS(Json({{"file", "a.cl"}}).get<SourceFile>(), FormatError);

  const std::array roots{folder / "elsewhere", folder};
  CHECK_FALSE(first_changed(sources, roots));
  write("sub/b.h", "c");
  CHECK(first_changed(sources, roots) == "sub/b.h");
  CHECK_FALSE(first_changed(sources, std::span(roots).first(1)));
  fs::remove(folder / "sub/b.h");
  CHECK_FALSE(first_changed(sources, roots));
  CHECK(first_changed({{(folder / "a.cl").string(), "0"}}, {}) == (folder / "a.cl").string());
  fs::remove_all(folder);
}
