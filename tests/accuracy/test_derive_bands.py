"""How derive_bands chooses widths: small worked cases."""
import importlib.machinery
import importlib.util
import math
import pathlib
import unittest

loader = importlib.machinery.SourceFileLoader("derive_bands", str(pathlib.Path(__file__).resolve().parent / "derive_bands"))
derive = importlib.util.module_from_spec(importlib.util.spec_from_loader("derive_bands", loader))
loader.exec_module(derive)


class Widths(unittest.TestCase):
    def test_sources_weigh_the_same(self):
        names, points = derive.weighted([("a", 0, 0.1)] * 30 + [("b", 0, 0.5)] * 3)
        self.assertEqual(len(points), 33)
        self.assertAlmostEqual(sum(weight for name, (weight, _, _) in zip(names, points) if name == "b"), 0.5)
        # Half of the weight lies above 0.1.
        self.assertAlmostEqual(derive.held(points, (0, 0.1)), 0.5)
        self.assertEqual(derive.narrowest(points, 0.9, 0.0, (1, 1)), (0.0, 0.5))

    def test_small_sources_are_one(self):
        names, _ = derive.weighted([("a", 0, 0), ("b", 0, 0), ("c", 0, 0), ("c", 0, 0), ("c", 0, 0)])
        self.assertEqual(len(set(names)), 2)

    def test_the_cheaper_side_is_widened(self):
        rows = [("a", 0.3, 0.0)] + [("a", 0.0, 0.2)] + [("a", 0.0, 0.0)] * 8
        self.assertEqual(derive.two_sided(rows, 0.001)[:2], (0.001, 0.2))
        self.assertEqual(derive.two_sided(rows, 0.001, (1, 10))[:2], (0.3, 0.001))

    def test_what_a_reading_asks_for(self):
        self.assertEqual(derive.need(10, 12, 5), 0.0)
        self.assertEqual(derive.need(10, 4, 3), 2.0)
        self.assertEqual(derive.need(10, 0, 0), math.inf)
        self.assertEqual(derive.need(100, 0, 1), math.inf)

    def test_what_no_width_reaches_is_a_miss(self):
        rows = [("a", 0.0, 0.2)] * 4 + [("a", 0.0, math.inf)]
        self.assertEqual(derive.two_sided(rows, 0.001)[:2], (0.001, 0.2))

    def test_the_deciding_row_stays_inside_after_rounding(self):
        self.assertGreaterEqual(derive.outward(0.123456), 0.123456)


if __name__ == "__main__":
    unittest.main()
