// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows every mutant of a line below it when its count is pressed. The table is made only then:
// there may be a hundred thousand mutants.
(() => {
  let data = null;
  const FIELDS = 8; // column, operators, verdict, text, replacement, outcome, kernel, id

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  // What users copy: the command that prints the patch, and the comment that ignores the mutant.
  const toCopy = (id, operator, file) => {
    const details = element("details", undefined, "copy");
    details.append(element("summary", id));
    const quoted = /^[\w@%+=:,.\/-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
    for (const line of [`gputest show ${id} ${quoted}`, `// gputest: ignore[${operator}] reason`])
      details.append(element("code", line), element("br"));
    return details;
  };

  const mutantRow = ([, operators, verdict, text, replacement, outcome, kernel, id], tellsKernel, file) => {
    const row = element("tr");
    row.append(element("td", data.verdicts[verdict].replace("_", " "), data.verdicts[verdict]));
    row.append(element("td", data.texts[operators]));
    const cell = element("td");
    cell.append(element("code", data.texts[text]), " → ", element("code", data.texts[replacement] || "∅"));
    const said = data.texts[outcome] + (tellsKernel ? ` (${data.kernels[kernel]})` : "");
    cell.append(element("br"), said, toCopy(data.texts[id], data.texts[operators].split(",")[0], file));
    row.append(cell);
    return row;
  };

  const open = (button) => {
    data ??= JSON.parse(document.getElementById("mutants").textContent);
    const mutants = data.files[button.dataset.file][button.dataset.line];
    const table = element("table", undefined, "mutants");
    const kernels = new Set(mutants.filter((_, i) => i % FIELDS === FIELDS - 2));
    for (let i = 0; i < mutants.length; i += FIELDS)
      table.append(mutantRow(mutants.slice(i, i + FIELDS), kernels.size > 1, data.names[button.dataset.file]));
    const cell = element("td");
    cell.colSpan = 3;
    cell.append(table);
    const row = element("tr", undefined, "opened");
    row.append(cell);
    button.closest("tr").after(row);
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".count");
    if (!button) return;
    const isOpen = button.getAttribute("aria-expanded") === "true";
    if (isOpen) button.closest("tr").nextElementSibling.remove();
    else open(button);
    button.setAttribute("aria-expanded", String(!isOpen));
  });
})();
