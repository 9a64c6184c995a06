#include "frontend/file_names.h"
#include "frontend/ignore_comments.h"
#include "frontend/languages/languages.h"
#include "passes/coverage/coverage.h"
#include "passes/describe.h"
#include "passes/mutation/cuda.h"
#include "passes/mutation/mutants.h"
#include "passes/schedule/schedule.h"
#include "tests/fuzz/scratch.h"

namespace gputest::fuzz {
namespace {

// What is longer tells libFuzzer nothing more, and takes longer.
constexpr std::size_t kMostBytes = 1 << 14;

bool all_passes(const std::filesystem::path& file, bool cuda) {
  frontend::SourceOptions options;
  options.file = file;
  options.source_root = file.parent_path();
  const auto refused = [](llvm::Error error) {
    llvm::consumeError(std::move(error));
    return false;
  };
  llvm::Expected<frontend::FlatSource> flat = frontend::read_file(options);
  if (!flat)
    return refused(flat.takeError());
  auto comments =
      frontend::read_ignore_comments(flat->dependencies, frontend::FileNames(options.source_root));
  if (!comments)
    return refused(comments.takeError());
  if (llvm::Error error = frontend::parse_file(*flat, options, [&](const frontend::Tree& tree) {
        passes::describe(tree, "kernel");
        passes::instrument_coverage(tree, "kernel", *comments);
        passes::mutation::mutate(tree, "kernel");
        if (cuda)
          passes::mutation::mutate_cuda(tree, "kernel", "unit");
        else
          passes::schedule(tree, "kernel");
        return llvm::Error::success();
      }))
    return refused(std::move(error));
  return true;
}

} // namespace

bool kernels(Bytes bytes) {
  static const Scratch scratch;
  return bytes.size() <= kMostBytes && all_passes(scratch.file("kernel.cl", bytes), false);
}

bool cuda_kernels(Bytes bytes) {
  static const Scratch scratch;
  return bytes.size() <= kMostBytes && all_passes(scratch.file("kernel.cu", bytes), true);
}

} // namespace gputest::fuzz
