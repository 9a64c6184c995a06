// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/builds/variant_source.h"

#include "layer/opencl/builds/build_options.h"
#include "model/files.h"
#include "model/spirv/module.h"
#include "runtime/cases/values.h"
#include "runtime/machine/device_macros.h"
#include "runtime/machine/opencl/machine.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace gputest::layer {
namespace {

namespace fs = std::filesystem;
using runtime::fingerprint;

void write_once(const fs::path& file, const std::string& text) {
  if (fs::exists(file))
    return;
  fs::create_directories(file.parent_path());
  model::write_atomically(file, text);
}

// Keeps text that no file holds at a place where reports find it.
void keep_source(const Settings& settings, const NamedSource& named, const std::string& source) {
  if (named.has_other)
    write_once(settings.run_folder / "sources" / named.name, source);
}

// Writes headers as files, each under its include name. Returns the folder.
fs::path header_folder(Services& services, const Unit& unit) {
  std::string all;
  for (const auto& [name, text] : unit.headers)
    all += fmt::format("{}\n{}\n{}", name, text.size(), text);
  const fs::path folder = services.settings.cache / "headers" / fingerprint(all);
  for (const auto& [name, text] : unit.headers) {
    const NamedSource named = services.names.name(text);
    keep_source(services.settings, named, text);
    const fs::path relative = fs::path("/" + name).lexically_normal().relative_path();
    write_once(folder / relative, named.text);
  }
  return folder;
}

} // namespace

// Writes a SPIR-V module as the file that is translated. What it was built with says nothing about
// the code.
static VariantSource module_source(Services& services, const std::string& bytes) {
  const std::string name = fmt::format("program-{}", fingerprint(bytes).substr(8));
  VariantSource result;
  result.name = {.text = "", .name = name + ".spv", .stem = name, .has_other = true};
  keep_source(services.settings, result.name, bytes);
  result.request.source =
      services.settings.cache / "sources" / fingerprint(bytes) / result.name.name;
  write_once(result.request.source, bytes);
  result.request.source_root = result.request.source.parent_path();
  result.request.settings.language = model::Language::Spirv;
  return result;
}

VariantSource variant_source(Services& services, const std::vector<Unit>& units) {
  if (units.size() == 1)
    if (const std::optional<std::string> bytes = model::spirv_of_text(units.front().source))
      return module_source(services, *bytes);
  if (std::ranges::any_of(units,
                          [](const Unit& unit) { return !!model::spirv_of_text(unit.source); }))
    throw std::runtime_error("it is linked from several programs, of which one is SPIR-V");
  VariantSource result;
  std::string text;
  for (const Unit& unit : units) {
    runtime::BuildSettings settings = parse_options(unit.options);
    if (!unit.headers.empty())
      settings.include_dirs.insert(settings.include_dirs.begin(), header_folder(services, unit));
    const NamedSource named = services.names.name(unit.source);
    keep_source(services.settings, named, unit.source);
    auto& all = result.request.settings;
    if (&unit == &units.front()) {
      all = settings;
      text = named.text;
      if (units.size() > 1)
        all.definitions.clear();
    }
    if (units.size() > 1) {
      std::string macros, undone;
      for (const std::string& definition : settings.definitions) {
        macros += runtime::macro_line(definition);
        undone += fmt::format("#undef {}\n", definition.substr(0, definition.find_first_of("(=")));
      }
      if (&unit == &units.front())
        text.clear();
      text += macros;
      text += named.text;
      text += undone;
      for (const fs::path& folder : settings.include_dirs)
        if (std::ranges::find(all.include_dirs, folder) == all.include_dirs.end())
          all.include_dirs.push_back(folder);
      if (all.cl_std.empty())
        all.cl_std = settings.cl_std;
    }
    for (const std::string& part : named.files)
      if (std::ranges::find(result.name.files, part) == result.name.files.end())
        result.name.files.push_back(part);
    result.name.has_file = result.name.has_file || named.has_file;
    result.name.has_other = result.name.has_other || named.has_other;
    if (&unit == &units.front()) {
      result.name.name = named.name;
      result.name.stem = named.stem;
    }
  }
  const fs::path file =
      services.settings.cache / "sources" / fingerprint(text) / (result.name.stem + ".cl");
  write_once(file, text);
  result.request.source = file;
  result.request.source_root = services.settings.source_root;
  return result;
}

std::vector<model::DeviceMacro> device_macros(const Settings& settings,
                                              const runtime::Device& device,
                                              const std::vector<model::DeviceMacro>& assumed,
                                              const runtime::BuildSettings& build) {
  if (assumed.empty())
    return assumed;
  const auto driver_version = device.device.getInfo<CL_DRIVER_VERSION>();
  std::string key =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}", device.name, device.platform, device.version,
                  driver_version, build.cl_std, fmt::join(build.build_options, "\n"));
  for (const model::DeviceMacro& macro : assumed)
    key += '\n' + macro.name;
  const fs::path file = settings.cache / "macros" / (fingerprint(key) + ".json");
  std::vector<model::DeviceMacro> macros = assumed;
  try {
    std::ifstream stream(file, std::ios::binary);
    if (stream) {
      const auto known = nlohmann::json::parse(stream);
      for (model::DeviceMacro& macro : macros) {
        const auto& value = known.at(macro.name);
        macro.value = value.is_null() ? std::nullopt : std::optional(value.get<std::string>());
      }
      return macros;
    }
  } catch (const nlohmann::json::exception&) { // damaged; asks again
  }
  const runtime::Context context(device);
  macros = runtime::probe_macros(*runtime::opencl_machine(context), assumed, build);
  nlohmann::json answers;
  for (const model::DeviceMacro& macro : macros)
    answers[macro.name] = macro.value ? nlohmann::json(*macro.value) : nlohmann::json();
  fs::create_directories(file.parent_path());
  model::write_atomically(file, answers.dump());
  return macros;
}

} // namespace gputest::layer
