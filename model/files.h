// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes files whole or not at all, and JSON that people can read and compare.
#pragma once

#include "model/name_below.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace gputest::model {

// Returns a file's bytes; nullopt: it cannot be read.
std::optional<std::string> read_text(const std::filesystem::path& file);

// Returns "<bytes> <time of the last change>", by which a changed file is noticed without reading
// it; "" if there is no such file.
std::string state_of(const std::filesystem::path& file);

// "/results/test.json: error: cannot be written: Permission denied".
class WriteError : public std::runtime_error {
public:
  WriteError(const std::filesystem::path& file, std::error_code reason);
  const std::error_code& reason() const { return reason_; }

private:
  std::error_code reason_;
};

// Returns the exit code of a program that cannot write: 3 where the disk is full or fails, 2 where
// the user has named a place that may not be written or does not exist.
int exit_code_of_writing(const std::error_code& reason);

// Writes a temporary file and renames it. So a reader sees one writer's text, whole, however many
// threads and processes write. Throws WriteError.
void write_atomically(const std::filesystem::path& file, std::string_view text);

// Returns where a file of another project is: where the environment's `variable` says (null: none
// is asked), else `name` in the folder lib/gputest/bundle of an archive that brings such files,
// else `found`, where it was when GpuTestCheck was built.
std::string file_of_others(const char* variable, const char* name, const char* found);

// Returns JSON as text that ends in a newline. Each key at the top has one line, and so has each
// element of an array there, so a changed element is a changed line. `levels` is how deep such
// lines go. Bytes that are not UTF-8 become U+FFFD.
std::string pretty(const nlohmann::ordered_json& json, int levels = 2);

} // namespace gputest::model
