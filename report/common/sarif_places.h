// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes SARIF's places, and fingerprints that survive moved lines. SARIF's columns count UTF-16
// units, where ours count bytes.
#pragma once

#include "model/checks/finding.h"
#include "model/mutation/places.h"
#include "report/common/sarif_log.h"
#include "report/common/source.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::report {

class SarifPlaces {
public:
  // `sources` must outlive this object. Files below its first root are named relative to it.
  explicit SarifPlaces(const SourceTree& sources) : sources_(sources) {}

  // Returns a location. It has no region if the line is unknown.
  Json location(const model::CodePlace& place);

  // Returns the place of the kernel's definition in the file; line 0 where the source is not found.
  model::CodePlace kernel(const std::string& file, const std::string& name);

  // Returns the text of the place's line, with white space folded; "line 7" where the source is not
  // found, and "" where the line is not known.
  std::string line_text(const model::CodePlace& place);

  // Returns partialFingerprints of a result at `place`: `mark` under `name`, where the second
  // result with the same mark gets "<mark>/2"; and what GitHub makes of the line, where it is
  // found.
  Json fingerprints(std::string_view name, const std::string& mark, const model::CodePlace& place);

  // A result. `mark` becomes its fingerprint, among those of the name `fingerprints`.
  struct Result {
    std::string_view rule; // its id
    std::size_t index = 0; // of the rule
    std::string_view level;
    std::string message;
    model::CodePlace place;
    std::string_view fingerprints;
    std::string mark;
  };
  Json result(const Result& result);

private:
  struct File {
    std::vector<std::string> lines;
    model::SourceText text;
    std::vector<std::string> hashes; // of lines (line_hashes.h)
  };
  // Returns nullopt where the source is not found.
  const std::optional<File>& file(const std::string& name);

  const SourceTree& sources_;
  std::map<std::string, std::optional<File>> files_;
  std::map<std::string, unsigned> marks_; // how often each has been seen
};

} // namespace gputest::report
