// A program as it was built last, and what runs in place of its kernels.
#pragma once

#include "layer/services.h"
#include "layer/state_buffer.h"
#include "model/sites.h"
#include "runtime/program.h"

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

// The instrumented program for one device.
class Variant {
public:
  // Makes and builds it. Throws gputest::Error, std::runtime_error.
  Variant(Services& services, unsigned program, const std::vector<Unit>& units, cl_context context,
          cl_device_id device);
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;
  ~Variant();

  cl_program program() const { return program_; }
  // Where launches of `kernel` record. Throws std::runtime_error.
  StateBuffer& state(const std::string& kernel);
  void collect(bool now);
  cl_uint context_references() const { return context_references_; }

private:
  void build(const std::string& text, runtime::BuildSettings settings);

  Services& services_;
  unsigned number_;
  cl_context context_;
  cl_device_id device_;
  runtime::Device description_;
  std::filesystem::path folder_;
  model::SiteTable sites_;
  cl_program program_ = nullptr;
  // By how much what is made here raises the context's reference count: drivers differ.
  std::atomic<cl_uint> context_references_ = 0;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<StateBuffer>> states_; // by kernel
};

class Build {
public:
  // Tells the log of it. `units`: what is linked into it.
  Build(Services& services, cl_context context, std::vector<Unit> units);

  cl_context context() const { return context_; }

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
  bool is_wanted_ = true;
  std::mutex mutex_;
  std::map<cl_device_id, std::unique_ptr<Variant>> variants_;
  std::vector<std::string> told_;
};

} // namespace gputest::layer
