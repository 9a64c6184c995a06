// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/words.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace gputest::ir {
namespace {

// Longer words come before their beginnings.
constexpr std::pair<std::string_view, std::string_view> kCuda[] = {
    {"work-items", "threads"},
    {"work-item", "thread"},
    {"work-groups", "blocks"},
    {"work-group", "block"},
    {"of group (", "of block ("},
    {"barrier is not reached by all work-items", "__syncthreads() is not reached by all threads"},
    {"the barrier at", "the __syncthreads() at"},
    {"memory that belongs to no argument", "memory that is no allocation's"},
    {"where no buffer is", "where no allocation is"},
    {"--check bounds tells it", "the check of bounds tells it"},
    {"private variables", "local variables"},
    {"__local memory", "__shared__ memory"},
    {"local memory", "shared memory"},
    {"get_local_id(0)", "threadIdx.x"},
    {"get_local_id(1)", "threadIdx.y"},
    {"get_local_id(2)", "threadIdx.z"},
    {"get_group_id(0)", "blockIdx.x"},
    {"get_group_id(1)", "blockIdx.y"},
    {"get_group_id(2)", "blockIdx.z"},
    {"get_enqueued_local_size(0)", "blockDim.x"},
    {"get_enqueued_local_size(1)", "blockDim.y"},
    {"get_enqueued_local_size(2)", "blockDim.z"},
    {"get_local_size(0)", "blockDim.x"},
    {"get_local_size(1)", "blockDim.y"},
    {"get_local_size(2)", "blockDim.z"},
    {"get_global_size(0)", "(gridDim.x * blockDim.x)"},
    {"get_global_size(1)", "(gridDim.y * blockDim.y)"},
    {"get_global_size(2)", "(gridDim.z * blockDim.z)"},
    {"get_num_groups(0)", "gridDim.x"},
    {"get_num_groups(1)", "gridDim.y"},
    {"get_num_groups(2)", "gridDim.z"}};

} // namespace

std::string in_words_of(Language language, std::string message) {
  if (language == Language::OpenCL)
    return message;
  std::string text;
  bool quoted = false;
  for (std::size_t at = 0; at < message.size();) {
    const std::string_view rest = std::string_view(message).substr(at);
    const auto* const found =
        quoted ? std::end(kCuda) : std::ranges::find_if(kCuda, [&](const auto& word) {
          return rest.starts_with(word.first);
        });
    if (found != std::end(kCuda)) {
      text += found->second;
      at += found->first.size();
      continue;
    }
    quoted = quoted != (rest.front() == '\'');
    text += rest.front();
    ++at;
  }
  return text;
}

} // namespace gputest::ir
