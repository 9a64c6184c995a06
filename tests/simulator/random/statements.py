"""Random kernels over all that a work-item's code is made of, without races and without what C leaves undefined.

They have structs, unions and arrays, vectors whose components are written, tables and variables of the program, __local
memory, functions with pointers to any memory, loops and jumps of each kind, and functions of sub-groups and work-groups.
"""
from expressions import FLOATS, INTEGERS, SIZES, WIDTHS, Expressions, Place, parts_of, unsigned, vector

ITEMS, GROUP, LANES = 64, 16, 8
FOLDS = [f"{kind}_{name}" for kind in ("reduce", "scan_inclusive", "scan_exclusive") for name in ("add", "min", "max")]


def block(text):
    return "{\n" + text + "}\n"


class Statements(Expressions):
    def __init__(self, seed):
        super().__init__(seed)
        self.names = 0
        self.structs = {}  # by name: fields, as pairs of a suffix and a type
        self.memory = []  # pointers to four elements, and their type
        self.is_kernel = False

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    # What can be read and written.
    def add(self, text, type_, writable=True):
        if type_ not in self.structs:
            self.places.append(Place(text, type_, writable))
            return
        for field, of in self.structs[type_]:
            self.add((lambda text=text, field=field: f"{text()}{field}") if callable(text) else f"{text}{field}", of, writable)

    def add_array(self, text, type_, count, writable=True):
        self.add(lambda: f"{text}[{self.index(count)}]", type_, writable)

    def index(self, count):
        named = [place for place in self.places if place.type in ("uint", "int", "uchar") and not callable(place.text)]
        return f"(({self.one_of(*named)}) & {count - 1})" if named and self.choice.random() < 0.6 else str(self.choice.randrange(count))

    # Statements.
    def assignment(self, _=0, __=False):
        place = self.one_of(*[place for place in self.places if place.writable])
        text, type_ = str(place), place.type
        scalar, width = parts_of(type_)
        if width > 1 and self.choice.random() < 0.6:
            wanted = self.one_of(*[n for n in (1, 2, 4) if n <= width])
            text, type_ = f"{text}.{self.swizzle(width, wanted, distinct=True)}", vector(scalar, wanted)
            width = wanted
        if self.choice.random() < 0.3 and (scalar in FLOATS or unsigned(scalar) == scalar):
            operator = self.one_of(*(("+=", "-=", "*=") if scalar in FLOATS else ("+=", "-=", "*=", "^=", "|=", "&=")))
            return f"{text} {operator} {self.of(type_, 2)};\n"
        if self.choice.random() < 0.1 and unsigned(scalar) == scalar and scalar in INTEGERS and width == 1:
            return self.one_of(f"{text}++;\n", f"--{text};\n", f"{text} <<= {self.of('uint', 1)} & 7u;\n")
        return f"{text} = {self.of(type_, 3)};\n"

    def changing(self, _=0, __=False):
        """A volatile variable, or a whole struct."""
        if self.whole and self.choice.random() < 0.6:
            place, type_ = self.one_of(*self.whole)
            made = f"make_{type_}({self.of('uint', 1)})"
            return f"{place} = {self.one_of(made, *(other for other, same in self.whole if same == type_ and other != place))};\n"
        return f"{{ volatile uint q = {self.of('uint', 2)}; q ^= {self.of('uint', 1)}; sum = sum * 31u + q; }}\n"

    def body(self, depth, together):
        places, memory, whole = len(self.places), len(self.memory), len(self.whole)
        text = self.declaration() if self.choice.random() < 0.3 else ""
        text += "".join(self.statement(depth, together) for _ in range(1 + self.choice.randrange(3)))
        del self.places[places:], self.memory[memory:], self.whole[whole:]
        return block(text)

    def statement(self, depth, together):
        """`together`: all work-items of the group come here."""
        ways = [self.assignment] * 4 + [self.changing]
        if depth > 0:
            ways += [self.branch, self.counted, self.counted, self.do_loop, self.while_loop, self.switch, self.jump, self.jump_back]
            ways += [self.collective, self.exchange, self.updates, self.collective] * (together and self.is_kernel)
        return self.one_of(*ways)(depth, together)

    def branch(self, depth, _):
        other = f"else {self.body(depth - 1, False)}" if self.choice.random() < 0.5 else ""
        return f"if {self.condition(2)} {self.body(depth - 1, False)}{other}"

    def counted(self, depth, together):
        i = self.name("i")
        self.places.append(Place(i, "int", False))
        body = self.body(depth - 1, together)
        self.places.pop()
        leaves = f"if {self.condition(1)} {self.one_of('break', 'continue')};\n" if not together else ""
        return f"for (int {i} = 0; {i} < {self.one_of(1, 2, 3, 5)}; ++{i}) {{\n{body}{leaves}sum += {i};\n}}\n"

    def do_loop(self, depth, _):
        i = self.name("i")
        return (f"{{ int {i} = {self.choice.randrange(4)}; do {{ {self.body(depth - 1, False)} if ({i} > 6) break; }} "
                f"while ({i}++ < 3 && {self.condition(1)}); }}\n")

    def while_loop(self, depth, _):
        i = self.name("i")
        return (f"{{ uint {i} = {self.of('uint', 1)} & 3u; while ({i}) {{ --{i}; if {self.condition(1)} continue; "
                f"{self.body(depth - 1, False)} }} }}\n")

    def switch(self, depth, _):
        text = ""
        for case in self.choice.sample(range(8), self.choice.randrange(1, 5)):
            text += f"case {case}: {self.body(depth - 1, False)}" + "break;\n" * (self.choice.random() < 0.6)
        if self.choice.random() < 0.6:
            text += f"default: {self.body(depth - 1, False)}"
        return f"switch ({self.of(self.one_of('uint', 'int', 'uchar', 'long'), 2)} & 7) {block(text)}"

    def jump(self, depth, _):
        label = self.name("after")
        return f"if {self.condition(2)} goto {label};\n{self.body(depth - 1, False)}{label}: sum += 3u;\n"

    def jump_back(self, depth, _):
        label, i = self.name("again"), self.name("i")
        return (f"{{ uint {i} = 0; {label}: {self.body(depth - 1, False)} "
                f"if (++{i} < {self.choice.randrange(1, 4)}u && {self.condition(1)}) goto {label}; }}\n")

    def collective(self, _, __):
        of = self.one_of("work_group", "sub_group")
        type_ = self.one_of("int", "uint", "long", "ulong", *(("uchar", "short") if of == "sub_group" else ()))
        value = f"({type_})({self.of(type_, 2)} & 63)"  # no sum overflows
        ways = [f"{of}_{self.one_of(*FOLDS)}({value})", f"{of}_{self.one_of('any', 'all')}({self.condition(2)})",
                f"{of}_broadcast({value}, {self.choice.randrange(LANES)})"]
        if of == "sub_group":
            ways += [f"sub_group_shuffle({value}, (uint){self.of('uint', 1)} & {LANES - 1}u)",
                     f"sub_group_shuffle_xor({value}, {self.choice.randrange(LANES)}u)"]
        return f"sum = sum * 3u + (uint){self.one_of(*ways)};\n"

    def exchange(self, _, __):
        """Takes an element that another work-item has written."""
        other = self.one_of(f"(lid + {self.choice.randrange(1, GROUP)}u) & {GROUP - 1}u", f"{GROUP - 1}u - lid")
        return (f"shared[lid] = {self.of(self.shared, 2)};\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
                f"sum ^= hash_{self.shared}(shared[{other}]);\nbarrier(CLK_LOCAL_MEM_FENCE);\n")

    def updates(self, _, __):
        return (f"if (lid < 4u) cells[lid] = {self.of('uint', 1)};\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
                f"atomic_{self.one_of('add', 'xor')}(&cells[{self.index(4)}], (uint)({self.of('uint', 2)}));\n"
                f"barrier(CLK_LOCAL_MEM_FENCE);\nsum ^= cells[{self.index(4)}];\nbarrier(CLK_LOCAL_MEM_FENCE);\n")

    # Declarations.
    def declaration(self):
        kind, name, type_ = self.choice.randrange(5), self.name("v"), self.type()
        if kind == 0 and self.structs:
            type_ = self.one_of(*self.structs)
            text = f"{type_} {name} = make_{type_}({self.of('uint', 1)});\n"
            self.whole.append((name, type_))
            self.add(name, type_)
        elif kind == 1:
            text = f"{type_} {name}[4];\nfor (int k = 0; k < 4; ++k) {name}[k] = {self.of(type_, 1)};\n"
            self.add_array(name, type_, 4)
            self.memory.append((name, type_))
        else:
            text = f"{type_} {name} = {self.of(type_, 2)};\n"
            self.add(name, type_)
        return text

    def struct(self):
        """A struct, what makes one of a number, and what makes a number of one."""
        name, declared, made, hashed, fields = self.name("S"), "", "", "", []
        for number in range(self.choice.randrange(1, 6)):
            field, kind, type_ = f"m{number}", self.choice.randrange(6), self.type()
            if kind == 0:
                type_ = self.one_of("uint", "int", "uchar", "ushort")
                declared += f"{type_} {field} : {self.choice.randrange(1, INTEGERS[type_] + 1)};\n"
            elif kind == 1:
                declared += f"union {{ uint u; ushort h[2]; uchar4 c; int i; }} {field};\n"
                fields += [(f".{field}.u", "uint"), (f".{field}.h[1]", "ushort"), (f".{field}.c", "uchar4"), (f".{field}.i", "int")]
                made += f"s.{field}.u = x * 5u;\n"
                hashed += f"h = h * 33u + s.{field}.u;\n"
                continue
            else:
                declared += f"{type_} {field};\n"
            fields.append((f".{field}", type_))
            made += f"s.{field} = ({type_})(({parts_of(type_)[0]})(x * {2 * number + 1}u & 255u));\n"
            hashed += f"h = h * 33u + hash_{type_}(s.{field});\n"
        self.structs[name] = fields
        packed = "__attribute__((packed)) " if " : " not in declared and self.choice.random() < 0.15 else ""
        return (f"typedef struct {packed}{{\n{declared}}} {name};\n{name} make_{name}(uint x) {{\n{name} s;\n{made}return s;\n}}\n"
                f"uint hash_{name}({name} s) {{\nuint h = 17u;\n{hashed}return h;\n}}\n")

    def function(self):
        name, parameters = self.name("f"), []
        before = self.places, self.memory, self.whole
        self.places, self.memory, self.whole = [Place("sum", "uint"), Place("lid", "uint", False)], [], []
        takes = []
        for number in range(self.choice.randrange(1, 4)):
            parameter, kind, type_ = f"p{number}", self.choice.randrange(3), self.type()
            if kind == 0 and self.structs:
                type_ = self.one_of(*self.structs)
                self.whole.append((parameter, type_))
            if kind == 1:
                type_ = self.pointed
                parameters.append(f"{type_}* {parameter}")
                self.add_array(parameter, type_, 4)
            else:
                parameters.append(f"{type_} {parameter}")
                self.add(parameter, type_)
            takes.append((kind == 1, type_))
        body = "".join(self.statement(2, False) for _ in range(self.choice.randrange(1, 4)))
        if self.choice.random() < 0.4:
            body += f"if {self.condition(1)} return (int)sum;\n{self.statement(1, False)}"
        text = (f"int {name}({', '.join(parameters)}) {{\nuint sum = 3u; const uint lid = (uint)get_local_id(0);\n{body}"
                f"{self.hashes_of_places()}return (int)sum;\n}}\n")
        self.places, self.memory, self.whole = before

        def call(depth):
            arguments = []
            for points, type_ in takes:
                pointers = [pointer for pointer, same in self.memory if same == type_]
                if points and not pointers:
                    return "7"
                arguments.append(self.one_of(*pointers) if points else f"make_{type_}(3u)" if type_ in self.structs
                                 else self.of(type_, depth))
            return f"{name}({', '.join(arguments)})"
        return text, call

    def hashes_of_places(self):
        return "".join(f"sum = sum * 31u + hash_{place.type}({place});\n" for place in self.places
                       if not callable(place.text) and place.text != "sum")

    def program(self):
        self.whole, self.pointed, self.shared = [], self.type(), self.type()
        text = hashes() + "".join(self.struct() for _ in range(self.choice.randrange(3)))
        table, kept = self.one_of("uint", "short", "float", "int4", "ulong"), self.one_of("uint", "float", "uchar", "uint4")
        values = ", ".join(self.literal(table) for _ in range(8))
        text += f"constant {table} table[8] = {{ {values} }};\nPROGRAM({kept}, kept[{ITEMS}]);\n"
        functions = [self.function() for _ in range(self.choice.randrange(4))]
        self.calls = [call for _, call in functions]
        self.is_kernel = True
        self.places = [Place("sum", "uint"), Place("lid", "uint", False)]
        self.add_array("table", table, 8, writable=False)
        scalar = parts_of(self.pointed)[0]
        body = (f"const uint gid = (uint)get_global_id(0), lid = (uint)get_local_id(0);\nuint sum = in[gid];\nLOCAL uint cells[4];\n"
                f"LOCAL {self.shared} shared[{GROUP}];\nLOCAL {self.pointed} near[{4 * GROUP}];\n"
                f"kept[gid] = ({kept})(({parts_of(kept)[0]})(sum & 31u));\n"
                f"for (int k = 0; k < 4; ++k) near[lid * 4 + k] = far[gid * 4 + k] = ({self.pointed})(({scalar})(sum & 63u));\n")
        self.add("kept[gid]", kept)
        for memory in ("(near + lid * 4)", "(far + gid * 4)"):
            self.add_array(memory, self.pointed, 4)
            self.memory.append((memory, self.pointed))
        body += "".join(self.declaration() for _ in range(self.choice.randrange(3, 8)))
        body += "".join(self.statement(3, True) for _ in range(self.choice.randrange(4, 9)))
        body += self.hashes_of_places()
        body += "".join(f"for (int k = 0; k < 4; ++k) sum = sum * 29u + hash_{type_}({pointer}[k]);\n" for pointer, type_ in self.memory)
        body += "".join(f"sum = sum * 37u + hash_{type_}({place});\n" for place, type_ in self.whole)
        text += "".join(function for function, _ in functions)
        parameters = f"global uint* in, global uint* out, global {self.pointed}* far"
        return f"{text}SUB_GROUP_SIZE\nkernel void k({parameters}) {{\n{body}out[gid] = sum;\n}}\n"


def hashes():
    """Functions that make a number of a value, and whole numbers of floating point ones."""
    text = ""
    for scalar, bits in SIZES.items():
        if scalar in FLOATS:
            word = {16: "ushort", 32: "uint", 64: "ulong"}[bits]
            text += f"uint hash_{scalar}({scalar} x) {{ return x != x ? 77u : hash_{word}(AS({word}, x)); }}\n"
            text += f"int whole_{scalar}({scalar} x) {{ return x > ({scalar})-1000.0f && x < ({scalar})1000.0f ? (int)x : 7; }}\n"
        else:
            value = "(uint)((ulong)x ^ (ulong)x >> 32)" if bits == 64 else "(uint)x"
            text += f"uint hash_{scalar}({scalar} x) {{ return {value}; }}\n"
        for width in WIDTHS:
            parts = "".join(f" h = h * 31u + hash_{scalar}(x.s{i:x});" for i in range(width))
            text += f"uint hash_{scalar}{width}({scalar}{width} x) {{ uint h = 5u;{parts} return h; }}\n"
    return text
