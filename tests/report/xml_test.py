"""Cobertura files as Python's XML parser sees them: well-formed, complete, adding up.

usage: xml_test.py GPUTEST
"""

import pathlib
import tempfile
import xml.etree.ElementTree as ElementTree

from gputest_report import DATA, HOSTILE_NAME, SAMPLE, expect, report


def tallies(lines):
    hit = sum(int(line.get("hits")) > 0 for line in lines)
    parts = [line.get("condition-coverage").split("(")[1].rstrip(")").split("/") for line in lines
             if line.get("branch") == "true"]
    return hit, len(lines), sum(int(p[0]) for p in parts), sum(int(p[1]) for p in parts)


def check_rates(element, lines, where):
    hit, total, taken, branches = tallies(lines)
    expect(abs(float(element.get("line-rate")) - hit / max(total, 1)) < 1e-3, f"{where}: line-rate")
    expect(abs(float(element.get("branch-rate")) - taken / max(branches, 1)) < 1e-3, f"{where}: branch-rate")


def check(root):
    every_line = []
    for package in root.find("packages"):
        in_package = []
        for entry in package.find("classes"):
            lines = entry.findall("lines/line")
            numbers = [int(line.get("number")) for line in lines]
            expect(numbers == sorted(set(numbers)), f"{entry.get('filename')}: lines in order, once each")
            for line in lines:
                conditions = line.findall("conditions/condition")
                expect((line.get("branch") == "true") == bool(conditions), "branches have conditions")
            in_methods = {line.get("number") for line in entry.findall("methods/method/lines/line")}
            expect(in_methods == {line.get("number") for line in lines}, "methods hold every line")
            check_rates(entry, lines, entry.get("filename"))
            in_package += lines
        check_rates(package, in_package, package.get("name"))
        every_line += in_package
    hit, total, taken, branches = tallies(every_line)
    expect(int(root.get("lines-covered")) == hit and int(root.get("lines-valid")) == total, "lines of all")
    expect(int(root.get("branches-covered")) == taken, "branches covered of all")
    expect(int(root.get("branches-valid")) == branches, "branches of all")
    check_rates(root, every_line, "all")
    return total, branches


with tempfile.TemporaryDirectory() as directory:
    file = pathlib.Path(directory) / "cobertura.xml"
    report(*SAMPLE, "--cobertura", file)
    lines, branches = check(ElementTree.parse(file).getroot())
    expect(lines > 30 and branches == 30, f"{lines} lines, {branches} branches in the sample")

    report(DATA / "hostile", "--cobertura", file)
    root = ElementTree.parse(file).getroot()
    check(root)
    expect(root.find(".//class").get("filename") == HOSTILE_NAME, "a hostile file name survives")
