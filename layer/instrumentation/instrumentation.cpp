// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/instrumentation/instrumentation.h"

#include "runtime/cases/argument.h"
#include "runtime/machine/source_text.h"

#include <stdexcept>
#include <utility>

namespace gputest::layer {

void add_sizes(const Launch& launch, std::vector<std::uint64_t>& key) {
  key.push_back(launch.dimensions);
  for (const auto* sizes : {&launch.global_size, &launch.local_size, &launch.global_offset})
    key.insert(key.end(), sizes->begin(), sizes->end());
}

std::string Instrumentation::refusal(const std::string& /*kernel*/) const {
  return "";
}

LaunchPlan Instrumentation::trial(const RequestedLaunch& /*request*/,
                                  const model::Mutant* /*mutant*/, unsigned /*order*/,
                                  bool /*trace*/) const {
  throw std::logic_error("there are no mutants");
}

namespace {

// Makes #line directives name files below `root` relative to it, as in variants.
std::string named_from(const std::filesystem::path& root, std::string text) {
  const std::string folder = root.string() + "/";
  for (std::size_t at = text.find("#line "); at != std::string::npos;
       at = text.find("#line ", at + 1)) {
    const std::size_t name = text.find('"', at);
    if ((at == 0 || text[at - 1] == '\n') && name != std::string::npos &&
        text.compare(name + 1, folder.size(), folder) == 0)
      text.erase(name + 1, folder.size());
  }
  return text;
}

// Leaves the program as it is. The simulator that runs it checks what it does.
class Nothing : public Instrumentation {
public:
  explicit Nothing(const Settings& settings) : settings_(settings) {}

  model::Variant variant() const override { return model::variant_of("coverage"); }
  const std::vector<model::DeviceMacro>& read(const std::filesystem::path& /*folder*/) override {
    return none_;
  }
  std::string text(const std::filesystem::path& /*folder*/,
                   const std::filesystem::path& source) const override {
    return model::row_of(source).has_source
               ? named_from(settings_.source_root, runtime::read_variant(source))
               : runtime::read_source(source);
  }
  bool is_original() const override { return true; }
  void add_options(const std::string& /*device_type*/,
                   runtime::BuildSettings& /*settings*/) const override {}
  std::vector<std::uint64_t> key(const RequestedLaunch& /*request*/) const override { return {}; }
  LaunchPlan plan(const RequestedLaunch& /*request*/) const override { return {}; }

private:
  const Settings& settings_;
  std::vector<model::DeviceMacro> none_;
};

} // namespace

std::unique_ptr<Instrumentation> instrument_nothing(const Settings& settings) {
  return std::make_unique<Nothing>(settings);
}

} // namespace gputest::layer
