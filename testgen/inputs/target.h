// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that tests are generated for.
#pragma once

#include "frontend/source_options.h"
#include "model/interface.h"
#include "model/sites.h"
#include "runtime/cases/image_layout.h"
#include "simulator/execute/variant.h"
#include "testgen/goals/deadline.h"
#include "testgen/inputs/dictionary.h"
#include "testgen/inputs/input.h"
#include "testgen/mutants/program.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

struct KernelArgument {
  std::string name;
  ir::Parameter::Kind kind = ir::Parameter::Kind::Value;
  model::Type type{};                // of a value, an element or a pixel
  std::vector<model::Leaf> leaves{}; // the scalars of `type`
  bool output = false;               // the kernel writes to it
  bool unused = false;               // the kernel surely never reads it
  bool nullable = false;             // a buffer's pointer, which the kernel compares with null
  bool shared = false; // CUDA: dynamic __shared__ memory, the last argument; cases name it apart
  std::optional<runtime::ImageLayout> image{}; // Image: kind and format; inputs have sizes

  // Whether it is an integer by value, which may be a size, a stride or a bound.
  bool is_integer() const;
  // Bytes of an element; 1 if its type has no size.
  std::size_t element_size() const { return std::max<std::size_t>(type.size, 1); }
};

// Returns how many elements a buffer or __local memory has.
std::size_t elements_of(const KernelArgument& argument, const Content& content);

struct Target {
  std::string file; // as the user named it
  model::KernelInterface interface;
  std::vector<KernelArgument> arguments{};
  ir::Source original, instrumented;
  model::SiteTable sites; // of the kernel and what it calls
  Dictionary dictionary;
  unsigned samplers = kSamplersOfFloats; // inputs use this many of kSamplers
  bool global_offset = false;            // the kernel asks for that of its launch
  bool remainder = false;                // the last group of a dimension may be smaller
  std::size_t lock_step = 0; // so many work-items of a group run in lock step; it has as many
  std::shared_ptr<const MutantProgram> mutants{};     // of the file; null: mutants are no goals
  std::shared_ptr<const frontend::FlatSource> flat{}; // the file as it was read
  // Why the kernel cannot run by itself, for example because it is a template of which the file
  // makes nothing, or because its groups are too small for lock step; or "".
  std::string refused{};

  const std::string& kernel() const { return interface.name; }
  std::size_t most_items_of_group() const; // of launches that a device takes
  bool takes_group_of(std::size_t work_items) const {
    return work_items <= most_items_of_group() && work_items >= lock_step;
  }
};

// Returns the kernels of the file in `options`: all, or the one named `kernel`. After all kernels
// come the templates that cannot be launched as they are, as refused targets. `mutants`: mutants
// are goals, too, but those that the compiler proves equivalent in `seconds` of an idle machine,
// which are counted in work (passes/equivalence/optimised_code.h). Throws UsageError with
// compiler-style messages if the file cannot be compiled or has no such kernel.
std::vector<Target> targets_of(const frontend::SourceOptions& options, const std::string& kernel,
                               bool mutants = false, double seconds = 1e9);

// Returns the beginning of the names of case files: "saxpy-float" for `saxpy<float>`, and
// "copy-int-pointer" for `copy<int *>`.
std::string file_part(const std::string& kernel);

// Returns why no input can be made for the target, such as an unknown image format; empty: inputs
// can be made.
std::string why_not(const Target& target);

} // namespace gputest::testgen
