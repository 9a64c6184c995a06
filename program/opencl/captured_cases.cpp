// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/captured_cases.h"

#include "model/files.h"
#include "model/interface.h"
#include "model/language.h"
#include "model/text/file_name.h"
#include "runtime/cases/case_file.h"
#include "runtime/cases/npy.h"
#include "runtime/cases/scalar.h"
#include "store/store.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using model::ArgumentKind;
using runtime::Bytes;

constexpr std::size_t kInline = 64; // elements of a buffer that stand in the case itself

// The value of a scalar or vector. nullopt for what is kept as bytes.
std::optional<Json> value_of(const model::Type& type, const std::byte* from) {
  if (type.kind == model::Type::Kind::Scalar)
    return runtime::scalar_json(type.scalar, from);
  if (type.kind == model::Type::Kind::Vector) {
    Json components = Json::array();
    for (unsigned i = 0; i < type.width; ++i)
      components.push_back(
          runtime::scalar_json(type.scalar, from + i * model::size_of(type.scalar)));
    return components;
  }
  // The members in order, if each of them is a scalar.
  if (type.kind != model::Type::Kind::Struct)
    return std::nullopt;
  Json members = Json::array();
  for (const model::Field& field : type.fields) {
    auto member =
        field.dimensions.empty() ? value_of(field.type, from + field.offset) : std::nullopt;
    if (!member)
      return std::nullopt;
    members.push_back(*std::move(member));
  }
  return members;
}

// Whether text gives the same bytes again. A NaN with a payload does not.
bool is_exact(const model::Type& type, const Bytes& bytes) {
  for (std::size_t at = 0; at + type.size <= bytes.size(); at += type.size)
    for (const model::Leaf& leaf : model::leaves_of(type))
      if (model::is_floating(leaf.scalar) &&
          std::isnan(runtime::read_scalar(leaf.scalar, bytes.data() + at + leaf.offset)))
        return false;
  return true;
}

Bytes part_of(const Bytes& all, std::size_t begin, std::size_t size) {
  if (begin + size > all.size())
    throw std::runtime_error("what was captured of it is not complete");
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

Bytes read_bytes(const fs::path& file) {
  const std::string text = model::read_text(file).value_or("");
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

// Whether CMake hands a macro to a compiler as it is: it reads ';', '$', brackets and more itself.
bool is_plain_definition(const std::string& definition) {
  return std::ranges::all_of(definition, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_=.+-*/(),: ").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// "N=4", "N" and "F(x)=x + 1" as lines of a source.
std::string definition_lines(const std::vector<std::string>& definitions) {
  std::string lines;
  for (const std::string& definition : definitions) {
    const std::size_t equals = definition.find('=');
    const bool has_value = equals != std::string::npos;
    std::string value = has_value ? definition.substr(equals + 1) : "1";
    std::ranges::replace(value, '\n', ' ');
    lines += fmt::format("#define {} {}\n", definition.substr(0, equals), value);
  }
  return lines;
}

// Whether two texts are one but for their last line's end.
bool same_text(std::string left, std::string right) {
  for (std::string* text : {&left, &right})
    text->erase(text->find_last_not_of("\r\n") + 1);
  return left == right;
}

// Returns a test case's keys for an image or a sampler; null: it is neither. Throws
// std::runtime_error if the log does not have them.
Json words_of(const RecordedLaunch::Argument& argument) {
  if (argument.image)
    return Json(*argument.image);
  if (argument.sampler)
    return Json(*argument.sampler);
  if (argument.kind == ArgumentKind::Image || argument.kind == ArgumentKind::Sampler)
    throw std::runtime_error("the log does not describe an image or a sampler of it");
  return {};
}

// One case, as JSON and files.
class CaseWriter {
public:
  CaseWriter(fs::path folder, std::string name)
      : folder_(std::move(folder)), name_(std::move(name)) {}

  Json describe(const RecordedLaunch& launch, const model::KernelInterface& kernel) {
    const Bytes content = read_bytes(launch.file);
    Json json{{"name", name_}, {"global_size", launch.global_size}};
    if (!launch.local_size.empty())
      json["local_size"] = launch.local_size;
    if (std::ranges::any_of(launch.global_offset, [](std::size_t offset) { return offset != 0; }))
      json["global_offset"] = launch.global_offset;
    json["arguments"] = Json::object();
    json["expected"] = Json::object();
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
      const model::Argument& described = kernel.arguments[i];
      const RecordedLaunch::Argument& argument = launch.arguments.at(i);
      Json& given = json["arguments"][described.name];
      const std::size_t element = std::max<std::size_t>(described.type.size, 1);
      if (argument.kind == ArgumentKind::Local) {
        given = {{"size", (argument.size + element - 1) / element}};
        continue;
      }
      if (argument.kind == ArgumentKind::Sampler) {
        given = words_of(argument);
        continue;
      }
      if (argument.is_null)
        continue; // JSON's null
      const std::size_t size = whole_size(described, argument, element);
      const Bytes before = part_of(content, argument.before, size);
      if (argument.kind == ArgumentKind::Value) {
        const auto value = value_of(described.type, before.data());
        if (!value || !is_exact(described.type, before))
          throw std::runtime_error(
              fmt::format("the value of '{}' cannot be written in a test case", described.name));
        given = *value;
        continue;
      }
      const model::Type& type = argument.pixel ? *argument.pixel : described.type;
      given = elements(type, before, described.name);
      if (argument.kind == ArgumentKind::Image) {
        Json image = words_of(argument);
        const char* key = given.is_string() ? "file" : "values";
        image[key] = std::move(given);
        given = std::move(image);
      }
      if (described.output)
        json["expected"][described.name] =
            elements(type, part_of(content, argument.after, size), described.name + ".expected");
    }
    if (json["expected"].empty())
      json.erase("expected");
    else // whatever the device left
      json["generated"]["expected"] = runtime::kRecorded;
    return json;
  }

  // Notes on what the case does not have.
  const std::vector<std::string>& notes() const { return notes_; }

private:
  // The size of the whole elements. Hosts make buffers larger than their content.
  std::size_t whole_size(const model::Argument& described, const RecordedLaunch::Argument& argument,
                         std::size_t element) {
    const std::size_t rest = argument.kind == ArgumentKind::Buffer ? argument.size % element : 0;
    if (rest == 0)
      return argument.size;
    const std::string text = fmt::format("the last {} of {} bytes of '{}' are no whole {}", rest,
                                         argument.size, described.name, described.type.name);
    if (rest == argument.size)
      throw std::runtime_error(text);
    notes_.push_back("captured without all of a buffer: " + text);
    return argument.size - rest;
  }

  // An array, or the name of a file.
  Json elements(const model::Type& type, const Bytes& bytes, const std::string& name) {
    const std::size_t count = bytes.size() / std::max<std::size_t>(type.size, 1);
    const bool is_small = count <= kInline && is_exact(type, bytes);
    Json values = Json::array();
    for (std::size_t i = 0; is_small && i < count; ++i)
      if (auto value = value_of(type, bytes.data() + i * type.size))
        values.push_back(*std::move(value));
    if (is_small && values.size() == count)
      return values;
    std::string file = fmt::format("{}.{}.npy", name_, name);
    runtime::write_npy(folder_ / file, type, bytes);
    return file;
  }

  fs::path folder_;
  std::string name_;
  std::vector<std::string> notes_;
};

class Writer {
public:
  Writer(const RunRecords& records, const RunSettings& settings, fs::path folder)
      : records_(records), settings_(settings), folder_(std::move(folder)) {}

  CapturedCases write() {
    all_.not_captured = records_.not_measured;
    fs::create_directories(folder_);
    for (const RecordedLaunch& launch : records_.launches)
      try {
        write(launch);
      } catch (const fs::filesystem_error&) {
        throw;
      } catch (const std::exception& error) {
        note(launch, std::string("not captured: ") + error.what());
      }
    for (auto& [name, kernel] : kernels_)
      all_.kernels.push_back(std::move(kernel));
    return std::move(all_);
  }

private:
  void note(const RecordedLaunch& launch, std::string reason) {
    NotMeasured entry{program_of(launch).stem, launch.kernel, std::move(reason)};
    if (std::ranges::find(all_.not_captured, entry) == all_.not_captured.end())
      all_.not_captured.push_back(std::move(entry));
  }

  const BuiltSource& program_of(const RecordedLaunch& launch) const {
    const auto found = std::ranges::find_if(records_.programs, [&](const BuiltSource& built) {
      return built.process == launch.process && built.number == launch.program;
    });
    if (found == records_.programs.end())
      throw std::runtime_error("the program of a launch is not known");
    return *found;
  }

  void write(const RecordedLaunch& launch) {
    const BuiltSource& program = program_of(launch);
    const model::Interface& interface = interface_of(program);
    const model::KernelInterface* described = interface.find(launch.kernel);
    if (!described)
      throw std::runtime_error("the source has no such kernel");
    const std::string name = name_of(program, launch.kernel);
    CapturedKernel& kernel = kernels_[name];
    if (kernel.cases.size() >= settings_.max_cases || !is_new(name, launch))
      return;
    const std::string case_name = fmt::format("{}.{}", name, kernel.cases.size() + 1);
    CaseWriter writer(folder_, case_name);
    const Json json = writer.describe(launch, *described);
    for (const std::string& missing : writer.notes())
      note(launch, missing);
    const fs::path file = folder_ / (case_name + ".json");
    model::write_atomically(file, model::pretty(json));
    if (kernel.cases.empty()) {
      kernel.name = name;
      kernel.kernel = launch.kernel;
      set_source(kernel, program);
      kernel.build_options = program.build_options;
      kernel.cl_std = program.cl_std;
      kernel.global_size = launch.global_size;
      kernel.local_size = launch.local_size;
    }
    kernel.cases.push_back(file);
  }

  // If kernels of one name have other sources or options, the second and later ones get a number.
  std::string name_of(const BuiltSource& program, const std::string& kernel) {
    return numbered(model::short_file_name(plain(program.stem) + "." + kernel),
                    fmt::format("{}\n{}\n{}",
                                model::read_text(program.source.value_or("")).value_or(""),
                                program.cl_std, fmt::join(program.definitions, "\n")));
  }

  // `name` if it is only used for this content, else `name` with a number.
  std::string numbered(const std::string& name, const std::string& content) {
    std::vector<std::string>& known = contents_[name];
    auto found = std::ranges::find(known, content);
    if (found == known.end())
      found = known.insert(known.end(), content);
    const auto number = found - known.begin();
    return number == 0 ? name : fmt::format("{}-{}", name, number + 1);
  }

  // A name that gputest_add_kernel() accepts.
  static std::string plain(std::string name) {
    for (char& c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
          std::string_view("_.+-").find(c) == std::string_view::npos)
        c = '_';
    return name;
  }

  bool is_new(const std::string& name, const RecordedLaunch& launch) {
    std::string key =
        fmt::format("{}|{}|{}", fmt::join(launch.global_size, ","),
                    fmt::join(launch.local_size, ","), fmt::join(launch.global_offset, ","));
    const Bytes content = read_bytes(launch.file);
    for (const auto& argument : launch.arguments) {
      const std::size_t end =
          argument.kind == ArgumentKind::Local ? argument.before : argument.before + argument.size;
      const Bytes part = part_of(content, argument.before, end - argument.before);
      key += fmt::format("|{}:{}:{}:", model::name_of(argument.kind), argument.size,
                         words_of(argument).dump());
      key += store::content_hash({reinterpret_cast<const char*>(part.data()), part.size()});
    }
    return known_[name].insert(std::move(key)).second;
  }

  const model::Interface& interface_of(const BuiltSource& program) {
    const auto known = interfaces_.find(&program);
    if (known != interfaces_.end())
      return known->second;
    const fs::path folder = coverage_variant(program, settings_);
    return interfaces_[&program] = model::read_interface(folder / "interface.json");
  }

  // Sets the source, and what it is built with. The source is the file itself if the program is
  // exactly its text, else a copy of what was built: the text may stand in a file of another
  // language. Macros that CMake would not hand over as they are become lines of the copy.
  void set_source(CapturedKernel& kernel, const BuiltSource& program) {
    kernel.include_dirs = program.include_dirs;
    const std::string text = model::read_text(program.source.value_or("")).value_or("");
    if (const fs::path module = program.source.value_or("");
        !module.empty() && !model::row_of(module).has_source) {
      kernel.source =
          folder_ / (numbered(model::short_file_name(plain(program.stem)), text) + ".spv");
      model::write_atomically(kernel.source, text);
      return;
    }
    const std::size_t end = text.find('\n');
    const std::string first = text.substr(0, end);
    const bool is_one = text.find("\n#line ") == std::string::npos;
    const bool are_plain = std::ranges::all_of(program.definitions, is_plain_definition);
    std::string copy = is_one ? text.substr(std::min(text.size(), end + 1)) : text;
    const std::size_t begin = first.find('"'), last = first.rfind('"');
    if (is_one && begin != std::string::npos && last > begin) {
      const fs::path file = first.substr(begin + 1, last - begin - 1);
      if (file.is_absolute() && fs::is_regular_file(file)) {
        const std::string folder = file.parent_path().string();
        if (are_plain && model::row_of(file).state_is_argument &&
            same_text(model::read_text(file).value_or(""), copy)) {
          kernel.source = file;
          kernel.definitions = program.definitions;
          return;
        }
        if (std::ranges::find(kernel.include_dirs, folder) == kernel.include_dirs.end())
          kernel.include_dirs.push_back(folder); // for what the text includes from beside it
      }
    }
    if (are_plain)
      kernel.definitions = program.definitions;
    else
      copy = definition_lines(program.definitions) + copy;
    kernel.source = folder_ / (numbered(model::short_file_name(plain(program.stem)), copy) + ".cl");
    model::write_atomically(kernel.source, copy);
  }

  const RunRecords& records_;
  const RunSettings& settings_;
  fs::path folder_;
  CapturedCases all_;
  std::map<std::string, CapturedKernel> kernels_;
  std::map<std::string, std::vector<std::string>> contents_; // by name
  std::map<std::string, std::set<std::string>> known_;       // by name: launches
  std::map<const BuiltSource*, model::Interface> interfaces_;
};

std::string relative_path(const fs::path& path, const fs::path& base) {
  return model::name_below(path, base).value_or(path.string());
}

// The text as an argument of a CMake function.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '$' || c == ';')
      result += '\\';
    result += c;
  }
  return result + '"';
}

} // namespace

CapturedCases write_cases(const RunRecords& records, const RunSettings& settings,
                          const fs::path& folder) {
  return Writer(records, settings, folder).write();
}

std::string cmake_text(const CapturedCases& cases, const fs::path& base) {
  std::string text;
  for (const CapturedKernel& kernel : cases.kernels) {
    if (kernel.cases.empty())
      continue;
    if (text.empty())
      text = fmt::format("# For {}: paths are relative to its folder.\n",
                         (base / "CMakeLists.txt").string());
    text += fmt::format("gputest_add_kernel({}\n  SOURCE {}\n  KERNEL {}\n  GLOBAL_SIZE {}",
                        kernel.name, quoted(relative_path(kernel.source, base)), kernel.kernel,
                        fmt::join(kernel.global_size, " "));
    if (!kernel.local_size.empty())
      text += fmt::format(" LOCAL_SIZE {}", fmt::join(kernel.local_size, " "));
    if (!kernel.cl_std.empty())
      text += " CL_STD " + kernel.cl_std;
    std::vector<std::string> include_dirs;
    for (const std::string& folder : kernel.include_dirs)
      include_dirs.push_back(relative_path(folder, base));
    const auto& shown_dirs = std::as_const(include_dirs);
    for (const auto& [keyword, values] : {std::pair("DEFINITIONS", &kernel.definitions),
                                          std::pair("INCLUDE_DIRECTORIES", &shown_dirs),
                                          std::pair("BUILD_OPTIONS", &kernel.build_options)}) {
      text += values->empty() ? "" : fmt::format("\n  {}", keyword);
      for (const std::string& value : *values)
        text += ' ' + quoted(value);
    }
    const fs::path pattern = kernel.cases.front().parent_path() / (kernel.name + ".[0-9]*.json");
    text += fmt::format("\n  TEST_CASES {})\n", quoted(relative_path(pattern, base)));
  }
  return text;
}

} // namespace gputest::program
