// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";
// Steps through the lines with gaps: buttons, and the keys n and p.
(() => {
  const gaps = [...document.querySelectorAll("[data-gap]")];
  if (gaps.length === 0) return;
  const stepper = document.querySelector(".stepper");
  const position = document.getElementById("position");
  let current = -1;

  const show = () => {
    position.textContent = current < 0 ? `${gaps.length}` : `${current + 1} / ${gaps.length}`;
  };

  const step = (by) => {
    const from = current < 0 && by < 0 ? 0 : current;
    current = (from + by + gaps.length) % gaps.length;
    document.querySelector(".current")?.classList.remove("current");
    const row = gaps[current];
    row.classList.add("current");
    row.scrollIntoView({ block: "center" });
    row.querySelector("a")?.focus({ preventScroll: true });
    show();
  };

  document.getElementById("next").addEventListener("click", () => step(1));
  document.getElementById("previous").addEventListener("click", () => step(-1));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") step(1);
    if (event.key === "p") step(-1);
  });
  stepper.hidden = false;
  show();
})();
