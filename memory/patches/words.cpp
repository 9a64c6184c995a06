// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/patches/words.h"

#include "model/files.h"

#include <algorithm>
#include <array>
#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>
#include <optional>
#include <set>
#include <string>

namespace gputest::memory {
namespace {

bool is_one_of(const auto& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

} // namespace

bool asks_in_opencl(std::string_view word) {
  constexpr std::array<std::string_view, 8> kWords{
      "get_global_id",  "get_local_id",   "get_group_id",      "get_global_size",
      "get_local_size", "get_num_groups", "get_global_offset", "get_enqueued_local_size"};
  return is_one_of(kWords, word);
}

bool asks_in_cuda(std::string_view word) {
  constexpr std::array<std::string_view, 4> kWords{"threadIdx", "blockIdx", "blockDim", "gridDim"};
  return is_one_of(kWords, word);
}

bool depends_on_order(std::string_view word) {
  constexpr std::array<std::string_view, 20> kWords{"get_global_linear_id",
                                                    "get_local_linear_id",
                                                    "cooperative_groups",
                                                    "thread_rank",
                                                    "block_rank",
                                                    "meta_group_rank",
                                                    "thread_index",
                                                    "group_index",
                                                    "block_index",
                                                    "dim_threads",
                                                    "num_threads",
                                                    "this_thread_block",
                                                    "tiled_partition",
                                                    "coalesced_threads",
                                                    "binary_partition",
                                                    "labeled_partition",
                                                    "warpSize",
                                                    "asm",
                                                    "__asm",
                                                    "__asm__"};
  constexpr std::array<std::string_view, 20> kBeginnings{"sub_group_",
                                                         "get_sub_group_",
                                                         "get_max_sub_group",
                                                         "get_num_sub_groups",
                                                         "get_enqueued_num_sub_groups",
                                                         "intel_sub_group_",
                                                         "work_group_scan_",
                                                         "work_group_broadcast",
                                                         "__shfl",
                                                         "__ballot",
                                                         "__any",
                                                         "__all",
                                                         "__match",
                                                         "__reduce_",
                                                         "__activemask",
                                                         "__syncwarp",
                                                         "__lane",
                                                         "__nvvm_",
                                                         "__builtin_amdgcn_",
                                                         "this_grid"};
  return is_one_of(kWords, word) || std::ranges::any_of(kBeginnings, [&](std::string_view one) {
           return word.starts_with(one);
         });
}

bool are_all(const frontend::FlatSource& source, unsigned begin, unsigned end,
             const std::vector<unsigned>& places,
             const std::function<bool(std::string_view)>& is_meant) {
  const std::size_t first = source.token_at_or_after(begin);
  const std::size_t past = source.token_at_or_after(end);
  if (first >= past)
    return false;
  const frontend::Span from = source.tokens[first].span, to = source.tokens[past - 1].span;
  std::set<unsigned> known; // offsets in the file
  for (const unsigned place : places) {
    const std::size_t index = source.token_at_or_after(place);
    if (index >= source.tokens.size() || source.tokens[index].in_body ||
        source.tokens[index].span.file != from.file)
      return false;
    known.insert(source.tokens[index].span.begin);
  }
  if (from.file != to.file || from.file >= source.paths.size())
    return false;
  const std::optional<std::string> text = model::read_text(source.paths[from.file]);
  if (!text)
    return false;
  const char* const start = text->c_str(); // a Lexer needs the 0 behind it
  clang::Lexer lexer({}, clang::LangOptions(), start, start, start + text->size());
  clang::Token token;
  bool in_directive = false;
  for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof); lexer.LexFromRawLexer(token)) {
    if (token.isAtStartOfLine())
      in_directive = token.is(clang::tok::hash);
    const auto offset = static_cast<unsigned>(token.getLocation().getRawEncoding());
    const bool inside = offset >= from.begin && offset < to.end;
    if (token.isNot(clang::tok::raw_identifier) || (!inside && !in_directive) ||
        !is_meant(std::string_view(token.getRawIdentifier())))
      continue;
    if (in_directive || !known.contains(offset))
      return false;
  }
  return true;
}

} // namespace gputest::memory
