"""newcomer_test.py <source folder>

CONTRIBUTING.md says which files an addition touches, with an example that is there. Each of these files is there and
names the example, and no other file of the product does: whoever follows the list has done all, and a list that grows
is noticed.
"""
import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1])
# How the product names the examples.
NAMES = {
    "a check": r"overflow_check|GPUTEST_CHECK\(overflow|check_kind_OVERFLOW",
    "an operator": r"propose_logical|logical_replacement|operators/logical",
    "an analysis": r'Analysis\w*\{(\.name = )?"fuzz"|gputest_fuzz_result|fuzz_analysis',
    "a language": r"LanguageRow kCuda|Reader\{Language::Cuda|ByLanguage\b",
    "a kind of program": r"program::cuda_kind|cuda/program\.(h|cpp)",
    "a report format": r'[; "(/_]cobertura[; "(.]',
    "a GPU": r"mali[-_]g52",
}
ROW = re.compile(r"^\| (an? [a-zA-Z ]+) \| `([^`]+)` \| (.+) \| (.+) \|$")
PRODUCT_ENDINGS = {".cpp", ".h", ".def", ".cmake", ".txt", ".json", ".cl", ".cuh", ".c"}
NO_PRODUCT = {"docs", "tests", "examples", "benchmarks", "build", "packaging", "python"}


def files_of(cell):
    return re.findall(r"`([^`]+)`", cell)


problems = []
rows = {}
for line in (SOURCE / "CONTRIBUTING.md").read_text().splitlines():
    if match := ROW.match(line):
        rows[match[1]] = match
if rows.keys() != NAMES.keys():
    problems.append(f"the table has {sorted(rows)}, and not {sorted(NAMES)}")
product = {str(file.relative_to(SOURCE)): file.read_text(errors="replace")
           for folder in sorted(SOURCE.iterdir())
           if folder.is_dir() and not folder.name.startswith(".") and folder.name not in NO_PRODUCT
           for file in folder.rglob("*") if file.suffix in PRODUCT_ENDINGS and file.is_file()}
for what, row in rows.items():
    expression = NAMES.get(what, "")
    listed, beside = files_of(row[3]), files_of(row[4])
    for name in listed + beside:
        if not (SOURCE / name).exists():
            problems.append(f"{what}: {name} is not there")
    there = sorted(name for name, text in product.items() if re.search(expression, text) or re.search(expression, name))
    if there != sorted(listed):
        missing, more = sorted(set(there) - set(listed)), sorted(set(listed) - set(there))
        problems.append(f"{what}: {len(there)} files have the example {row[2]}, and CONTRIBUTING.md lists {len(listed)}; "
                        f"not listed: {missing}; without it: {more}")
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
