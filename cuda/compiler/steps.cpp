// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/steps.h"

#include "cuda/compiler/declarations.h"
#include "cuda/compiler/dependencies.h"
#include "cuda/compiler/device_launches.h"
#include "cuda/compiler/hip_messages.h"
#include "cuda/compiler/included_texts.h"
#include "cuda/compiler/library_errors.h"
#include "cuda/compiler/openmp.h"
#include "cuda/compiler/outputs.h"
#include "cuda/compiler/process.h"
#include "cuda/compiler/reading.h"
#include "cuda/compiler/symbols.h"
#include "cuda/compiler/toolkit.h"
#include "cuda/compiler/variant.h"
#include "cuda/compiler/warp_size.h"
#include "frontend/cuda/kept_header.h"
#include "frontend/cuda/toolkit.h"
#include "ir/cuda/image.h"
#include "model/files.h"
#include "model/sources.h"
#include "process/scratch_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>

namespace gputest::cuda::compiler {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;
using Texts = std::map<fs::path, std::string>; // read in the place of files

constexpr const char* kWrapOfOurs = "-Wl,--wrap=dlopen"; // in each program

class Steps {
public:
  explicit Steps(const Command& command)
      : toolkit_(find_toolkit()), command_(with_openmp(command, toolkit_)),
        reading_(own_arguments(command_, toolkit_)), texts_(include_folders(command_)) {}

  int run() {
    switch (command_.action) {
    case Action::Version:
      return version();
    case Action::Toolkit:
      std::cerr << "#$ TOP=" << toolkit_.root.string() << "\n";
      return 0;
    case Action::Image:
      return image();
    case Action::DeviceLink:
      return empty_object();
    case Action::Preprocess:
      return preprocess();
    case Action::Compile:
      return compile_all();
    case Action::Archive:
      return archive();
    case Action::Link:
      return link();
    }
    return 2;
  }

private:
  int start(const Arguments& arguments) const {
    return compiler::start(arguments, command_.verbose);
  }

  // CMake parses Clang's output, and nvcc's for the toolkit's version.
  int version() const {
    if (command_.as_nvcc) {
      std::cout << "gputest-cuda: a CUDA compiler for the simulator\n"
                   "Cuda compilation tools, release 12.5, V12.5.0\n";
      return 0;
    }
    if (command_.as_hipcc)
      std::cout << "HIP version: 6.2.0-gputest\n" << std::flush; // in front of what Clang prints
    return start({toolkit_.clang, "--version"});
  }

  // Reads a text until Clang refuses nothing in it that can be mended. `read`: reads it, with these
  // texts in the place of files, and sets `messages`, which end as those about the author's text.
  template <typename Read>
  int read_and_mend(const fs::path& text, const fs::path& folder, std::string& messages,
                    Read read) const {
    for (std::string first;; first = first.empty() ? messages : first) {
      const Texts texts = texts_to_read(texts_.of(text, folder), texts_.folders(folder), refused_);
      const int failed = read(texts);
      if (failed && !command_.hip &&
          frontend::cuda::add_refused(messages, refused_, text_as_read(texts)))
        continue;
      if (failed && !first.empty() && frontend::cuda::are_of_mended(messages))
        messages = first;
      return failed;
    }
  }

  // Shows messages, which may become one about a library that is too new, and are in HIP's words.
  // Returns `failed`.
  int show(std::string messages, int failed) const {
    if (failed && have_library(include_folders(command_)) && !command_.verbose)
      messages = with_missing_names(messages);
    std::cerr << (command_.hip && !command_.verbose ? in_words_of_hip(messages) : messages);
    return failed;
  }

  // Starts Clang. `reading`: how sources are read. `more`: this source, and where its code goes.
  // `texts`: what is read in the place of files. `writes_rule`: Clang also writes the rule of
  // dependencies that the command asks for. `messages`: gets Clang's messages, which are not shown.
  int read_source(const Arguments& reading, const Arguments& more, const Texts& texts,
                  bool writes_rule, std::string& messages) const {
    const std::string rule = writes_rule ? dependency_file(command_) : "";
    const bool is_rule_known = !writes_rule || command_.dependencies.empty() || !rule.empty();
    const auto quietly = [&](const Arguments& arguments) {
      return start_quietly(arguments, "/dev/null", command_.verbose);
    };
    const auto read = [&](Arguments arguments) {
      append(arguments, more);
      if (writes_rule)
        append(arguments, command_.dependencies);
      return start_and_keep(arguments, messages, command_.verbose);
    };
    const frontend::cuda::KeptHeader kept = is_rule_known
                                                ? frontend::cuda::with_kept_header(reading, quietly)
                                                : frontend::cuda::KeptHeader{reading, {}};
    int failed = read(kept.arguments);
    // Clang refuses some code behind a precompiled header alone. What can be mended comes first.
    std::vector<frontend::cuda::RefusedPlaces> refused = refused_;
    if (failed && !kept.files.empty() && !needs_constant_warp_size(messages) &&
        !frontend::cuda::add_refused(messages, refused, text_as_read(texts)))
      failed = read(reading);
    if (failed == 0 && !rule.empty())
      for (const fs::path& file : kept.files) // what they were made of is in the rule
        remove_dependency(rule, file);
    return failed;
  }

  // Compiles the device code of `text` to bitcode. `folder`: the first folder for includes; empty:
  // the text's own.
  int compile_device(const fs::path& text, const fs::path& folder, const fs::path& file,
                     std::string& code, const char* how = "-c") const {
    Arguments reading = with_device_options(command_, reading_);
    append(reading, frontend::cuda::arguments_for_bitcode());
    if (!command_.contracts)
      reading.emplace_back("-ffp-contract=off");
    append(reading, {"--cuda-device-only", "-emit-llvm"});
    const bool writes_rule = command_.action == Action::Image; // host code is not compiled
    std::string messages;
    if (!command_.hip)
      frontend::cuda::add_places(frontend::cuda::deduction_guides(texts_.of(text, folder)),
                                 refused_, model::read_text);
    const auto read = [&](const Texts& texts) {
      Arguments more = read_in_place(texts, file.parent_path());
      if (!folder.empty())
        append(more, {"-iquote", folder.string()});
      append(more, {how, text.string(), "-o", file.string()});
      const int failed = read_source(reading, more, texts, writes_rule, messages);
      if (!failed || !needs_constant_warp_size(messages))
        return failed;
      reading.push_back(constant_warp_size(reading));
      return read_source(reading, more, texts, writes_rule, messages);
    };
    const int failed = read_and_mend(text, folder, messages, read);
    if (show(messages, failed) != 0)
      return failed;
    code = model::read_text(file).value_or("");
    return 0;
  }

  // The same for named code. Removes the variables gputest_name_<n> and writes their values to the
  // file of names. Removes gputest_kernel, too, whose value is in the code's declarations.
  int compile_named(const fs::path& text, const fs::path& file, std::string& code,
                    std::string& listing) const {
    if (const int failed = compile_device(text, "", file, listing, "-S"))
      return failed;
    std::string names;
    std::ofstream(file.string() + ".ll") << without_names(listing, names);
    if (!command_.names_file.empty())
      std::ofstream(command_.names_file) << names;
    if (const int failed =
            start({toolkit_.clang, "-c", "-emit-llvm", "-O2", "-Xclang", "-disable-llvm-passes",
                   "-Wno-everything", "--target=nvptx64-nvidia-cuda", "-x", "ir",
                   file.string() + ".ll", "-o", file.string()}))
      return failed;
    code = model::read_text(file).value_or("");
    return 0;
  }

  // Returns what host code of one source embeds. `variables`: gets the variables that sources share
  // in relocatable code; may be null.
  int make_container(const std::string& source, const fs::path& container,
                     std::vector<std::string>* variables, bool as_text = false) const {
    ir::cuda::Container content{.flags = (command_.relocatable ? ir::cuda::kRelocatable : 0) |
                                         (command_.hip ? ir::cuda::kHip : 0),
                                .simulator = toolkit_.simulator.string(),
                                .headers = (toolkit_.root / "include").string() + "/",
                                .code = ""};
    const fs::path code = container.string() + ".bc";
    std::string listing;
    if (const int failed = as_text ? compile_named(source, code, content.code, listing)
                                   : compile_device(source, "", code, content.code))
      return failed;
    if (command_.relocatable && variables)
      if (const int failed = find_variables(toolkit_, code, *variables, command_.verbose))
        return failed;
    for (const std::string& name : command_.variants) {
      const InstrumentedSource variant(command_, name, source);
      content.variants.push_back({.name = name, .folder = variant.folder.string(), .code = ""});
      Arguments reading = with_device_options(command_, reading_);
      append(reading, read_in_place(texts_to_read(texts_.of(source, ""), texts_.folders(""), {}),
                                    container.parent_path())); // it mends them, too
      if (const int failed = start(variant.making(toolkit_, reading)))
        return failed;
      if (const int failed = compile_device(variant.text(), fs::absolute(source).parent_path(),
                                            code, content.variants.back().code))
        return failed;
    }
    const std::string bytes = ir::cuda::bytes_of(content);
    std::ofstream(container, std::ios::binary)
        << (as_text ? ir::cuda::text_of_image(bytes, declarations_of(listing)) : bytes);
    return 0;
  }

  int image() const {
    std::vector<std::string> sources = command_.sources;
    std::ranges::copy_if(command_.others, std::back_inserter(sources),
                         [](const std::string& file) { return file.ends_with(".ptx"); });
    for (const std::string& source : sources) {
      const process::ScratchFolder folder("gputest-cuda");
      const fs::path made = folder.path() / "device";
      if (const int failed = source.ends_with(".ptx")
                                 ? assemble(source, made)
                                 : make_container(source, made, nullptr, command_.image == "ptx"))
        return failed;
      fs::copy_file(made, output_of(command_, source, command_.image),
                    fs::copy_options::overwrite_existing);
    }
    return 0;
  }

  // Accepts output of -ptx, and PTX, which the simulator translates when it is loaded.
  int assemble(const std::string& source, const fs::path& file) const {
    const std::string text = model::read_text(source).value_or("");
    const auto container = ir::cuda::container_of_image(text.c_str());
    std::ofstream(file, std::ios::binary)
        << (container ? *container
                      : ir::cuda::bytes_of({.flags = 0,
                                            .simulator = toolkit_.simulator.string(),
                                            .headers = source,
                                            .code = text}));
    return 0;
  }

  int compile(const std::string& source, const fs::path& object, const Arguments& more = {}) const {
    const process::ScratchFolder folder("gputest-cuda");
    const fs::path container = folder.path() / "device";
    std::vector<std::string> variables;
    Arguments arguments{"-c"};
    if (!command_.host_only) {
      if (const int failed = make_container(source, container, &variables))
        return failed;
      append(arguments, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", container.string()});
    }
    Arguments reading = reading_;
    append(reading, {"--cuda-host-only", "-gline-tables-only"}); // for the lines of findings
    append(reading, command_.compile);
    reading.emplace_back(kWarningsOfGcc);
    if (command_.relocatable) // a name by which a linker can take it from a static library
      append(arguments,
             {"-include", "gputest_cuda/relocatable_unit.h",
              "-DGPUTEST_CUDA_UNIT=gputest_cuda_unit_" +
                  model::digest_of(fs::absolute(source).string() + "\n" + command_.output)});
    append(arguments, more);
    std::string messages;
    const int failed = read_and_mend(source, "", messages, [&](const Texts& texts) {
      Arguments all = arguments;
      append(all, read_in_place(texts, folder.path()));
      append(all, host_text_options(command_, source, folder.path(), refused_));
      append(all, {source, "-o", object.string()});
      return read_source(reading, all, texts, true, messages);
    });
    if (show(messages, failed) != 0)
      return failed;
    if (const std::string rule = dependency_file(command_);
        !rule.empty() && !command_.variants.empty())
      add_dependencies(rule, {instrumenter(toolkit_)});
    return variables.empty()
               ? 0
               : add_symbols(toolkit_, variables, folder.path(), object, command_.verbose);
  }

  int preprocess() const {
    Arguments arguments = reading_;
    append(arguments, {"--cuda-host-only", "-E"});
    append(arguments, command_.compile);
    append(arguments, command_.dependencies);
    append(arguments, command_.sources);
    if (!command_.output.empty())
      append(arguments, {"-o", command_.output});
    return start(arguments);
  }

  int compile_all() const {
    for (const std::string& source : command_.sources) {
      if (fs::path(source).filename() == "link.stub") { // CMake compiles this after a device link
        Arguments arguments = host_arguments(command_, toolkit_);
        append(arguments, {"-x", "c++", "-c", source, "-o", command_.output});
        return start(arguments);
      }
      if (const int failed = compile(source, output_of(command_, source, "o")))
        return failed;
    }
    for (const std::string& source : command_.c_sources)
      if (const int failed =
              start(arguments_for_c(command_, toolkit_, source, output_of(command_, source, "o"))))
        return failed;
    if (command_.others.empty())
      return 0;
    Arguments arguments = host_arguments(command_, toolkit_); // sources of host code
    append(arguments, {"-c"});
    append(arguments, command_.dependencies);
    append(arguments, command_.others);
    if (!command_.output.empty())
      append(arguments, {"-o", command_.output});
    return start(arguments);
  }

  // Objects of the sources of device code and of C, in the folder.
  int compile_into(const fs::path& folder, Arguments& objects) const {
    unsigned number = 0;
    for (const std::string& source : command_.sources) {
      const fs::path object = folder / (std::to_string(number++) + ".o");
      if (const int failed = compile(source, object, coverage_files(command_, source)))
        return failed;
      objects.push_back(object.string());
    }
    for (const std::string& source : command_.c_sources) {
      const fs::path object = folder / (std::to_string(number++) + ".o");
      Arguments arguments = arguments_for_c(command_, toolkit_, source, object);
      append(arguments, coverage_files(command_, source));
      if (const int failed = start(arguments))
        return failed;
      objects.push_back(object.string());
    }
    return 0;
  }

  int archive() const {
    const process::ScratchFolder folder("gputest-cuda");
    const std::string file = command_.output.empty() ? "a.a" : command_.output;
    fs::remove(file);
    Arguments arguments{"ar", "rcs", file};
    if (const int failed = compile_into(folder.path(), arguments))
      return failed;
    append(arguments, command_.others);
    return start(arguments);
  }

  // Containers name the simulator, but a program without kernels may load PTX, or call libraries.
  int say_where_simulator_is(const fs::path& folder, Arguments& objects) const {
    const fs::path text = folder / "simulator.c", object = folder / "simulator.o";
    std::ofstream(text) << "__attribute__((weak)) const char gputest_cuda_simulator[] = "
                        << std::quoted(toolkit_.simulator.string()) << ";\n";
    objects.push_back(object.string());
    return start({toolkit_.clang, "-x", "c", "-fPIC", "-c", text.string(), "-o", object.string()});
  }

  // Tries LLVM's linker first, which takes a third of the time of GNU's. What it refuses is linked
  // by Clang's own choice, whose messages are shown. Users' --wrap is for the other one:
  // the two differ in which calls of a library to itself they wrap.
  int start_linker(const Arguments& arguments) const {
    const bool is_chosen = std::ranges::any_of(arguments, [](const std::string& argument) {
      return argument.starts_with("-fuse-ld") || argument.starts_with("--ld-path") ||
             (argument != kWrapOfOurs && argument.find("--wrap") != std::string::npos);
    });
    if (!is_chosen && has_lld(toolkit_)) {
      Arguments with_lld = arguments;
      with_lld.emplace_back("-fuse-ld=lld");
      std::string messages;
      if (start_and_keep(with_lld, messages, command_.verbose) == 0)
        return show(messages, 0);
    }
    return start(arguments);
  }

  int link() const {
    const process::ScratchFolder folder("gputest-cuda");
    Arguments arguments = host_arguments(command_, toolkit_);
    if (const int failed = compile_into(folder.path(), arguments))
      return failed;
    const std::string libraries = (toolkit_.root / "lib64").string();
    const bool has_library = std::ranges::any_of(
        command_.others, [&](const std::string& name) { return is_loaded(toolkit_, name); });
    const bool has_driver = std::ranges::any_of(command_.others, is_driver);
    if (command_.sources.empty() || has_library || has_driver || command_.hip)
      if (const int failed = say_where_simulator_is(folder.path(), arguments))
        return failed;
    append(arguments, options_for_units(command_, folder.path()));
    append(arguments, command_.others);
    append(arguments, command_.link);
    if (command_.hip) // HIP's runtime has HIPRTC
      append(arguments,
             {"-L" + libraries, "-Wl,--push-state,--as-needed", "-lnvrtc", "-Wl,--pop-state"});
    if (has_library || command_.hip) // also where $LD_LIBRARY_PATH names another toolkit's folder
      append(arguments, {"-Wl,-rpath," + libraries, "-Wl,--disable-new-dtags"});
    // What a program opens gets its driver (libcuda/calls.cpp) and its runtime (host_work.h).
    append(arguments, {kWrapOfOurs, "-Wl,--export-dynamic-symbol=cu*",
                       "-Wl,--export-dynamic-symbol=gputest_cuda_host_*"});
    const std::string program = command_.output.empty() ? "a.out" : command_.output;
    append(arguments,
           {"-L" + libraries, "-lcudart_static", "-lpthread", "-ldl", "-lrt", "-o", program});
    const int failed = start_linker(arguments);
    if (failed != 0 || !command_.starts_program)
      return failed;
    Arguments started{fs::absolute(program).string()};
    append(started, command_.program_arguments);
    return start(started);
  }

  int empty_object() const {
    const process::ScratchFolder folder("gputest-cuda");
    const fs::path source = folder.path() / "empty.c";
    std::ofstream(source) << "\n";
    return start({toolkit_.clang, "-x", "c", "-fPIC", "-c", source.string(), "-o",
                  command_.output.empty() ? "a_dlink.o" : command_.output});
  }

  Toolkit toolkit_;
  Command command_;
  Arguments reading_; // how host and device read its sources
  mutable std::vector<frontend::cuda::RefusedPlaces> refused_;
  mutable IncludedTexts texts_;
};

} // namespace

int run(const Command& command) {
  return Steps(command).run();
}

} // namespace gputest::cuda::compiler
