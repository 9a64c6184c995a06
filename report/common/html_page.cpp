// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/html_page.h"

#include "embedded/controls_html.h"
#include "embedded/page_html.h"
#include "embedded/report_css.h"
#include "embedded/stepper_html.h"
#include "report/common/text.h"

namespace gputest::report {

std::string page(const Page& page) {
  return fill_in(
      page_html,
      {{"css", std::string(report_css) + page.css},
       {"title", escape(page.title)},
       {"navigation", page.navigation},
       {"controls", page.gap ? fill_in(controls_html, {{"gap", *page.gap}}) : std::string()},
       {"body", page.body},
       {"stepper", page.gap ? fill_in(stepper_html, {{"gap", *page.gap}, {"js", page.script}})
                            : std::string()}});
}

} // namespace gputest::report
