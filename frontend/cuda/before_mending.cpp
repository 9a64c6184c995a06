// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/before_mending.h"

#include "frontend/cuda/accepted_texts.h"
#include "frontend/cuda/compilation.h"

#include <algorithm>

namespace gputest::frontend {
namespace {

// A mended text, and where its parts are in the text before.
class Mended {
public:
  explicit Mended(const std::vector<cuda::TextEdit>& edits) {
    std::size_t removed = 0, added = 0;
    for (const cuda::TextEdit& edit : edits) {
      const auto begin = static_cast<unsigned>(edit.begin + added - removed);
      const auto length = static_cast<unsigned>(edit.text.size());
      parts_.push_back({begin, begin + length, static_cast<unsigned>(edit.begin),
                        static_cast<unsigned>(edit.end)});
      removed += edit.end - edit.begin;
      added += length;
    }
  }

  // Calls `act` for the parts of [from, to): with their ends in it, with those in the text before,
  // and whether it is the same text.
  template <typename Act> void each_part(unsigned from, unsigned to, Act act) const {
    unsigned at = from, begin = 0, begin_before = 0; // of the text behind an edit
    for (const Part& part : parts_) {
      if (part.begin >= to)
        break;
      if (const unsigned end = std::min(to, part.begin); at < end) {
        act(at, end, at - begin + begin_before, end - begin + begin_before, true);
        at = end;
      }
      if (const unsigned end = std::min(to, part.end); at < end) {
        act(at, end, part.begin_before, part.end_before, false);
        at = end;
      }
      begin = part.end;
      begin_before = part.end_before;
    }
    if (at < to || from == to)
      act(at, to, at - begin + begin_before, to - begin + begin_before, true);
  }

private:
  struct Part {
    unsigned begin, end, begin_before, end_before;
  };
  std::vector<Part> parts_;
};

} // namespace

void as_before_mending(WrittenOut& written, CudaOptions options) {
  const cuda::RefusedPlaces refused = std::move(options.refused.back());
  options.refused.pop_back();
  const auto files = files_of(options);
  for (unsigned path = 0; path < written.paths.size(); ++path) {
    const auto found = refused.find(cuda::absolute_name(written.paths[path]));
    if (found == refused.end())
      continue;
    const auto buffer = files->getBufferForFile(found->first);
    if (!buffer)
      continue;
    const std::string text = (*buffer)->getBuffer().str(); // with marks, as when it was mended
    const Mended mended(cuda::edits_of_refused(text, found->second));
    written.contents[path] = cuda::without_marks(text);
    std::vector<Segment> segments;
    for (const Segment& segment : written.segments) {
      if (segment.path != path) {
        segments.push_back(segment);
        continue;
      }
      mended.each_part(
          segment.from, segment.to,
          [&](unsigned from, unsigned to, unsigned from_before, unsigned to_before, bool is_same) {
            Segment part = segment;
            part.from = from_before;
            part.to = to_before;
            part.copy &= is_same;
            if (segment.copy) {
              part.begin = segment.begin + (from - segment.from);
              part.end = segment.begin + (to - segment.from);
            }
            segments.push_back(part);
          });
    }
    written.segments = std::move(segments);
    for (Span& skipped : written.skipped)
      if (skipped.file == path) {
        const Span all = skipped;
        skipped.begin = skipped.end = 0;
        mended.each_part(
            all.begin, all.end,
            [&](unsigned from, unsigned, unsigned from_before, unsigned to_before, bool) {
              if (from == all.begin)
                skipped.begin = from_before;
              skipped.end = to_before;
            });
      }
  }
}

} // namespace gputest::frontend
