// Kept launches that no program has made.
#include "gputest/error.h"
#include "ir/cuda/code_digest.h"
#include "memory/checked_launch.h"
#include "model/files.h"

#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <functional>

using namespace gputest;
using gputest::tests::ContainsSubstring;
using memory::CheckedLaunch;
using model::Caches;
using model::KeptLaunch;

namespace {

// Writes two launches, "first.json" and "second.json", of which the first is before the second.
class Launches {
public:
  Launches() {
    model::write_atomically(folder_.path() / "k.code", "code");
    model::write_atomically(folder_.path() / "k.bytes", "");
    first.number = 4;
    second.number = 5;
    second.before = "first.json";
    for (KeptLaunch* const launch : {&first, &second}) {
      launch->kernel = launch->mangled = "k";
      launch->code = "k.code";
      launch->code_digest = ir::cuda::code_digest("code");
      launch->contents = "k.bytes";
      launch->caches = Caches::Warm;
      launch->grid = launch->block = {1, 1, 1};
    }
  }
  CheckedLaunch read() const {
    write("first.json", first);
    write("second.json", second);
    return memory::read_checked_launch(folder_.path() / "second.json");
  }
  // Returns why the launches are refused, or no text.
  std::string refusal() const {
    return gputest::tests::message_of<UsageError>([&] { memory::read_launch_before(read()); });
  }
  const std::filesystem::path& folder() const { return folder_.path(); }

  KeptLaunch first, second;

private:
  void write(const char* name, const KeptLaunch& launch) const {
    model::write_kept_launch(folder_.path() / name, launch);
  }

  gputest::tests::TemporaryFolder folder_;
};

} // namespace

TEST_CASE("The launch before a kept one is checked like the launch", "[launches]") {
  Launches launches;
  CHECK(memory::read_launch_before(launches.read()).launch.number == 4);
  const auto refused = [&](const std::function<void()>& change, const std::string& why) {
    const KeptLaunch first = launches.first, second = launches.second;
    change();
    CHECK_THAT(launches.refusal(), ContainsSubstring(why));
    launches.first = first;
    launches.second = second;
  };
  refused([&] { launches.second.before = ""; }, "'' is not the name of a file beside it");
  refused([&] { launches.second.before = ".."; }, "cannot be read");
  refused([&] { launches.second.before = "none.json"; }, "none.json: error: cannot be read");
  for (const std::string& folder : {launches.folder().string(), std::string(".")})
    refused([&] { launches.second.before = folder + "/first.json"; },
            "first.json' is not the name of a file beside it");
  refused([&] { launches.second.before = "second.json"; },
          "second.json: error: 'second.json' is not the launch before it: its number is 5, and "
          "not 4");
  for (const std::uint64_t number : {3, 5, 6})
    refused([&] { launches.first.number = number; }, "'first.json' is not the launch before it");
  refused([&] { launches.first.warp_size = 64; },
          "'first.json' has warps of 64 threads, and it has warps of 32");
  refused([&] { launches.first.code_digest = "other"; },
          "first.json: error: 'k.code' is not the code of its kernel");
  CHECK(launches.refusal().empty());
}

TEST_CASE("Negative sizes of a kept launch are no large ones", "[launches]") {
  Launches launches;
  const auto refused = [&](std::uint64_t size, const std::string& why) {
    launches.second.grid[1] = size;
    CHECK_THAT(launches.refusal(), ContainsSubstring("second.json: error: " + why));
  };
  launches.read();
  std::string text = model::read_text(launches.folder() / "second.json").value();
  const std::size_t grid = text.find("\"grid\"");
  text.insert(text.find('1', grid), "-");
  model::write_atomically(launches.folder() / "second.json", text);
  CHECK_THROWS_WITH(memory::read_checked_launch(launches.folder() / "second.json"),
                    ContainsSubstring("a size of its grid or block is negative or too large"));
  refused(0, "a size of its grid or block is 0");
  refused(std::uint64_t{1} << 62, "it has more threads than a launch can have");
  refused(std::uint64_t{1} << 63, "a size of its grid or block is negative or too large");
}
