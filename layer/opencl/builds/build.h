// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program as it was built last, and what runs in place of its kernels.
#pragma once

#include "layer/instrumentation/instrumentation.h"
#include "layer/opencl/implementation.h"
#include "layer/opencl/services.h"
#include "layer/opencl/state_buffer.h"
#include "runtime/machine/opencl/device.h"
#include "runtime/variants/instrument.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gputest::layer {

// One source that was compiled into a program: the only source, or one of those that were linked.
struct Unit {
  std::string source;  // empty: there is none, because the program came as a binary
  std::string options; // as the program passed them
  std::vector<std::pair<std::string, std::string>> headers; // include name and text
  bool stands_in = false; // what the device does not take: its own kernels do nothing
};

// Launches of one key share this.
struct LaunchState {
  StateBuffer buffer;
  std::vector<Launch> launches; // as in LaunchPlan
  bool is_final = false;
  std::optional<LaunchOrder> order{};
};

// The program that runs instead of the program's own, for one device, or in the simulator in its
// place.
class TwinProgram {
public:
  // Makes and builds the program. Throws gputest::Error, std::runtime_error.
  TwinProgram(Services& services, unsigned program, const std::vector<Unit>& units,
              cl_context context, cl_device_id device);
  TwinProgram(const TwinProgram&) = delete;
  TwinProgram& operator=(const TwinProgram&) = delete;
  ~TwinProgram();

  cl_program program() const { return program_; } // nullptr: it runs in the simulator
  // Returns one of its kernels for the simulator. Throws gputest::Error.
  std::unique_ptr<runtime::BuiltKernel> simulated(Simulator& simulator,
                                                  const std::string& kernel) const;
  const Instrumentation& instrumentation() const { return *instrumentation_; }
  // Returns, for people, what launches may do besides changing the memory of their arguments;
  // empty: nothing.
  std::string hidden_effect() const;
  // Returns where a launch with this key records, and how it is made. Throws std::exception.
  LaunchState& state(const std::vector<std::uint64_t>& key, const RequestedLaunch& request);
  void collect(bool now);
  cl_uint context_references() const { return context_references_; }

private:
  const std::vector<model::DeviceMacro>& make(const runtime::InstrumentRequest& request);
  std::vector<model::DeviceMacro> macros(const std::vector<model::DeviceMacro>& assumed,
                                         const runtime::BuildSettings& settings) const;
  void build(const std::string& text);

  Services& services_;
  unsigned number_;
  cl_context context_;
  cl_device_id device_;
  runtime::Device description_;
  std::filesystem::path folder_;
  std::unique_ptr<Instrumentation> instrumentation_;
  cl_program program_ = nullptr;
  std::string text_, name_;         // text_: for the simulator; name_: for messages
  runtime::BuildSettings settings_; // settings of the text that runs
  bool prints_ = false;             // kernels may call printf
  // The number of context references that the objects made here add. OpenCL implementations differ.
  std::atomic<cl_uint> context_references_ = 0;
  std::mutex mutex_;
  // By kernel and key.
  std::map<std::pair<std::string, std::vector<std::uint64_t>>, std::unique_ptr<LaunchState>>
      states_;
};

class Build {
public:
  // Writes the build to the log. `units`: the sources that are linked into it.
  Build(Services& services, cl_context context, std::vector<Unit> units);

  cl_context context() const { return context_; }

  unsigned number() const { return number_; }
  bool keeps_reads() const { return !services_.settings.keep_reads.empty(); }
  void name_memory(cl_mem memory, NamedMemory name) {
    services_.memory.set(memory, std::move(name));
  }
  const std::string& stem() const { return stem_; } // its name among sources
  // Whether the program's own kernels do nothing.
  bool stands_in() const { return std::ranges::any_of(units_, &Unit::stands_in); }
  std::size_t max_bytes() const { return services_.settings.max_bytes; }
  // "<stem>.<kernel>": the name for people and results.
  std::string label(const std::string& kernel) const { return stem_ + "." + kernel; }

  // Returns the key of a kernel. It is not its label, because two texts may have kernels of one
  // label.
  std::string identity(const std::string& kernel) const { return identity_ + "." + kernel; }

  std::atomic<std::uint64_t>& launches(const std::string& kernel) {
    return services_.launches(label(kernel));
  }

  // nullptr: launches run on their devices.
  Simulator* simulator() { return services_.simulator ? &*services_.simulator : nullptr; }
  // nullptr: launches are not captured.
  Capture* capture() { return is_wanted_ && services_.capture ? &*services_.capture : nullptr; }
  // nullptr: no mutants are tried on launches.
  Trials* trials() { return is_wanted_ && services_.trials ? &*services_.trials : nullptr; }
  // Returns the kernel's arguments; nullptr: they cannot be known, which the log notes once.
  const model::KernelInterface* described(const std::string& kernel);

  SvmMemory& svm() { return services_.svm; }
  KnownMemory known_memory() { return {services_.svm, services_.pipes}; }
  // Returns whether launches of `kernel` run something else.
  bool replaces(const std::string& kernel) const {
    const auto& only = services_.settings.only_kernels;
    return only.empty() || stands_in() || only.contains(label(kernel));
  }
  // Returns the variant for `device`, which the first call makes. nullptr if there cannot be one,
  // which the log notes once.
  TwinProgram* variant(cl_device_id device);
  void collect(bool now);
  cl_uint context_references();

  // Says why launches of `kernel` were not measured; each reason once.
  void not_measured(const std::string& kernel, const std::string& reason);

private:
  bool is_excluded(const NamedSource& name) const;
  void describe_source(runtime::ProgramEvent& event);

  Services& services_;
  cl_context context_;
  std::vector<Unit> units_;
  unsigned number_; // in the log
  std::string stem_, identity_;
  bool is_wanted_ = true;
  std::optional<model::Interface> interface_;
  std::mutex mutex_;
  std::map<cl_device_id, std::unique_ptr<TwinProgram>> variants_;
  std::vector<std::string> told_;
};

} // namespace gputest::layer
