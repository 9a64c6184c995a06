"""The functions of device code by groups: how each is called, and what it must return by the oracles of oracles.h.

Sources of tolerances: CUDA C++ Programming Guide, "Mathematical Functions"; CUDA Math API. Arguments are a, b and c, of the
types that letters name.
"""
import re

TYPES = {"i": "int", "u": "unsigned", "s": "short", "t": "unsigned short", "l": "long long", "m": "unsigned long long",
         "f": "float", "d": "double", "h": "__half", "b": "__nv_bfloat16"}
MODES = {"n": "FE_TONEAREST", "z": "FE_TOWARDZERO", "u": "FE_UPWARD", "d": "FE_DOWNWARD"}


class Row:
    def __init__(self, call, arguments, expected, when=None):
        self.call = call if not call.isidentifier() else "%s(%s)" % (call, ", ".join("abc"[:len(arguments)]))
        self.arguments, self.expected, self.when = arguments, expected, when


def integers():
    yield Row("__brev", "u", "exact([](unsigned x) { unsigned r = 0; for (int k = 0; k < 32; ++k) r |= (x >> k & 1) << (31 - k); return r; }(a))")
    yield Row("__brevll", "m",
              "exact([](unsigned long long x) { unsigned long long r = 0; for (int k = 0; k < 64; ++k) r |= (x >> k & 1) << (63 - k); return r; }(a))")
    for name, of, width in (("__clz", "i", 32), ("__clzll", "l", 64)):
        yield Row(name, of, "exact([](unsigned long long x) { int n = 0; while (n < %d && !(x >> (%d - n) & 1)) ++n; return n; }((%s)a))"
                  % (width, width - 1, TYPES["u" if width == 32 else "m"]))
    for name, of, width in (("__ffs", "i", 32), ("__ffsll", "l", 64)):
        yield Row(name, of, "exact([](unsigned long long x) { int n = 0; while (n < %d && !(x >> n & 1)) ++n; return n == %d ? 0 : n + 1; }(a))" % (width, width))
    for name, of in (("__popc", "u"), ("__popcll", "m")):
        yield Row(name, of, "exact([](unsigned long long x) { int n = 0; for (; x; x >>= 1) n += x & 1; return n; }(a))")
    yield Row("__byte_perm", "uuu", "exact([](unsigned long long x, unsigned s) { unsigned r = 0; for (int k = 0; k < 4; ++k)"
              " r |= (unsigned)(x >> 8 * (s >> 4 * k & 7) & 255) << 8 * k; return r; }((unsigned long long)b << 32 | a, c))", "!(c & 0x8888)")
    yield Row("__funnelshift_l", "uuu", "exact((unsigned)(((unsigned long long)b << 32 | a) << (c & 31) >> 32))")
    yield Row("__funnelshift_r", "uuu", "exact((unsigned)(((unsigned long long)b << 32 | a) >> (c & 31)))")
    yield Row("__funnelshift_lc", "uuu", "exact(c >= 32 ? a : (unsigned)(((unsigned long long)b << 32 | a) << c >> 32))")
    yield Row("__funnelshift_rc", "uuu", "exact(c >= 32 ? b : (unsigned)(((unsigned long long)b << 32 | a) >> c))")
    yield Row("__hadd", "ii", "exact((int)(((long long)a + b) >> 1))")
    yield Row("__rhadd", "ii", "exact((int)(((long long)a + b + 1) >> 1))")
    yield Row("__uhadd", "uu", "exact((unsigned)(((unsigned long long)a + b) >> 1))")
    yield Row("__urhadd", "uu", "exact((unsigned)(((unsigned long long)a + b + 1) >> 1))")
    yield Row("__mul24", "ii", "exact((int)((long long)(int)((unsigned)a << 8) / 256 * ((long long)(int)((unsigned)b << 8) / 256)))")
    yield Row("__umul24", "uu", "exact((unsigned)((unsigned long long)(a & 0xffffff) * (b & 0xffffff)))")
    yield Row("__mulhi", "ii", "exact((int)((long long)a * b >> 32))")
    yield Row("__umulhi", "uu", "exact((unsigned)((unsigned long long)a * b >> 32))")
    yield Row("__mul64hi", "ll", "exact((long long)((__int128)a * b >> 64))")
    yield Row("__umul64hi", "mm", "exact((unsigned long long)((unsigned __int128)a * b >> 64))")
    yield Row("__sad", "iiu", "exact((unsigned)(c + (unsigned)std::llabs((long long)a - b)))")
    yield Row("__usad", "uuu", "exact((unsigned)(c + (unsigned)std::llabs((long long)a - b)))")
    for part, of, word in (("signed char", "i", "int"), ("unsigned char", "u", "unsigned")):
        yield Row("__dp4a", of * 3, "exact((%s)(c + sum_of_parts<%s>([](%s x, %s y) { return x * y; }, a, b)))" % (word, part, part, part))
        for name, shift in (("lo", 0), ("hi", 16)):
            wide = "short" if of == "i" else "unsigned short"
            yield Row("__dp2a_" + name, of * 3, "exact((%s)((unsigned)c + (unsigned)((%s)a * (%s)(b >> %d)) + (unsigned)((%s)(a >> 16) * (%s)(b >> %d))))"
                      % (word, wide, part, shift, wide, part, shift + 8))
    yield Row("__fns(a, b & 31, c % 40)", "uui", "exact([](unsigned mask, int base, int offset) { if (offset == 0) return mask >> base & 1 ? (unsigned)base : ~0u;"
              " const int step = offset > 0 ? 1 : -1; int found = 0; for (int k = base; k >= 0 && k < 32; k += step)"
              " if ((mask >> k & 1) && ++found == offset * step) return (unsigned)k; return ~0u; }(a, b & 31, c % 40))")
    for name, of in (("min", "ii"), ("min", "uu"), ("min", "ll"), ("min", "mm"), ("llmin", "ll"), ("ullmin", "mm"), ("umin", "uu"), ("min", "iu"), ("min", "lm")):
        common = TYPES["u" if "u" in of else "m" if "m" in of else of[0]]
        yield Row(name, of, "exact((%s)a < (%s)b ? (%s)a : (%s)b)" % ((common,) * 4))
        yield Row(name.replace("min", "max"), of, "exact((%s)a > (%s)b ? (%s)a : (%s)b)" % ((common,) * 4))
    yield Row("abs", "i", "exact(a < 0 ? -a : a)", "a != INT_MIN")
    for name in ("labs((long)a)", "llabs", "abs"):
        yield Row(name, "l", "exact(a < 0 ? -a : a)", "a != LLONG_MIN")


def words():
    """The video instructions on parts of a word, and DPX."""
    for count, signed, unsigned in ((2, "short", "unsigned short"), (4, "signed char", "unsigned char")):
        def parts(name, kind, of, expression, arguments=2):
            parameters = ", ".join("long long " + x for x in "xyz"[:3])
            yield Row(name.replace("#", str(count)), "u" * arguments, "exact(by_part<%s>([](%s) { return (long long)(%s); }, %s))"
                      % (of, parameters, expression, ", ".join("abc"[:arguments])))
        for kind, of in (("s", signed), ("u", unsigned)):
            for name, sign in (("eq", "=="), ("ne", "!="), ("ge", ">="), ("gt", ">"), ("le", "<="), ("lt", "<")):
                suffix = "" if name in ("eq", "ne") else kind
                if suffix or kind == "u":
                    yield from parts("__vcmp%s%s#" % (name, suffix), kind, of, "x %s y ? -1 : 0" % sign)
                    yield from parts("__vset%s%s#" % (name, suffix), kind, of, "x %s y ? 1 : 0" % sign)
            yield from parts("__vabsdiff%s#" % kind, kind, of, "x > y ? x - y : y - x")
            yield from parts("__vavg%s#" % kind, kind, of, "x + y < 0 ? (x + y) >> 1 : (x + y + 1) >> 1" if kind == "s" else "(x + y + 1) >> 1")
            yield from parts("__vmax%s#" % kind, kind, of, "x > y ? x : y")
            yield from parts("__vmin%s#" % kind, kind, of, "x < y ? x : y")
            yield from parts("__vadd%ss#" % ("s" if kind == "s" else "u"), kind, of, "clamped<%s>(x + y)" % of)
            yield from parts("__vsub%ss#" % ("s" if kind == "s" else "u"), kind, of, "clamped<%s>(x - y)" % of)
            yield Row("__vsad%s%d" % (kind, count), "uu", "exact(sum_of_parts<%s>([](long long x, long long y) { return x > y ? x - y : y - x; }, a, b))" % of)
        yield from parts("__vadd#", "u", unsigned, "x + y")
        yield from parts("__vsub#", "u", unsigned, "x - y")
        yield from parts("__vhaddu#", "u", unsigned, "(x + y) >> 1")
        yield from parts("__vabs#", "s", signed, "x < 0 ? -x : x", 1)
        yield from parts("__vabsss#", "s", signed, "clamped<%s>(x < 0 ? -x : x)" % signed, 1)
        yield from parts("__vneg#", "s", signed, "-x", 1)
        yield from parts("__vnegss#", "s", signed, "clamped<%s>(-x)" % signed, 1)
    for kind, of, letter, part in (("s32", "int", "i", None), ("u32", "unsigned", "u", None), ("s16x2", "short", "u", "short"), ("u16x2", "unsigned short", "u", "unsigned short")):
        for relu in ("", "_relu") if kind[0] == "s" else ("",):
            for name, count, expression in (("__viaddmax", 3, "most(sum(x, y), z)"), ("__viaddmin", 3, "least(sum(x, y), z)"),
                                            ("__vimax3", 3, "most(most(x, y), z)"), ("__vimin3", 3, "least(least(x, y), z)"),
                                            ("__vimax", 2, "most(x, y)"), ("__vimin", 2, "least(x, y)")):
                if count == 2 and not relu:
                    continue
                if relu:
                    expression = "most(%s, 0)" % expression
                helpers = ("const auto most = [](long long p, long long q) { return p > q ? p : q; }; const auto least = [](long long p, long long q) { return p < q ? p : q; };"
                           " const auto sum = [](long long p, long long q) { return (long long)(%s)((unsigned long long)p + (unsigned long long)q); };"
                           " (void)most, (void)least, (void)sum;" % of)
                function = "[](long long x, long long y, long long z) { %s (void)z; return %s; }" % (helpers, expression)
                names = ", ".join("abc"[:count])
                if part:
                    expected = "exact(by_part<%s>(%s, %s))" % (part, function, names)
                else:
                    expected = "exact((%s)%s(%s))" % (of, function, names if count == 3 else names + ", 0")
                yield Row("%s_%s%s" % (name, kind, relu), letter * count, expected)
        for name, sign in (("__vibmax", ">="), ("__vibmin", "<=")):
            if part:
                yield Row("[=] { bool high, low; const unsigned r = %s_%s(a, b, &high, &low); return (unsigned long long)r | (unsigned long long)high << 40 |"
                          " (unsigned long long)low << 41; }()" % (name, kind), "uu",
                          "exact((unsigned long long)by_part<%s>([](%s x, %s y, long long) { return (long long)(x %s y ? x : y); }, a, b) |"
                          " (unsigned long long)((%s)(a >> 16) %s (%s)(b >> 16)) << 40 | (unsigned long long)((%s)a %s (%s)b) << 41)"
                          % (part, part, part, sign, part, sign, part, part, sign, part))
            else:
                yield Row("[=] { bool first; const unsigned r = (unsigned)%s_%s(a, b, &first); return (unsigned long long)r | (unsigned long long)first << 40; }()"
                          % (name, kind), letter * 2, "exact((unsigned long long)(unsigned)(a %s b ? a : b) | (unsigned long long)(a %s b) << 40)" % (sign, sign))


def casts():
    for letter, mode in MODES.items():
        yield Row("__double2float_r" + letter, "d", "exact(converted<float>(%s, a))" % mode)
        for source in "iulm":
            name = {"i": "int", "u": "uint", "l": "ll", "m": "ull"}[source]
            yield Row("__%s2float_r%s" % (name, letter), source, "exact(converted<float>(%s, a))" % mode)
            if source in "lm" or letter == "n":
                yield Row("__%s2double_r%s" % (name, letter), source, "exact(converted<double>(%s, a))" % mode)
            # What is no number becomes 0, but from double to 32 bits and to 64 bits the highest bit alone.
            of_nan = {"i": ("0", "INT_MIN"), "u": ("0u", "0x80000000u"), "l": ("LLONG_MIN",) * 2, "m": ("0x8000000000000000ull",) * 2}[source]
            for of, no_number in zip("fd", of_nan):
                yield Row("__%s2%s_r%s" % ("float" if of == "f" else "double", name, letter), of, "exact(to_integer<%s>(%s, a, %s))" % (TYPES[source], mode, no_number))
    # Casts, which PTX's cvt makes.
    for source, of_nan in zip("iulm", (("0", "INT_MIN"), ("0u", "0x80000000u"), ("LLONG_MIN",) * 2, ("0x8000000000000000ull",) * 2)):
        for of, no_number in zip("fd", of_nan):
            yield Row("(%s)a" % TYPES[source], of, "exact(to_integer<%s>(FE_TOWARDZERO, a, %s))" % (TYPES[source], no_number))
    for source, wide in (("short", "int"), ("unsigned char", "unsigned")):
        yield Row("(%s)a" % source, "f", "exact((%s)to_integer<%s>(FE_TOWARDZERO, a, 0))" % (source, wide), "std::fabs(a) < 30000")
    for name, of, to in (("__float_as_int", "f", "int"), ("__float_as_uint", "f", "unsigned"), ("__int_as_float", "i", "float"), ("__uint_as_float", "u", "float"),
                         ("__double_as_longlong", "d", "long long"), ("__longlong_as_double", "l", "double")):
        yield Row(name, of, "exact(bits_of<%s>(a))" % to, "a == a")
    yield Row("__double2hiint", "d", "exact((int)(bits_of<unsigned long long>(a) >> 32))")
    yield Row("__double2loint", "d", "exact((int)bits_of<unsigned long long>(a))")
    yield Row("__hiloint2double", "ii", "exact(bits_of<double>((unsigned long long)(unsigned)a << 32 | (unsigned)b))")


def arithmetic():
    """Operations with a way of rounding."""
    for of, start, fma in (("f", "f", "fmaf"), ("d", "d", "fma")):
        type = TYPES[of]
        for letter, mode in MODES.items():
            for name, count, expression in (("add", 2, "x + y"), ("sub", 2, "x - y"), ("mul", 2, "x * y"), ("div", 2, "x / y"), ("rcp", 1, "1 / x"), ("sqrt", 1, "std::sqrt(x)")):
                yield Row("__%s%s_r%s" % (start, name, letter), of * count, "exact(rounded<%s>(%s, [](%s x, %s y, %s) { (void)y; return %s; }, %s))"
                          % (type, mode, type, type, type, expression, ", ".join("ab"[:count])))
            for name in (fma, "fmaf_ieee") if of == "f" else (fma,):
                yield Row("__%s_r%s" % (name, letter), of * 3, "exact(rounded<%s>(%s, [](%s x, %s y, %s z) { return std::fma(x, y, z); }, a, b, c))" % (type, mode, type, type, type))
    yield Row("__frsqrt_rn", "f", "near_float(1 / std::sqrt((double)a), 0.51)")
    yield Row("__saturatef", "f", "exact(std::isnan(a) ? 0.0f : a < 0 ? 0.0f : a > 1 ? 1.0f : a)", "!(a == 0 && std::signbit(a))")
    for name, expression, when in (("__cosf", "std::cos((double)a)", "std::fabs(a) < 3.14159f"), ("__sinf", "std::sin((double)a)", "std::fabs(a) < 3.14159f")):
        yield Row(name, "f", "near_float(%s, 2, 4.8e-7)" % expression, when)
    yield Row("__tanf", "f", "near_float(std::tan((double)a), 16, 1e-6)", "std::fabs(a) < 1.5f")
    for name, power in (("__expf", "exp"), ("__exp10f", "exp10_of")):
        yield Row(name, "f", "near_float(%s, 3 + std::fabs(1.16 * a) * 4)" % ("std::exp((double)a)" if power == "exp" else "std::pow(10.0, (double)a)"), "std::fabs(a) < 37")
    for name, function in (("__logf", "log"), ("__log2f", "log2"), ("__log10f", "log10")):
        yield Row(name, "f", "near_float(std::%s((double)a), 4, 4e-7)" % function, "!(a < 1e-37f) || a <= 0")
    yield Row("__powf", "ff", "near_float(std::pow((double)a, (double)b), 64, 0)", "a > 0.1f && a < 100 && std::fabs(b) < 5")
    yield Row("__fdividef", "ff", "near_float((double)a / b, 2)", "std::fabs(b) > 1e-37f && std::fabs(b) < 8e37f")
    yield Row("__tanhf", "f", "near_float(std::tanh((double)a), 2, 5e-4)")
    for k, function in enumerate(("sin", "cos")):
        yield Row("[=] { float r[2]; __sincosf(a, r, r + 1); return r[%d]; }()" % k, "f", "near_float(std::%s((double)a), 2, 4.8e-7)" % function, "std::fabs(a) < 3.14159f")


def name_of(row):
    return re.sub(r"\s+", " ", row.call)
