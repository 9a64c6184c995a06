#include "layer/instrumentation.h"

#include "runtime/coverage_state.h"
#include "runtime/program.h"

namespace gputest::layer {
namespace {

// Launches only add to what is recorded: all of a kernel share one buffer.
class Coverage : public Instrumentation {
public:
  runtime::Variant variant() const override { return runtime::Variant::Coverage; }

  const std::vector<model::DeviceMacro>& read(const std::filesystem::path& folder) override {
    sites_ = model::read_site_table(folder / "sites.json");
    return sites_.device_macros;
  }

  std::string text(const std::filesystem::path& folder) const override {
    return runtime::read_variant(folder / "coverage.cl");
  }

  std::string options(const runtime::Device& device) const override {
    return device.type == "cpu" ? " -DGPUTEST_ON_CPU=1" : "";
  }

  std::vector<std::uint64_t> key(const LaunchRequest& /*request*/) const override { return {}; }

  LaunchPlan plan(const LaunchRequest& /*request*/) const override {
    return {.state = runtime::make_state(sites_, 0), .launches = {}};
  }

private:
  model::SiteTable sites_;
};

} // namespace

std::unique_ptr<Instrumentation> instrument_coverage(const Settings& /*settings*/) {
  return std::make_unique<Coverage>();
}

} // namespace gputest::layer
