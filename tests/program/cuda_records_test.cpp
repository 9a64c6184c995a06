#include "program/cuda/records.h"

#include "model/interface.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

using namespace gputest::program;
using gputest::tests::ContainsSubstring;
using gputest::tests::TemporaryFolder;

TEST_CASE("What the processes of a CUDA program have recorded is added up") {
  const TemporaryFolder folder;
  const std::string unit = "{\"folder\": \"" + folder.path().string() + "\", ";
  folder.write("1.json", unit + R"("device": "gpu", "launches": 2, "state": "0000000100000002"})"
                                "\n"
                                R"({"loaded": ["/bin/a", "/lib/b"]})"
                                "\n");
  folder.write("2.json", "{\"launches\": 7}\n" + unit +
                             R"("launches": 3, "state": "80000000"})"
                             "\n" +
                             unit + "\"laun");
  const std::vector<UnitRecord> units = read_records(folder.path(), "");
  REQUIRE(units.size() == 1);
  CHECK(units[0].launches == 5);
  CHECK(units[0].state == std::vector<std::uint32_t>{0x80000001, 2});
  CHECK(units[0].lost.empty());
  CHECK(loaded_files(folder.path()) == std::set<std::filesystem::path>{"/bin/a", "/lib/b"});
}

TEST_CASE("A record that no CUDA program writes is refused by file and key") {
  const auto refused = [](const std::string& rest, const std::string& message) {
    CAPTURE(rest);
    const TemporaryFolder folder;
    folder.write("1.json", "{\"folder\": \"" + folder.path().string() + "\"" + rest + "}\n");
    CHECK_THROWS_WITH(read_records(folder.path(), ""),
                      ContainsSubstring("1.json: error: key '") && ContainsSubstring(message));
  };
  refused("", "launches");
  refused(R"(, "launches": -1, "state": "")", "launches");
  refused(R"(, "launches": 1, "state": 7)", "state");
  refused(R"(, "launches": 1, "state": "0000000g")", "state");
  refused(R"(, "launches": 1, "state": "+0000001")", "state");
}
