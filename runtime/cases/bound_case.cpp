// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/bound_case.h"

#include "model/launches/lock_step.h"
#include "model/stable_hash.h"
#include "runtime/cases/argument_value.h"
#include "runtime/cases/npy.h"
#include "runtime/cases/required_case.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gputest::runtime {
namespace {

using model::AddressSpace;
using model::Type;

bool is_local(const model::Argument& argument) {
  return argument.pointer && argument.address_space == AddressSpace::Local;
}

std::string names_of(const model::KernelInterface& kernel) {
  std::string names;
  for (const model::Argument& argument : kernel.arguments)
    names += (names.empty() ? "" : ", ") + argument.name;
  return names.empty() ? "none" : names;
}

void expect_argument(const std::string& name, const model::KernelInterface& kernel,
                     const std::string& what) {
  if (!kernel.find(name))
    throw UsageError(fmt::format("{}: kernel '{}' has no argument '{}'; there are: {}", what,
                                 kernel.name, name, names_of(kernel)));
}

// Whether the contents of buffers and images are made, or only checked.
enum class Contents { Made, Checked };

class Binder {
public:
  Binder(const TestCase& test_case, const model::KernelInterface& kernel,
         const CaseDefaults& defaults, Contents contents)
      : test_case_(test_case), kernel_(kernel), defaults_(defaults), contents_(contents),
        where_(where_of(test_case)) {}

  BoundCase bind() {
    for (const auto* named : {&test_case_.arguments, &test_case_.expected})
      for (const auto& [name, value] : *named)
        expect_argument(name, kernel_, where_);
    bound_.name = test_case_.name;
    bound_.tolerance = test_case_.tolerance.value_or(defaults_.tolerance);
    bound_.launch = launch();
    for (const model::Argument& argument : kernel_.arguments)
      bind_argument(argument);
    for (const auto& [name, value] : test_case_.expected)
      bind_expected(*kernel_.find(name), value);
    return std::move(bound_);
  }

  Launch launch() const {
    const auto& global =
        test_case_.global_size.empty() ? defaults_.global_size : test_case_.global_size;
    if (global.empty())
      throw MissingValue(where_ + ": no global size; add GLOBAL_SIZE or \"global_size\"");
    auto local = test_case_.local_size.empty() ? defaults_.local_size : test_case_.local_size;
    const auto& required = kernel_.required_work_group_size;
    if (local.empty() && required)
      local.assign(required->begin(),
                   required->begin() + static_cast<std::ptrdiff_t>(global.size()));
    if (local.empty() && kernel_.most_work_items) {
      local.assign(global.size(), 1);
      local[0] = std::clamp<std::size_t>(*kernel_.most_work_items, 1, 64);
      while (global[0] % local[0] != 0)
        --local[0];
    }
    const auto expect_dimensions = [&](const std::vector<std::size_t>& sizes,
                                       std::string_view name) {
      if (!sizes.empty() && sizes.size() != global.size())
        throw UsageError(fmt::format("{}: {} has {} dimensions, global size {}", where_, name,
                                     sizes.size(), global.size()));
    };
    expect_dimensions(local, "local size");
    const auto& offset =
        test_case_.global_offset.empty() ? defaults_.global_offset : test_case_.global_offset;
    expect_dimensions(offset, "global offset");
    const model::LanguageRow& language = model::row_of(defaults_.language);
    if (!language.has_offsets && !offset.empty())
      throw UsageError(where_ + ": \"global_offset\" is for OpenCL C, and the kernel is CUDA C++");
    if (!language.has_shared_memory && test_case_.shared_memory)
      throw UsageError(where_ + ": \"shared_memory\" is of CUDA C++, and the kernel is OpenCL C; "
                                "give __local arguments a size");

    Launch launch;
    launch.dimensions = static_cast<unsigned>(global.size());
    launch.shared_memory = test_case_.shared_memory.value_or(defaults_.shared_memory);
    launch.lock_step = lock_step(local);
    launch.local_size.fill(local.empty() ? 0 : 1);
    for (std::size_t i = 0; i < global.size(); ++i) {
      launch.global_size[i] = global[i];
      if (!local.empty())
        launch.local_size[i] = local[i];
      if (!offset.empty())
        launch.global_offset[i] = offset[i];
      if (!local.empty() && local[i] == 0)
        throw UsageError(fmt::format("{}: local size is 0 in dimension {}", where_, i));
    }
    check_ndrange(launch, defaults_.allow_remainder, where_);
    if (required && !local.empty() && launch.local_size != *required)
      throw UsageError(fmt::format("{}: local size {} is not what kernel '{}' requires, {} "
                                   "(reqd_work_group_size)",
                                   where_, fmt::join(launch.local_size, " x "), kernel_.name,
                                   fmt::join(*required, " x ")));
    const std::size_t items = launch.local_size[0] * launch.local_size[1] * launch.local_size[2];
    if (kernel_.most_work_items && items > *kernel_.most_work_items)
      throw UsageError(fmt::format("{}: a block has {} threads, and __launch_bounds__ of kernel "
                                   "'{}' allows {}: GPUs refuse the launch",
                                   where_, items, kernel_.name, *kernel_.most_work_items));
    return launch;
  }

private:
  unsigned lock_step(const std::vector<std::size_t>& local) const {
    const std::size_t together = test_case_.lock_step.value_or(defaults_.lock_step);
    if (together == 0 && !test_case_.lock_step)
      return 0;
    if (const std::string why = model::why_not_in_step(together, local); !why.empty())
      throw UsageError(fmt::format("{}: {}", where_, why));
    return static_cast<unsigned>(together);
  }

  ArgumentValue value_of(const model::Argument& argument, const std::string& what) const {
    ArgumentValue value;
    if (const auto given = test_case_.arguments.find(argument.name);
        given != test_case_.arguments.end())
      value = read_object(given->second, argument, what);
    for (const ArgumentSpec& spec : defaults_.arguments)
      if (spec.name == argument.name)
        complete(value, read_object(spec.value, argument, what));
    complete(value, from_interface(argument, defaults_.interface_folder));
    if (!value.size && !value.values && !value.file && !value.is_null &&
        defaults_.one_per_item.contains(argument.name))
      value.size = bound_.launch.global_size[0];
    return value;
  }

  void bind_argument(const model::Argument& argument) {
    const std::string what = fmt::format("{}, argument '{}'", where_, argument.name);
    const ArgumentValue value = value_of(argument, what);
    if (value.local && !is_local(argument))
      throw UsageError(fmt::format("{}: is not __local in kernel '{}'", what, kernel_.name));
    check_keys(argument, value, what);
    LaunchArgument launch;
    launch.name = argument.name;
    Type type = argument.type;
    bool output = false;
    if (is_local(argument)) {
      bind_local(argument, value, what, launch);
    } else if (type.kind == Type::Kind::Image) {
      output = bind_image(argument, value, what, launch);
      type = launch.image.value().pixel_type();
    } else if (type.kind == Type::Kind::Sampler) {
      launch.kind = LaunchArgument::Kind::Sampler;
      launch.sampler = sampler_settings(value.addressing_mode, value.filter_mode,
                                        value.normalized_coordinates.value_or(false), what);
    } else if (argument.pointer) {
      output = bind_buffer(argument, value, what, launch);
    } else {
      bind_value(argument, value, what, launch);
    }
    bound_.arguments.push_back(std::move(launch));
    bound_.types.push_back(std::move(type));
    bound_.outputs.push_back(output);
  }

  // Throws for keys that mean nothing for this kind of argument.
  static void check_keys(const model::Argument& argument, const ArgumentValue& value,
                         const std::string& what) {
    const bool image = argument.type.kind == Type::Kind::Image;
    const bool sampler = argument.type.kind == Type::Kind::Sampler;
    if (!image &&
        (!value.shape.empty() || !value.channel_order.empty() || !value.channel_type.empty()))
      throw UsageError(what + ": is no image, and has no shape, channel_order or channel_type");
    if (!sampler && (!value.addressing_mode.empty() || !value.filter_mode.empty() ||
                     value.normalized_coordinates))
      throw UsageError(what + ": is no sampler, and has no addressing_mode, filter_mode or "
                              "normalized_coordinates");
    if (sampler && (value.size || value.has_content()))
      throw UsageError(what + ": is a sampler, which takes only addressing_mode, filter_mode and "
                              "normalized_coordinates");
    if (value.is_null && (!argument.pointer || is_local(argument)))
      throw UsageError(fmt::format("{}: is {}, and cannot be null", what,
                                   is_local(argument) ? "__local memory"
                                   : image            ? "an image"
                                   : sampler          ? "a sampler"
                                                      : "passed by value"));
    if (!value.output)
      return;
    if (is_local(argument))
      throw UsageError(what + ": is __local and cannot be an output");
    if (!argument.pointer && !image)
      throw UsageError(what + ": is passed by value and cannot be an output");
    if (image && argument.access == model::Access::Read)
      throw UsageError(what + ": is read_only and cannot be an output");
  }

  [[noreturn]] void no_value(const model::Argument& argument, std::string_view example) const {
    throw MissingValue(fmt::format("{}: argument '{}' of kernel '{}' has no value: add ARGUMENTS "
                                   "{}{}, or give it in the test case",
                                   where_, argument.name, kernel_.name, argument.name, example));
  }

  void bind_local(const model::Argument& argument, const ArgumentValue& value,
                  const std::string& what, LaunchArgument& launch) const {
    if (value.has_content())
      throw UsageError(what + ": a __local argument takes only a size");
    if (!value.size)
      no_value(argument, ":size=64,local");
    if (*value.size == 0)
      throw UsageError(what + ": size is 0");
    launch.kind = LaunchArgument::Kind::Local;
    launch.local_size = byte_count(*value.size, argument.type.size, what);
  }

  void bind_value(const model::Argument& argument, const ArgumentValue& value,
                  const std::string& what, LaunchArgument& launch) const {
    launch.kind = LaunchArgument::Kind::Value;
    const Type& type = argument.type;
    if (value.size && *value.size != 1)
      throw UsageError(
          fmt::format("{}: is no buffer, but one '{}'; it has no size", what, type.name));
    if (value.values) {
      launch.bytes.resize(type.size);
      write_value(type, *value.values, launch.bytes.data(), what);
    } else if (value.file) {
      if (const std::size_t count = npy_elements(*value.file, type); count != 1)
        throw UsageError(fmt::format("{}: {} holds {} elements, one is needed", what,
                                     value.file->string(), count));
      launch.bytes = read_npy(*value.file, type);
    } else if (value.fill) {
      launch.bytes = filled(type, 1, *value.fill, seed(value, argument), what);
    } else {
      no_value(argument, "=…");
    }
  }

  bool bind_buffer(const model::Argument& argument, const ArgumentValue& value,
                   const std::string& what, LaunchArgument& launch) {
    if (value.is_null) { // the kernel can leave nothing in it
      launch.kind = LaunchArgument::Kind::Buffer;
      launch.is_null = true;
      launch.element_size = std::max<std::size_t>(argument.type.size, 1);
      launch.writable = argument.access != model::Access::Read;
      return false;
    }
    if (argument.type.size == 0 || argument.type.kind == Type::Kind::Pointer)
      throw UsageError(fmt::format("{}: buffers of '{}' cannot be made", what, argument.type.name));
    launch.kind = LaunchArgument::Kind::Buffer;
    launch.element_size = argument.type.size;
    launch.writable = argument.access != model::Access::Read;
    Content content = content_of(argument.type, value, value.size, what, seed(value, argument));
    if (content.count == 0 && !value.size && !value.has_content())
      no_value(argument, ":size=64,fill=zero");
    if (content.count == 0)
      throw UsageError(what + ": size is 0; a buffer needs at least one element");
    const bool output = argument.output || value.output;
    if (output && argument.address_space == AddressSpace::Constant)
      throw UsageError(what + ": is __constant and cannot be an output");
    launch.bytes = std::move(content.bytes);
    counts_[argument.position] = content.count;
    launch.read_back = output || test_case_.expected.contains(argument.name);
    return output;
  }

  bool bind_image(const model::Argument& argument, const ArgumentValue& value,
                  const std::string& what, LaunchArgument& launch) {
    if (value.shape.empty())
      throw UsageError(
          fmt::format("{}: has no shape; add ARGUMENTS {}:shape=[16,16] or \"shape\" in "
                      "the test case",
                      what, argument.name));
    launch.kind = LaunchArgument::Kind::Image;
    launch.image = image_layout(argument.type.name, value.shape, value.channel_order,
                                value.channel_type, what);
    const std::size_t pixels = launch.image->pixels();
    if (value.size && *value.size != pixels)
      throw UsageError(
          fmt::format("{}: size {} is not that of its shape, {}", what, *value.size, pixels));
    launch.writable = argument.access != model::Access::Read;
    launch.bytes =
        content_of(launch.image->pixel_type(), value, pixels, what, seed(value, argument)).bytes;
    counts_[argument.position] = pixels;
    const bool output = launch.writable && (argument.output || value.output);
    launch.read_back = output || test_case_.expected.contains(argument.name);
    return output;
  }

  struct Content {
    Bytes bytes; // empty where contents are only checked
    std::size_t count = 0;
  };

  // Elements as `value` says; fewer than `size` are followed by zeros.
  Content content_of(const Type& element, const ArgumentValue& value,
                     std::optional<std::size_t> size, const std::string& what,
                     std::uint64_t seed) const {
    const bool made = contents_ == Contents::Made;
    Content content;
    if (value.values) {
      if (!value.values->is_array())
        throw UsageError(
            fmt::format("{}: is a buffer; give an array of elements, or an object with "
                        "\"size\" and \"fill\": {}",
                        what, value.values->dump()));
      content = {elements_from(element, *value.values, what), value.values->size()};
    } else if (value.file) {
      content.count = npy_elements(*value.file, element);
      if (made)
        content.bytes = read_npy(*value.file, element);
    } else if (size) {
      byte_count(*size, element.size, what);
      const Fill fill = value.fill.value_or(Fill{});
      check_fill(element, *size, fill, what);
      return {made ? filled(element, *size, fill, seed, what) : Bytes(), *size};
    } else if (value.fill) {
      throw UsageError(what + ": has a fill but no size");
    }
    if (!size)
      return content;
    if (content.count > *size)
      throw UsageError(
          fmt::format("{}: {} elements are given, its size is {}", what, content.count, *size));
    const std::size_t bytes = byte_count(*size, element.size, what);
    if (made)
      content.bytes.resize(bytes);
    return {std::move(content.bytes), *size};
  }

  // Returns the size in bytes. It is bounded, so that a typing mistake is a message and not an
  // exhausted machine.
  static std::size_t byte_count(std::size_t elements, std::size_t size, const std::string& what) {
    constexpr std::size_t kLargest = std::size_t{1} << 36;
    if (size != 0 && elements > kLargest / size)
      throw UsageError(fmt::format("{}: {} elements of {} bytes are more than {} GiB", what,
                                   elements, size, kLargest >> 30));
    return elements * size;
  }

  std::uint64_t seed(const ArgumentValue& value, const model::Argument& argument) const {
    return model::seed_for(value.seed.value_or(0), test_case_.name, argument.name);
  }

  void bind_expected(const model::Argument& argument, const ArgumentValue& given) {
    const std::string what = fmt::format("{}, expected '{}'", where_, argument.name);
    const LaunchArgument& launch = bound_.arguments[argument.position];
    if (launch.kind != LaunchArgument::Kind::Buffer && launch.kind != LaunchArgument::Kind::Image)
      throw UsageError(what + ": is neither a buffer nor an image, so the kernel cannot change it");
    if (launch.is_null || given.is_null)
      throw UsageError(what + (launch.is_null ? ": the argument is null, so it has no content"
                                              : ": null is no content"));
    const ArgumentValue value = read_object(given, argument, what);
    const Type& element = bound_.types[argument.position];
    const std::size_t count = counts_.at(argument.position);
    Content content = content_of(element, value, value.values || value.file ? value.size : count,
                                 what, seed(value, argument));
    if (content.count != count)
      throw UsageError(fmt::format("{}: {} elements are given, the argument has {}", what,
                                   content.count, count));
    bound_.expected.push_back({argument.position, std::move(content.bytes)});
  }

  const TestCase& test_case_;
  const model::KernelInterface& kernel_;
  const CaseDefaults& defaults_;
  Contents contents_;
  std::string where_;
  BoundCase bound_;
  std::map<std::size_t, std::size_t> counts_; // elements of buffers and images, by position
};

} // namespace

BoundCase bind_case(const TestCase& test_case, const model::KernelInterface& kernel,
                    const CaseDefaults& defaults) {
  BoundCase bound = Binder(test_case, kernel, defaults, Contents::Made).bind();
  const std::string broken = broken_requirement(bound, defaults.requirements, kernel);
  if (!broken.empty())
    throw UsageError(fmt::format("{}: {}", where_of(test_case), broken));
  return bound;
}

void check_case(const TestCase& test_case, const model::KernelInterface& kernel,
                const CaseDefaults& defaults) {
  Binder(test_case, kernel, defaults, Contents::Checked).bind();
}

Launch launch_of(const TestCase& test_case, const model::KernelInterface& kernel,
                 const CaseDefaults& defaults) {
  return Binder(test_case, kernel, defaults, Contents::Checked).launch();
}

void expect_lock_step(const BoundCase& test_case, std::size_t lock_step, const std::string& what) {
  if (test_case.launch.lock_step != lock_step)
    throw UsageError(fmt::format("{0} relies on {1} work-items in lock step: give LOCK_STEP {1} "
                                 "(--lock-step {1})",
                                 what, test_case.launch.lock_step));
}

void check_specs(const std::vector<ArgumentSpec>& specs, const model::KernelInterface& kernel) {
  for (const ArgumentSpec& spec : specs)
    expect_argument(spec.name, kernel, "ARGUMENTS");
}

void read_back_all(BoundCase& test_case) {
  for (LaunchArgument& argument : test_case.arguments)
    argument.read_back = (argument.kind == LaunchArgument::Kind::Buffer && !argument.is_null) ||
                         (argument.kind == LaunchArgument::Kind::Image && argument.writable);
}

} // namespace gputest::runtime
