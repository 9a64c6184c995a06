"""Instructions of PTX with exact results, one a line: <type of d>|<types of a, b, c>|<text>.

They are combinations of names, types and modifiers; an assembler refuses some. Approximations are not here, nor what has
other results on a GPU than PTX says: instructions for video with words.
"""
out = []


def add(d, operands, text):
    out.append(f"{d}|{','.join(operands)}|{text}")


INTS = ["u16", "s16", "u32", "s32", "u64", "s64"]
BITS = ["b16", "b32", "b64"]
COMPARE_INT = {"u": ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"], "s": ["eq", "ne", "lt", "le", "gt", "ge"], "b": ["eq", "ne"]}
COMPARE_FLOAT = ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
WIDE = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}


def integers():
    for t in INTS:
        for op in ["add", "sub", "mul.lo", "mul.hi", "min", "max"]:
            add(t, [t, t], f"{op}.{t} d, a, b;")
        for op in ["div", "rem"]:
            add(t, [t, t], f"or.b{t[1:]} b, b, 1; {op}.{t} d, a, b;")
        for op in ["mad.lo", "mad.hi"]:
            add(t, [t, t, t], f"{op}.{t} d, a, b, c;")
        add(t, [t, t, t], f"sad.{t} d, a, b, c;")
        if t[0] == "s":
            add(t, [t], f"abs.{t} d, a;")
            add(t, [t], f"neg.{t} d, a;")
        if t in WIDE:
            add(WIDE[t], [t, t], f"mul.wide.{t} d, a, b;")
            add(WIDE[t], [t, t, WIDE[t]], f"mad.wide.{t} d, a, b, c;")
    for t in ["u32", "s32"]:
        for half in ["lo", "hi"]:
            add(t, [t, t], f"mul24.{half}.{t} d, a, b;")
            add(t, [t, t, t], f"mad24.{half}.{t} d, a, b, c;")
        for kind in ["clamp", "wrap"]:
            add(t, [t, "u32"], f"szext.{kind}.{t} d, a, b;")
    add("s32", ["s32"] * 3, "mad24.hi.sat.s32 d, a, b, c;")
    add("s32", ["s32"] * 3, "mad.hi.sat.s32 d, a, b, c;")
    for op in ["add", "sub"]:
        add("s32", ["s32"] * 2, f"{op}.sat.s32 d, a, b;")
    for t in ["b32", "b64"]:
        for op in ["popc", "clz"]:
            add("u32", [t], f"{op}.{t} d, a;")
        add(t, [t], f"brev.{t} d, a;")
        add(t, [t, t, "b32", "b32"], f"bfi.{t} d, a, b, c, e;")
    for t in ["u32", "s32", "u64", "s64"]:
        add("u32", [t], f"bfind.{t} d, a;")
        add("u32", [t], f"bfind.shiftamt.{t} d, a;")
        add(t, [t, "u32", "u32"], f"bfe.{t} d, a, b, c;")
    for kind in ["clamp", "wrap"]:
        add("b32", ["b32", "b32"], f"bmsk.{kind}.b32 d, a, b;")
        for way in "lr":
            add("b32", ["b32"] * 3, f"shf.{way}.{kind}.b32 d, a, b, c;")
    for a in ["u32", "s32"]:
        for b in ["u32", "s32"]:
            t = "s32" if "s32" in (a, b) else "u32"
            add(t, [a, b, t], f"dp4a.{a}.{b} d, a, b, c;")
            for half in ["lo", "hi"]:
                add(t, [a, b, t], f"dp2a.{half}.{a}.{b} d, a, b, c;")
    add("b32", ["b32", "b32", "s16"], "{ .reg .s32 e; cvt.s32.s16 e, c; fns.b32 d, a, b, e; }")
    for t in BITS:
        for op in ["and", "or", "xor"]:
            add(t, [t, t], f"{op}.{t} d, a, b;")
        for op in ["not", "cnot"]:
            add(t, [t], f"{op}.{t} d, a;")
        add(t, [t, "u32"], f"shl.{t} d, a, b;")
        add(t, [t, "u32"], f"shr.{t} d, a, b;")
    for op in ["and", "or", "xor", "not"]:
        add("pred", ["u32", "u32"], f"{{ .reg .pred p, q; setp.ne.u32 p, a, 0; setp.lt.u32 q, a, b; {op}.pred d, p{'' if op == 'not' else ', q'}; }}")
    for t in INTS:
        add(t, [t, "u32"], f"shr.{t} d, a, b;")
    for table in [0x96, 0xe8, 0xca, 0x1b, 0x7f, 0x01, 0xf0, 0x55]:
        add("b32", ["b32"] * 3, f"lop3.b32 d, a, b, c, {table:#x};")
    for mode in ["", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"]:
        add("b32", ["b32"] * 3, f"prmt.b32{mode} d, a, b, c;")
    for t in BITS + INTS + ["f32", "f64"]:
        add(t, [t, t, "s32"], f"slct.{t}.s32 d, a, b, c;")
        add(t, [t, t, "f32"], f"slct.{t}.f32 d, a, b, c;")
        add(t, [t, t, "u32"], f"{{ .reg .pred p; setp.gt.u32 p, c, 100; selp.{t} d, a, b, p; }}")
    add("f32", ["f32", "f32", "f32"], "slct.ftz.f32.f32 d, a, b, c;")


def extended():
    for t in ["u32", "s32", "u64", "s64"]:
        for op, more in [("add", "addc"), ("sub", "subc")]:
            add(t, [t, t, t], f"{{ .reg .{t} l; {op}.cc.{t} l, a, b; {more}.{t} d, c, b; }}")
            add(t, [t, t, t], f"{{ .reg .{t} l, m; {op}.cc.{t} l, a, b; {more}.cc.{t} m, c, b; {more}.{t} d, m, l; }}")
    for t in ["u32", "s32", "u64", "s64"]:
        for half in ["lo", "hi"]:
            add(t, [t, t, t], f"{{ .reg .{t} l; mad.{half}.cc.{t} l, a, b, c; madc.hi.{t} d, a, c, l; }}")
            add(t, [t, t, t], f"{{ .reg .{t} l, m; mad.{half}.cc.{t} l, a, b, c; madc.{half}.cc.{t} m, a, c, l; addc.{t} d, m, 0; }}")


def compared():
    for t in BITS + INTS:
        for c in COMPARE_INT[t[0]]:
            add("pred", [t, t], f"setp.{c}.{t} d, a, b;")
            for d in ["u32", "s32", "f32"]:
                add(d, [t, t], f"set.{c}.{d}.{t} d, a, b;")
    for t in ["f32", "f64"]:
        for c in COMPARE_FLOAT:
            for ftz in ["", ".ftz"] if t == "f32" else [""]:
                add("pred", [t, t], f"setp.{c}{ftz}.{t} d, a, b;")
                for d in ["u32", "s32", "f32"]:
                    add(d, [t, t], f"set.{c}{ftz}.{d}.{t} d, a, b;")
    for t in ["f16", "bf16"]:
        for c in COMPARE_FLOAT:
            for ftz in ["", ".ftz"] if t == "f16" else [""]:
                add("pred", [t, t], f"setp.{c}{ftz}.{t} d, a, b;")
                for d in ["u16", "u32", t]:
                    add(d, [t, t], f"set.{c}{ftz}.{d}.{t} d, a, b;")
                add("pred", [t + "x2"] * 2, f"{{ .reg .pred q; setp.{c}{ftz}.{t}x2 d|q, a, b; }}")
                add("pred", [t + "x2"] * 2, f"{{ .reg .pred q; setp.{c}{ftz}.{t}x2 q|d, a, b; }}")
                add("u32", [t + "x2"] * 2, f"set.{c}{ftz}.u32.{t}x2 d, a, b;")
                add(t + "x2", [t + "x2"] * 2, f"set.{c}{ftz}.{t}x2.{t}x2 d, a, b;")
    for op in ["and", "or", "xor"]:
        for t in ["u32", "f32"]:
            add("pred", [t, t, "u32"], f"{{ .reg .pred p, q; setp.gt.u32 p, c, 200; setp.lt.{op}.{t} d|q, a, b, p; }}")
            add("pred", [t, t, "u32"], f"{{ .reg .pred p, q; setp.gt.u32 p, c, 200; setp.lt.{op}.{t} q|d, a, b, !p; }}")
            add("u32", [t, t, "u32"], f"{{ .reg .pred p; setp.gt.u32 p, c, 200; set.lt.{op}.u32.{t} d, a, b, p; }}")


def floats():
    for t in ["f32", "f64"]:
        ftzs = ["", ".ftz"] if t == "f32" else [""]
        sats = ["", ".sat"] if t == "f32" else [""]
        for rounding in [".rn", ".rz", ".rm", ".rp"]:
            for ftz in ftzs:
                for sat in sats:
                    for op in ["add", "sub", "mul"]:
                        add(t, [t, t], f"{op}{rounding}{ftz}{sat}.{t} d, a, b;")
                    add(t, [t] * 3, f"fma{rounding}{ftz}{sat}.{t} d, a, b, c;")
                    add(t, [t] * 3, f"mad{rounding}{ftz}{sat}.{t} d, a, b, c;")
                add(t, [t, t], f"div{rounding}{ftz}.{t} d, a, b;")
                add(t, [t], f"rcp{rounding}{ftz}.{t} d, a;")
                add(t, [t], f"sqrt{rounding}{ftz}.{t} d, a;")
        for ftz in ftzs:
            for op in ["abs", "neg"]:
                add(t, [t], f"{op}{ftz}.{t} d, a;")
            for op in ["min", "max"]:
                for nan in ["", ".NaN"] if t == "f32" else [""]:
                    for sign in ["", ".xorsign.abs"] if t == "f32" else [""]:
                        add(t, [t, t], f"{op}{ftz}{nan}{sign}.{t} d, a, b;")
            for op in ["add", "sub", "mul"]:
                add(t, [t, t], f"{op}{ftz}.{t} d, a, b;")
        for what in ["finite", "infinite", "number", "notanumber", "normal", "subnormal"]:
            add("pred", [t], f"testp.{what}.{t} d, a;")
        add(t, [t, t], f"copysign.{t} d, a, b;")
    for t in ["f16", "f16x2", "bf16", "bf16x2"]:
        is_half = t.startswith("f")
        for rn in ["", ".rn"]:
            for ftz in ["", ".ftz"] if is_half else [""]:
                for sat in ["", ".sat"] if is_half else [""]:
                    for op in ["add", "sub", "mul"]:
                        add(t, [t, t], f"{op}{rn}{ftz}{sat}.{t} d, a, b;")
        for ftz in ["", ".ftz"] if is_half else [""]:
            for last in ["", ".sat", ".relu"] if is_half else ["", ".relu"]:
                add(t, [t] * 3, f"fma.rn{ftz}{last}.{t} d, a, b, c;")
            add(t, [t], f"neg{ftz}.{t} d, a;")
            add(t, [t], f"abs{ftz}.{t} d, a;")
            for op in ["min", "max"]:
                for nan in ["", ".NaN"]:
                    for sign in ["", ".xorsign.abs"]:
                        add(t, [t, t], f"{op}{ftz}{nan}{sign}.{t} d, a, b;")


def conversions():
    ints = ["u8", "s8"] + INTS
    for d in ints:
        for a in ints:
            for sat in ["", ".sat"]:
                add(d, [a], f"cvt{sat}.{d}.{a} d, a;")
    for f in ["f16", "f32", "f64", "bf16"]:
        for i in ints:
            for r in [".rni", ".rzi", ".rmi", ".rpi"]:
                for ftz in ["", ".ftz"] if f == "f32" else [""]:
                    for sat in ["", ".sat"]:
                        add(i, [f], f"cvt{r}{ftz}{sat}.{i}.{f} d, a;")
            for r in [".rn", ".rz", ".rm", ".rp"]:
                for sat in ["", ".sat"]:
                    add(f, [i], f"cvt{r}{sat}.{f}.{i} d, a;")
    for d in ["f16", "f32", "f64", "bf16"]:
        for a in ["f16", "f32", "f64", "bf16"]:
            for r in ["", ".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".rmi", ".rpi"]:
                for ftz in ["", ".ftz"] if "f32" in (d, a) else [""]:
                    for sat in ["", ".sat", ".relu"]:
                        add(d, [a], f"cvt{r}{ftz}{sat}.{d}.{a} d, a;")
    for d in ["f16x2", "bf16x2"]:
        for r in [".rn", ".rz"]:
            for relu in ["", ".relu", ".satfinite", ".relu.satfinite"]:
                add(d, ["f32", "f32"], f"cvt{r}{relu}.{d}.f32 d, a, b;")
    for r in [".rna", ".rn", ".rz"]:
        for last in ["", ".relu", ".satfinite"]:
            add("tf32", ["f32"], f"cvt{r}{last}.tf32.f32 d, a;")
    for d in ["e4m3x2", "e5m2x2"]:
        for relu in ["", ".relu"]:
            add(d, ["f32", "f32"], f"cvt.rn.satfinite{relu}.{d}.f32 d, a, b;")
            add(d, ["f16x2"], f"cvt.rn.satfinite{relu}.{d}.f16x2 d, a;")
            add("f16x2", [d], f"cvt.rn{relu}.f16x2.{d} d, a;")
    for d in ["s16", "u16"]:
        add("b32", ["s32", "s32"], f"cvt.pack.sat.{d}.s32 d, a, b;")
    for d in ["s8", "u8", "s4", "u4", "s2", "u2"]:
        add("b32", ["s32", "s32", "b32"], f"cvt.pack.sat.{d}.s32.b32 d, a, b, c;")


def video():
    types = ["u32", "s32"]
    for a, b in [(a, b) for a in types for b in types]:
        for n in "24":
            for c in ["eq", "ne", "lt", "le", "gt", "ge"]:
                for add_to in ["", ".add"]:
                    add("b32", [a, b, "b32"], f"vset{n}.{a}.{b}.{c}{add_to} d, a, b, c;")
            for op in ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"]:
                for d in types:
                    for last in ["", ".sat", ".add"] if op != "vavrg" else ["", ".add"]:
                        add("b32", [a, b, "b32"], f"{op}{n}.{d}.{a}.{b}{last} d, a, b, c;")


def atomics():
    for t, ops in [("u32", ["add", "min", "max", "inc", "dec"]), ("s32", ["add", "min", "max"]), ("u64", ["add", "min", "max"]), ("s64", ["min", "max"]),
                   ("b32", ["and", "or", "xor", "exch"]), ("b64", ["and", "or", "xor", "exch"]), ("f64", ["add"])]:
        for op in ops:
            for what in ["old", "new"]:
                last = "" if what == "old" else f" ld.global.{t} d, [%q+8];"
                add(t, [t, t], f"atom.global.{op}.{t} d, [%q+8], a;{last}")
                if what == "new":
                    add(t, [t, t], f"{'atom' if op == 'exch' else 'red'}.global.{op}.{t} {'d, ' if op == 'exch' else ''}[%q+8], a;{last}")
    for t in ["f16", "f16x2"]:
        for what in ["", f" ld.global.b{32 if 'x2' in t else 16} d, [%q+8];"]:
            add(t, [t, t], f"atom.global.add.noftz.{t} d, [%q+8], a;{what}")
    for t in ["b16", "b32", "b64"]:
        for what in ["", f" ld.global.{t} d, [%q+8];"]:
            add(t, [t, t, t], f"{{ .reg .{t} e; and.{t} e, a, 1; add.u{t[1:]} e, e, b; atom.global.cas.{t} d, [%q+8], e, c;{what} }}")


def warps():
    for mode in ["up", "down", "bfly", "idx"]:
        for by in [0, 1, 3, 16, 31]:
            for c in [0, 0x1f, 0x181f, 0x1c1f, 0x101f, 0x1807]:
                add("b32", ["b32"], f"shfl.sync.{mode}.b32 d, a, {by}, {c}, -1;")
                add("pred", ["b32"], f"{{ .reg .b32 r; shfl.sync.{mode}.b32 r|d, a, {by}, {c}, -1; }}")
        add("b32", ["b32", "b32", "b32"], f"shfl.sync.{mode}.b32 d, a, b, c, -1;")
    for kind in ["all", "any", "uni"]:
        add("pred", ["u32"], f"{{ .reg .pred p; setp.gt.u32 p, a, 1000; vote.sync.{kind}.pred d, p, -1; }}")
        add("pred", ["u32"], f"{{ .reg .pred p; setp.gt.u32 p, a, 1000; vote.sync.{kind}.pred d, !p, -1; }}")
    add("b32", ["u32"], "{ .reg .pred p; setp.gt.u32 p, a, 1000; vote.sync.ballot.b32 d, p, -1; }")
    for t in ["b32", "b64"]:
        add("b32", [t], f"{{ .reg .{t} e; and.{t} e, a, 3; match.any.sync.b{t[1:]} d, e, -1; }}")
        add("b32", [t], f"{{ .reg .{t} e; and.{t} e, a, 0; match.all.sync.b{t[1:]} d, e, -1; }}")
        add("pred", [t], f"{{ .reg .{t} e; .reg .b32 r; and.{t} e, a, 1; match.all.sync.b{t[1:]} r|d, e, -1; }}")
    for t in ["u32", "s32"]:
        for op in ["add", "min", "max"]:
            add(t, [t], f"redux.sync.{op}.{t} d, a, -1;")
    for op in ["and", "or", "xor"]:
        add("b32", ["b32"], f"redux.sync.{op}.b32 d, a, -1;")
    add("b32", ["b32"], "{ .reg .b32 m; activemask.b32 m; popc.b32 d, m; }")


for part in [integers, extended, compared, floats, conversions, video, atomics, warps]:
    part()
print("\n".join(dict.fromkeys(out)))
