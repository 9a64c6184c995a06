// A harness that reads its description from <its first argument>, JSON with KernelDescription's
// names. It has a machine and an analysis more than others.
#include "runtime/harness/harness.h"
#include "tests/runtime/larger_registry.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace {

// What tests can ask for as "reference".
std::function<void(const gputest::ReferenceCall&)> reference_named(const std::string& name) {
  if (name == "twice")
    return [](const gputest::ReferenceCall& call) {
      int* data = call.pointer<cl_int>("data");
      for (std::size_t i = 0; i < call.launch().global_size[0]; ++i)
        data[i] *= 2;
    };
  if (name == "crash")
    return [](const gputest::ReferenceCall&) { std::raise(SIGSEGV); };
  return {};
}

// As "property".
std::function<void(const gputest::PropertyCall&)> property_named(const std::string& name) {
  if (name == "sorted")
    return [](const gputest::PropertyCall& call) {
      const gputest::Change<int> data = call.pointer<cl_int>("data");
      if (!std::ranges::is_sorted(data.after))
        throw std::runtime_error("'data' is not sorted");
      if (!std::ranges::is_permutation(data.before, data.after))
        throw std::runtime_error("'data' does not hold what it held");
    };
  if (name == "permuted")
    return [](const gputest::PropertyCall& call) {
      const gputest::Change<int> data = call.pointer<cl_int>("data");
      if (!std::ranges::is_permutation(data.before, data.after))
        throw std::runtime_error("'data' does not hold what it held");
    };
  if (name == "counted" || name == "counted twice")
    return [places = name == "counted" ? 64 : 128](const gputest::PropertyCall& call) {
      const gputest::Change<int> next = call.pointer<cl_int>("next");
      if (next.after[0] != places)
        throw std::runtime_error("'next' does not count the places");
    };
  if (name == "text")
    return [](const gputest::PropertyCall&) { throw "it never holds"; };
  return {};
}

} // namespace

// With --judge it is started by a program that knows nothing of descriptions.
int main(int argc, char** argv) {
  constexpr const char* kDescription = "GPUTEST_FIXTURE_DESCRIPTION";
  if (const char* const known = std::getenv(kDescription);
      known && std::string_view(argv[1]).starts_with("--")) {
    --argv; // as if it stood there
    ++argc;
  } else {
    ::setenv(kDescription, argv[1], 1);
  }
  std::ifstream stream(std::getenv(kDescription));
  const auto json = nlohmann::json::parse(stream);
  const auto get = [&]<class T>(const char* key, T otherwise) {
    return json.value(key, otherwise);
  };
  using Texts = std::vector<std::string>;
  using Sizes = std::vector<std::size_t>;
  gputest::runtime::KernelDescription description;
  description.name = "fixture";
  description.source = get("source", std::string());
  description.kernel = get("kernel", std::string());
  description.function = get("function", std::string());
  description.kernel_dir = get("kernel_dir", std::string());
  description.user_interface = get("user_interface", std::string());
  description.global_size = get("global_size", Sizes());
  description.local_size = get("local_size", Sizes());
  description.global_offset = get("global_offset", Sizes());
  description.lock_step = get("lock_step", 0U);
  description.arguments = get("arguments", Texts());
  description.requirements = get("requirements", Texts());
  description.test_cases = get("test_cases", Texts());
  description.build_options = get("build_options", Texts());
  description.definitions = get("definitions", Texts());
  description.include_dirs = get("include_dirs", Texts());
  description.cl_std = get("cl_std", std::string());
  description.settings = get("settings", std::map<std::string, std::string>());
  description.driver = get("driver", std::string());
  description.simulator = get("simulator", std::string());
  description.device = get("device", std::string());
  description.reference = reference_named(get("reference", std::string()));
  description.property = property_named(get("property", std::string()));
  const gputest::tests::LargerRegistry registry;
  return gputest::runtime::run_harness(description, argc - 1, argv + 1, registry.get());
}
