#!/usr/bin/env python3
"""Calls of warps, cooperative groups and atomics with random values and masks, compared with plain C++ (warps.h).

usage: warps.py <compiler> <folder to work in> [<seed> [<option of the compiler>…]]

The compiler is gputest-cuda or nvcc: nothing here is the project's own. Without GPUTEST_RANDOM a part of the table runs
once; with it, everything does, with GPUTEST_RANDOM sets of values. GPUTEST_FUNCTIONS is a regular expression of calls.

A row's device code has x, the thread's value, k, its small number, w, a number of the warp, its `mask`, and its `lane`; it
sets r. The oracle has the values v and ks of the warp's lanes, and bv and bk of the block's threads.
"""
import os
import re
import sys

from compiled import run, settings

TYPES = {"i": "int", "u": "unsigned", "t": "unsigned short", "l": "long long", "m": "ull", "f": "float", "d": "double", "h": "__half",
         "b": "__nv_bfloat16", "s": "Trio"}
ROWS_OF_A_KERNEL = 12
SHUFFLES = {"": "kIndex", "_up": "kUp", "_down": "kDown", "_xor": "kXor"}
SUM = "[](auto x, auto y) { return static_cast<decltype(x)>(x + y); }"
OPERATIONS = {"plus": SUM, "less": "[](auto x, auto y) { return x < y ? x : y; }", "greater": "[](auto x, auto y) { return x > y ? x : y; }",
              "bit_and": "[](auto x, auto y) { return x & y; }", "bit_or": "[](auto x, auto y) { return x | y; }",
              "bit_xor": "[](auto x, auto y) { return x ^ y; }"}


class Row:
    """masked: only the mask's lanes take part. whole: the code puts its results itself."""
    def __init__(self, of, call, expected, masked=False, before="", whole=None):
        self.of, self.call, self.expected, self.masked, self.before, self.whole = of, call, expected, masked, before, whole


def shuffles():
    for at, of in enumerate("iulmfdhb"):
        for kind, oracle in SHUFFLES.items():
            for width in (32, (16, 8, 4, 2, 1)[at % 5]):
                by = "k - 20" if kind == "" else "k"
                yield Row(of, "__shfl%s_sync(mask, x, %s, %d)" % (kind, by, width),
                          "shuffled(v, mask, %s, lane, %s, %d)" % (oracle, by.replace("k", "ks[lane]"), width), True)
    for of in "iulmfd":
        yield Row(of, "__match_any_sync(mask, x)", "exactly([&] { unsigned r = 0; for (int o = 0; o < 32; ++o) if (mask >> o & 1 && v[o] == v[lane]) r |= 1u << o; return r; }())", True)
        yield Row(of, "__match_all_sync(mask, x > 0 ? x : w, &all) * 2ull + (all != 0)",
                  "exactly([&] { bool same = true; const auto of = [&](int o) { return v[o] > 0 ? v[o] : static_cast<T>(w); };"
                  " for (int o = 0; o < 32; ++o) same = same && (!(mask >> o & 1) || of(o) == of(lane)); return same ? mask * 2ull + 1 : 0ull; }())", True, before="int all = 7;")
    for of in "iu":
        for name, oracle in (("add", "plus"), ("min", "less"), ("max", "greater"), ("and", "bit_and"), ("or", "bit_or"), ("xor", "bit_xor")):
            if of == "u" or name in ("add", "min", "max"):
                yield Row(of, "__reduce_%s_sync(mask, x)" % name, "reduced(coalesced(mask, lane), v, %s)" % OPERATIONS[oracle], True)
    for name, oracle in (("ballot", "b & mask"), ("any", "(b & mask) != 0"), ("all", "(b & mask) == mask")):
        yield Row("i", "__%s_sync(mask, x > 0)%s" % (name, "" if name == "ballot" else " != 0"),
                  "exactly([&] { unsigned b = 0; for (int o = 0; o < 32; ++o) b |= (v[o] > 0 ? 1u : 0u) << o; return %s; }())" % oracle, True)
    yield Row("i", "(__syncwarp(mask), __popc(__activemask()))", "exactly(coalesced(mask, lane).size())", True)
    for name, oracle in (("count", "n"), ("and", "n == kThreads"), ("or", "n > 0")):
        yield Row("i", "__syncthreads_%s(x > %d)%s" % (name, {"count": 0, "and": -2, "or": 2}[name], "" if name == "count" else " != 0"),
                  "exactly([&] { int n = 0; for (int o = 0; o < kThreads; ++o) n += bv[o] > %d; return %s; }())" % ({"count": 0, "and": -2, "or": 2}[name], oracle))


GROUPS = [("auto g = cg::tiled_partition<%d>(block);" % size, "tile(lane, %d)" % size, False) for size in (32, 16, 8, 4, 2, 1)]
GROUPS += [("auto g = cg::coalesced_threads();", "coalesced(mask, lane)", True),
           ("auto g = cg::tiled_partition<8>(cg::tiled_partition<16>(block));", "tile(lane, 8)", False),
           ("auto g = cg::labeled_partition(cg::tiled_partition<32>(block), k);", "labeled(~0u, ks, lane)", False),
           ("auto g = cg::labeled_partition(cg::coalesced_threads(), k);", "labeled(mask, ks, lane)", True),
           ("auto g = cg::binary_partition(cg::tiled_partition<32>(block), k % 3 == 0);",
            "group_of(lane, [&](int o) { return (ks[o] % 3 == 0) == (ks[lane] % 3 == 0); })", False),
           ("auto g = cg::binary_partition(cg::coalesced_threads(), k > 2);",
            "group_of(lane, [&](int o) { return mask >> o & 1 && (ks[o] > 2) == (ks[lane] > 2); })", True),
           ("auto g = cg::tiled_partition(cg::coalesced_threads(), 4);", "part_of(coalesced(mask, lane), 4)", True)]


def groups():
    at = 0
    for before, oracle, masked in GROUPS:
        fixed = "<" in before  # sizes that the compiler knows
        tiles = "tiled_partition<" in before and "labeled" not in before and "binary" not in before

        def row(of, call, expected):
            return Row(of, call, "[&]() -> Expected { const Group g = %s; return %s; }()" % (oracle, expected), masked, before)
        yield row("i", "g.size() * 100 + g.thread_rank()", "exactly(g.size() * 100ull + g.rank)")
        for of in ("iulmfd"[at % 6], "hbs"[at % 3]):
            yield row(of, "g.shfl(x, k % g.size())", "of_rank(g, v, ks[lane] % g.size())")
            yield row(of, "g.shfl_up(x, w % g.size())", "of_rank(g, v, g.rank - w % g.size())")
            yield row(of, "g.shfl_down(x, w % g.size())", "of_rank(g, v, g.rank + w % g.size())")
        if tiles and fixed:  # the distance counts modulo the warp
            yield row("f", "g.shfl_up(x, w % g.size() + 96u)", "of_rank(g, v, g.rank - w % g.size())")
            yield row("d", "g.shfl_down(x, w % g.size() + 32u)", "of_rank(g, v, g.rank + w % g.size())")
            yield row("u", "g.shfl_xor(x, w % g.size() + 64u)", "of_rank(g, v, g.rank ^ w % g.size())")
            yield row("i", "g.shfl_xor(x, w % g.size())", "of_rank(g, v, g.rank ^ w % g.size())")
            yield row("i", "g.meta_group_rank() * 100 + g.meta_group_size()",
                      "exactly(%s)" % ("(lane / 8 %% 2) * 100ull + 2" if "<16>(block))" in before else
                                       "(t / g.size()) * 100ull + kThreads / g.size()").replace("%%", "%"))
        yield row("i", "g.any(x > 1) * 4 + g.all(x < 2) * 2", "exactly([&] { unsigned b = ballot_of(g, [&](int o) { return v[o] > 1; }),"
                  " c = ballot_of(g, [&](int o) { return v[o] < 2; }); return (b != 0) * 4ull + (c == all_of(g)) * 2; }())")
        yield row("i", "g.ballot(x > 0)", "exactly(ballot_of(g, [&](int o) { return v[o] > 0; }))")
        of = "iulmfd"[(at + 1) % 6]
        yield row(of, "g.match_any(x)", "exactly(ballot_of(g, [&](int o) { return v[o] == v[lane]; }))")
        for n, (name, operation) in enumerate(OPERATIONS.items()):
            for of in ("iumfdlhb"[(at + n) % 6] if n < 3 else "ium"[(at + n) % 3],):
                yield row(of, "cg::reduce(g, x, cg::%s<%s>())" % (name, TYPES[of]), "reduced(g, v, %s)" % operation)
                if n != 1:
                    yield row(of, "cg::inclusive_scan(g, x, cg::%s<%s>())" % (name, TYPES[of]), "scanned(g, v, true, %s)" % operation)
        yield row("iumlfd"[at % 6], "cg::exclusive_scan(g, x)", "scanned(g, v, false, %s)" % SUM)
        yield row("hb"[at % 2], "cg::reduce(g, x, cg::plus<%s>())" % TYPES["hb"[at % 2]], "reduced(g, v, %s)" % SUM)
        yield row("s", "cg::reduce(g, x, [](const Trio& a, const Trio& b) { return larger(a, b); })", "reduced(g, v, larger)")
        at += 1


# name: types, how a value e becomes another one by v
ATOMICS = {"Add": ("iumfdhb", "e + v"), "Sub": ("iu", "e - v"), "Min": ("iulm", "e < v ? e : v"), "Max": ("iulm", "e > v ? e : v"),
           "And": ("ium", "e & v"), "Or": ("ium", "e | v"), "Xor": ("ium", "e ^ v"), "Inc": ("u", "e >= v ? 0 : e + 1"),
           "Dec": ("u", "e == 0 || e > v ? v : e - 1"), "Exch": ("iumf", "v"), "CAS": ("iumt", "e == c ? v : e")}
REFERENCES = {"fetch_add": ("iulmfd", "e + v"), "fetch_sub": ("iulm", "e - v"), "fetch_and": ("iulm", "e & v"), "fetch_or": ("iulm", "e | v"),
              "fetch_xor": ("iulm", "e ^ v"), "fetch_min": ("iulm", "e < v ? e : v"), "fetch_max": ("iulm", "e > v ? e : v"), "exchange": ("iulmfd", "v")}
CELLS = {"shared": "__shared__ T cells[8];", "global": "T* const cells = reinterpret_cast<T*>(scratch + (row * kBlocks + blockIdx.x) * 8);"}


def atomics():
    calls = [("atomic%s%s(&cells[HERE], %s)" % (name, scope, "T(w % 3), x" if name == "CAS" else "x"), of, step)
             for name, (types, step) in ATOMICS.items() for of in types for scope in (("", "_block", "_system") if of not in "hbt" else ("",))]
    scopes = ["cuda::thread_scope_block", "cuda::thread_scope_device", "cuda::thread_scope_system"]
    orders = ["relaxed", "acq_rel", "seq_cst", "release", "acquire"]
    calls += [("cuda::atomic_ref<T, %s>(cells[HERE]).%s(x, cuda::std::memory_order_%s)" % (scopes[n % 3], name, orders[n % 5]), of, step)
              for n, (name, of, step) in enumerate((name, of, step) for name, (types, step) in REFERENCES.items() for of in types)]
    for n, (call, of, step) in enumerate(calls):
        space = ("shared", "global")[n % 2]
        step = "[](T e, T v, T c) -> T { (void)v, (void)c; return %s; }" % step
        begin = "%s if (t < 8) cells[t] = in->%s[at]; __syncthreads();" % (CELLS[space], of)
        # One thread does eight, and tells what each of them returns.
        alone = "%s T old = T{}; for (int n = 0; n < 8; ++n) { const T y = __shfl_sync(~0u, x, n); if (t == 0) { const T x = y; old = %s; } const T got = __shfl_sync(~0u, old, 0);" \
                " if (t == n) put(out, row, n0 + t, got); }" % (begin, call.replace("HERE", "n & 1"))
        yield Row(of, call.replace("HERE", "alone"), "t >= 8 ? unknown() : exactly([&] { T e[2] = {bv[0], bv[1]}, old = T{}; const auto next = %s;"
                  " for (int n = 0; n <= t; ++n) { old = e[n & 1]; e[n & 1] = next(old, v[n], T(w %% 3)); } return old; }())" % step, whole=alone)
        if "CAS" in call or "xch" in call or "Inc" in call or "Dec" in call:
            continue
        together = "%s %s; __syncthreads(); if (t < 8) put(out, row, n0 + t, cells[t]);" % (begin, call.replace("HERE", "k & 7"))
        yield Row(of, call.replace("HERE", "together"), "t >= 8 ? unknown() : exactly([&] { T e = bv[t]; const auto next = %s;"
                  " for (int n = 0; n < kThreads; ++n) if ((bk[n] & 7) == t) e = next(e, bv[n], T{}); return e; }())" % step, whole=together)


TABLES = {"shuffles": shuffles, "groups": groups, "atomics": atomics}


def program(rows, rounds, seed):
    text = ['#include "warps.h"', ""]
    for kernel in range(0, len(rows), ROWS_OF_A_KERNEL):
        text += ["__global__ void kernel%d(const Inputs* in, ull* out, ull* scratch) {" % (kernel // ROWS_OF_A_KERNEL),
                 "  const int t = threadIdx.x, lane = t & 31, n0 = blockIdx.x * kThreads; (void)lane; (void)scratch;",
                 "  auto block = cg::this_thread_block(); (void)block;"]
        for at, row in enumerate(rows[kernel:kernel + ROWS_OF_A_KERNEL], kernel):
            text.append("  { using T = %s; constexpr int row = %d; const int at = value_at(row, n0 + t), k = in->k[at]; const T x = in->%s[at]; (void)x; (void)k;"
                        " const unsigned mask = in->mask[mask_at(row, n0 + t)]; const int w = mask %% 32; (void)w;" % (TYPES[row.of], at, row.of))
            if row.whole:
                text.append("    %s }" % row.whole)
            else:
                text.append("    %s{ %s const auto r = %s; put(out, row, n0 + t, r); } __syncthreads(); }"
                            % ("if (mask >> lane & 1) " if row.masked else "", row.before, row.call))
        text.append("}")
    text += ["struct Row {", "  const char* call;", "  Expected (*expected)(const Inputs&, int);", "};", "static const Row rows[] = {"]
    for at, row in enumerate(rows):
        name = ((row.before + " " if row.before else "") + row.call + " of " + TYPES[row.of]).replace('"', '\\"')
        text.append('    {"%s", [](const Inputs& in, int n) -> Expected { using T = %s; constexpr int row = %d; T bv[kThreads]; int bk[kThreads];'
                    " const int t = n %% kThreads, n0 = n - t, lane = t & 31; for (int o = 0; o < kThreads; ++o) { const int at = value_at(row, n0 + o);"
                    " bv[o] = in.%s[at]; bk[o] = in.k[at]; } const T* const v = bv + (t - lane); const int* const ks = bk + (t - lane);"
                    " const unsigned mask = in.mask[mask_at(row, n)]; const int w = mask %% 32; (void)v, (void)ks, (void)w, (void)mask, (void)bk;" % (name, TYPES[row.of], at, row.of))
        if row.masked:
            text.append("      if (!(mask >> lane & 1)) return unknown();")
        text.append("      return %s; }}," % row.expected)
    kernels = (len(rows) + ROWS_OF_A_KERNEL - 1) // ROWS_OF_A_KERNEL
    text += ["};", "static void launch(int kernel, const Inputs* in, ull* out, ull* scratch) {", "  switch (kernel) {"]
    text += ["  case %d: kernel%d<<<kBlocks, kThreads>>>(in, out, scratch); break;" % (kernel, kernel) for kernel in range(kernels)]
    text += ["  }", "}", "constexpr int kKernels = %d, kRounds = %d;" % (kernels, rounds), "constexpr unsigned kSeed = %d;" % seed, '#include "warps_main.h"', ""]
    return "\n".join(text)


def main():
    compiler, folder, seed, options, rounds, pattern = settings()
    parts = {name: list(make()) for name, make in TABLES.items()}
    if not rounds and not pattern:
        parts = {"some": [row for rows in parts.values() for row in rows][seed % 19::19]}
    failed = 0
    for name, rows in parts.items():
        if pattern:
            rows = [row for row in rows if re.search(pattern, row.before + " " + row.call)]
        for part in range(0, len(rows), 96):
            some = rows[part:part + 96]
            source = os.path.join(folder, "%s%d.cu" % (name, part // 96))
            failed |= not run(compiler, source, program(some, max(rounds, 1), seed), options)
            print("%s: %d calls, seed %d" % (source, len(some), seed))
    return failed


if __name__ == "__main__":
    sys.exit(main())
