// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes C++: literals, designated initialisers, templates.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::hostgen {

// Adds quotes, and escapes what a literal cannot hold. UTF-8 stays as it is.
std::string string_literal(std::string_view text);

// Returns a literal that has exactly this value, which must be finite.
std::string number_literal(double value);

// Returns "{a, b}", or one item a line if that does not fit. `column` is where the brace will be,
// and `indent` is the indentation of the closing brace of a broken list.
std::string braced_list(const std::vector<std::string>& items, std::size_t column,
                        std::size_t indent);

// Collects the lines `.name = value,` of a braced initialiser, in the order in which they are
// added.
class DesignatedInitialisers {
public:
  explicit DesignatedInitialisers(std::size_t indent) : indent_(indent) {}

  void add(std::string_view name, std::string_view value);
  void add_list(std::string_view name, const std::vector<std::string>& items); // nothing if empty
  void add_text(std::string_view name, std::string_view text);                 // nothing if empty
  void add_texts(std::string_view name, const std::vector<std::string>& texts);

  const std::string& text() const { return text_; } // lines, without the last line's end

private:
  std::size_t indent_;
  std::string text_;
};

// Replaces every @key@ in `text`. Throws std::logic_error for a @key@ without a value.
std::string fill_template(std::string_view text, const std::map<std::string, std::string>& values);

// Returns whether the text is the name of a C++ function, maybe in namespaces ("physics::step").
bool is_qualified_name(std::string_view text);

} // namespace gputest::hostgen
