#include "tests/runtime/abacus/machine.h"

#include "runtime/machine/opencl/machine.h"

#include <cstdlib>
#include <string>

namespace gputest::tests {
namespace {

class Abacus : public runtime::Machine {
public:
  explicit Abacus(std::unique_ptr<Machine> worker) : worker_(std::move(worker)) {}

  std::string name() const override { return "abacus"; }
  runtime::MachineIdentity identity() const override { return {name(), "1", {}, {}}; }
  bool is_cpu() const override { return true; }
  std::size_t largest_group() const override { return 10; } // wires

  std::unique_ptr<runtime::BuiltKernel> build(const std::string& text,
                                              const runtime::BuildSettings& settings,
                                              const std::string& kernel,
                                              const std::string& source) override {
    return worker_->build(translated(text), settings, kernel, source);
  }
  std::unique_ptr<runtime::RepeatedCase> repeat(runtime::BoundCase test_case,
                                                const std::string& kernel,
                                                const std::vector<std::size_t>& outputs,
                                                std::size_t state_bytes) override {
    return worker_->repeat(std::move(test_case), kernel, outputs, state_bytes);
  }

private:
  // ABACUS_WRONG: "original" or "variant", whose number 12345 becomes another, or "both".
  static std::string translated(std::string text) {
    const char* const wrong = std::getenv("ABACUS_WRONG");
    const bool is_variant = text.find("GPUTEST_ENTER") != std::string::npos;
    if (wrong &&
        (wrong == std::string(is_variant ? "variant" : "original") || wrong == std::string("both")))
      for (std::size_t at = 0; (at = text.find("12345", at)) != std::string::npos;)
        text.replace(at, 5, "12346");
    return text;
  }

  std::unique_ptr<Machine> worker_;
};

} // namespace

runtime::MachineKind abacus_kind() {
  return {.name = "abacus",
          .open = [](const runtime::MachineRequest&) -> std::unique_ptr<runtime::Machine> {
            return std::make_unique<Abacus>(runtime::opencl_kind().open({.device = "0"}));
          },
          .list =
              [](const runtime::MachineRequest& request) {
                (void)runtime::opencl_kind().list(request); // whose devices do its work
                return std::string("abacus: ten wires\n");
              }};
}

} // namespace gputest::tests
