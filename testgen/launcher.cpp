// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/launcher.h"

#include "ir/alignment.h"
#include "ir/error.h"
#include "simulator/execute/faults.h"
#include "simulator/execute/launch_memory.h"
#include "simulator/memory/ndrange.h"
#include "simulator/natives/natives.h"
#include "templates/state.h"

#include <algorithm>
#include <csignal>
#include <sys/mman.h>
#include <unistd.h>

namespace gputest::testgen {
namespace {

using ir::Object;
using ir::Parameter;
using simulator::Arena;
using simulator::Region;

std::size_t space_for(const ir::KernelShape& shape) {
  std::size_t space = Arena::space_for(simulator::kNowhere) +
                      shape.parameters.size() * Arena::space_for(kMostBytes);
  for (const Object& object : shape.objects)
    space += Arena::space_for(object.size);
  return space;
}

Fault fault_of(const simulator::LaunchResult& result) {
  if (!result.fatal)
    return Fault::None;
  return simulator::is_endless(result) ? Fault::Endless : Fault::Crash;
}

bool ended_by_clock(const simulator::Fault& fault) {
  return fault.signal == SIGPROF && !fault.counted;
}

bool placed_object(const Object& object) {
  return object.kind == Object::Kind::LocalVariable || object.kind == Object::Kind::ProgramVariable;
}

std::vector<std::uint32_t> state_of(const model::SiteTable& sites) {
  std::vector<std::uint32_t> state(GPUTEST_STATE_HEADER_WORDS + sites.coverage_words +
                                   sites.divergence_words);
  state[GPUTEST_STATE_MAGIC_WORD] = GPUTEST_STATE_MAGIC;
  state[GPUTEST_STATE_VERSION_WORD] = GPUTEST_STATE_VERSION;
  state[GPUTEST_STATE_COVERAGE_OFFSET] = GPUTEST_STATE_HEADER_WORDS;
  state[GPUTEST_STATE_COVERAGE_WORDS] = sites.coverage_words;
  state[GPUTEST_STATE_DIVERGENCE_OFFSET] = GPUTEST_STATE_HEADER_WORDS + sites.coverage_words;
  state[GPUTEST_STATE_DIVERGENCE_WORDS] = sites.divergence_words;
  return state;
}

gputest_context context_of(const Shape& shape) {
  return simulator::context_of({.sizes = shape, .arguments = {}, .order = {}});
}

} // namespace

std::uint32_t sampler_bits(std::uint32_t choice) {
  const SamplerChoice& words = kSamplers.at(choice);
  const SamplerView view =
      runtime::sampler_settings(words.addressing, words.filter, words.normalized, "sampler");
  return simulator::sampler_bits(view.normalized_coordinates, view.addressing_mode,
                                 view.filter_mode);
}

simulator::Image image_of(const KernelArgument& argument, const Content& content) {
  return {.pixels = nullptr,
          .type = argument.image->type,
          .width = content.extent[0],
          .height = content.extent[1],
          .depth = content.extent[2],
          .channel_order = argument.image->format.image_channel_order,
          .channel_type = argument.image->format.image_channel_data_type};
}

bool Checked::valid() const {
  return fault == Fault::None && std::ranges::all_of(findings, [](const simulator::Finding& found) {
           return found.kind == "race_same_value" || found.kind == "lock_step";
         });
}

Launcher::Launcher(const Target& target, const simulator::Program::Ready& ready)
    : target_(target), ready_(ready), arena_(space_for(ready.shape)),
      frames_(ready.shape, kMostItemsOfGroup), state_(state_of(target.sites)) {
  const ir::KernelShape& shape = ready.shape;
  block_.resize(shape.arguments_size / sizeof(Block) + 1);
  const auto allocate = [&](const std::string& name, std::size_t size) {
    arena_.allocate(name, size);
    return arena_.regions().size() - 1;
  };
  nowhere_ = arena_.allocate("", simulator::kNowhere);
  for (const Parameter& parameter : shape.parameters) {
    const bool has_memory = parameter.kind == Parameter::Kind::Buffer ||
                            parameter.kind == Parameter::Kind::Local ||
                            parameter.kind == Parameter::Kind::Image;
    region_of_.push_back(has_memory ? static_cast<int>(allocate(parameter.name, kMostBytes)) : -1);
    if (has_memory && parameter.kind != Parameter::Kind::Image)
      regions_.push_back(static_cast<std::size_t>(region_of_.back()));
  }
  for (const Object& object : shape.objects)
    if (placed_object(object))
      regions_.push_back(allocate(object.name, object.size));
  objects_.resize(regions_.size());
}

void Launcher::place(const Input& input, std::span<const std::byte> state) {
  const ir::KernelShape& shape = ready_.shape;
  images_.clear();
  for (std::size_t i = 0; i < shape.parameters.size(); ++i) {
    const Parameter& parameter = shape.parameters[i];
    std::byte* const to = reinterpret_cast<std::byte*>(block_.data()) + parameter.offset;
    const bool is_state = i == input.arguments.size();
    const std::byte* from = nullptr;
    std::size_t size = 0;
    if (is_state) {
      from = state.data();
      size = state.size();
    } else {
      from = input.arguments[i].bytes.data();
      size = parameter.kind == Parameter::Kind::Local ? input.arguments[i].local_size
                                                      : input.arguments[i].bytes.size();
    }
    const void* pointer = nullptr;
    switch (parameter.kind) {
    case Parameter::Kind::Value:
      std::memcpy(to, from, std::min(size, parameter.size));
      continue;
    case Parameter::Kind::Sampler:
      pointer =
          reinterpret_cast<const void*>(std::uintptr_t{sampler_bits(input.arguments[i].sampler)});
      break;
    case Parameter::Kind::Buffer:
    case Parameter::Kind::Local:
    case Parameter::Kind::Image: {
      const Region& region = arena_.resize(static_cast<std::size_t>(region_of_[i]), size);
      if (!is_state && input.arguments[i].is_null)
        break;
      if (parameter.kind != Parameter::Kind::Local && size != 0)
        std::memcpy(region.begin, from, size);
      pointer = region.begin;
      if (parameter.kind == Parameter::Kind::Image) {
        simulator::Image& image =
            images_.emplace_back(image_of(target_.arguments[i], input.arguments[i]));
        simulator::complete(image, size, parameter.name);
        image.pixels = region.begin;
        pointer = &image;
      }
      break;
    }
    }
    std::memcpy(to, &pointer, sizeof pointer);
  }
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const Region& region = arena_.regions()[regions_[i]];
    const Object& object = shape.objects[i];
    const bool constant =
        object.kind == Object::Kind::Argument && shape.parameters[object.parameter].constant;
    const bool is_null = object.kind == Object::Kind::Argument &&
                         object.parameter < input.arguments.size() &&
                         input.arguments[object.parameter].is_null;
    objects_[i] = {is_null ? nullptr : reinterpret_cast<gputest_u8*>(region.begin), region.size,
                   constant ? 0 : region.size};
  }
  simulator::place_initial_values(shape, objects_);
}

bool Launcher::fits(const Input& input) {
  return input.shape.items_of_group() <= kMostItemsOfGroup &&
         std::ranges::all_of(input.arguments, [](const Content& content) {
           return content.bytes.size() <= kMostBytes && content.local_size <= kMostBytes;
         });
}

std::optional<simulator::Fault> Launcher::launch(const Input& input,
                                                 std::span<const std::byte> state,
                                                 LaunchLimit limit, gputest_context& context,
                                                 std::optional<simulator::Monitor>& monitor) {
  const ir::KernelShape& shape = ready_.shape;
  context = testgen::context_of(input.shape);
  place(input, state);
  context.objects = objects_.data();
  context.object_count = objects_.size();
  context.memory_begin = reinterpret_cast<gputest_u8*>(arena_.begin());
  context.beside_memory = arena_.space();
  frames_.describe(context);
  monitor.emplace(shape, ready_.code.checks(), input.shape.dimensions, context, arena_, nowhere_);
  const simulator::Natives natives(&*monitor);
  simulator::steps_left = limit.steps;
  const auto fault = simulator::run_groups(
      ready_.code, simulator::groups_of(context), limit.seconds,
      [&](simulator::LoadedCode::Group run_group, std::size_t group) {
        simulator::set_group(context, group);
        for (std::size_t i = 0; i < objects_.size(); ++i) {
          const Object& object = shape.objects[i];
          if (object.kind == Object::Kind::LocalVariable ||
              (object.kind == Object::Kind::Argument &&
               shape.parameters[object.parameter].kind == Parameter::Kind::Local))
            std::memset(objects_[i].begin, static_cast<int>(context.local_fill), objects_[i].size);
        }
        monitor->begin_group();
        run_group(&context, block_.data());
        monitor->end_group();
      });
  if (!fault)
    monitor->end_launch();
  is_late_ = is_late_ || (fault && ended_by_clock(*fault));
  is_intact_ = !fault || (fault->signal == SIGPROF && !ready_.code.checks().has("races") &&
                          ready_.code.has_code_at(fault->instruction));
  return fault;
}

Ended Launcher::launch(const Input& input, std::span<const std::byte> state, LaunchLimit limit) {
  gputest_context context{};
  std::optional<simulator::Monitor> monitor;
  const auto fault = launch(input, state, limit, context, monitor);
  Ended ended;
  if (fault) {
    ended.fault = fault->signal == SIGPROF ? Fault::Endless : Fault::Crash;
    ended.late = ended_by_clock(*fault);
  }
  ended.extents.resize(input.arguments.size());
  if (monitor->found_anything()) {
    for (const simulator::Finding& finding : monitor->findings())
      if (finding.kind == "out_of_bounds")
        ended.outside = true;
      else
        ended.harmful = true;
    for (std::size_t i = 0; i < monitor->outside_extents().size(); ++i)
      if (const Object& object = ready_.shape.objects[i];
          object.kind == Object::Kind::Argument && object.parameter < input.arguments.size())
        ended.extents[object.parameter] = monitor->outside_extents()[i];
  }
  return ended;
}

Checked Launcher::check(const Input& input, LaunchLimit limit) {
  gputest_context context{};
  std::optional<simulator::Monitor> monitor;
  const auto fault = launch(input, {}, limit, context, monitor);
  Checked checked{.findings = monitor->findings(), .after = {}};
  if (fault) {
    checked.fault = fault->signal == SIGPROF ? Fault::Endless : Fault::Crash;
    checked.late = ended_by_clock(*fault);
    checked.findings.push_back(
        simulator::finding_of(*fault, ready_.code, ready_.shape, arena_, context, limit.seconds));
  }
  for (std::size_t i = 0; i < input.arguments.size(); ++i) {
    runtime::Bytes& bytes = checked.after.emplace_back();
    const Parameter::Kind kind = ready_.shape.parameters[i].kind;
    if (kind == Parameter::Kind::Buffer || kind == Parameter::Kind::Image)
      bytes.assign(memory(i).begin(), memory(i).end());
  }
  return checked;
}

std::span<const std::byte> Launcher::memory(std::size_t argument) const {
  const Region& region = arena_.regions()[static_cast<std::size_t>(region_of_[argument])];
  return {region.begin, region.size};
}

Outcome Launcher::run(const Input& input, LaunchLimit limit) {
  Ended ended = launch(input, std::as_bytes(std::span(state_)), limit);
  Outcome outcome{.fault = ended.fault,
                  .outside = ended.outside,
                  .harmful = ended.harmful,
                  .extents = std::move(ended.extents),
                  .late = ended.late,
                  .steps = limit.steps - std::max<std::int64_t>(simulator::steps_left, 0)};
  const auto* const words =
      reinterpret_cast<const std::uint32_t*>(memory(input.arguments.size()).data());
  const std::uint32_t* const coverage = words + GPUTEST_STATE_HEADER_WORDS;
  const std::uint32_t* const divergence = coverage + target_.sites.coverage_words;
  outcome.words.assign(coverage, divergence);
  outcome.harmful =
      outcome.harmful || std::any_of(divergence, divergence + target_.sites.divergence_words,
                                     [](std::uint32_t word) { return word != 0; });
  return outcome;
}

simulator::LaunchRequest LaunchFile::write(const Target& target, const ir::KernelShape& shape,
                                           const Input& input) {
  simulator::LaunchRequest request{.sizes = input.shape, .arguments = {}, .order = {}};
  runtime::Bytes memory;
  for (std::size_t i = 0; i < shape.parameters.size(); ++i) {
    const Content& content = input.arguments.at(i);
    simulator::ArgumentData data{.kind = shape.parameters[i].kind,
                                 .name = shape.parameters[i].name};
    if (data.kind == Parameter::Kind::Local) {
      data.size = content.local_size;
    } else if (data.kind == Parameter::Kind::Sampler) {
      data.sampler = sampler_bits(content.sampler);
    } else {
      // Each ends at the end of a page, where the next byte cannot be accessed.
      const std::size_t rounded = (content.bytes.size() + ir::kBufferAlignment - 1) /
                                  ir::kBufferAlignment * ir::kBufferAlignment;
      const std::size_t end =
          (memory.size() + rounded + Arena::kPage - 1) / Arena::kPage * Arena::kPage;
      data.offset = end - rounded;
      data.size = content.bytes.size();
      data.null = content.is_null;
      memory.resize(end + Arena::kPage);
      std::copy(content.bytes.begin(), content.bytes.end(),
                memory.begin() + static_cast<std::ptrdiff_t>(data.offset));
      if (data.kind == Parameter::Kind::Image)
        data.image = image_of(target.arguments[i], content);
    }
    request.arguments.push_back(std::move(data));
  }
  memory.resize(std::max(memory.size(), Arena::kPage));
  file_.clear(memory.size());
  file_.write_at(0, std::as_bytes(std::span(memory)));
  return request;
}

std::vector<runtime::Bytes> LaunchFile::read(const simulator::LaunchRequest& request) const {
  std::vector<runtime::Bytes> all;
  for (const simulator::ArgumentData& argument : request.arguments) {
    runtime::Bytes& bytes = all.emplace_back();
    if (argument.kind != Parameter::Kind::Buffer && argument.kind != Parameter::Kind::Image)
      continue;
    bytes.resize(argument.size);
    file_.read_at(argument.offset, std::as_writable_bytes(std::span(bytes)));
  }
  return all;
}

Checked LaunchFile::launch(const Target& target, const simulator::Program::Ready& kernel,
                           const Input& input, LaunchLimit limit, const simulator::Order& order) {
  simulator::LaunchRequest request = write(target, kernel.shape, input);
  request.limit = limit.seconds;
  request.steps = limit.steps;
  request.order = order;
  simulator::ProgramVariables variables;
  simulator::LaunchResult result =
      simulator::launch(kernel.code, kernel.shape, request, file_.descriptor(), variables);
  return {.fault = fault_of(result),
          .findings = std::move(result.findings),
          .after = read(request),
          .late = result.late};
}

} // namespace gputest::testgen
