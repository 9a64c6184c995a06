// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/instrumentation/instrumentation.h"

#include "runtime/cases/argument.h"
#include "runtime/machine/source_text.h"
#include "runtime/variants/coverage_state.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string_view>

namespace gputest::layer {
namespace {

// Launches with records of their own. Later ones share one.
constexpr std::uint64_t kMostLaunches = 1000;

// Returns the name of the test that the program runs now; empty: it does not say.
std::string_view current_test() {
  const char* const test = std::getenv("GPUTEST_CASE");
  return test ? test : "";
}

// Launches only add to what is recorded, so all launches of a kernel share one buffer, unless each
// launch or each test is wanted.
class Coverage : public Instrumentation {
public:
  explicit Coverage(const Settings& settings) : settings_(settings) {}

  model::Variant variant() const override { return model::variant_of("coverage"); }

  const std::vector<model::DeviceMacro>& read(const std::filesystem::path& folder) override {
    sites_ = model::read_site_table(folder / "sites.json");
    return sites_.device_macros;
  }

  std::string text(const std::filesystem::path& folder,
                   const std::filesystem::path& /*source*/) const override {
    return runtime::read_variant(folder / "coverage.cl");
  }

  void add_options(const std::string& device_type,
                   runtime::BuildSettings& settings) const override {
    if (device_type == "cpu")
      settings.definitions.emplace_back("GPUTEST_ON_CPU=1");
  }

  std::vector<std::uint64_t> key(const RequestedLaunch& request) const override {
    std::vector<std::uint64_t> key;
    if (settings_.each_launch)
      key.push_back(std::min(request.number, kMostLaunches));
    if (const std::string_view test = current_test(); !test.empty())
      key.push_back(std::hash<std::string_view>()(test));
    return key;
  }

  LaunchPlan plan(const RequestedLaunch& request) const override {
    LaunchPlan plan{.state = runtime::make_state(sites_, 0), .launches = {}};
    if (settings_.each_launch)
      plan.event.sizes = runtime::sizes_of(request.launch);
    if (const std::string_view test = current_test(); !test.empty())
      plan.event.test_case = test;
    return plan;
  }

private:
  const Settings& settings_;
  model::SiteTable sites_;
};

} // namespace

std::unique_ptr<Instrumentation> instrument_coverage(const Settings& settings) {
  return std::make_unique<Coverage>(settings);
}

} // namespace gputest::layer
