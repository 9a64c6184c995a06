"""The launches of a program on the model of a GPU: the largest of each kernel, the costliest kernel first."""
import json
import shutil

import runs
from runs import LayerTest, SOURCES, WORK, program

SIZES = program("sizes")


class MemoryTest(LayerTest):
    def look(self, *options):
        self.output = WORK / "results"
        shutil.rmtree(self.output, ignore_errors=True)
        return runs.run([runs.GPUTEST, "run", "--memory", "1", "--output", str(self.output), "--cache", str(WORK / "cache"),
                         "--kernels", str(SOURCES / "sizes.c"), *options, "--", SIZES])

    def results(self, kernel):
        return json.loads((self.output / f"sizes.{kernel}" / "memory.json").read_text())

    def test_the_largest_launches_are_modelled(self):
        done = self.look("--largest", "2", "--gpu", "h200", "--html", str(WORK / "page.html"))
        self.assertEqual((done.returncode, done.stdout.split(b"\n")[0]), (0, b"done"), done.stderr)
        rows = [line.split() for line in done.stdout.decode().splitlines()[2:]]
        # Both of 256 work-items; the one with a stride of 3 elements has more transactions than that with 1.
        self.assertEqual([row[0] for row in rows], ["sizes.strided", "sizes.strided", "sizes.twice"])
        cases = self.results("strided")["cases"]
        reads = [next(one for one in case["references"] if one["access"] == "read") for case in cases]
        self.assertEqual([one["work_items"] for one in reads], [256, 256])
        self.assertEqual([one["transactions"] for one in reads], [32, 96])
        self.assertEqual([int(row[1]) for row in rows[:2]], [case["cycles"] for case in cases])
        self.assertEqual(self.results("twice")["gpu"], "h200")
        self.assertTrue((self.output / "sizes.strided" / "memory" / "1.json").exists())
        self.assertIn("strided", (WORK / "page.html").read_text())
        # The schedule that was found runs again as it was.
        again = runs.run([runs.GPUTEST, "replay", str(self.output / "sizes.strided" / "memory" / "1.json")])
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertIn(b"cycles, as in the file", again.stdout)

    def test_what_is_not_kept_takes_no_place(self):
        output = WORK / "repeats"
        shutil.rmtree(output, ignore_errors=True)
        done = runs.run([runs.GPUTEST, "run", "--memory", "1", "--output", str(output), "--cache", str(WORK / "cache"), "--kernels",
                         str(SOURCES / "repeats.c"), "--largest", "3", "--max-bytes", "10000", "--", program("repeats")])
        self.assertEqual(done.returncode, 0, done.stderr)
        cases = json.loads((output / "repeats.twice" / "memory.json").read_text())["cases"]
        self.assertEqual([case["references"][0]["work_items"] for case in cases], [256, 256, 128])

    def test_limits(self):
        done = self.look("--cycles", "1")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"error: sizes.strided: case 'sizes.strided.1' takes ", done.stderr)
        self.assertEqual(len(self.results("strided")["cases"]), 1)

    def test_what_cannot_be_modelled_is_named(self):
        done = self.look("--max-bytes", "128")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"strided: not captured: its buffers and images have more bytes than --max-bytes 128", done.stderr)
        self.assertIn(b"error: no launch of layer_sizes was modelled: it launched none that could be kept", done.stderr)
        done = self.look("--gpu", "no_such_gpu")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"error: there is no GPU 'no_such_gpu'", done.stderr)
        done = self.look("--caches", "warm", "--gpu", "h200")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"CACHES warm is for CUDA and HIP: launches of OpenCL programs are kept as test cases", done.stderr)
        done = runs.run([runs.GPUTEST, "run-cuda", "--memory", "--output", str(self.output), "--", SIZES])
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"error: no launch of layer_sizes was modelled: it launched no kernel in the simulator", done.stderr)


runs.main()
