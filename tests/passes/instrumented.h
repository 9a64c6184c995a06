// What the tests of passes share: one call from a file or a text to the variants.
#pragma once

#include "frontend/languages/languages.h"
#include "model/interface.h"
#include "passes/coverage/coverage.h"
#include "passes/describe.h"

#include <stdexcept>

namespace gputest::tests {

struct Instrumented {
  frontend::FlatSource flat;
  model::Interface interface;
  passes::CoverageVariant coverage;
};

// Throws std::runtime_error with the messages.
inline Instrumented instrument(const frontend::SourceOptions& options) {
  llvm::Expected<frontend::FlatSource> flat = frontend::read_file(options);
  if (!flat)
    throw std::runtime_error(llvm::toString(flat.takeError()));
  Instrumented result;
  result.flat = std::move(*flat);
  if (llvm::Error error = frontend::parse_file(
          result.flat, options, [&](const frontend::Tree& tree) -> llvm::Error {
            result.interface = passes::describe(tree, options.file);
            auto comments = frontend::read_ignore_comments(
                result.flat.dependencies, frontend::FileNames(options.source_root));
            if (!comments)
              return comments.takeError();
            result.coverage = passes::instrument_coverage(tree, options.file, *comments);
            return llvm::Error::success();
          }))
    throw std::runtime_error(llvm::toString(std::move(error)));
  return result;
}

// What follows the prelude: the instrumented text of the file itself.
inline std::string body_of(const std::string& variant) {
  const std::size_t prelude = variant.find("#define GPUTEST_KNOWN(word, mask) 0");
  return variant.substr(variant.find("#define GPUTEST_BEGIN_", variant.find("#endif", prelude)));
}

} // namespace gputest::tests
