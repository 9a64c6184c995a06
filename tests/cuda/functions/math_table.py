"""Functions of the math library for float, double, half and bfloat16; see table.py."""
from table import MODES, Row

# Name, arguments (x: of the type itself, i: int, L: long), the value in long double, units for float and for double,
# an absolute error, and a condition.
MATH = [
    ("acos", "x", "std::acos(A)", 2, 2), ("acosh", "x", "std::acosh(A)", 4, 3), ("asin", "x", "std::asin(A)", 2, 2), ("asinh", "x", "std::asinh(A)", 3, 3),
    ("atan", "x", "std::atan(A)", 2, 2), ("atan2", "xx", "std::atan2(A, B)", 3, 2), ("atanh", "x", "std::atanh(A)", 3, 2), ("cbrt", "x", "std::cbrt(A)", 1, 1),
    ("ceil", "x", "std::ceil(A)", 0, 0), ("copysign", "xx", "std::copysign(A, B)", 0, 0), ("cos", "x", "std::cos(A)", 2, 2), ("cosh", "x", "std::cosh(A)", 2, 2),
    ("cospi", "x", "cos_pi(A)", 1, 2), ("cyl_bessel_i0", "x", "bessel_i(0, A)", 6, 6, 0, "std::fabs(a) < 80"), ("cyl_bessel_i1", "x", "bessel_i(1, A)", 6, 6, 0, "std::fabs(a) < 80"),
    ("erf", "x", "std::erf(A)", 2, 2), ("erfc", "x", "std::erfc(A)", 4, 5), ("erfcinv", "x", "erfc_inverse(A)", 4, 6), ("erfcx", "x", "erfc_scaled(A)", 4, 4, 0, "a > -9"),
    ("erfinv", "x", "erf_inverse(A)", 2, 5), ("exp", "x", "std::exp(A)", 2, 1), ("exp10", "x", "std::pow(10.0L, A)", 2, 1), ("exp2", "x", "std::exp2(A)", 2, 1),
    ("expm1", "x", "std::expm1(A)", 1, 1), ("fabs", "x", "std::fabs(A)", 0, 0), ("fdim", "xx", "std::fdim(a, b)", 0, 0), ("floor", "x", "std::floor(A)", 0, 0),
    ("fma", "xxx", "std::fma(a, b, c)", 0, 0), ("fmax", "xx", "std::fmax(A, B)", 0, 0, 0, "!(a == 0 && b == 0)"), ("fmin", "xx", "std::fmin(A, B)", 0, 0, 0, "!(a == 0 && b == 0)"),
    ("fmod", "xx", "std::fmod(a, b)", 0, 0), ("hypot", "xx", "std::hypot(A, B)", 3, 2), ("j0", "x", "::j0l(A)", 9, 7, 1, "std::fabs(a) < 1e4"),
    ("j1", "x", "::j1l(A)", 9, 7, 1, "std::fabs(a) < 1e4"), ("jn", "ix", "::jnl(a % 9, B)", 9, 7, 1, "a >= 0 && std::fabs(b) < 1e4 && std::fabs(b) > 1e-3", "{}(a % 9, b)"),
    ("ldexp", "xi", "std::ldexp(a, b)", 0, 0), ("lgamma", "x", "std::lgamma(A)", 6, 4, 0, "!(a < -2.2 && a > -10.1)"), ("log", "x", "std::log(A)", 1, 1),
    ("log10", "x", "std::log10(A)", 2, 1), ("log1p", "x", "std::log1p(A)", 1, 1), ("log2", "x", "std::log2(A)", 1, 1), ("logb", "x", "std::logb(A)", 0, 0),
    ("nearbyint", "x", "std::nearbyint(A)", 0, 0), ("nextafter", "xx", "std::nextafter(a, b)", 0, 0), ("norm3d", "xxx", "norm(A, B, C)", 3, 2),
    ("normcdf", "x", "normal_cdf(A)", 5, 5), ("normcdfinv", "x", "normal_cdf_inverse(A)", 5, 8), ("pow", "xx", "std::pow(A, B)", 4, 2), ("rcbrt", "x", "1 / std::cbrt(A)", 1, 1),
    ("remainder", "xx", "rest(a, b)", 0, 0), ("rhypot", "xx", "1 / norm(A, B)", 2, 1), ("rint", "x", "std::rint(A)", 0, 0), ("rnorm3d", "xxx", "1 / norm(A, B, C)", 2, 1),
    ("round", "x", "std::round(A)", 0, 0), ("rsqrt", "x", "1 / std::sqrt(A)", 2, 1), ("scalbn", "xi", "std::ldexp(a, b)", 0, 0), ("sin", "x", "std::sin(A)", 2, 2),
    ("sinh", "x", "std::sinh(A)", 3, 2), ("sinpi", "x", "sin_pi(A)", 1, 2), ("sqrt", "x", "std::sqrt(A)", 0.501, 0.501), ("tan", "x", "std::tan(A)", 4, 2), ("tanh", "x", "std::tanh(A)", 2, 2),
    ("tgamma", "x", "std::tgamma(A)", 5, 10), ("trunc", "x", "std::trunc(A)", 0, 0), ("y0", "x", "::y0l(A)", 9, 7, 1, "a < 1e4"), ("y1", "x", "::y1l(A)", 9, 7, 1, "a < 1e4"),
    ("yn", "ix", "::ynl(a % 9, B)", 9, 7, 1, "a >= 0 && b < 1e4 && b > 1e-2", "{}(a % 9, b)"),
    ("scalbln", "xi", "std::ldexp(a, b)", 0, 0, 0, None, "{}(a, (long)b)"),
]
# Names that have no overload for float, and those with other names.
ONLY_C = {"norm3d", "rnorm3d", "rhypot", "cyl_bessel_i0", "cyl_bessel_i1"}


def math():
    for name, arguments, value, of_float, of_double, *rest in MATH:
        absolute, when, form = (list(rest) + [0, None, None][len(rest):])
        for of, units, near in (("f", of_float, "near_float"), ("d", of_double, "near_double")):
            type = "float" if of == "f" else "double"
            letters = arguments.replace("x", of)
            wide = value
            for letter, lower in zip("ABC", "abc"):
                wide = __import__("re").sub(r"\b%s\b" % letter, "(long double)" + lower, wide)
            if units == 0:
                expected = "exact((%s)%s)" % (type, wide)
            else:
                expected = "%s(%s, %s, %s)" % (near, wide, units, ("2.2e-6" if of == "f" else "5e-12") if absolute else 0)
            for called in ((name + "f", name) if of == "f" and name not in ONLY_C else (name + "f",) if of == "f" else (name,)):
                call = form.format(called) if form else "%s(%s)" % (called, ", ".join("abc"[:len(arguments)]))
                yield Row(call, letters, expected, when)
    for of, type, f in (("f", "float", "f"), ("d", "double", "")):
        near = "near_" + type
        yield Row("norm4d%s(a, b, c, a)" % f, of * 3, "%s(norm(a, b, c, a), 3)" % near)
        yield Row("rnorm4d%s(a, b, c, a)" % f, of * 3, "%s(1 / norm(a, b, c, a), 2)" % near)
        yield Row("[=] { const %s v[3] = {a, b, c}; return norm%s(3, v); }()" % (type, f), of * 3, "%s(norm(a, b, c), 4)" % near)
        yield Row("[=] { const %s v[3] = {a, b, c}; return rnorm%s(3, v); }()" % (type, f), of * 3, "%s(1 / norm(a, b, c), 4)" % near)
        for name, function, units in (("sincos", ("std::sin((long double)a)", "std::cos((long double)a)"), 2), ("sincospi", ("sin_pi(a)", "cos_pi(a)"), 2)):
            for k in (0, 1):
                yield Row("[=] { %s r[2]; %s%s(a, r, r + 1); return r[%d]; }()" % (type, name, f, k), of, "%s(%s, %s)" % (near, function[k], units))
        yield Row("[=] { int e; const %s r = frexp%s(a, &e); return r; }()" % (type, f), of, "exact([](%s x) { int e; return std::frexp(x, &e); }(a))" % type)
        yield Row("[=] { int e; frexp%s(a, &e); return e; }()" % f, of, "exact([](%s x) { int e; std::frexp(x, &e); return e; }(a))" % type, "std::isfinite(a)")
        yield Row("[=] { %s w; return modf%s(a, &w); }()" % (type, f), of, "exact([](%s x) { %s w; return std::modf(x, &w); }(a))" % (type, type))
        yield Row("[=] { %s w; modf%s(a, &w); return w; }()" % (type, f), of, "exact([](%s x) { %s w; std::modf(x, &w); return w; }(a))" % (type, type))
        yield Row("[=] { int q; return remquo%s(a, b, &q); }()" % f, of * 2, "exact(rest(a, b))")
        yield Row("[=] { int q; remquo%s(a, b, &q); return q & 7; }()" % f, of * 2, "exact([](%s x, %s y) { int q; std::remquo(x, y, &q); return q & 7; }(a, b))" % (type, type),
                  "std::isfinite(a) && b != 0 && b == b")
        for name in ("lrint", "llrint", "lround", "llround"):
            yield Row("(long long)%s%s(a)" % (name, f), of, "exact((long long)std::%s(a))" % name, "std::fabs(a) < 9e18")
        for name in ("isfinite", "isinf", "isnan", "signbit"):
            yield Row("%s(a) ? 1 : 0" % name, of, "exact(std::%s(a) ? 1 : 0)" % name)
        yield Row("ilogb%s" % f, of, "exact(std::ilogb(a))", "std::isfinite(a) && a != 0")
        for name, better in (("max", ">"), ("min", "<")):
            yield Row(name, of * 2, "exact(a != a ? b : b != b ? a : a %s b ? a : b)" % better, "!(a == 0 && b == 0)")
        yield Row("abs", of, "exact(std::fabs(a))")
    yield Row("fdividef", "ff", "near_float((long double)a / b, 2)", "std::fabs(b) > 1e-37f && std::fabs(b) < 8e37f")
    yield Row("max", "fd", "exact(std::fmax((double)a, b))", "!(a == 0 && b == 0)")
    yield Row("__powf(a, 2.0f) + powf(a, 2) - powf(a, 2)", "f", "near_float((double)a * a, 64)", "a > 0.01f && a < 100")
    yield Row("pow(a, b)", "fi", "near_double(std::pow((long double)a, b), 2)", "std::abs(b) < 1000")
    yield Row("pow(a, b)", "di", "near_double(std::pow((long double)a, b), 2)", "std::abs(b) < 1000")


def narrow():
    for of, type, two, name, make, pair in (("h", "__half", "__half2", "half", "as_half", "as_halves"), ("b", "__nv_bfloat16", "__nv_bfloat162", "bfloat16", "as_bfloat16", "as_bfloats")):
        A, B, C = ("number(%s)" % x for x in "abc")
        both = "%s(a, b)" % ("__halves2%s2" % name)
        back = "%s(b, a)" % ("__halves2%s2" % name)
        for function, sign, operator in (("add", "+", "+"), ("sub", "-", "-"), ("mul", "*", "*"), ("div", "/", "/")):
            value = "(long double)number(%s) " + sign + " number(%s)"
            for call in ["__h%s(a, b)" % function, "a %s b" % operator] + (["__h%s_rn(a, b)" % function] if function != "div" else []):
                yield Row(call, of * 2, "%s(%s)" % (make, value % ("a", "b")))
            if function != "div":
                yield Row("__h%s_sat(a, b)" % function, of * 2, "[=] { const double r = widened(%s(%s).bits, %s); return %s(r > 1 ? 1 : r > 0 ? r : 0); }()"
                          % (make, value % ("a", "b"), "kHalf" if of == "h" else "kBfloat16", make))
            call = "__h2div" if function == "div" else "__h%s2" % function
            yield Row("%s(%s, %s)" % (call, both, back), of * 2, "%s(%s, %s)" % (pair, value % ("a", "b"), value % ("b", "a")))
        for function, relu in (("__hfma", ""), ("__hfma_relu", "relu"), ("__hfma_sat", "sat")):
            value = "fused(%s, %s, %s)" % (A, B, C)
            if relu:
                value = "[=] { const double r = widened(%s(%s).bits, %s); return %s; }()" % (make, value, "kHalf" if of == "h" else "kBfloat16",
                                                                                          "r != r ? r : r > 0 ? r : 0" if relu == "relu" else "r > 1 ? 1 : r > 0 ? r : 0")
            yield Row("%s(a, b, c)" % function, of * 3, "%s(%s)" % (make, value), "true" if not relu else "a == a")
        yield Row("__hfma2(%s, %s, %s)" % (both, back, "__half2half2(c)" if of == "h" else "__bfloat162bfloat162(c)"), of * 3,
                  "%s(fused(%s, %s, %s), fused(%s, %s, %s))" % (pair, A, B, C, B, A, C))
        yield Row("__hneg(a)", of, "%s(-%s)" % (make, A))
        yield Row("-a", of, "%s(-%s)" % (make, A))
        yield Row("__habs(a)", of, "%s(std::fabs(%s))" % (make, A))
        for function, better in (("max", ">"), ("min", "<")):
            zero = "!(%s == 0 && %s == 0)" % (A, B)
            yield Row("__h%s(a, b)" % function, of * 2, "%s(std::f%s(%s, %s))" % (make, function, A, B), zero)
            yield Row("__h%s_nan(a, b)" % function, of * 2, "%s(%s != %s || %s != %s ? NAN : std::f%s(%s, %s))" % (make, A, A, B, B, function, A, B), zero)
            yield Row("__h%s2(%s, %s)" % (function, both, back), of * 2, "%s(std::f%s(%s, %s), std::f%s(%s, %s))" % (pair, function, A, B, function, A, B), zero)
        for function, sign in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
            ordered = "%s == %s && %s == %s && %s %s %s" % (A, A, B, B, A, sign, B)
            turned = "%s == %s && %s == %s && %s %s %s" % (A, A, B, B, B, sign, A)
            nan = "%s != %s || %s != %s" % (A, A, B, B)
            for u, one, two_ in (("", ordered, turned), ("u", "%s || %s" % (nan, ordered), "%s || %s" % (nan, turned))):
                yield Row("__h%s%s(a, b) ? 1 : 0" % (function, u), of * 2, "exact(%s ? 1 : 0)" % one)
                yield Row("__hb%s%s2(%s, %s) ? 1 : 0" % (function, u, both, back), of * 2, "exact((%s) && (%s) ? 1 : 0)" % (one, two_))
                yield Row("__h%s%s2(%s, %s)" % (function, u, both, back), of * 2, "%s(%s ? 1 : 0, %s ? 1 : 0)" % (pair, one, two_))
                yield Row("__h%s%s2_mask(%s, %s)" % (function, u, both, back), of * 2, "exact((%s ? 0xffffu : 0u) | (%s ? 0xffff0000u : 0u))" % (one, two_))
        yield Row("__hisnan(a) ? 1 : 0", of, "exact(std::isnan(%s) ? 1 : 0)" % A)
        yield Row("__hisinf(a)", of, "exact(std::isinf(%s) ? std::signbit(%s) ? -1 : 1 : 0)" % (A, A), None if of == "h" else "true")
        near = "near_" + name
        for function, value in (("sqrt", "std::sqrt({})"), ("rsqrt", "1 / std::sqrt({})"), ("rcp", "1 / {}"), ("exp", "std::exp({})"), ("exp2", "std::exp2({})"),
                                ("exp10", "std::pow(10.0L, {})"), ("log", "std::log({})"), ("log2", "std::log2({})"), ("log10", "std::log10({})"), ("sin", "std::sin({})"),
                                ("cos", "std::cos({})"), ("tanh", "std::tanh({})")):
            units = 2 if function in ("sin", "cos", "rsqrt", "rcp", "exp10", "tanh") else 1
            yield Row("h%s(a)" % function, of, "%s(%s, %d)" % (near, value.format("(long double)" + A), units))
        for function in ("floor", "ceil", "trunc", "rint"):
            yield Row("h%s(a)" % function, of, "%s(std::%s(%s))" % (make, function, A))
        for letter, mode in MODES.items():
            for source, word, of_nan in (("i", "int", "0"), ("u", "uint", "0u"), ("s", "short", "(short)0"), ("t", "ushort", "(unsigned short)0"), ("l", "ll", "LLONG_MIN"),
                                         ("m", "ull", "0x8000000000000000ull")):
                ctype = {"i": "int", "u": "unsigned", "s": "short", "t": "unsigned short", "l": "long long", "m": "unsigned long long"}[source]
                yield Row("__%s2%s_r%s(a)" % (name, word, letter), of, "exact(to_integer<%s>(%s, %s, %s))" % (ctype, mode, A, of_nan))
                yield Row("__%s2%s_r%s(a)" % (word, name, letter), source, "%s((long double)a, %s)" % (make, mode))
            yield Row("__float2%s_r%s(a)" % (name, letter), "f", "%s(a, %s)" % (make, mode))
        yield Row("__float2%s(a)" % name, "f", "%s(a)" % make)
        yield Row("__double2%s(a)" % name, "d", "%s(a)" % make)
        yield Row("__%s2float(a)" % name, of, "exact((float)%s)" % A)
        yield Row("__low2float(%s)" % both, of * 2, "exact((float)%s)" % A)
        yield Row("__high2float(%s)" % both, of * 2, "exact((float)%s)" % B)
        yield Row("__floats2%s2_rn(a, b)" % name, "ff", "%s(a, b)" % pair)
        yield Row("__lows2%s2(%s, %s)" % (name, both, back), of * 2, "%s(%s, %s)" % (pair, A, B))
        yield Row("__highs2%s2(%s, %s)" % (name, both, back), of * 2, "%s(%s, %s)" % (pair, B, A))
        yield Row("__lowhigh2highlow(%s)" % both, of * 2, "%s(%s, %s)" % (pair, B, A))
        yield Row("%s(a) + %s(b)" % (type, type), "ii", "%s(widened(%s(a).bits, K) + widened(%s(b).bits, K))".replace("K", "kHalf" if of == "h" else "kBfloat16") % (make, make, make))
