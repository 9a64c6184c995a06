// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/ignored.h"

#include "cuda/compiler/names.h"

namespace gputest::cuda::compiler {
namespace {

// nvcc's options for its own tools, after one dash or two: the device's code is not made for a GPU
// here.
const Names kIgnored = names_in(
    "allow-unsupported-compiler astoolspatch compile-as-tools-patch device-int128 "
    "display-error-number dlink-time-opt dlto dont-use-profile err-no ewp expt-extended-lambda "
    "expt-relaxed-constexpr extended-lambda extensible-whole-program extra-device-vectorization "
    "fdevice-syntax-only fno-gpu-rdc forward-unknown-opts forward-unknown-to-host-compiler "
    "forward-unknown-to-host-linker gen-opt-lto generate-line-info hip-link "
    "jobserver keep keep-device-functions lineinfo link lto minimal "
    "no-align-double no-compress no-device-link no-display-error-number no-err-no "
    "no-host-device-initializer-list no-host-device-move-forward no-offload-compress nocudainc "
    "nocudalib nodlink nohdinitlist nohdmoveforward nohdrinitlist noprof objdir-as-tempdir "
    "objtemp offload-compress reloc-ptx relocatable-ptx res-usage resource-usage restrict "
    "save-temps source-in-ptx src-in-ptx use-local-env Wdefault-stream-launch "
    "Wext-lambda-captures-this Wmissing-launch-bounds Wno-deprecated-gpu-targets Wreorder");

// The same with a value, after the name or after '='.
const Names kIgnoredWithValue = names_in(
    "arbin archive-options archiver-binary aug-hls augment-host-linker-script brief-diag "
    "brief-diagnostics code compress-mode cuda-gpu-arch cuda-path cudadevrt "
    "cudart ddp dependency-drive-prefix device-entity-has-hidden-visibility "
    "device-stack-protector diag-error diag-suppress diag-warn diag_suppress dopt dp drive-prefix "
    "dryrun-dir e entries fatbin-options fatbinary-options fdevice-time-trace frandom-seed "
    "ftz gpu-code hip-path hip-version hls host-linker-script idp input-drive-prefix jtd "
    "jump-table-density keep-dir ldir libdevice-directory m machine maxrregcount nvlink-options "
    "Ofast-compile Ofc opt-info optimization-info options-mode prec-div prec-sqrt ptxas-options "
    "qpp-config rocm-device-lib-path rocm-path sanitize split-compile split-compile-extended "
    "static-global-template-stub t target-dir target-directory threads time Werror-cross Wno-cuda "
    "Xarchive Xcicc Xcuda-fatbinary Xcuda-ptxas Xcudafe Xfatbin Xfatbinary Xnvlink "
    "Xoffload-linker Xptxas");

// What may follow nvcc's -Werror, which the host's compiler has by itself.
const Names kKindsOfWarnings =
    names_in("all-warnings cross-execution-space-call reorder deprecated-declarations "
             "default-stream-launch missing-launch-bounds ext-lambda-captures-this");

// GCC's options that tune its own optimizer and debugging data, after -f or -fno-: Clang knows none
// of them.
const Names kOfGcc = names_in(
    "analyzer cse- compare-elim concepts crossjumping dump- fat-lto-objects gcse- gnu-unique "
    "graphite if-conversion ipa- ira- loop- max-include-depth move-loop- opt-info optimize-strlen "
    "partial-inlining peephole predictive-commoning reorder-blocks-and-partition reorder-functions "
    "rerun- sched- section-anchors sel-sched selective-scheduling shrink-wrap simd-cost-model "
    "split- stack-reuse store-merging thread-jumps track-macro-expansion tree- var-tracking "
    "vect-cost-model version-loops- vpt web");

} // namespace

bool is_ignored(std::string_view name) {
  const bool is_threads = name.size() > 1 && name[0] == 't' && // -t4, the short form of --threads
                          name.find_first_not_of("0123456789", 1) == name.npos;
  return is_threads || kIgnored.contains(name);
}

bool is_ignored_with_value(std::string_view name) {
  return kIgnoredWithValue.contains(name);
}

bool is_kind_of_warning(std::string_view word) {
  return kKindsOfWarnings.contains(word);
}

bool is_of_gcc(std::string_view option) {
  if (option.starts_with("-mpreferred-stack-boundary=") || option.starts_with("-mveclibabi="))
    return true;
  for (const std::string_view start : {"-fno-", "-f"})
    if (option.starts_with(start)) {
      option.remove_prefix(start.size());
      return std::ranges::any_of(kOfGcc,
                                 [&](const std::string& name) { return option.starts_with(name); });
    }
  return false;
}

} // namespace gputest::cuda::compiler
