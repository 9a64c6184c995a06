"""Compares the sites the coverage pass finds in an example with the numbers written by hand.

usage: check_counts.py <gputest> <examples/name>
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def count(table, kernel):
    functions = next(
        set(entry["functions"]) for entry in table["kernels"] if entry["name"] in (kernel, "gputest_" + kernel)
    )
    sites = [site for site in table["sites"] if site["function"] in functions]

    def outcomes(criterion, kind=None):
        return sum(
            len(site["outcomes"])
            for site in sites
            if site["criterion"] == criterion and kind in (None, site.get("kind"))
        )

    return {
        "branch_if": outcomes("branch", "if"),
        "branch_switch": outcomes("branch", "switch"),
        "branch_loop": outcomes("branch", "loop"),
        "branch_conditional": outcomes("branch", "conditional"),
        "condition": outcomes("condition"),
        "loop": sum(site["criterion"] == "loop" for site in sites),
        "loop_cases": outcomes("loop"),
        "barrier": sum(site["criterion"] == "barrier" for site in sites),
    }


def main():
    gputest, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    expected = json.loads((folder / "counts.json").read_text())
    kernel = expected.pop("kernel")
    function = [] if any(kernel in text for text in kernels_of(gputest, folder)) else ["--function", kernel]
    (source,) = folder.glob("*.cl")
    with tempfile.TemporaryDirectory() as output:
        subprocess.run([gputest, "instrument", source, "--output-dir", output, *function], check=True)
        table = json.loads((pathlib.Path(output) / "sites.json").read_text())
    actual = count(table, kernel)
    wrong = {key: (value, actual.get(key)) for key, value in expected.items() if actual.get(key) != value}
    for key, (by_hand, found) in wrong.items():
        print(f"{source}: {key}: {by_hand} counted by hand, {found} found")
    if table["not_instrumented"]:
        print(f"{source}: not instrumented: {table['not_instrumented']}")
    return 1 if wrong or table["not_instrumented"] else 0


def kernels_of(gputest, folder):
    (source,) = folder.glob("*.cl")
    text = subprocess.run([gputest, "describe", source], check=True, capture_output=True, text=True).stdout
    return [kernel["name"] for kernel in json.loads(text)["kernels"]]


sys.exit(main())
