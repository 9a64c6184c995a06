// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/nvrtc/options.h"

#include <array>
#include <string_view>

namespace gputest::cuda::nvrtc {
namespace {

enum class Use {
  Passed,  // gputest-cuda knows it
  Nothing, // has no effect here
  Device,
  Architecture
};
struct Row {
  std::string_view name;  // with two dashes or one
  std::string_view other; // the short one
  bool has_value;         // behind '=' or as the next option
  Use use;
};
constexpr std::array<Row, 57> kRows{{
    {"--gpu-architecture", "-arch", true, Use::Architecture},
    {"--define-macro", "-D", true, Use::Passed},
    {"--undefine-macro", "-U", true, Use::Passed},
    {"--include-path", "-I", true, Use::Passed},
    {"--pre-include", "-include", true, Use::Passed},
    {"--std", "-std", true, Use::Passed},
    {"--use_fast_math", "-use_fast_math", false, Use::Passed},
    {"--relocatable-device-code", "-rdc", true, Use::Passed},
    {"--device-c", "-dc", false, Use::Nothing},
    {"--device-w", "-dw", false, Use::Nothing},
    {"--device-debug", "-G", false, Use::Passed},
    {"--generate-line-info", "-lineinfo", false, Use::Nothing},
    {"--dopt", "-dopt", true, Use::Nothing},
    {"--ptxas-options", "-Xptxas", true, Use::Nothing},
    {"--maxrregcount", "-maxrregcount", true, Use::Nothing},
    {"--ftz", "-ftz", true, Use::Passed},
    {"--prec-sqrt", "-prec-sqrt", true, Use::Passed},
    {"--prec-div", "-prec-div", true, Use::Passed},
    {"--fmad", "-fmad", true, Use::Passed},
    {"--extra-device-vectorization", "-extra-device-vectorization", false, Use::Nothing},
    {"--modify-stack-limit", "-modify-stack-limit", true, Use::Nothing},
    {"--dlink-time-opt", "-dlto", false, Use::Nothing},
    {"--optimization-info", "-opt-info", true, Use::Nothing},
    {"--disable-warnings", "-w", false, Use::Nothing},
    {"--restrict", "-restrict", false, Use::Nothing},
    {"--device-as-default-execution-space", "-default-device", false, Use::Device},
    {"--builtin-move-forward", "-builtin-move-forward", true, Use::Nothing},
    {"--builtin-initializer-list", "-builtin-initializer-list", true, Use::Nothing},
    {"--display-error-number", "-err-no", false, Use::Nothing},
    {"--no-display-error-number", "-no-err-no", false, Use::Nothing},
    {"--diag-suppress", "-diag-suppress", true, Use::Nothing},
    {"--diag-warn", "-diag-warn", true, Use::Nothing},
    {"--no-source-include", "-no-source-include", false, Use::Nothing},
    {"--device-int128", "-device-int128", false, Use::Nothing}, // __int128 is always there
    {"--extensible-whole-program", "-ewp", false, Use::Nothing},
    {"--gen-opt-lto", "-gen-opt-lto", false, Use::Nothing},
    {"--jump-table-density", "-jtd", true, Use::Nothing},
    {"--device-stack-protector", "-device-stack-protector", true, Use::Nothing},
    {"--split-compile", "-split-compile", true, Use::Nothing},
    {"--ofast-compile", "-Ofc", true, Use::Nothing},
    {"--minimal", "-minimal", false, Use::Nothing},
    {"--time", "-time", true, Use::Nothing},
    {"--fdevice-time-trace", "-fdevice-time-trace", true, Use::Nothing},
    {"--version-ident", "-version-ident", true, Use::Nothing},
    {"--brief-diagnostics", "-brief-diag", true, Use::Nothing},
    {"--diag-error", "-diag-error", true, Use::Nothing},
    {"--warning-as-error", "-Werror", true, Use::Nothing},
    {"--Wreorder", "-Wreorder", false, Use::Nothing},
    {"--pch", "-pch", false, Use::Nothing}, // headers are simply read again
    {"--create-pch", "-create-pch", true, Use::Nothing},
    {"--use-pch", "-use-pch", true, Use::Nothing},
    {"--pch-dir", "-pch-dir", true, Use::Nothing},
    {"--pch-verbose", "-pch-verbose", true, Use::Nothing},
    {"--pch-messages", "-pch-messages", true, Use::Nothing},
    // HIPRTC's, which gives all others to the compiler (hip/hiprtc.h).
    {"--gputest-as-hipcc", "--gputest-as-hipcc", false, Use::Passed},
    {"--offload-arch", "--offload-arch", true, Use::Passed},
    {"--instantiate-templates-in-pch", "-instantiate-templates-in-pch", true, Use::Nothing},
}};

// The row of an option, and its value behind '=' or behind the letter of -D, -U and -I.
const Row* row_of(std::string_view option, std::string_view& value, bool& has_value) {
  for (const Row& row : kRows)
    for (const std::string_view name : {row.name, row.other}) {
      if (option == name) {
        has_value = false;
        return &row;
      }
      const std::string_view rest =
          option.starts_with(name) ? option.substr(name.size()) : std::string_view();
      if (row.has_value && !rest.empty() && (rest.front() == '=' || name.size() == 2)) {
        value = rest.front() == '=' ? rest.substr(1) : rest;
        has_value = true;
        return &row;
      }
    }
  return nullptr;
}

} // namespace

Options read_options(const std::vector<std::string>& options) {
  Options read;
  for (std::size_t i = 0; i < options.size(); ++i) {
    std::string_view value;
    bool has_value = false;
    const Row* const row = row_of(options[i], value, has_value);
    if (!row && options.front() == "--gputest-as-hipcc") {
      read.compiler.push_back(options[i]);
      continue;
    }
    if (!row) {
      read.wrong = "nvrtc: error: unrecognized option " + options[i] + " found\n";
      return read;
    }
    if (row->has_value && !has_value) {
      if (i + 1 == options.size()) {
        read.wrong = "nvrtc: error: nothing follows the option " + options[i] + "\n";
        return read;
      }
      value = options[++i];
    }
    if (row->use == Use::Device)
      read.default_device = true;
    else if (row->use == Use::Architecture)
      read.for_gpu = value.starts_with("sm_");
    else if (row->use == Use::Passed) {
      read.compiler.emplace_back(row->other);
      if (row->has_value)
        read.compiler.back() +=
            row->other.size() == 2 ? std::string(value) : "=" + std::string(value);
    }
  }
  return read;
}

} // namespace gputest::cuda::nvrtc
