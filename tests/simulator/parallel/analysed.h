// A kernel's accesses as the simulator finds them, and what launches make of them.
#pragma once

#include "simulator/execute/program.h"
#include "simulator/memory/guard.h"
#include "simulator/memory/ndrange.h"
#include "simulator/parallel/separate.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::simulator::tests {

struct Sizes {
  std::array<std::size_t, 2> groups{4, 1}, local{8, 1};
};

inline gputest_context context_of(const Sizes& sizes) {
  LaunchRequest request;
  request.sizes.dimensions = 2;
  for (unsigned i = 0; i < 2; ++i) {
    request.sizes.local[i] = sizes.local[i];
    request.sizes.global[i] = sizes.groups[i] * sizes.local[i];
  }
  return context_of(request);
}

// A kernel with two buffers, `a` and `b`, and numbers behind them.
class Analysed {
public:
  explicit Analysed(const std::string& text, const std::vector<std::string>& checks = {}) {
    on_large_stack([&] {
      const Cache none{std::filesystem::path()};
      Program program({.name = "t.cl", .text = "#line 1 \"/t.cl\"\n" + text, .cl_std = ""}, none);
      const Program::Ready& ready = program.kernel({.kernel = "k", .checks = checks_named(checks)});
      ready.code.has_run(1e9);
      ready.code.replace_if_due();
      accesses = ready.accesses(1e9).value();
      checked = ready.checked_accesses;
      shape = ready.shape;
    });
  }

  std::string why_not(const Sizes& sizes, const std::vector<int>& numbers,
                      bool same_memory = false) const {
    return why_not_separate(accesses, context_of(sizes), arguments_of(numbers),
                            places(same_memory));
  }

  // Bits of the buffers. With the check of races.
  std::uint64_t own(const Sizes& sizes, const std::vector<int>& numbers,
                    bool same_memory = false) const {
    return own_objects(checked.value(), context_of(sizes), arguments_of(numbers),
                       places(same_memory));
  }

  GroupAccesses accesses;
  std::optional<GroupAccesses> checked;
  ir::KernelShape shape;

private:
  std::vector<std::byte> arguments_of(const std::vector<int>& numbers) const {
    std::vector<std::byte> arguments(shape.arguments_size);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      std::memcpy(arguments.data() + shape.parameters.at(i + 2).offset, &numbers[i], sizeof(int));
    return arguments;
  }
  static std::vector<std::optional<ObjectPlace>> places(bool same_memory) {
    return {ObjectPlace{.memory = 1}, ObjectPlace{.memory = same_memory ? 1U : 2U}};
  }
};

} // namespace gputest::simulator::tests
