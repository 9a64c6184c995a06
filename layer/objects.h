// The programs and kernels that the program under test has, by their handles, which are the
// driver's own. Nothing about them changes: beside each kernel there is a twin, from the
// instrumented program, that gets the same arguments and is launched in its place.
#pragma once

#include "layer/build.h"
#include "layer/kernel_settings.h"
#include "layer/launch_call.h"

#include <CL/cl.h>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace gputest::layer {

class Kernel {
public:
  Kernel(cl_kernel handle, std::shared_ptr<Build> build);
  // A clone.
  Kernel(cl_kernel handle, Kernel& original);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel();

  // The driver has taken these for the program's own kernel.
  void set_argument(cl_uint index, std::size_t size, const void* value);
  void set_svm_pointer(cl_uint index, const void* value);
  void set_exec_info(cl_kernel_exec_info name, std::size_t size, const void* value);

  // Launches the twin; the program's own kernel where there is none or the device refuses it, which
  // then decides what is returned.
  cl_int launch(const LaunchCall& call);

  // Launches of it are as they are, for this reason.
  void not_replaced(const std::string& reason) { build_->not_measured(name_, reason); }

private:
  struct Twin {
    cl_kernel kernel = nullptr;                        // nullptr: none
    std::unique_ptr<runtime::BuiltKernel> simulated{}; // in the simulator, in its place
    Variant* variant = nullptr;                        // nullptr: there is no twin
    std::vector<bool> is_sized{}; // by argument: points to global or local memory; empty: no matter
    std::size_t most_items = 0;   // of a group
    LaunchState* state = nullptr; // whose buffer is its hidden argument
    std::vector<std::uint64_t> key{}; // of that
  };
  Twin& twin(cl_device_id device);
  Twin make_twin(cl_device_id device);
  void make_simulated_twin(Twin& twin, Variant& variant, cl_device_id device);
  cl_int launch_captured(const LaunchCall& call, Capture& capture);
  cl_int launch_twin(const LaunchCall& call, Twin& twin);
  cl_int launch_simulated(const LaunchCall& call, Twin& twin);
  cl_int simulate(const LaunchCall& call, Twin& twin);
  void name_memory();
  std::vector<std::uint64_t> sizes(const Twin& twin) const;
  void set_state(Twin& twin, const LaunchCall& call);

  cl_kernel handle_;
  std::shared_ptr<Build> build_;
  std::string name_, label_;
  std::atomic<std::uint64_t>& launches_; // of all kernels with that label
  cl_uint argument_count_ = 0;           // without the hidden one
  std::mutex mutex_;
  KernelSettings settings_;
  std::unordered_map<cl_device_id, Twin> twins_;
};

std::string name_of(cl_kernel kernel);

// Empty: there is none.
std::string source_of(cl_program program);

class Objects {
public:
  explicit Objects(Services& services) : services_(services) {}

  void created(cl_program program);
  // From binaries, one for each device.
  void created(cl_program program, const std::vector<std::span<const std::byte>>& binaries);
  // The program has taken binaries of it, as clGetProgramInfo() gives them.
  void took_binaries(cl_program program, unsigned char* const* binaries);
  void built(cl_program program, const std::string& options);
  void compiled(cl_program program, const std::string& options,
                std::vector<std::pair<std::string, std::string>> headers);
  void linked(cl_program program, const std::vector<cl_program>& inputs);
  void retained(cl_program program);
  // Before the driver releases it.
  void released(cl_program program);

  void created(cl_program program, cl_kernel kernel);
  void cloned(cl_kernel from, cl_kernel kernel);
  void retained(cl_kernel kernel);
  void released(cl_kernel kernel);

  // nullptr: none of ours.
  std::shared_ptr<Kernel> find(cl_kernel kernel);

  // It was launched in a way that leaves it as it is: each name and reason is told once.
  void not_replaced(cl_kernel kernel, const std::string& reason);

  void collect(bool now);

  // How many references to `context` are held by what the layer made.
  cl_uint references(cl_context context);

private:
  std::vector<std::shared_ptr<Build>> builds();
  std::vector<Unit> units_of(cl_program program);
  struct ProgramEntry {
    unsigned references = 1;
    std::shared_ptr<Build> build; // nullptr: there are no kernels to make
    std::vector<Unit> units;      // what it brings when it is linked
  };
  struct KernelEntry {
    unsigned references = 1;
    std::shared_ptr<Kernel> kernel;
  };
  void set_build(cl_program program, const std::vector<Unit>& units);
  void set_units(cl_program program, std::vector<Unit> units, std::shared_ptr<Build> build);

  Services& services_;
  std::shared_mutex mutex_;
  std::unordered_map<cl_program, ProgramEntry> programs_;
  std::unordered_map<cl_kernel, KernelEntry> kernels_;
  std::mutex builds_mutex_;
  std::vector<std::weak_ptr<Build>> builds_;
  std::set<std::string> told_; // names of kernels that are none of ours, with reasons
};

} // namespace gputest::layer
