"""gputest.pyi declares what the module has, and what type checkers say of it is right."""
import ast
import importlib.util
import pathlib
import subprocess
import sys

import gputest
import pytest

STUB = pathlib.Path(__file__).resolve().parents[2] / "python" / "gputest.pyi"

RIGHT = """import gputest, numpy
a = numpy.zeros(3, numpy.float32)
result = gputest.run_kernel("k.cl", "k", a, gputest.out(numpy.float32, 3), global_size=3, device="simulator")
seconds: float = result.seconds
copied = result.output("y").tolist()
print(gputest.__version__, gputest.image2d(a, order="R"), gputest.sampler("repeat"))
"""
WRONG = {"global_size": 'import gputest\ngputest.run_kernel("k.cl", "k", global_size="3")\n',
         "unknown": 'import gputest\ngputest.run_kernel("k.cl", "k", global_size=3, unknown=1)\n',
         "addressing_mode": 'import gputest\ngputest.sampler("wrong")\n'}


def declared():
    names = {}
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            names[node.target.id] = node
    return names


def test_the_stub_has_the_names_of_the_module():
    public = {name for name in dir(gputest) if not name.startswith("_")} | {"__version__"}
    assert set(declared()) == public


def test_classes_and_their_members():
    for name, node in declared().items():
        if not isinstance(node, ast.ClassDef):
            continue
        made = getattr(gputest, name)
        assert not node.bases or [base.id for base in node.bases] == [made.__base__.__name__], name
        for member in node.body:
            if isinstance(member, ast.FunctionDef):
                assert hasattr(made, member.name), (name, member.name)


def test_options_of_the_stub_are_options():
    options = [argument.arg for argument in declared()["run_kernel"].args.kwonlyargs]
    assert options == [argument.arg for argument in declared()["run_function"].args.kwonlyargs]
    for option in options:  # a wrong type is said of options that there are
        with pytest.raises((TypeError, gputest.Error)) as said:
            gputest.run_kernel("none.cl", "none", **{"global_size": 1, option: object()})
        assert "is no option" not in str(said.value), option


def test_mypy(tmp_path):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    (tmp_path / "gputest.pyi").write_text(STUB.read_text())

    def check(name, text):
        (tmp_path / name).write_text(text)
        ran = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-incremental", name], cwd=tmp_path, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return ran.returncode, ran.stdout

    assert check("right.py", RIGHT)[0] == 0
    for name, text in WRONG.items():
        code, said = check("wrong.py", text)
        assert code == 1 and "wrong.py:2" in said, (name, said)
