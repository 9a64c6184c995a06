"""The built-in functions that Clang's header of OpenCL C declares: names, results and parameters."""
import dataclasses
import functools
import pathlib
import re
import subprocess
import tempfile

SIZES = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8,
         "half": 2, "float": 4, "double": 8, "size_t": 8, "bool": 1}
FLOATS = ("half", "float", "double")


@dataclasses.dataclass(frozen=True)
class Type:
    scalar: str  # "" : none of SIZES
    width: int = 1
    space: str = ""  # of a pointer to it: "global", "local", "private", "constant", "generic"
    text: str = ""  # as Clang writes it, where `scalar` is ""

    @property
    def value(self):
        return self.scalar + (str(self.width) if self.width > 1 else "")

    @property
    def step(self):
        """Bytes from one element of an array to the next."""
        return SIZES[self.scalar] * (4 if self.width == 3 else self.width)


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    result: Type
    parameters: tuple

    def __str__(self):
        def text(type_):
            return (f"{type_.space} " if type_.space else "") + (type_.value or type_.text) + ("*" if type_.space else "")
        return f"{text(self.result)} {self.name}({', '.join(map(text, self.parameters))})"


TYPE = re.compile(r"^((?:u?(?:char|short|int|long))|half|float|double|size_t|bool)(2|3|4|8|16)?$")
DROPPED = {"const", "volatile", "unsigned", "restrict"}


def type_of(text):
    space = ""
    if "*" in text:
        for name in ("global", "local", "private", "constant"):
            if re.search(rf"\b(__)?{name}\b", text):
                space = name
        space = space or "generic"
    words = [word for word in re.sub(r"[*]|\b(__)?(global|local|private|constant|generic)\b", " ", text).split()
             if word not in DROPPED]
    if len(words) > 1 and not TYPE.match(words[-1]):
        words = words[:-1]  # a parameter's name
    elif len(words) > 1 and TYPE.match(words[0]):
        words = words[:1]
    match = TYPE.match(words[0]) if len(words) == 1 else None
    if not match:
        return Type("", space=space, text=" ".join(text.split()))
    return Type(match[1], int(match[2] or 1), space)


@functools.lru_cache(maxsize=None)
def declared(clang, standard="CL3.0"):
    """Every function of the header with every extension, as Clang's preprocessor shows it."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "empty.cl"
        source.write_text("")
        resources = subprocess.run([clang, "-print-resource-dir"], check=True, capture_output=True, text=True).stdout.strip()
        text = subprocess.run([clang, "-cc1", "-E", "-P", "-x", "cl", f"-cl-std={standard}", "-triple", "spir64", "-cl-ext=+all",
                               "-include", f"{resources}/include/opencl-c.h", source],
                              check=True, capture_output=True, text=True).stdout
    text = re.sub(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)", " ", text)
    functions = []
    for statement in re.sub(r"^#.*$", "", text, flags=re.M).split(";"):
        match = re.match(r"^\s*([\w\s*]+?)\s*\b(\w+)\s*\(([^()]*)\)\s*$", statement)
        if not match or "typedef" in match[1]:
            continue
        parameters = [] if match[3].strip() in ("", "void") else [type_of(part) for part in match[3].split(",")]
        result = Type("") if match[1].split() == ["void"] else type_of(match[1])
        functions.append(Function(match[2], result, tuple(parameters)))
    return tuple(dict.fromkeys(functions))
