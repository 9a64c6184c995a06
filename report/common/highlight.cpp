// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/highlight.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace gputest::report {
namespace {

using Words = std::set<std::string_view>;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

bool is_builtin_type(std::string_view word) {
  static const Words scalars{"bool", "char", "uchar", "short", "ushort", "int",
                             "uint", "long", "ulong", "half",  "float",  "double"};
  static const Words others{
      "void",      "size_t",      "ptrdiff_t",    "intptr_t",          "uintptr_t",
      "unsigned",  "signed",      "sampler_t",    "event_t",           "queue_t",
      "ndrange_t", "clk_event_t", "reserve_id_t", "cl_mem_fence_flags"};
  static const Words of_cuda{"dim3",          "wchar_t",       "char8_t",   "int8_t",   "int16_t",
                             "int32_t",       "int64_t",       "uint8_t",   "uint16_t", "uint32_t",
                             "uint64_t",      "longlong",      "ulonglong", "__half",   "__half2",
                             "__nv_bfloat16", "__nv_bfloat162"};
  if (scalars.contains(word) || others.contains(word) || of_cuda.contains(word))
    return true;
  for (const std::string_view vendor : {"cuda", "hip", "cu"}) // cudaStream_t
    if (word.starts_with(vendor) && word.ends_with("_t") && word.size() > vendor.size() + 2 &&
        word[vendor.size()] >= 'A' && word[vendor.size()] <= 'Z')
      return true;
  if (word.starts_with("image") && word.ends_with("_t"))
    return true;
  for (const std::string_view width : {"2", "3", "4", "8", "16"})
    if (word.ends_with(width) && scalars.contains(word.substr(0, word.size() - width.size())))
      return true;
  return false;
}

Token kind_of(std::string_view word) {
  static const Words keywords{
      "break",        "case",         "const",         "continue",  "default",   "do",
      "else",         "enum",         "extern",        "for",       "goto",      "if",
      "inline",       "register",     "restrict",      "return",    "sizeof",    "static",
      "struct",       "switch",       "typedef",       "union",     "volatile",  "while",
      "kernel",       "global",       "local",         "constant",  "private",   "generic",
      "read_only",    "write_only",   "read_write",    "pipe",      "uniform",   "__kernel",
      "__global",     "__local",      "__constant",    "__private", "__generic", "__read_only",
      "__write_only", "__read_write", "__attribute__", "__restrict"};
  // What CUDA C++ and HIP have beyond that.
  static const Words of_cuda{"__global__",
                             "__device__",
                             "__host__",
                             "__shared__",
                             "__constant__",
                             "__managed__",
                             "__restrict__",
                             "__launch_bounds__",
                             "__forceinline__",
                             "__noinline__",
                             "__inline__",
                             "__grid_constant__",
                             "__cluster_dims__",
                             "__align__",
                             "alignas",
                             "alignof",
                             "auto",
                             "class",
                             "const_cast",
                             "constexpr",
                             "decltype",
                             "delete",
                             "dynamic_cast",
                             "explicit",
                             "false",
                             "final",
                             "friend",
                             "mutable",
                             "namespace",
                             "new",
                             "noexcept",
                             "nullptr",
                             "operator",
                             "override",
                             "protected",
                             "public",
                             "reinterpret_cast",
                             "requires",
                             "concept",
                             "static_assert",
                             "static_cast",
                             "template",
                             "this",
                             "throw",
                             "true",
                             "try",
                             "catch",
                             "typename",
                             "using",
                             "virtual",
                             "thread_local",
                             "asm"};
  static const Words builtins{"get_work_dim",
                              "get_global_size",
                              "get_global_id",
                              "get_local_size",
                              "get_local_id",
                              "get_num_groups",
                              "get_group_id",
                              "get_global_offset",
                              "get_global_linear_id",
                              "get_local_linear_id",
                              "get_enqueued_local_size",
                              "barrier",
                              "work_group_barrier",
                              "sub_group_barrier",
                              "mem_fence",
                              "read_mem_fence",
                              "write_mem_fence",
                              "atomic_work_item_fence"};
  static const Words builtins_of_cuda{"threadIdx",
                                      "blockIdx",
                                      "blockDim",
                                      "gridDim",
                                      "warpSize",
                                      "__syncthreads",
                                      "__syncthreads_and",
                                      "__syncthreads_or",
                                      "__syncthreads_count",
                                      "__syncwarp",
                                      "__threadfence",
                                      "__threadfence_block",
                                      "__threadfence_system"};
  const bool is_of_warp = word.starts_with("__") && word.ends_with("_sync");
  if (is_of_warp || builtins_of_cuda.contains(word))
    return Token::Builtin;
  if (keywords.contains(word) || of_cuda.contains(word))
    return Token::Keyword;
  if (is_builtin_type(word))
    return Token::Type;
  return builtins.contains(word) ? Token::Builtin : Token::Plain;
}

// Scans one line. The two flags keep what continues beyond its end.
class Scanner {
public:
  std::vector<Token> scan(std::string_view line) {
    tokens_.assign(line.size(), Token::Plain);
    const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    const bool is_directive =
        in_directive_ || (!in_comment_ && first < line.size() && line[first] == '#');
    for (std::size_t at = 0; at < line.size();)
      at = in_comment_ ? finish_comment(line, at) : token(line, at, is_directive);
    in_directive_ = is_directive && line.ends_with('\\');
    return std::move(tokens_);
  }

private:
  std::size_t mark(std::size_t begin, std::size_t end, Token kind) {
    std::fill(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
              tokens_.begin() + static_cast<std::ptrdiff_t>(end), kind);
    return end;
  }

  std::size_t finish_comment(std::string_view line, std::size_t at) {
    const std::size_t close = line.find("*/", at);
    in_comment_ = close == std::string_view::npos;
    return mark(at, in_comment_ ? line.size() : close + 2, Token::Comment);
  }

  std::size_t token(std::string_view line, std::size_t at, bool is_directive) {
    const char c = line[at], next = at + 1 < line.size() ? line[at + 1] : '\0';
    std::size_t end = at + 1;
    if (c == '/' && next == '/')
      return mark(at, line.size(), Token::Comment);
    if (c == '/' && next == '*') {
      mark(at, at + 2, Token::Comment);
      in_comment_ = true;
      return at + 2;
    }
    if (c == '"' || c == '\'') {
      while (end < line.size() && line[end] != c)
        end += line[end] == '\\' ? 2 : 1;
      return mark(at, std::min(end + 1, line.size()), Token::String);
    }
    if (is_digit(c) || (c == '.' && is_digit(next))) {
      while (end < line.size() &&
             (is_word(line[end]) || line[end] == '.' || is_exponent(line, end)))
        ++end;
      return mark(at, end, Token::Number);
    }
    if (is_word(c)) {
      while (end < line.size() && is_word(line[end]))
        ++end;
      return mark(at, end, is_directive ? Token::Preprocessor : kind_of(line.substr(at, end - at)));
    }
    return mark(at, end, is_directive ? Token::Preprocessor : Token::Plain);
  }

  // Whether this is the sign in 1e-6 or 0x1p+3.
  static bool is_exponent(std::string_view line, std::size_t at) {
    constexpr std::string_view markers = "eEpP";
    return (line[at] == '-' || line[at] == '+') &&
           markers.find(line[at - 1]) != std::string_view::npos;
  }

  bool in_comment_ = false, in_directive_ = false;
  std::vector<Token> tokens_;
};

} // namespace

std::vector<std::vector<Token>> highlight(const std::vector<std::string>& lines) {
  Scanner scanner;
  std::vector<std::vector<Token>> tokens;
  for (const std::string& line : lines)
    tokens.push_back(scanner.scan(line));
  return tokens;
}

} // namespace gputest::report
