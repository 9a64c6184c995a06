// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs and kernels of the program under test, by their handles, which are the OpenCL
// implementation's own. Nothing about them changes. Beside each kernel there is a twin from the
// instrumented program. It gets the same arguments and is launched in the kernel's place.
#pragma once

#include "layer/opencl/builds/build.h"
#include "layer/opencl/implementation.h"
#include "layer/opencl/kernel_settings.h"
#include "layer/opencl/launch_call.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gputest::layer {

class Kernel {
public:
  Kernel(cl_kernel handle, std::shared_ptr<Build> build);
  // Makes a clone of `original`.
  Kernel(cl_kernel handle, Kernel& original);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel();

  // Called after the OpenCL implementation has accepted these for the program's own kernel.
  void set_argument(cl_uint index, std::size_t size, const void* value);
  void set_svm_pointer(cl_uint index, const void* value);
  void set_exec_info(cl_kernel_exec_info name, std::size_t size, const void* value);

  // Launches the twin. If there is no twin or the device refuses it, launches the program's own
  // kernel, whose result is then returned.
  cl_int launch(const LaunchCall& call);

  // Notes that launches of the kernel stay as they are, for this reason.
  void not_replaced(const std::string& reason) { build_->not_measured(name_, reason); }

private:
  struct Twin {
    cl_kernel kernel = nullptr;                        // nullptr: none
    std::shared_ptr<runtime::BuiltKernel> simulated{}; // in the simulator, in place of `kernel`
    TwinProgram* variant = nullptr;                    // nullptr: there is no twin
    // By argument: whether it points to global or local memory; empty: not needed.
    std::vector<bool> is_sized{};
    std::size_t most_items = 0;       // work-items of a group
    LaunchState* state = nullptr;     // the state whose buffer is the hidden argument
    std::vector<std::uint64_t> key{}; // the key of `state`
  };
  Twin& twin(cl_device_id device);
  Twin make_twin(cl_device_id device);
  void make_simulated_twin(Twin& twin, TwinProgram& variant, cl_device_id device);
  cl_int launch_captured(const LaunchCall& call, Capture& capture);
  cl_int launch_twin(const LaunchCall& call, Twin& twin);
  cl_int launch_simulated(const LaunchCall& call, Twin& twin);
  struct SimulatedLaunch;
  cl_int simulate(const LaunchCall& call, Twin& twin);
  void try_mutants(const LaunchCall& call, Twin& twin, Trials& trials); // kernel_trials.cpp
  void name_memory();
  // Launches the program's own kernel.
  cl_int enqueue_own(const LaunchCall& call);
  std::vector<std::uint64_t> sizes(const Twin& twin) const;
  void set_state(Twin& twin, const Launch& launch);

  cl_kernel handle_;
  std::shared_ptr<Build> build_;
  std::string name_, label_;
  std::atomic<std::uint64_t>& launches_; // launches of all kernels with that label
  cl_uint argument_count_ = 0;           // without the hidden argument
  std::mutex mutex_;
  KernelSettings settings_;
  std::unordered_map<cl_device_id, Twin> twins_;
};

std::string name_of(cl_kernel kernel);

// Returns the source; empty: there is none.
std::string source_of(cl_program program);

class Objects {
public:
  explicit Objects(Services& services) : services_(services) {}

  void created(cl_program program);
  // For a program that is created from binaries, one for each device.
  void created(cl_program program, const std::vector<std::span<const std::byte>>& binaries);
  // Called when the program has taken binaries, as clGetProgramInfo() gives them.
  void took_binaries(cl_program program, unsigned char* const* binaries);
  void built(cl_program program, const std::string& options);
  // Its kernels are those of `instead`, which do nothing. Takes that program.
  void replaced(cl_program program, Unit unit, cl_program instead);
  // The same, where kernels are made when it is linked.
  void compiled_instead(cl_program program, Unit unit, cl_program instead);
  // Its kernels are its own again, as it is built anew or does not build.
  void forget_replacement(cl_program program);
  // Returns the program whose kernels are made for `program`.
  cl_program maker_of(cl_program program);
  void compiled(cl_program program, const std::string& options,
                std::vector<std::pair<std::string, std::string>> headers);
  void linked(cl_program program, const std::vector<Unit>& units);
  // Returns what programs add to one into which they are linked.
  std::vector<Unit> units_of_inputs(const std::vector<cl_program>& inputs);
  // Returns the sources of a program whose own kernels do nothing, and of others none.
  std::vector<Unit> units_standing_in(cl_program program);
  void retained(cl_program program);
  // Called before the OpenCL implementation releases it.
  void released(cl_program program);

  void created(cl_program program, cl_kernel kernel);
  // For a program whose kernels stand in for those of these sources.
  void created_from(cl_program program, std::vector<Unit> units);
  // For a program that is created from SPIR-V. `stands_in`: its own kernels do nothing.
  void created_from(cl_program program, std::string_view module, bool stands_in = false);
  void cloned(cl_kernel from, cl_kernel kernel);
  void retained(cl_kernel kernel);
  void released(cl_kernel kernel);

  // Returns the kernel with this handle; nullptr: it is unknown.
  std::shared_ptr<Kernel> find(cl_kernel kernel);

  // Notes that the kernel was launched in a way that leaves it as it is. Each name and reason is
  // noted once.
  void not_replaced(cl_kernel kernel, const std::string& reason);

  void collect(bool now);

  // Returns the number of references to `context` that objects made by the layer hold.
  cl_uint references(cl_context context);

private:
  std::vector<std::shared_ptr<Build>> builds();
  std::vector<Unit> units_of(cl_program program);
  struct ProgramEntry {
    unsigned references = 1;
    std::shared_ptr<Build> build; // nullptr: no kernels can be made from it
    std::vector<Unit> units;      // what it adds to a program into which it is linked
    cl_program instead = nullptr; // that of replaced()
  };
  struct KernelEntry {
    unsigned references = 1;
    std::shared_ptr<Kernel> kernel;
  };
  void set_build(cl_program program, const std::vector<Unit>& units);
  void set_units(cl_program program, std::vector<Unit> units, std::shared_ptr<Build> build);
  void set_instead(cl_program program, cl_program instead);

  Services& services_;
  std::shared_mutex mutex_;
  std::unordered_map<cl_program, ProgramEntry> programs_;
  std::unordered_map<cl_kernel, KernelEntry> kernels_;
  std::mutex builds_mutex_;
  std::vector<std::weak_ptr<Build>> builds_;
  std::set<std::string> told_; // names of unknown kernels, with reasons
};

} // namespace gputest::layer
