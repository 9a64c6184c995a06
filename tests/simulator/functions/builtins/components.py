"""Calls of functions that take numbers and vectors, and whose answers are those of each work-item alone."""
import declarations
import numbers_of_opencl as numbers
import rules
from compared import is_right

TUPLES = 700  # of arguments, at most


class Call:
    """A function with its arguments, and the part of a kernel that calls it."""

    def __init__(self, function, choice):
        self.function = function
        self.values = [p for p in function.parameters if not p.space]
        self.results = [function.result] + [p for p in function.parameters if p.space]
        width = max(p.width for p in self.values)
        tuples = self.tuples(choice)
        self.items = -(-len(tuples) // width)
        tuples += tuples[: self.items * width - len(tuples)]
        self.rows = [[[tuples[i * width + c][k] for c in range(p.width)] for k, p in enumerate(self.values)]
                     for i in range(self.items)]

    def tuples(self, choice):
        values = self.values
        edges = [numbers.edges(p.scalar) for p in values]
        if self.function.name.startswith("bitfield_"):
            edges = [e if p.scalar != "uint" or k == 0 or (k == 1 and "insert" in self.function.name) else list(range(65))
                     for k, (e, p) in enumerate(zip(edges, values))]
        if len(values) == 1:
            chosen = [(e,) for e in edges[0]]
        elif len(values) == 2:
            chosen = [(x, y) for x in edges[0] for y in edges[1]]
            choice.shuffle(chosen)
            chosen = chosen[:TUPLES]
        else:
            chosen = [tuple(choice.choice(e) for e in edges) for _ in range(TUPLES // 2)]
        for _ in range(max(40, (TUPLES - len(chosen)) // 8)):
            chosen.append(tuple(numbers.random_value(p.scalar, choice) for p in values))
        return chosen

    def inputs(self):
        """Bytes of each parameter, an element for each work-item."""
        return [numbers.packed(p.scalar, [row[k] for row in self.rows], p.step // declarations.SIZES[p.scalar])
                for k, p in enumerate(self.values)]

    def text(self, places, out):
        arguments, before, after, at = [], "", "", 0
        for number, parameter in enumerate(self.function.parameters):
            if parameter.space:
                space = parameter.space if parameter.space in ("global", "local") else "private"
                if space == "global":
                    arguments.append(f"(global {parameter.value}*)(out + {out[-1]}) + i")
                else:
                    name = f"p{number}"
                    if space == "local":
                        name = f"l{out[0]}_{number}"
                        self.locals = f"local {parameter.value} {name};\n"
                    else:
                        before += f"{parameter.value} {name}; "
                    arguments.append(f"&{name}")
                    after += f"((global {parameter.value}*)(out + {out[-1]}))[i] = {name}; "
            else:
                arguments.append(f"((global const {parameter.value}*)(in + {places[at]}))[i]")
                at += 1
        result = self.function.result
        return (f"if (i < {self.items}) {{ {before}((global {result.value}*)(out + {out[0]}))[i] = "
                f"{self.function.name}({', '.join(arguments)}); {after}}}\n")

    def wrong(self, outputs):
        texts, compared = [], 0
        for i, row in enumerate(self.rows):
            for result, answers, output in zip(self.results, rules.answers_of(self.function, row), outputs):
                for c, answer in enumerate(answers):
                    compared += answer.value is not None
                    if not is_right(output[i][c], answer, result.scalar):
                        texts.append(f"{self.function}: {row} [{c}]: {output[i][c]!r} instead of {answer}")
        return texts, compared
