// A program as it was built last, and what runs in place of its kernels.
#pragma once

#include "layer/services.h"
#include "layer/state_buffer.h"
#include "model/mutants.h"
#include "model/sites.h"
#include "runtime/device.h"
#include "runtime/instrument.h"

#include <CL/cl.h>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gputest::layer {

// One source that was compiled into a program: its only one, or one of those that were linked.
struct Unit {
  std::string source;  // empty: there is none, the program came as a binary
  std::string options; // as the program gave them
  std::vector<std::pair<std::string, std::string>> headers; // include name and text
};

// The program that runs instead, for one device: with coverage instrumented; of mutants, the one
// that holds them all or that of the active one.
class Variant {
public:
  // Makes and builds it. Throws gputest::Error, std::runtime_error.
  Variant(Services& services, unsigned program, const std::vector<Unit>& units, cl_context context,
          cl_device_id device);
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;
  ~Variant();

  cl_program program() const { return program_; }
  bool has_mutants() const { return services_.settings.measure == Measure::Mutants; }
  // Where launches of `kernel` record. `sizes`: of its arguments, with mutants. Throws
  // std::runtime_error.
  StateBuffer& state(const std::string& kernel, const std::vector<std::uint64_t>& sizes);
  void collect(bool now);
  cl_uint context_references() const { return context_references_; }

private:
  void make(const runtime::InstrumentRequest& request);
  std::string text() const; // of the program
  void build(const std::string& text, const runtime::BuildSettings& settings);
  runtime::Bytes initial_state(const std::string& kernel,
                               const std::vector<std::uint64_t>& sizes) const;

  Services& services_;
  unsigned number_;
  cl_context context_;
  cl_device_id device_;
  runtime::Device description_;
  std::filesystem::path folder_;
  std::string stem_;
  model::SiteTable sites_;     // coverage
  model::MutantTable mutants_; // mutants
  cl_program program_ = nullptr;
  // By how much what is made here raises the context's reference count: drivers differ.
  std::atomic<cl_uint> context_references_ = 0;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::vector<std::uint64_t>>, std::unique_ptr<StateBuffer>>
      states_; // by kernel and sizes
};

class Build {
public:
  // Tells the log of it. `units`: what is linked into it.
  Build(Services& services, cl_context context, std::vector<Unit> units);

  cl_context context() const { return context_; }

  unsigned number() const { return number_; }
  std::size_t max_bytes() const { return services_.settings.max_bytes; }
  // "<stem>.<kernel>": what people and results call it.
  std::string label(const std::string& kernel) const { return stem_ + "." + kernel; }

  // nullptr: launches are not captured.
  Capture* capture() { return is_wanted_ && services_.capture ? &*services_.capture : nullptr; }
  // Its arguments. nullptr where they cannot be known, which is told the log once.
  const model::KernelInterface* described(const std::string& kernel);

  // Made when first asked for. nullptr where there cannot be one, which is told the log once.
  Variant* variant(cl_device_id device);
  void collect(bool now);
  cl_uint context_references();

  // Says why launches of `kernel` were not measured; each reason once.
  void not_measured(const std::string& kernel, const std::string& reason);

private:
  void describe_source(nlohmann::json& event);

  Services& services_;
  cl_context context_;
  std::vector<Unit> units_;
  unsigned number_; // in the log
  std::string stem_;
  bool is_wanted_ = true;
  std::optional<model::Interface> interface_;
  std::mutex mutex_;
  std::map<cl_device_id, std::unique_ptr<Variant>> variants_;
  std::vector<std::string> told_;
};

} // namespace gputest::layer
