// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/device_launches.h"

#include "cuda/compiler/kernel_declaration.h"
#include "cuda/compiler/mended_headers.h"
#include "cuda/compiler/variant.h"
#include "frontend/cuda/accepted_texts.h"
#include "frontend/cuda/amd_assembler.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iomanip>
#include <utility>

namespace gputest::cuda::compiler {
namespace {

namespace fs = std::filesystem;

constexpr auto kNone = std::string_view::npos;

bool is_space(char letter) {
  return std::isspace(static_cast<unsigned char>(letter));
}

class Rewriter {
public:
  explicit Rewriter(std::string_view text) : text_(text) {}

  std::optional<std::string> run() {
    if (text_.find("<<<") == kNone)
      return std::nullopt;
    for (std::size_t at = 0; at < text_.size();)
      at = step(at);
    if (edits_.empty())
      return std::nullopt;
    std::vector<frontend::cuda::TextEdit> edits;
    for (const auto& [begin, edit] : edits_)
      edits.push_back({begin, edit.end, edit.text});
    return frontend::cuda::edited(text_, edits);
  }

private:
  std::size_t step(std::size_t at) {
    const bool begins_line = begins_line_;
    if (text_[at] == '\n')
      begins_line_ = true;
    else if (!is_space(text_[at]))
      begins_line_ = false;
    if (const std::size_t after = after_no_code(text_, at, begins_line); after != at) {
      begins_line_ = begins_line && text_[at] == '/';
      return after;
    }
    if (frontend::cuda::is_of_name(text_[at])) {
      const std::size_t begin = at;
      while (at < text_.size() && frontend::cuda::is_of_name(text_[at]))
        ++at;
      const std::string_view name = text_.substr(begin, at - begin);
      declares_device_ |= name == "__global__" || name == "__device__";
      if (name == "__global__")
        if (auto kernel = kernel_at(text_, begin))
          kernels_[kernel->name].push_back(std::move(*kernel));
      return at;
    }
    switch (text_[at]) {
    case '{':
      blocks_.push_back(is_device_);
      is_device_ |= declares_device_;
      declares_device_ = false;
      break;
    case '}':
      if (!blocks_.empty()) {
        is_device_ = blocks_.back();
        blocks_.pop_back();
      }
      declares_device_ = false;
      break;
    case ';':
      declares_device_ = false;
      break;
    case '<':
      if (is_device_ && text_.substr(at, 3) == "<<<")
        return launch(at);
      break;
    default:
      break;
    }
    return at + 1;
  }

  // kernel<<<grid, block>>> as gputest_device_launch<decltype(&kernel), &kernel>(grid, block). For
  // templates and overloads, a declaration behind theirs says which the arguments choose:
  // typename decltype(gputest_choose_kernel(arguments))::launch(grid, block)
  std::size_t launch(std::size_t at) {
    const std::size_t begin = frontend::cuda::begin_of_kernel(text_, at);
    const std::size_t end = outside_brackets(text_, at + 3, ">>>");
    if (begin == at || begin < edited_ || end == kNone)
      return at + 3; // Clang reports the error
    const std::string kernel(text_.substr(begin, at - begin));
    std::size_t name = kernel.find('<'); // behind its name
    name = frontend::cuda::text_before(kernel, std::min(name, kernel.size())).size();
    const std::size_t name_end = name;
    while (name > 0 && frontend::cuda::is_of_name(kernel[name - 1]))
      --name;
    const std::size_t open = text_.find_first_not_of(" \t\r\n", end + 3);
    const bool is_called = open != kNone && text_[open] == '(';
    const std::size_t close = is_called ? closing_bracket(text_, open) : kNone;
    const std::string_view arguments =
        close == kNone ? "" : text_.substr(open + 1, close - open - 1);
    const std::string configuration(text_.substr(at + 3, end - at - 3));
    const auto known = kernels_.find(kernel.substr(name, name_end - name));
    std::string launch = "::gputest_device_launch<decltype(&" + kernel + "), &" + kernel + ">";
    if (known != kernels_.end() && close != kNone && choose(known->second, begin)) {
      std::string again(arguments);
      std::ranges::replace(again, '\n', ' ');
      if (again.find("//") == std::string::npos)
        launch = "typename decltype(" + kernel.substr(0, name) + "gputest_choose_" +
                 kernel.substr(name) + "(" + again + "))::launch";
    }
    edits_[begin] = {end + 3, launch + "(" + configuration + ")"};
    edited_ = end + 3;
    if (known != kernels_.end() && close != kNone)
      add_defaults(known->second, arguments, close);
    return edited_;
  }

  // Declares what chooses among the kernels of a name: templates, and those that are overloaded.
  // Returns whether there is something to choose.
  bool choose(const std::vector<KernelDeclaration>& kernels, std::size_t before) {
    bool any = false;
    for (const KernelDeclaration& kernel : kernels) {
      if (kernel.end > before || (kernel.head.empty() && kernels.size() == 1))
        continue;
      any = true;
      std::string text = " " + kernel.head + " __host__ __device__ ::gputest_chosen<void (*)(" +
                         kernel.types + "), &" + kernel.name;
      if (!kernel.head.empty())
        text += "<" + kernel.arguments + ">";
      text += "> gputest_choose_" + kernel.name + "(" + kernel.parameters + ");";
      edits_.try_emplace(kernel.end, Edit{kernel.end, text});
    }
    return any;
  }

  // Adds default arguments that the call leaves out, if one kernel of the name is known.
  void add_defaults(const std::vector<KernelDeclaration>& kernels, std::string_view arguments,
                    std::size_t close) {
    const std::size_t given = parts_of(arguments, false).size();
    const std::vector<std::string>* all = nullptr; // the declaration that has them
    for (const KernelDeclaration& kernel : kernels) {
      if (all && all->size() != kernel.defaults.size())
        return;
      if (!all || all->empty() || all->back().empty())
        all = &kernel.defaults;
    }
    std::string added;
    for (std::size_t i = given; all && i < all->size(); ++i) {
      if ((*all)[i].empty())
        return; // Clang reports the error
      added += (i == 0 ? "" : ", ") + (*all)[i];
    }
    if (!added.empty())
      edits_[close] = {close, added};
  }

  struct Edit {
    std::size_t end; // of what it replaces
    std::string text;
  };

  std::string_view text_;
  std::map<std::size_t, Edit> edits_;                             // by place
  std::size_t edited_ = 0;                                        // the end of the last launch
  std::map<std::string, std::vector<KernelDeclaration>> kernels_; // seen so far, by name
  std::vector<char> blocks_; // for each open block: whether it is in a device function
  bool is_device_ = false, declares_device_ = false, begins_line_ = true;
};

// Returns options that make Clang read a text in the place of each file. `list`: a file for them.
Arguments in_place_of(const std::map<fs::path, fs::path>& files, const fs::path& list) {
  if (files.empty())
    return {};
  std::ofstream stream(list);
  stream << "{\"version\": 0, \"use-external-names\": false, \"roots\": [";
  for (const auto& [file, text] : files)
    stream << (file == files.begin()->first ? "" : ", ")
           << "{\"type\": \"file\", \"name\": " << std::quoted(file.string())
           << ", \"external-contents\": " << std::quoted(fs::absolute(text).string()) << "}";
  stream << "]}\n";
  return {"-ivfsoverlay", list.string()};
}

// Returns a text of host code, or a copy in which Clang refuses nothing that its source has.
fs::path mended_host_text(const fs::path& text, const fs::path& source, const fs::path& scratch,
                          const std::vector<frontend::cuda::RefusedPlaces>& refused) {
  const std::string written = model::read_text(text).value_or("");
  std::string mended = frontend::cuda::with_marks(written);
  if (refused.empty() && mended == written)
    return text;
  const std::size_t begin = mended.find("#line 1 "); // then the source follows
  const auto before = static_cast<unsigned>(
      std::count(mended.begin(), mended.begin() + static_cast<std::ptrdiff_t>(begin), '\n') + 1);
  for (const frontend::cuda::RefusedPlaces& of_files : refused)
    if (const auto found = of_files.find(frontend::cuda::absolute_name(source.string()));
        found != of_files.end()) {
      std::vector<frontend::cuda::RefusedPlace> places = found->second;
      for (frontend::cuda::RefusedPlace& place : places)
        place.line += before;
      mended = frontend::cuda::edited(mended, frontend::cuda::edits_of_refused(mended, places));
    }
  const fs::path copy = scratch / "host.cu";
  std::ofstream(copy, std::ios::binary) << mended;
  return copy;
}

} // namespace

std::optional<std::string> with_device_launches(std::string_view text) {
  return Rewriter(text).run();
}

std::map<fs::path, std::string>
texts_to_read(const std::vector<frontend::cuda::IncludedFile>& included,
              const std::vector<std::string>& folders,
              const std::vector<frontend::cuda::RefusedPlaces>& refused) {
  std::map<fs::path, std::string> texts;
  for (const auto& [file, text] : included) {
    std::string made = frontend::cuda::with_marks(text);
    made = frontend::cuda::without_assembler_of_amd(with_device_launches(made).value_or(made));
    if (made != text)
      texts[file] = std::move(made);
  }
  for (auto& [file, text] : mended_headers(folders))
    texts[file] = std::move(text);
  for (const frontend::cuda::RefusedPlaces& of_files : refused)
    for (const auto& [file, places] : of_files) {
      const std::string text =
          texts.contains(file) ? texts[file] : model::read_text(file).value_or("");
      texts[file] = frontend::cuda::edited(text, frontend::cuda::edits_of_refused(text, places));
    }
  return texts;
}

Arguments read_in_place(const std::map<fs::path, std::string>& texts, const fs::path& scratch) {
  std::map<fs::path, fs::path> files;
  for (const auto& [file, text] : texts) {
    const fs::path made = scratch / ("launches" + std::to_string(files.size()) + ".cu");
    std::ofstream(made, std::ios::binary) << text;
    files[file] = made;
  }
  return in_place_of(files, scratch / "launches.yaml");
}

Arguments host_text_options(const Command& command, const fs::path& source, const fs::path& scratch,
                            const std::vector<frontend::cuda::RefusedPlaces>& refused) {
  for (const std::string& name : command.variants)
    if (const InstrumentedSource variant(command, name, source.string()); variant.has_host_text()) {
      const fs::path text = mended_host_text(variant.host_text(), source, scratch, refused);
      return in_place_of({{fs::absolute(source).lexically_normal(), text}},
                         scratch / "overlay.yaml");
    }
  return {};
}

} // namespace gputest::cuda::compiler
