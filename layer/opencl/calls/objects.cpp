// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/calls/objects.h"

#include "layer/opencl/builds/known_binaries.h"
#include "model/spirv/module.h"

#include <algorithm>
#include <utility>

namespace gputest::layer {
namespace {

cl_context context_of(cl_program program) {
  cl_context context = nullptr;
  implementation().clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context,
                                    static_cast<void*>(&context), nullptr);
  return context;
}

} // namespace

std::string source_of(cl_program program) {
  std::size_t size = 0;
  if (implementation().clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &size) !=
      CL_SUCCESS)
    return "";
  std::string source(size, '\0');
  if (implementation().clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source.data(), nullptr) !=
      CL_SUCCESS)
    return "";
  return source.substr(0, source.find('\0'));
}

void Objects::set_units(cl_program program, std::vector<Unit> units, std::shared_ptr<Build> build) {
  std::shared_ptr<Build> before; // destroying it takes a while
  const std::unique_lock lock(mutex_);
  ProgramEntry& entry = programs_[program];
  entry.units = std::move(units);
  before = std::exchange(entry.build, std::move(build));
}

void Objects::set_build(cl_program program, const std::vector<Unit>& units) {
  const auto build = std::make_shared<Build>(services_, context_of(program), units);
  {
    const std::lock_guard lock(builds_mutex_);
    std::erase_if(builds_, [](const auto& known) { return known.expired(); });
    builds_.push_back(build);
  }
  set_units(program, units, build);
}

void Objects::created(cl_program program) {
  const std::unique_lock lock(mutex_);
  programs_[program] = {};
}

void Objects::created(cl_program program, const std::vector<std::span<const std::byte>>& binaries) {
  ProgramEntry entry;
  for (const auto binary : binaries)
    if (entry.units.empty())
      entry.units = units_of_binary(services_.settings.cache, binary);
  const std::unique_lock lock(mutex_);
  programs_[program] = std::move(entry);
}

void Objects::created_from(cl_program program, std::string_view module, bool stands_in) {
  ProgramEntry entry;
  if (model::is_spirv(module))
    entry.units.push_back({model::text_of_spirv(module), "", {}, stands_in});
  const std::unique_lock lock(mutex_);
  programs_[program] = std::move(entry);
}

void Objects::created_from(cl_program program, std::vector<Unit> units) {
  ProgramEntry entry;
  entry.units = std::move(units);
  const std::unique_lock lock(mutex_);
  programs_[program] = std::move(entry);
}

void Objects::replaced(cl_program program, Unit unit, cl_program instead) {
  set_build(program, {std::move(unit)});
  set_instead(program, instead);
}

void Objects::compiled_instead(cl_program program, Unit unit, cl_program instead) {
  set_units(program, {std::move(unit)}, nullptr);
  set_instead(program, instead);
}

void Objects::set_instead(cl_program program, cl_program instead) {
  const std::unique_lock lock(mutex_);
  if (cl_program before = std::exchange(programs_[program].instead, instead))
    implementation().clReleaseProgram(before);
}

void Objects::forget_replacement(cl_program program) {
  const std::unique_lock lock(mutex_);
  const auto known = programs_.find(program);
  if (known == programs_.end() || !known->second.instead)
    return;
  implementation().clReleaseProgram(std::exchange(known->second.instead, nullptr));
  known->second.units.clear();
}

cl_program Objects::maker_of(cl_program program) {
  const std::shared_lock lock(mutex_);
  const auto known = programs_.find(program);
  return known == programs_.end() || !known->second.instead ? program : known->second.instead;
}

void Objects::took_binaries(cl_program program, unsigned char* const* binaries) {
  cl_uint count = 0;
  implementation().clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, nullptr);
  std::vector<std::size_t> sizes(count);
  if (implementation().clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof sizes[0],
                                        sizes.data(), nullptr) != CL_SUCCESS)
    return;
  const std::vector<Unit> units = units_of(program);
  for (cl_uint i = 0; i < count; ++i)
    if (binaries[i])
      remember_binary(services_.settings.cache, std::as_bytes(std::span(binaries[i], sizes[i])),
                      units);
}

std::vector<Unit> Objects::units_standing_in(cl_program program) {
  std::vector<Unit> units = units_of(program);
  if (std::ranges::none_of(units, &Unit::stands_in))
    units.clear();
  return units;
}

std::vector<Unit> Objects::units_of(cl_program program) {
  const std::shared_lock lock(mutex_);
  const auto known = programs_.find(program);
  return known == programs_.end() ? std::vector<Unit>() : known->second.units;
}

void Objects::built(cl_program program, const std::string& options) {
  forget_replacement(program);
  const std::string source = source_of(program);
  std::vector<Unit> units = units_of(program);
  // For a binary: the source from which it was built, if known.
  if (!source.empty() && (units.empty() || !units.front().stands_in))
    units.clear();
  if (units.empty())
    units.push_back({source, options, {}});
  set_build(program, units);
}

void Objects::compiled(cl_program program, const std::string& options,
                       std::vector<std::pair<std::string, std::string>> headers) {
  forget_replacement(program);
  std::string source = source_of(program);
  const std::vector<Unit> known = units_of(program);
  const bool stands_in = !known.empty() && known.front().stands_in;
  if (stands_in || (source.empty() && !known.empty()))
    source = known.front().source; // of SPIR-V
  set_units(program, {{std::move(source), options, std::move(headers), stands_in}}, nullptr);
}

std::vector<Unit> Objects::units_of_inputs(const std::vector<cl_program>& inputs) {
  std::vector<Unit> units;
  const std::shared_lock lock(mutex_);
  for (const cl_program input : inputs) {
    const auto known = programs_.find(input);
    if (known == programs_.end() || known->second.units.empty())
      units.emplace_back();
    else
      std::ranges::copy(known->second.units, std::back_inserter(units));
  }
  return units;
}

void Objects::linked(cl_program program, const std::vector<Unit>& units) {
  set_build(program, units);
}

void Objects::retained(cl_program program) {
  const std::unique_lock lock(mutex_);
  if (const auto known = programs_.find(program); known != programs_.end())
    ++known->second.references;
}

void Objects::released(cl_program program) {
  std::shared_ptr<Build> last;
  const std::unique_lock lock(mutex_);
  const auto known = programs_.find(program);
  if (known == programs_.end() || --known->second.references > 0)
    return;
  last = std::move(known->second.build);
  if (known->second.instead)
    implementation().clReleaseProgram(known->second.instead);
  programs_.erase(known);
}

void Objects::created(cl_program program, cl_kernel kernel) {
  const std::unique_lock lock(mutex_);
  const auto known = programs_.find(program);
  if (known == programs_.end() || !known->second.build)
    return;
  kernels_[kernel] = {1, std::make_shared<Kernel>(kernel, known->second.build)};
}

void Objects::cloned(cl_kernel from, cl_kernel kernel) {
  const std::shared_ptr<Kernel> original = find(from);
  if (!original)
    return;
  const std::unique_lock lock(mutex_);
  kernels_[kernel] = {1, std::make_shared<Kernel>(kernel, *original)};
}

void Objects::retained(cl_kernel kernel) {
  const std::unique_lock lock(mutex_);
  if (const auto known = kernels_.find(kernel); known != kernels_.end())
    ++known->second.references;
}

void Objects::released(cl_kernel kernel) {
  std::shared_ptr<Kernel> last;
  const std::unique_lock lock(mutex_);
  const auto known = kernels_.find(kernel);
  if (known == kernels_.end() || --known->second.references > 0)
    return;
  last = std::move(known->second.kernel);
  kernels_.erase(known);
}

std::shared_ptr<Kernel> Objects::find(cl_kernel kernel) {
  const std::shared_lock lock(mutex_);
  const auto known = kernels_.find(kernel);
  return known == kernels_.end() ? nullptr : known->second.kernel;
}

void Objects::not_replaced(cl_kernel kernel, const std::string& reason) {
  if (const std::shared_ptr<Kernel> known = find(kernel))
    return known->not_replaced(reason);
  const std::string name = name_of(kernel);
  {
    const std::unique_lock lock(mutex_);
    if (!told_.insert(name + '\n' + reason).second)
      return;
  }
  services_.log.write(runtime::NotMeasuredEvent{.kernel = name, .reason = reason});
}

std::vector<std::shared_ptr<Build>> Objects::builds() {
  std::vector<std::shared_ptr<Build>> builds;
  const std::lock_guard lock(builds_mutex_);
  for (const auto& known : builds_)
    if (auto build = known.lock())
      builds.push_back(std::move(build));
  return builds;
}

void Objects::collect(bool now) {
  for (const auto& build : builds())
    build->collect(now);
}

cl_uint Objects::references(cl_context context) {
  cl_uint count = 0;
  for (const auto& build : builds())
    if (build->context() == context)
      count += build->context_references();
  return count;
}

} // namespace gputest::layer
