// A harness of a kernel whose files the gputest command has made, as a build does.
#pragma once

#include "tests/catch.h"
#include "tests/runtime/device_fixture.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::tests {

// `entry` is the kernel to run; `makes` are subcommands: "instrument", which is always run,
// "mutants", "schedule".
class DescribedProject : public HarnessProject {
public:
  explicit DescribedProject(const std::string& source, const std::vector<std::string>& makes = {},
                            const std::string& entry = "k",
                            const std::map<std::string, std::string>& headers = {})
      : HarnessProject(source, kernel_interface(entry, {})) {
    for (const auto& [name, text] : headers)
      folder.write(name, text);
    make("instrument");
    for (const std::string& subcommand : makes)
      make(subcommand);
    description["driver"] = GPUTEST_DRIVER;
    description["mutation"] = {{"store", (folder.path() / "results.db").string()}};
  }

  void make(const std::string& subcommand) const {
    const auto made = process::run_command(
        {GPUTEST_DRIVER, subcommand, (folder.path() / "kernel.cl").string(), "--source-root",
         folder.path().string(), "--output-dir", folder.path().string()});
    INFO(made.output);
    REQUIRE(made.exit_code == 0);
  }
};

} // namespace gputest::tests
