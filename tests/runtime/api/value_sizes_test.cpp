// The kernel that tells the sizes of a program's own types is built once for a program.
#include "runtime/api/value_sizes.h"

#include "runtime/machine/opencl/machine.h"
#include "tests/catch.h"
#include "tests/runtime/device_fixture.h"

using namespace gputest;
using namespace gputest::tests;

namespace {

class Counting : public runtime::Machine {
public:
  std::string name() const override { return worker_->name(); }
  runtime::MachineIdentity identity() const override { return worker_->identity(); }
  bool is_cpu() const override { return worker_->is_cpu(); }
  std::size_t largest_group() const override { return worker_->largest_group(); }
  std::unique_ptr<runtime::BuiltKernel> build(const std::string& text,
                                              const runtime::BuildSettings& settings,
                                              const std::string& kernel,
                                              const std::string& source) override {
    ++builds;
    return worker_->build(text, settings, kernel, source);
  }
  std::unique_ptr<runtime::RepeatedCase> repeat(runtime::BoundCase test_case,
                                                const std::string& kernel,
                                                const std::vector<std::size_t>& outputs,
                                                std::size_t state_bytes) override {
    return worker_->repeat(std::move(test_case), kernel, outputs, state_bytes);
  }

  unsigned builds = 0;

private:
  std::unique_ptr<Machine> worker_ = runtime::opencl_kind().open({.device = "0"});
};

std::size_t size_of_value(Counting& machine, const std::string& text,
                          std::vector<std::string> definitions = {}) {
  runtime::Signature signature{.arguments = 1,
                               .declared = {{.name = "value", .type = "struct Own"}}};
  runtime::BuildSettings settings;
  settings.definitions = std::move(definitions);
  runtime::add_value_sizes(machine, text, settings, "k.cl", signature);
  return signature.declared[0].size;
}

} // namespace

TEST_CASE("A program tells the sizes of its types once", "[needs][needs-device]") {
  require_device();
  const std::string text = "struct Own { int a[COUNT]; };\n";
  Counting machine;
  for (int i = 0; i < 3; ++i)
    CHECK(size_of_value(machine, text, {"COUNT=5"}) == 20);
  CHECK(machine.builds == 1);
  CHECK(size_of_value(machine, text, {"COUNT=6"}) == 24); // another program
  CHECK(size_of_value(machine, "struct Own { char a[COUNT]; };\n", {"COUNT=5"}) == 5);
  CHECK(machine.builds == 3);
  Counting other;
  CHECK(size_of_value(other, text, {"COUNT=5"}) == 20); // the same device
  CHECK(other.builds == 0);
}

TEST_CASE("A program that includes a file is asked each time, because the file may change",
          "[needs][needs-device]") {
  require_device();
  const TemporaryFolder folder;
  Counting machine;
  for (const std::size_t count : {2, 3}) {
    const auto file =
        folder.write("own.h", "struct Own { int a[" + std::to_string(count) + "]; };");
    CHECK(size_of_value(machine, "#include \"" + file.string() + "\"\n") == 4 * count);
  }
  CHECK(machine.builds == 2);
}
