"""Random kernels of CUDA, and beside each the same as plain C++, which keeps the threads of a block in an array and takes
all of them through one statement after the other.

In texts of both sides `$name` is a thread's own variable. No result depends on an order: threads exchange values between
barriers alone, atomics of one kind go to one array, and floating-point numbers are small integers, so sums are exact.
"""
import random
import re

FIELDS = [("unsigned", "u", 4), ("ull", "l", 2), ("float", "f", 2), ("double", "d", 1), ("int", "i", 1),
          ("unsigned char", "c", 1), ("short", "h", 1)]
ATOMICS = {  # name: type, call, what it means
    "add": ("unsigned", "atomicAdd({a}, {v})", "{e} += {v}"),
    "minimum": ("unsigned", "atomicMin({a}, {v})", "{e} = std::min<unsigned>({e}, {v})"),
    "maximum": ("int", "atomicMax({a}, (int)({v}))", "{e} = std::max<int>({e}, (int)({v}))"),
    "exclusive": ("unsigned", "atomicXor({a}, {v})", "{e} ^= {v}"),
    "either": ("unsigned", "atomicOr({a}, {v})", "{e} |= {v}"),
    "both": ("unsigned", "atomicAnd({a}, ~(({v}) & 0x11u))", "{e} &= ~(({v}) & 0x11u)"),
    "wide": ("ull", "atomicAdd({a}, (ull)({v}) << 7)", "{e} += (ull)({v}) << 7"),
    "single": ("float", "atomicAdd({a}, small_of<float>({v}))", "{e} += small_of<float>({v})"),
    "precise": ("double", "atomicAdd({a}, small_of<double>({v}))", "{e} += small_of<double>({v})"),
    "counter": ("unsigned", "atomicInc({a}, 12u)", "{e} = {e} >= 12 ? 0 : {e} + 1; (void)({v})"),
    "swapped": ("unsigned", "by_swapping({a}, {v})", "{e} = {e} * 3 + 3 * (({v}) & 0) + 1"),
}


class Kernel:
    def __init__(self, rng, index, small):
        self.rng, self.index, self.small = rng, index, small
        self.device, self.host, self.names = [], [], 0
        self.block = rng.choice([(32, 1, 1), (64, 1, 1), (96, 1, 1), (48, 1, 1), (8, 4, 1), (16, 3, 2), (7, 9, 1), (4, 4, 4), (128, 1, 1)])
        self.grid = rng.choice([(1, 1, 1), (3, 1, 1), (2, 2, 1), (1, 2, 2), (4, 1, 1)])
        self.threads = self.block[0] * self.block[1] * self.block[2]
        self.alive = self.threads
        if rng.random() < 0.3:
            self.alive = rng.randrange(8, self.threads + 1)
        self.template = rng.randrange(1, 7)
        self.dynamic = rng.random() < 0.5

    # Texts for both sides.
    def name(self, kind):
        self.names += 1
        return f"{kind}{self.names}"

    def both(self, depth, text):
        self.device.append(text.replace("$", ""))
        self.host.append(f"for (Thread{self.index}& t : block) if (t.on[{depth}]) {{ {text.replace('$', 't.')} }}")

    def on_device(self, text):
        self.device.append(text.replace("$", ""))

    def on_host(self, text):
        self.host.append(text)

    # Expressions.
    def unsigned(self, size=3):
        pick = self.rng.choice
        if self.small:
            size = min(size, 1)
        if size == 0 or self.rng.random() < 0.15:
            return pick(["$u0", "$u1", "$u2", "$u3", "$tid", "$bid", "$lane", f"{self.rng.randrange(100)}u", f"{self.rng.getrandbits(32)}u",
                         "$thread.x", "$thread.y", "$thread.z", "blocks.x", "(unsigned)N", "args.n", "args.list[1]", "$a0[2]"])
        a, b = self.unsigned(size - 1), self.unsigned(size - 1)
        return pick([
            lambda: f"({a} {pick(['+', '-', '*', '&', '|', '^'])} {b})", lambda: f"({a} {pick(['+', '*', '^'])} {b})",
            lambda: f"({a} {pick(['<<', '>>'])} ({b} & 31))", lambda: f"({a} {pick(['/', '%'])} ({b} | 1))",
            lambda: f"({self.condition(size - 1)} ? {a} : {b})", lambda: f"(unsigned)({self.condition(size - 1)})",
            lambda: f"bits_set({a})", lambda: f"zeros_above({a})", lambda: f"first_set({a})", lambda: f"reversed({a})",
            lambda: f"high_product({a}, {b})", lambda: f"bytes_chosen({a}, {b}, {self.rng.getrandbits(16)})", lambda: f"funnel({a}, {b}, {self.rng.randrange(32)})",
            lambda: f"bytes_added({a}, {b})", lambda: f"halves_maximum({a}, {b})", lambda: f"(unsigned)({self.wide(size - 1)})",
            lambda: f"(unsigned)(int)({self.floating('float', size - 1)})", lambda: f"(unsigned)(int)({self.floating('double', size - 1)})",
            lambda: f"$a0[{a} & 3]", lambda: f"table[{a} % 64]", lambda: f"args.in[{a} % 256]", lambda: f"variable[{a} & 7]", lambda: "(unsigned)$h0",
            lambda: "(unsigned)$c0", lambda: "(unsigned)$i0", lambda: f"Mixer<unsigned, {self.rng.randrange(1, 5)}>{{{a}}}({b})",
            lambda: f"twisted<unsigned>({a}, {b})", lambda: f"twisted<unsigned char>((unsigned char)({a}), (unsigned char)({b}))",
            lambda: f"f{self.index}_{self.rng.randrange(2)}({a}, {b})",
        ])()

    def wide(self, size):
        if size <= 0 or self.rng.random() < 0.2:
            return self.rng.choice(["$l0", "$l1", f"{self.rng.getrandbits(60)}ull", "(ull)$u1"])
        a, b = self.wide(size - 1), self.wide(size - 1)
        return self.rng.choice([f"({a} {self.rng.choice('+-*^&|')} {b})", f"(ull)({self.unsigned(size - 1)})", f"({a} >> (({self.unsigned(1)}) & 63))",
                                f"({a} << (({self.unsigned(1)}) & 63))", f"({a} % ({b} | 1))", f"Mixer<ull, 2>{{{a}}}({b})"])

    def floating(self, kind, size):
        letter = kind[0]
        if size <= 0 or self.rng.random() < 0.2:
            return self.rng.choice([f"${letter}0", f"({kind}){self.rng.randrange(-9, 9)}", f"small_of<{kind}>({self.unsigned(0)})",
                                    "small_of<float>($u2)", f"({kind})$f1"])
        a, b = self.floating(kind, size - 1), self.floating(kind, size - 1)
        return self.rng.choice([f"small<{kind}>({a} {self.rng.choice('+-*')} {b})", f"small<{kind}>({a} * {b} + {self.floating(kind, 0)})",
                                f"({a} < {b} ? {a} : {b})", f"twisted_float<{kind}>({a}, {b})", f"small_of<{kind}>({self.unsigned(size - 1)})"])

    def condition(self, size):
        a, b = self.unsigned(max(size, 0)), self.unsigned(max(size, 0))
        if size <= 0:
            return f"{a} < {b}"
        return self.rng.choice([f"({a} {self.rng.choice(['<', '<=', '==', '!=', '>', '>='])} {b})", f"({a} & {1 << self.rng.randrange(4)})",
                                f"({self.condition(size - 1)} && {self.condition(size - 1)})", f"({self.condition(size - 1)} || {self.condition(size - 1)})",
                                f"!({self.condition(size - 1)})", f"({self.floating('float', 1)} < {self.floating('float', 1)})",
                                f"((int)({a}) < (int)({b}))", f"({self.wide(size - 1)} < {self.wide(size - 1)})"])

    def value(self, kind, size=3):
        if kind in ("float", "double"):
            return self.floating(kind, size)
        return self.wide(size) if kind == "ull" else f"({kind})({self.unsigned(size)})"

    def variable(self, kinds=None):
        kind, letter, count = self.rng.choice([row for row in FIELDS if kinds is None or row[0] in kinds])
        return kind, f"${letter}{self.rng.randrange(count)}"

    # Statements. `whole`: all threads of the block that are left are here.
    def assign(self, depth):
        choice = self.rng.random()
        kind, to = self.variable()
        if choice < 0.6:
            self.both(depth, f"{to} = {self.value(kind)};")
        elif choice < 0.7:
            self.both(depth, f"$a0[{self.unsigned(1)} & 3] {self.rng.choice(['=', '+=', '^='])} {self.unsigned(2)};")
        elif choice < 0.8:
            self.both(depth, f"switch (({self.unsigned(2)}) % 5) {{ case 0: $u0 += 3; break; case 2: $u1 = {self.unsigned(1)}; "
                             f"case 3: $u2 ^= {self.unsigned(1)}; break; default: $c0 = (unsigned char)($c0 + 1); }}")
        elif choice < 0.9:
            self.both(depth, f"{{ const auto by = [&](unsigned x) {{ $u3 += x; return x * $u0 + {self.unsigned(1)}; }}; {to} = ({kind})(by({self.unsigned(1)}) % 900); }}")
        else:
            self.both(depth, f"change{self.index}($u{self.rng.randrange(4)}, $a0, {self.unsigned(2)});")

    def atomic(self, depth):
        name = self.rng.choice(list(ATOMICS))
        kind, call, means = ATOMICS[name]
        at, value = f"({self.unsigned(1)}) & 7", self.unsigned(2)
        self.on_device(call.format(a=f"args.{name} + ({at})", v=value) + ";")
        text = means.format(e=f"args.{name}[{at}]", v=value)
        self.on_host(f"for (Thread{self.index}& t : block) if (t.on[{depth}]) {{ {text.replace('$', 't.')}; }}")

    def in_warps(self, depth, kind, get, set_text):
        self.on_host(f"in_warps<{kind}>(block, {depth}, [&](Thread{self.index}& t) -> {kind} {{ return {get.replace('$', 't.')}; }}, "
                     f"[&](Thread{self.index}& t, unsigned mask, const {kind}* v) {{ (void)mask; (void)v; {set_text.replace('$', 't.')} }});")

    def warp(self, depth):
        rng, mask = self.rng, f"m{depth}"
        choice = rng.randrange(8)
        if choice <= 1:
            kind, to = self.variable(["unsigned", "ull", "float", "double", "int"])
            value, width = self.value(kind), rng.choice([32, 32, 16, 8, 4, 2])
            way = rng.choice(["up", "down", "xor", "index"])
            by = rng.choice(["(N & 3)", str(rng.randrange(width))]) if way != "index" else f"(({self.unsigned(1)}) & 31)"
            source = self.name("source")
            call = "__shfl_sync" if way == "index" else f"__shfl_{way}_sync"
            self.on_device(f"const unsigned {source} = source_{way}(lane, {by}, {width});")
            self.on_device(f"{to} = {call}({mask}, {value}, {source if way == 'index' else by}, {width}); if (!({mask} >> {source} & 1)) {to} = 0;")
            self.in_warps(depth, kind, value, f"const unsigned s = source_{way}(t.lane, {by}, {width}); {to} = mask >> s & 1 ? v[s] : 0;")
        elif choice == 2:
            vote, means = rng.choice([("__any_sync", "any"), ("__all_sync", "all"), ("__ballot_sync", "ballot")])
            to, asked = f"$u{rng.randrange(4)}", self.condition(2)
            self.on_device(f"{to} = {to} * 3 + ({vote}({mask}, {asked})" + (" != 0);" if means != "ballot" else ");"))
            self.in_warps(depth, "unsigned", f"({asked}) ? 1u : 0u",
                          f"unsigned b = 0; for (unsigned i = 0; i < 32; ++i) b |= v[i] << i; {to} = {to} * 3 + " +
                          {"any": "(b != 0)", "all": "(b == mask)", "ballot": "b"}[means] + ";")
        elif choice == 3:
            kind = rng.choice(["unsigned", "ull"])
            to, value = f"$u{rng.randrange(4)}", f"({kind})(({self.unsigned(2)}) & 3)"
            if rng.random() < 0.6:
                self.on_device(f"{to} = __match_any_sync({mask}, {value});")
                self.in_warps(depth, kind, value, f"unsigned b = 0; for (unsigned i = 0; i < 32; ++i) if (mask >> i & 1 && v[i] == v[t.lane]) b |= 1u << i; {to} = b;")
            else:
                same = self.name("same")
                self.on_device(f"int {same} = 7; {to} = __match_all_sync({mask}, {value}, &{same}) + {same};")
                self.in_warps(depth, kind, value, f"bool all = true; for (unsigned i = 0; i < 32; ++i) if (mask >> i & 1 && v[i] != v[t.lane]) all = false; {to} = all ? mask + 1 : 0;")
        elif choice == 4:
            name, means = rng.choice([("add", "a + b"), ("min", "a < b ? a : b"), ("max", "a > b ? a : b"), ("and", "a & b"), ("or", "a | b"), ("xor", "a ^ b")])
            kind = rng.choice(["unsigned", "int"]) if name in ("min", "max") else "unsigned"
            to, value = ("$i0" if kind == "int" else f"$u{rng.randrange(4)}"), f"({kind})({self.unsigned(2)})"
            self.on_device(f"{to} = __reduce_{name}_sync({mask}, {value});")
            self.in_warps(depth, kind, value, f"bool first = true; {kind} a = 0; for (unsigned i = 0; i < 32; ++i) if (mask >> i & 1) {{ const {kind} b = v[i]; a = first ? b : {means}; first = false; }} {to} = a;")
        elif choice == 5:
            to, value, at = f"$u{rng.randrange(4)}", self.unsigned(2), self.unsigned(1)
            # The last one orders what was read before what a part of these threads may write then: votes order no memory.
            self.on_device(f"__syncwarp({mask}); of_warps[tid] = {value}; __syncwarp({mask}); {to} = of_warps[tid - lane + nth_of({mask}, {at})]; "
                           f"__syncwarp({mask});")
            self.in_warps(depth, "unsigned", value, f"{to} = v[nth_of(mask, {at})];")
        elif choice == 6:
            to, value = f"$u{rng.randrange(4)}", self.unsigned(2)
            self.on_device(f"{to} = butterfly<{rng.choice([4, 16])}>({mask}, lane, {value});".replace("butterfly<4>", "butterfly<16>"))
            self.in_warps(depth, "unsigned", value, f"unsigned now[32], next[32]; for (int i = 0; i < 32; ++i) now[i] = v[i]; "
                          f"for (unsigned w = 16; w > 0; w /= 2) {{ for (unsigned i = 0; i < 32; ++i) next[i] = now[i] + (mask >> (i ^ w) & 1 ? now[i ^ w] : 0); "
                          f"for (int i = 0; i < 32; ++i) now[i] = next[i]; }} {to} = now[t.lane];")
        else:
            self.atomic(depth)

    def tiles(self):
        rng = self.rng
        sizes = [s for s in (2, 4, 8, 16, 32) if self.alive % s == 0]
        if not sizes:
            return self.warp(0)
        size, tile, value = rng.choice(sizes), self.name("tile"), self.unsigned(2)
        to, k = f"$u{rng.randrange(4)}", rng.randrange(size)
        self.on_device(f"const auto {tile} = cg::tiled_partition<{size}>(cg::this_thread_block());")
        base = f"const unsigned b = t.lane & ~({size}u - 1);"
        choice = rng.randrange(7)
        if choice == 0:
            self.on_device(f"{to} = {tile}.shfl({value}, {k}) + {tile}.shfl_xor({value}, 1);")
            self.in_warps(0, "unsigned", value, f"{base} {to} = v[b + {k}] + v[t.lane ^ 1];")
        elif choice == 1:
            name, means, start = rng.choice([("plus", "a + v[b + i]", "0"), ("less", "std::min<unsigned>(a, v[b + i])", "~0u"), ("greater", "std::max<unsigned>(a, v[b + i])", "0"), ("bit_xor", "a ^ v[b + i]", "0")])
            self.on_device(f"{to} = cg::reduce({tile}, (unsigned)({value}), cg::{name}<unsigned>());")
            self.in_warps(0, "unsigned", value, f"{base} unsigned a = {start}; for (unsigned i = 0; i < {size}; ++i) a = {means}; {to} = a;")
        elif choice == 2:
            which = rng.choice(["inclusive", "exclusive"])
            self.on_device(f"{to} = cg::{which}_scan({tile}, (unsigned)({value}), cg::plus<unsigned>());")
            self.in_warps(0, "unsigned", value, f"{base} unsigned a = 0; for (unsigned i = b; i {'<=' if which == 'inclusive' else '<'} t.lane; ++i) a += v[i]; {to} = a;")
        elif choice == 3:
            self.on_device(f"{to} = {tile}.ballot(({value}) & 1) * 2 + ({tile}.any(({value}) & 6) != 0) + {tile}.meta_group_rank() * 5 + {tile}.thread_rank();")
            self.in_warps(0, "unsigned", value, f"{base} unsigned a = 0; bool any = false; for (unsigned i = 0; i < {size}; ++i) a |= (v[b + i] & 1) << i, any |= (v[b + i] & 6) != 0; "
                          f"{to} = a * 2 + any + $tid / {size} * 5 + (t.lane - b);")
        elif choice == 4:
            part = self.name("part")
            self.on_device(f"const auto {part} = cg::labeled_partition({tile}, ({value}) & 3); {to} = {part}.size() * 100 + {part}.thread_rank() + cg::reduce({part}, lane, cg::plus<unsigned>()) * 7;")
            self.in_warps(0, "unsigned", f"({value}) & 3", f"{base} unsigned n = 0, r = 0, a = 0; for (unsigned i = 0; i < {size}; ++i) if (v[b + i] == v[t.lane]) {{ ++n; r += b + i < t.lane; a += b + i; }} {to} = n * 100 + r + a * 7;")
        elif choice == 5:
            self.on_device(f"{to} = {tile}.match_any(({value}) & 3); {tile}.sync();")
            self.in_warps(0, "unsigned", f"({value}) & 3", f"{base} unsigned a = 0; for (unsigned i = 0; i < {size}; ++i) a |= (unsigned)(v[b + i] == v[t.lane]) << i; {to} = a;")
        else:
            part, k2 = self.name("part"), rng.choice([s for s in (1, 2, 4, 8, 16, 32) if s < size])
            self.on_device(f"const auto {part} = cg::tiled_partition<{k2}>({tile}); {to} = {part}.shfl_down({value}, 1) + {part}.num_threads();")
            self.in_warps(0, "unsigned", value, f"{to} = v[source_down(t.lane, 1, {k2})] + {k2};")

    def of_block(self):
        rng, n = self.rng, self.threads
        choice = rng.randrange(5)
        to, value, i = f"$u{rng.randrange(4)}", self.unsigned(2), self.index
        if choice == 0:
            place = rng.choice([f"(tid + {rng.randrange(n)}) % {n}", f"{n} - 1 - tid"])
            read, array = f"({self.unsigned(1)}) % {n}", rng.choice(["shared", "dynamic" if self.dynamic else "shared"])
            self.on_device(f"{array}[{place}] = {value}; __syncthreads(); {to} = (unsigned){array}[{read}]; __syncthreads();")
            self.on_host(f"for (Thread{i}& t : block) if (t.on[0]) {{ const unsigned tid = t.tid; {array}[{place}] = {value.replace('$', 't.')}; }}")
            self.on_host(f"for (Thread{i}& t : block) if (t.on[0]) {{ {to.replace('$', 't.')} = (unsigned){array}[{read.replace('$', 't.')}]; }}")
        elif choice == 1:
            vote, asked = rng.choice(["count", "and", "or"]), self.condition(2)
            sync = rng.choice(["__syncthreads", "cg::this_thread_block().sync", "cg::sync"])
            if sync == "cg::sync":
                self.on_device("cg::sync(cg::this_thread_block());")
            else:
                self.on_device(f"{sync}();")
            self.on_device(f"{to} += (__syncthreads_{vote}({asked})" + (");" if vote == "count" else " != 0);"))
            self.on_host(f"{{ unsigned count = 0, all = 0; for (Thread{i}& t : block) if (t.on[0]) {{ ++all; count += ({asked.replace('$', 't.')}) ? 1 : 0; }} "
                         f"for (Thread{i}& t : block) if (t.on[0]) {to.replace('$', 't.')} += {dict(count='count', **{'and': 'count == all', 'or': 'count != 0'})[vote]}; }}")
        elif choice == 2:
            at = self.unsigned(1)
            self.on_device(f"if (tid < 8) sums[tid] = 0; __syncthreads(); atomicAdd(sums + (({at}) & 7), {value}); __syncthreads(); {to} ^= sums[({at} + 1) & 7]; __syncthreads();")
            self.on_host(f"for (unsigned& sum : sums) sum = 0; for (Thread{i}& t : block) if (t.on[0]) sums[({at.replace('$', 't.')}) & 7] += {value.replace('$', 't.')};")
            self.on_host(f"for (Thread{i}& t : block) if (t.on[0]) {to.replace('$', 't.')} ^= sums[({at.replace('$', 't.')} + 1) & 7];")
        elif choice == 3:  # a tree
            self.on_device(f"shared[tid] = {value}; __syncthreads(); for (unsigned s = 64; s > 0; s >>= 1) {{ if (tid < s && tid + s < {self.alive}) shared[tid] += shared[tid + s]; __syncthreads(); }} "
                           f"{to} = shared[0]; __syncthreads();")
            self.on_host(f"for (Thread{i}& t : block) if (t.on[0]) shared[t.tid] = {value.replace('$', 't.')};")
            self.on_host(f"for (unsigned s = 64; s > 0; s >>= 1) for (unsigned k = 0; k < s && k + s < {self.alive}; ++k) shared[k] += shared[k + s];")
            self.on_host(f"for (Thread{i}& t : block) if (t.on[0]) {to.replace('$', 't.')} = shared[0];")
        else:
            self.tiles()

    def steps(self, depth, whole, count):
        for _ in range(count):
            choice = self.rng.random()
            if choice < 0.35 or (depth == 3 and choice > 0.8):
                self.assign(depth)
            elif choice < 0.55:
                self.of_block() if whole else self.warp(depth)
            elif choice < 0.75:
                self.warp(depth)
            elif choice < 0.8:
                self.atomic(depth)
            elif choice < 0.87:
                loop = self.name("k")
                head = f"for (unsigned {loop} = 0; {loop} < {self.rng.choice(['2u', '3u', 'args.n', '(unsigned)N'])}; ++{loop}) {{"
                if self.rng.random() < 0.3:
                    self.on_device("#pragma unroll")
                self.on_device(head)
                self.on_host(head)
                self.both(depth, f"$u{self.rng.randrange(4)} += {loop};")
                self.steps(depth, whole, 2)
                self.on_device("}")
                self.on_host("}")
            elif choice < 0.94:
                self.branch(depth)
            else:
                self.loop(depth)

    def branch(self, depth):
        asked, taken, inner = self.condition(2), self.name("taken"), depth + 1
        i = self.index
        self.on_device(f"{{ const bool {taken} = {asked}; const unsigned all{inner} = __ballot_sync(m{depth}, {taken});")
        self.on_host(f"for (Thread{i}& t : block) t.on[{inner}] = t.on[{depth}] && ({asked.replace('$', 't.')});")
        self.on_device(f"if ({taken}) {{ const unsigned m{inner} = all{inner}; (void)m{inner};")
        self.steps(inner, False, self.rng.randrange(1, 4))
        if self.rng.random() < 0.5:
            self.on_device(f"}} else {{ const unsigned m{inner} = m{depth} & ~all{inner}; (void)m{inner};")
            self.on_host(f"for (Thread{i}& t : block) t.on[{inner}] = t.on[{depth}] && !t.on[{inner}];")
            self.on_host("/* else */")
            # who was there is still in on[inner], as nothing below changes it
            self.steps(inner, False, self.rng.randrange(1, 3))
        self.on_device("} }")

    def loop(self, depth):
        times, turn, inner, i = self.name("times"), self.name("turn"), depth + 1, self.index
        count = f"({self.unsigned(2)}) & 3"
        ends = self.condition(1) if self.rng.random() < 0.4 else None
        self.on_device(f"{{ const unsigned {times} = {count}; unsigned m{inner} = m{depth};")
        self.on_device(f"for (unsigned {turn} = 0;; ++{turn}) {{ m{inner} = __ballot_sync(m{inner}, {turn} < {times}); if ({turn} >= {times}) break;")
        self.on_host(f"for (Thread{i}& t : block) t.times[{inner}] = {count.replace('$', 't.')}, t.on[{inner}] = t.on[{depth}];")
        self.on_host(f"for (unsigned {turn} = 0; {turn} < 4; ++{turn}) {{ for (Thread{i}& t : block) t.on[{inner}] = t.on[{inner}] && {turn} < t.times[{inner}];")
        self.steps(inner, False, self.rng.randrange(1, 3))
        if ends:
            stop = self.name("stop")
            self.on_device(f"const bool {stop} = {ends}; m{inner} = __ballot_sync(m{inner}, !{stop}); if ({stop}) break;")
            self.on_host(f"for (Thread{i}& t : block) t.on[{inner}] = t.on[{inner}] && !({ends.replace('$', 't.')});")
        self.on_device("} }")
        self.on_host("}")

    # The whole.
    def start(self):
        for kind, letter, count in FIELDS:
            for k in range(count):
                text = f"${letter}{k} = " + (f"small_of<{kind}>(args.in[($tid + {k}) % 256]);" if kind in ("float", "double") else
                                             f"({kind})(args.in[($tid * {2 * k + 1} + $bid) % 256] * {self.rng.getrandbits(16)}u);")
                self.device.append(f"{kind} " + text.replace("$", ""))
                self.on_host(f"for (Thread{self.index}& t : block) {{ {text.replace('$', 't.')} }}")
        self.device.append("unsigned a0[4] = {tid, 1, u0, 3};")
        self.on_host(f"for (Thread{self.index}& t : block) {{ const unsigned a0[] = {{t.tid, 1, t.u0, 3}}; for (int k = 0; k < 4; ++k) t.a0[k] = a0[k]; }}")

    def text(self):
        i, n = self.index, self.threads
        functions = []
        for k in range(2):
            body, indexed = self.simple(3), 1
            while indexed:  # an index may have one of its own, the inner ones go first
                body, indexed = re.subn(r"(\$|args\.)\w+\[[^\[\]]*\]", lambda m: self.rng.choice("ab"), body)
            body = re.sub(r"\$\w+(\.\w)?|blocks\.x|args\.\w+", lambda m: self.rng.choice("ab"), body)
            functions.append(f"{self.rng.choice(['BOTH', '__noinline__ __host__ __device__'])} unsigned f{i}_{k}(unsigned a, unsigned b) {{ return {body}; }}")
        functions.append(f"BOTH void change{i}(unsigned& to, unsigned* a, unsigned by) {{ to += a[by & 3]; a[(by >> 2) & 3] = to ^ by; }}")
        self.start()
        self.on_device(f"shared[tid] = u0; {'dynamic[tid] = l0;' if self.dynamic else ''} __syncthreads();")
        self.on_host(f"for (Thread{i}& t : block) {{ shared[t.tid] = t.u0; dynamic[t.tid] = t.l0; }}")
        if self.alive < n:
            self.on_device(f"if (tid >= {self.alive}) return;")
        self.steps(0, True, 2 if self.small else self.rng.randrange(5, 11))
        lines = "\n  ".join(self.device)
        fields = " ".join(f"{kind} {', '.join(f'{letter}{k}' for k in range(count))};" for kind, letter, count in FIELDS)
        values = ["$u0", "$u1", "$u2", "$u3", "(unsigned)$l0", "(unsigned)($l0 >> 32)", "(unsigned)$l1", "(unsigned)(int)$f0", "(unsigned)(int)$f1", "(unsigned)(int)$d0",
                  "(unsigned)$i0", "(unsigned)$c0", "(unsigned)$h0", "$a0[0]", "$a0[1]", "$a0[2] ^ $a0[3]"]
        results = " ".join(f"args.out[16 * ($bid * {n} + $tid) + {k}] = {value};" for k, value in enumerate(values))
        host_lines = "\n  ".join(self.host)
        b = self.block
        return "\n".join(functions) + f"""
template <int N> __global__ void k{i}(Arguments args) {{
  const uint3 thread = threadIdx; const dim3 blocks = gridDim;
  const unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), lane = tid % 32;
  const unsigned bid = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  __shared__ unsigned shared[{n}], of_warps[{n}], sums[8];
  {'extern __shared__ ull dynamic[];' if self.dynamic else ''}
  const unsigned there = tid - lane + 32 <= {self.alive} ? ~0u : tid - lane >= {self.alive} ? 0 : (1u << ({self.alive} - (tid - lane))) - 1, m0 = there;
  (void)thread; (void)blocks; (void)lane; (void)m0; (void)of_warps; (void)sums;
  {lines}
  {results.replace('$', '')}
}}
struct Thread{i} {{ uint3 thread; unsigned tid, bid, lane; bool on[8]; unsigned times[8], a0[4]; {fields} }};
template <int N> void host{i}(Arguments args) {{
  const dim3 blocks({self.grid[0]}, {self.grid[1]}, {self.grid[2]}); (void)blocks;
  for (unsigned bid = 0; bid < {self.grid[0] * self.grid[1] * self.grid[2]}; ++bid) {{
  std::vector<Thread{i}> block({n});
  unsigned shared[{n}], sums[8]; ull dynamic[{n}]; (void)sums;
  for (unsigned i = 0; i < {n}; ++i) {{
    Thread{i}& t = block[i]; std::memset(&t, 0, sizeof t);
    t.thread = {{i % {b[0]}, i / {b[0]} % {b[1]}, i / {b[0] * b[1]}}}; t.tid = i; t.bid = bid; t.lane = i % 32; t.on[0] = i < {self.alive};
  }}
  {host_lines}
  for (Thread{i}& t : block) if (t.on[0]) {{ {results.replace('$', 't.')} }}
  }}
}}
"""

    def simple(self, size):
        text = self.unsigned(size)
        while re.search(r"\bf\d|N\b|table|variable|args\.in", text) or len(text) > 600:
            text = self.unsigned(size)
        return text

    def launch(self):
        i, size = self.index, f"{self.threads} * sizeof(ull)" if self.dynamic else "0"
        grid, block = (f"dim3({x[0]}, {x[1]}, {x[2]})" for x in (self.grid, self.block))
        if self.rng.random() < 0.5:
            return f"k{i}<{self.template}><<<{grid}, {block}, {size}, streams[{i % 2}]>>>(args);"
        return f"{{ void* list[] = {{&args}}; CHECKED(cudaLaunchKernel(k{i}<{self.template}>, {grid}, {block}, list, {size}, streams[{i % 2}])); }}"
