// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/capture.h"

#include "layer/opencl/implementation.h"
#include "layer/opencl/reads.h"
#include "layer/opencl/whole_memory.h"
#include "model/interface.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace gputest::layer {
namespace {

constexpr std::size_t kTriesPerCase = 20; // a program may repeat one launch forever

std::vector<std::size_t> sizes(const std::size_t* values, cl_uint dimensions) {
  return values ? std::vector<std::size_t>(values, values + dimensions)
                : std::vector<std::size_t>();
}

// Returns what is known of the argument before the launch.
runtime::RecordedArgument described(const GivenArgument& argument) {
  runtime::RecordedArgument described{.kind = argument.kind, .size = argument.size};
  described.is_null = argument.kind == GivenArgument::Kind::Buffer && !argument.has_memory();
  if (argument.image) {
    const runtime::ImageWords words = runtime::words_of(*argument.image);
    described.image = {words.shape, words.channel_order, words.channel_type};
    described.pixel = argument.image->pixel_type();
  } else if (argument.kind == GivenArgument::Kind::Sampler) {
    const runtime::SamplerWords words = runtime::words_of(argument.sampler);
    described.sampler = {words.addressing_mode, words.filter_mode,
                         argument.sampler.normalized_coordinates};
  }
  return described;
}

std::uint64_t hash_of(const std::vector<std::byte>& bytes) {
  return hash({bytes.data(), bytes.size()});
}

} // namespace

// What follows may be larger, so more are written than are wanted.
bool Capture::is_among_largest(const std::string& kernel, std::uint64_t items) {
  std::multiset<std::uint64_t>& largest = largest_[kernel];
  if (largest.size() == settings_.max_cases) {
    if (items <= *largest.begin())
      return false;
    largest.erase(largest.begin());
  }
  largest.insert(items);
  return true;
}

void Capture::give_back(const std::string& kernel, std::uint64_t items) {
  const std::lock_guard lock(mutex_);
  forget(kernel, items);
}

void Capture::forget(const std::string& kernel, std::uint64_t items) {
  std::multiset<std::uint64_t>& largest = largest_[kernel];
  if (const auto found = largest.find(items); found != largest.end())
    largest.erase(found);
}

bool Capture::wants(const std::string& kernel, std::uint64_t items) {
  const std::lock_guard lock(mutex_);
  if (settings_.largest)
    return is_among_largest(kernel, items);
  const auto known = known_.find(kernel);
  const std::size_t cases = known == known_.end() ? 0 : known->second.size();
  return cases < settings_.max_cases && tried_[kernel] < settings_.max_cases * kTriesPerCase;
}

// Copies all or none.
bool Capture::copy(const LaunchCall& call, const std::vector<GivenArgument>& arguments,
                   const std::vector<cl_event>& waits, std::vector<Copy>& copies) const {
  for (const GivenArgument& argument : arguments) {
    if (!argument.has_memory())
      continue;
    Copy& made = copies.emplace_back();
    made.bytes.resize(argument.size);
    if (enqueue_read(call.queue, argument, made.bytes, CL_FALSE, waits, &made.event) != CL_SUCCESS)
      return false;
  }
  return true;
}

cl_int Capture::launch(const LaunchCall& call, cl_kernel handle, unsigned program,
                       const std::string& kernel, const std::string& name, std::uint64_t items,
                       const std::vector<GivenArgument>& arguments, std::string& reason) {
  auto snapshot = std::make_unique<Snapshot>();
  snapshot->kernel = kernel;
  snapshot->items = items;
  snapshot->arguments = arguments;
  snapshot->event = {.program = program,
                     .kernel = name,
                     .global_size = call.is_task ? std::vector<std::size_t>{1}
                                                 : sizes(call.global, call.dimensions),
                     .local_size = call.is_task ? std::vector<std::size_t>{1}
                                                : sizes(call.local, call.dimensions),
                     .global_offset = sizes(call.offset, call.dimensions)};
  std::ranges::transform(arguments, std::back_inserter(snapshot->event.arguments), described);
  const std::vector<cl_event> before(call.events, call.events + call.count);
  const bool is_copied = copy(call, arguments, before, snapshot->before);
  std::vector<cl_event> waits = before;
  for (const Copy& made : snapshot->before)
    if (made.event)
      waits.push_back(made.event);
  cl_event own = nullptr;
  const cl_int error = call.with(waits, &own).enqueue(handle);
  if (error == CL_SUCCESS && is_copied && copy(call, arguments, {own}, snapshot->after)) {
    const std::lock_guard lock(mutex_);
    ++tried_[kernel];
    pending_.push_back(std::move(snapshot));
  } else {
    give_back(kernel, items);
    if (error == CL_SUCCESS) {
      reason = "the host may not read one of its buffers or images";
      implementation().clFinish(call.queue); // copies that were begun end before their memory does
    }
  }
  if (call.event && own)
    *call.event = own;
  else if (own)
    implementation().clReleaseEvent(own);
  return error;
}

bool Capture::is_complete(const Snapshot& snapshot) {
  const auto over = [](const Copy& made) { return !made.event || is_over(made.event); };
  return std::ranges::all_of(snapshot.before, over) && std::ranges::all_of(snapshot.after, over);
}

void Capture::look() {
  const std::lock_guard lock(mutex_);
  while (!pending_.empty() && is_complete(*pending_.front())) {
    const std::unique_ptr<Snapshot> snapshot = std::move(pending_.front());
    pending_.pop_front();
    std::uint64_t content = std::hash<std::string>()(line_of(snapshot->event));
    for (const GivenArgument& argument : snapshot->arguments)
      content = content * 31 + hash_of(argument.bytes);
    for (const Copy& made : snapshot->before)
      content = content * 31 + hash_of(made.bytes);
    std::set<std::uint64_t>& known = known_[snapshot->kernel];
    if ((settings_.largest || known.size() < settings_.max_cases) && known.insert(content).second)
      write(*snapshot);
    else if (++repeated_[snapshot->kernel] <= settings_.max_cases * kTriesPerCase)
      forget(snapshot->kernel, snapshot->items);
    for (const auto* copies : {&snapshot->before, &snapshot->after})
      for (const Copy& made : *copies)
        if (made.event)
          implementation().clReleaseEvent(made.event);
  }
}

void Capture::write(const Snapshot& snapshot) {
  const std::string file = log_.new_file_name();
  std::ofstream stream(log_.folder() / file, std::ios::binary);
  std::size_t written = 0, memory = 0;
  const auto put = [&](const std::vector<std::byte>& bytes) {
    stream.write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
    written += bytes.size();
    return written - bytes.size();
  };
  runtime::LaunchEvent event = snapshot.event;
  event.file = file;
  for (std::size_t i = 0; i < event.arguments.size(); ++i) {
    const GivenArgument& argument = snapshot.arguments[i];
    runtime::RecordedArgument& described = event.arguments[i];
    switch (argument.kind) {
    case GivenArgument::Kind::Value:
      described.before = put(argument.bytes);
      break;
    case GivenArgument::Kind::Image:
    case GivenArgument::Kind::Buffer:
      if (described.is_null)
        break;
      described.before = put(snapshot.before[memory].bytes);
      described.after = put(snapshot.after[memory++].bytes);
      break;
    case GivenArgument::Kind::Local:
    case GivenArgument::Kind::Sampler:
      break;
    }
  }
  stream.close();
  if (stream)
    log_.write(event);
}

} // namespace gputest::layer
