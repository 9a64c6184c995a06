"""Launches as test cases: with images of every kind, samplers, and memory that is given twice; and a host program of the
kernel that runs these cases finds what the program left."""
import json
import shutil

import runs
from runs import LayerTest, SOURCES, WORK, program

IMAGES = [program("images"), str(SOURCES / "images.cl")]


class CaptureTest(LayerTest):
    def capture(self, command, *options):
        self.output = WORK / "cases"
        shutil.rmtree(self.output, ignore_errors=True)
        plain = runs.run(command)
        if b"no images" in plain.stdout:
            self.skipTest("the device has no images")
        done = runs.run([runs.GPUTEST, "capture", "--max-cases", "20", *options, "--output", str(self.output), "--cache",
                         str(WORK / "cache"), "--kernels", str(SOURCES / "images.cl"), "--", *command])
        self.assertEqual((done.returncode, done.stdout), (0, plain.stdout), done.stderr)
        return done.stderr.decode()

    def cases(self, kernel):
        files = self.output.glob(f"images.{kernel}.*.json")
        return {file: json.loads(file.read_text()) for file in sorted(files)}

    def replay(self, kernel, files, source=SOURCES / "images.cl"):
        folder = WORK / kernel
        folder.mkdir(exist_ok=True)
        described = runs.run([runs.GPUTEST, "describe", str(source), "-o", str(folder / "interface.json")])
        self.assertEqual(described.returncode, 0, described.stderr)
        description = folder / "description.json"
        description.write_text(json.dumps({"source": str(source), "kernel": kernel, "kernel_dir": str(folder),
                                           "test_cases": [str(file) for file in files]}))
        return runs.run([program("harness"), str(description), "--json", str(folder / "test.json")])

    def test_cases_are_replayed(self):
        self.capture(IMAGES)
        for kernel in ("sample", "kinds", "paint", "sum"):
            with self.subTest(kernel):
                cases = self.cases(kernel)
                if not cases:
                    self.skipTest(f"the device has no images for {kernel}")
                held = self.replay(kernel, cases)
                self.assertEqual(held.returncode, 0, held.stdout + held.stderr)
                self.assertIn(b"expected outputs are recorded, not verified", held.stdout)
                # What it left is looked at: another value there is a failure.
                file, case = next(iter(cases.items()))
                output = case["expected"][{"sample": "out", "kinds": "out", "paint": "row", "sum": "to"}[kernel]]
                self.assertIsInstance(output, list)
                first = output[0]
                output[0] = [value + 1 for value in first] if isinstance(first, list) else first + 1
                wrong = file.with_name("wrong.json")
                wrong.write_text(json.dumps(case))
                self.assertEqual(self.replay(kernel, [wrong]).returncode, 1)

    def test_launches_with_too_many_bytes_are_left_out(self):
        said = self.capture(IMAGES, "--max-bytes", "128")
        self.assertIn("have more bytes than --max-bytes 128", said)
        kept = {kernel: len(self.cases(kernel)) for kernel in ("sample", "kinds", "paint", "sum")}
        self.capture(IMAGES, "--max-bytes", "1048576")
        self.assertLess(sum(kept.values()), sum(len(self.cases(kernel)) for kernel in kept))
        wrong = runs.run([runs.GPUTEST, "capture", "--max-bytes", "some", "--", *IMAGES])
        self.assertEqual((wrong.returncode, wrong.stdout), (2, b""), wrong.stderr)

    def test_what_cases_say(self):
        self.capture(IMAGES)
        said = [(case["arguments"]["image"]["channel_order"], case["arguments"]["image"]["channel_type"],
                 *case["arguments"]["sampler"].values()) for case in self.cases("sample").values()]
        self.assertIn(("RGBA", "float", "clamp", "nearest", False), said)
        self.assertIn(("RGBA", "unorm_int8", "clamp_to_edge", "linear", False), said)
        for case in self.cases("kinds").values():
            self.assertEqual([case["arguments"][name]["shape"] for name in ("line", "held", "lines", "layers", "volume")],
                             [[8], [8], [8, 2], [4, 2, 3], [4, 2, 2]])
            self.assertEqual(case["arguments"]["lines"]["channel_type"], "signed_int16")
        for case in self.cases("paint").values():
            self.assertTrue(case["arguments"]["picture"]["file"].endswith(".picture.npy"))
            self.assertTrue(case["expected"]["picture"].endswith(".picture.expected.npy"))
            self.assertEqual(case["expected"]["row"][3], 103)

    def test_what_is_not_captured(self):
        errors = self.capture(IMAGES)
        self.assertEqual(len(self.cases("sum")), 1)  # where what is given twice is only read
        self.assertIn("sum: not captured: argument 'to' is memory that another argument is as well", errors)
        if b"other format" in runs.run(IMAGES).stdout:
            self.assertIn("argument 'image': this channel order or channel type is not supported", errors)

    def test_a_launch_is_the_seed_of_generation(self):
        """What lies behind a hash is reached from the numbers that a program launches, and from nothing else."""
        source = SOURCES / "lock.cl"
        self.output = WORK / "locked"
        shutil.rmtree(self.output, ignore_errors=True)
        done = runs.run([runs.GPUTEST, "capture", "--output", str(self.output), "--cache", str(WORK / "cache"), "--kernels",
                         str(source), "--", program("small"), str(source)])
        self.assertEqual(done.returncode, 0, done.stderr)

        def generate(*cases):
            to = WORK / "generated"
            shutil.rmtree(to, ignore_errors=True)
            options = [word for case in cases for word in ("--cases", str(case))]
            done = runs.run([runs.GPUTEST, "generate", str(source), "--kernel", "clamp_values", "--budget", "4", "--branch",
                             "-o", str(to), *options])
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout.decode(), [json.loads(file.read_text()) for file in to.glob("*.json")]

        launches = list(self.output.glob("lock.clamp_values.*.json"))
        self.assertEqual(len(launches), 1)
        said, cases = generate(*launches)
        self.assertIn("clamp_values: 8 of 8 outcomes reached", said)
        self.assertIn("6 of them by the cases that were there", said)
        opened = [case for case in cases if "12:9 if true" in case["generated"]["reaches"]]
        self.assertEqual(len(opened), 1, said)
        self.assertEqual(opened[0]["arguments"]["in"][:8], [3 * i - 40 for i in range(8)])
        self.assertEqual(opened[0]["arguments"]["low"], opened[0]["arguments"]["high"])

        # A launch of another kernel is no seed, which is told; and from nothing the lock stays shut.
        said, cases = generate(*self.output.glob("lock.group_sum.*.json"))
        self.assertIn("not looked at: ", said)
        self.assertIn("clamp_values: 5 of 8 outcomes reached", said)
        self.assertFalse([case for case in cases if "11:7 if true" in case["generated"]["reaches"]])

    def test_launches_of_other_calls(self):
        """Linked with a library, in a queue without order, by clEnqueueTask, on sub-buffers and on SVM."""
        output = WORK / "more"
        shutil.rmtree(output, ignore_errors=True)
        command = [program("more_calls"), "all"]
        plain = runs.run(command)
        done = runs.run([runs.GPUTEST, "capture", "--max-cases", "20", "--output", str(output), "--cache", str(WORK / "cache"),
                         "--kernels", str(SOURCES / "more_calls.c"), "--", *command])
        self.assertEqual((done.returncode, done.stdout), (0, plain.stdout), done.stderr)
        launches = set()
        for file in output.glob("*.json"):
            case = json.loads(file.read_text())
            data, limit, (items,) = *case["arguments"].values(), case["global_size"]
            self.assertEqual(case["expected"]["data"], [value - limit if i < items and value > limit else value
                                                        for i, value in enumerate(data)])
            launches.add((limit, items))
        # The two of SVM are alike.
        self.assertTrue({(3, 8), (5, 1)} <= launches, launches)
        self.assertEqual(len(launches), 6 - (b"no parts" in plain.stdout) - (b"no SVM" in plain.stdout), launches)

    def test_a_null_pointer_is_null_in_the_case(self):
        self.output = WORK / "nulls"
        shutil.rmtree(self.output, ignore_errors=True)
        done = runs.run([runs.GPUTEST, "capture", "--output", str(self.output), "--cache", str(WORK / "cache"),
                         "--kernels", str(SOURCES / "misbehaves.c"), "--", program("misbehaves"), "nulls"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(b"not captured", done.stderr)
        files = list(self.output.glob("*.choose.*.json"))
        cases = [json.loads(file.read_text()) for file in files]
        self.assertCountEqual([(case["arguments"]["mask"], case["expected"]["out"]) for case in cases],
                              [(None, [-1] * 4), ([3, 1, 4, 1], [3, 1, 4, 1])])
        source, = self.output.glob("*.cl")
        held = self.replay("choose", files, source)
        self.assertEqual(held.returncode, 0, held.stdout + held.stderr)
        self.assertIn(b"2 of 2 cases passed", held.stdout)

    def test_two_kernels_of_one_name(self):
        output = WORK / "twins"
        shutil.rmtree(output, ignore_errors=True)
        done = runs.run([runs.GPUTEST, "capture", "--cmake", "--output", str(output), "--cache", str(WORK / "cache"),
                         "--kernels", str(SOURCES / "misbehaves.c"), "--", program("misbehaves"), "twins"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"sum: captured without all of a buffer: the last 4 of 20 bytes of 'in' are no whole ", done.stderr)
        added = [text.split() for text in done.stdout.decode().split("gputest_add_kernel(")[1:]]
        self.assertEqual(len(added), 2)
        self.assertIn(f"# For {WORK}/CMakeLists.txt: paths are relative to its folder.", done.stdout.decode())
        for offset, words in enumerate(added, 1):
            source = WORK / words[words.index("SOURCE") + 1].strip('"')
            self.assertIn(f"#define OFFSET {offset}\n", source.read_text())
            pattern = words[words.index("TEST_CASES") + 1].strip('")')
            case = json.loads(next(WORK.glob(pattern)).read_text())
            self.assertEqual(case["arguments"]["in"], [[1, 2], [3, 4]])
            self.assertEqual(case["expected"]["out"], [1 + offset, 3 + offset])


runs.main()
