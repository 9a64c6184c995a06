// The kernel that tests are written for.
#pragma once

#include "frontend/source_options.h"
#include "model/interface.h"
#include "model/sites.h"
#include "runtime/cases/image_layout.h"
#include "simulator/execute/variant.h"
#include "testgen/deadline.h"
#include "testgen/inputs/dictionary.h"
#include "testgen/inputs/input.h"
#include "testgen/mutants/program.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

struct KernelArgument {
  std::string name;
  simulator::Parameter::Kind kind = simulator::Parameter::Kind::Value;
  model::Type type{};                // of a value, of an element, of a pixel
  std::vector<model::Leaf> leaves{}; // of the same
  bool output = false;               // memory that the kernel writes
  bool shared = false; // of CUDA: dynamic __shared__ memory, the last one; cases have it apart
  std::optional<runtime::ImageLayout> image{}; // of Image: kind and format; an input says how large

  // A scalar integer by value: what may be a size, a stride or a bound.
  bool is_integer() const;
};

struct Target {
  std::string file; // as the user named it
  model::KernelInterface interface;
  std::vector<KernelArgument> arguments{};
  simulator::Source original, instrumented;
  model::SiteTable sites; // of the kernel and what it calls
  Dictionary dictionary;
  unsigned samplers = kSamplersOfFloats;          // so many of kSamplers are inputs
  bool remainder = false;                         // the last group of a dimension may be smaller
  std::shared_ptr<const MutantProgram> mutants{}; // of the file; null: nobody asked for them
  std::string refused{}; // of CUDA, why it cannot be run by itself, compiler-style; empty: it can

  const std::string& kernel() const { return interface.name; }
};

// The kernels of the file that options name, all or one. `mutants`: they are goals, too; what the
// compiler proves of them it proves by `until`. Throws UsageError with compiler-style messages, and
// where there is no such kernel.
std::vector<Target> targets_of(const passes::SourceOptions& options, const std::string& kernel,
                               bool mutants = false, Deadline until = {});

// What files of cases begin with: "saxpy-float" of `saxpy<float>`, "copy-int-pointer" of
// `copy<int *>`.
std::string file_part(const std::string& kernel);

// Why no input can be made for it, such as an image format that is not known, or that it cannot be
// run; empty: one can.
std::string why_not(const Target& target);

} // namespace gputest::testgen
