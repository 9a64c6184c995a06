// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/text.h"
#include "report/index/comparison.h"
#include "report/index/index.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::report {
namespace {

// The longest run of backticks.
std::size_t ticks_in(std::string_view text) {
  std::size_t most = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    most = std::max(most, run);
  }
  return most;
}

std::string one_line(const std::string& text) {
  std::string line = clean(text);
  std::ranges::replace(line, '\n', ' ');
  return line;
}

// As code, whatever the text holds.
std::string code(const std::string& text) {
  const std::string ticks(ticks_in(text) + 1, '`');
  return ticks.size() == 1 ? '`' + text + '`' : fmt::format("{0} {1} {0}", ticks, text);
}

// As words, with nothing that Markdown, HTML or a table takes for its own.
std::string words(const std::string& text) {
  std::string result;
  for (const char c : one_line(text))
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (std::string_view("\\`*_[]|#~").find(c) != std::string_view::npos)
      result += std::string("\\") + c;
    else
      result += c;
  return result;
}

std::string diff_block(const OpenEnd& end) {
  const std::string fence(std::max<std::size_t>(3, ticks_in(end.diff) + 1), '`');
  return fmt::format("\n{0}diff\n{1}{0}\n", fence, end.diff);
}

std::string folded(const std::string& summary, const std::string& inside) {
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n", summary, inside);
}

// Adds parts until the text is full, and counts those that did not fit.
class Limited {
public:
  Limited(std::string begin, std::size_t most) : text_(std::move(begin)), most_(most) {}

  bool add(const std::string& part) {
    constexpr std::size_t kRest = 200; // for the last line
    if (text_.size() + part.size() + kRest > most_) {
      ++left_out_;
      return false;
    }
    text_ += part;
    return true;
  }
  std::string finish() const {
    return left_out_ == 0 ? text_
                          : text_ + fmt::format("\n{} left out here: the pages have all of it.\n",
                                                plural(left_out_, "part"));
  }

private:
  std::string text_;
  std::size_t most_, left_out_ = 0;
};

// The end as the index has it: a change knows its text alone.
const OpenEnd* end_with(const Index& index, const Change& change, const std::string& id) {
  for (const IndexRow& row : index.rows)
    if (row.name == change.name && row.kernel == change.kernel)
      if (const auto cell = row.cells.find(change.kind); cell != row.cells.end())
        for (const OpenEnd& end : cell->second.open)
          if (end.id == id)
            return &end;
  return nullptr;
}

std::string listed(const OpenEnd& end) {
  return fmt::format("- {}\n{}", words(end.text), end.diff.empty() ? "" : diff_block(end));
}

std::string table(const Index& index) {
  std::string text = "| kernel |", line = "|---|";
  for (const IndexKind& kind : index.kinds) {
    text += fmt::format(" {} |", kind.name);
    line += "---|";
  }
  text += '\n' + line + '\n';
  for (const IndexRow& row : index.rows) {
    text += fmt::format("| {} |", words(label_of(row)));
    for (const IndexKind& kind : index.kinds) {
      const auto cell = row.cells.find(kind.name);
      const bool is_there = cell != row.cells.end();
      text += fmt::format(" {}{} |", is_there && !cell->second.failures.empty() ? "❌ " : "",
                          is_there ? words(cell->second.value) : "");
    }
    text += '\n';
  }
  return text;
}

} // namespace

std::string index_markdown(const Index& index, std::size_t most) {
  std::string head =
      fmt::format("### {}: {} of {} {}\n\n", words(index.title), holding(index),
                  plural(index.rows.size(), "kernel"), index.rows.size() == 1 ? "holds" : "hold");
  head += words(index.date);
  if (!index.commit.empty())
    head += ", commit " + code(one_line(index.commit));
  Limited text(head + "\n\n", most);

  std::size_t appeared = 0;
  for (const Change& change : index.history.changes)
    appeared += appeared_once(change).size();
  if (appeared > 0)
    text.add(fmt::format("**{} new since {}**\n\n", appeared, words(index.history.since)));
  for (const Change& change : index.history.changes) {
    const std::vector<OpenEnd> ends = appeared_once(change);
    if (ends.empty())
      continue;
    std::string inside;
    for (const OpenEnd& end : ends) {
      const OpenEnd* const whole = end_with(index, change, end.id);
      inside += listed(whole ? *whole : end);
    }
    text.add(folded(fmt::format("{} of <code>{}</code>: {} new", change.kind,
                                escape(label_of(change)), ends.size()),
                    inside));
  }
  if (appeared > 0)
    text.add("\n");
  text.add(table(index) + '\n');
  for (const IndexRow& row : index.rows)
    for (const auto& [kind, cell] : row.cells)
      for (const std::string& failure : cell.failures)
        text.add(fmt::format("- ❌ {} of {}: {}\n", kind, words(label_of(row)), words(failure)));
  for (const IndexRow& row : index.rows) {
    const auto cell = row.cells.find("mutation");
    if (cell == row.cells.end() || cell->second.open.empty())
      continue;
    std::string inside;
    for (const OpenEnd& end : cell->second.open)
      inside += listed(end);
    text.add(
        folded(fmt::format("{} of <code>{}</code>", plural(cell->second.open.size(), "survivor"),
                           escape(label_of(row))),
               inside));
  }
  for (const std::string& problem : index.unread)
    text.add(fmt::format("- left out: {}\n", words(problem)));
  return text.finish();
}

} // namespace gputest::report
