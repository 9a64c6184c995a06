// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/sources/string_literals.h"

#include "model/text/words.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace gputest::layer {
namespace {

class Scanner {
public:
  Scanner(std::string_view source, HostLanguage language)
      : source_(source), is_python_(language == HostLanguage::Python) {}

  std::vector<Literal> scan() {
    std::size_t word = 0; // where the one before `at_` begins
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (c == '"' || (c == '\'' && is_python_)) {
        string(source_.substr(word, at_ - word));
        word = at_;
        continue;
      }
      if (!model::is_of_word(c) && at_ > word)
        end_run(); // a word is between two literals
      if (c == '\'' && (at_ == 0 || !model::is_of_word(source_[at_ - 1]))) { // 1'000 is a number
        end_run();
        character();
      } else if (!comment()) {
        if (!model::is_of_word(c) && std::isspace(static_cast<unsigned char>(c)) == 0 && c != '\\')
          end_run();
        advance();
        if (!model::is_of_word(c))
          word = at_;
        continue;
      }
      word = at_;
    }
    end_run();
    return std::move(all_);
  }

private:
  bool starts(std::string_view text) const { return source_.substr(at_).starts_with(text); }

  void advance() {
    if (source_[at_++] == '\n')
      ++line_;
  }

  bool comment() {
    if (starts(is_python_ ? "#" : "//")) {
      while (at_ < source_.size() && source_[at_] != '\n')
        ++at_;
      return true;
    }
    if (is_python_ || !starts("/*"))
      return false;
    const std::size_t end = source_.find("*/", at_ + 2);
    while (at_ < std::min(end == std::string_view::npos ? end : end + 2, source_.size()))
      advance();
    return true;
  }

  void character() {
    for (++at_; at_ < source_.size() && source_[at_] != '\'' && source_[at_] != '\n'; ++at_)
      if (source_[at_] == '\\')
        ++at_;
    at_ = std::min(at_ + 1, source_.size());
  }

  // `word` is directly before the literal. A word that is no prefix ends what came before.
  void string(std::string_view word) {
    const bool is_prefix = is_python_
                               ? word.size() <= 2 && word.find_first_not_of("rRbBuUfF") == word.npos
                               : word == "R" || word == "u8" || word == "L" || word == "u" ||
                                     word == "U" || (word.size() <= 3 && word.ends_with('R'));
    if (!word.empty() && !is_prefix)
      end_run();
    if (!is_python_ && is_prefix && word.ends_with('R'))
      return raw();
    const bool is_raw = is_python_ && word.find_first_of("rR") != word.npos;
    const std::string quote(1, source_[at_]);
    const std::string triple = quote + quote + quote;
    const bool is_triple = is_python_ && starts(triple);
    const std::string& end = is_triple ? triple : quote;
    at_ += end.size();
    while (at_ < source_.size() && !starts(end)) {
      if (source_[at_] == '\n' && !is_triple)
        return; // it does not end, so it is no string
      if (source_[at_] != '\\') {
        put(source_[at_]);
        advance();
      } else if (is_raw) {
        for (int i = 0; i < 2 && at_ < source_.size(); ++i) {
          put(source_[at_]);
          advance();
        }
      } else {
        escape();
      }
    }
    at_ = std::min(at_ + end.size(), source_.size());
  }

  // R"delimiter( … )delimiter"
  void raw() {
    const std::size_t open = source_.find('(', at_);
    if (open == std::string_view::npos) {
      ++at_;
      return;
    }
    const std::string end = ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"";
    for (at_ = open + 1; at_ < source_.size() && !starts(end); advance())
      put(source_[at_]);
    at_ = std::min(at_ + end.size(), source_.size());
  }

  void escape() {
    ++at_;
    if (at_ >= source_.size())
      return;
    const char c = source_[at_];
    advance();
    static constexpr std::string_view kLetters = "ntrabfv0", kValues = "\n\t\r\a\b\f\v\0";
    if (const std::size_t known = kLetters.find(c); known != std::string_view::npos)
      put(kValues[known]);
    else if (c != '\n') // which the backslash removes
      put(c);
  }

  void put(char c) {
    Literal& literal = run_;
    if (literal.text.empty() || literal.text.back() == '\n')
      literal.lines.push_back(line_);
    literal.text += c;
  }

  void end_run() {
    if (!run_.text.empty())
      all_.push_back(std::exchange(run_, {}));
  }

  std::string_view source_;
  bool is_python_;
  std::size_t at_ = 0, line_ = 1;
  Literal run_; // literals that follow each other
  std::vector<Literal> all_;
};

} // namespace

std::vector<Literal> literals_of(std::string_view source, HostLanguage language) {
  return Scanner(source, language).scan();
}

} // namespace gputest::layer
