"""Tests of scripts/bench_guard: what counts as more, what is said, when it fails."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench" / "report"))

import guard  # noqa: E402


class Guard(unittest.TestCase):
    def verdicts(self, committed, counted):
        table = guard.rows({"arm": committed}, {"arm": counted})
        return {row[1]: row[-1] for row in table}, guard.failed(table), guard.advice(table)

    def test_three_percent_are_allowed(self):
        committed = {"a": 1000, "b": 1000, "c": 1000, "d": 1000}
        found, failed, advice = self.verdicts(committed, {"a": 1030, "b": 970, "c": 1000, "d": 999})
        self.assertEqual(set(found.values()), {guard.SAME})
        self.assertEqual((failed, advice), (False, []))

    def test_more_fails(self):
        found, failed, advice = self.verdicts({"a": 1000, "b": 10}, {"a": 1031, "b": 10})
        self.assertEqual(found, {"a": guard.MORE, "b": guard.SAME})
        self.assertTrue(failed)
        self.assertIn("more than 3% above", advice[0])

    def test_less_and_new_ask_for_an_update(self):
        found, failed, advice = self.verdicts({"a": 1000}, {"a": 969, "b": 5})
        self.assertEqual(found, {"a": guard.LESS, "b": guard.NEW})
        self.assertFalse(failed)
        self.assertEqual(len(advice), 1)
        self.assertIn("--update", advice[0])

    def test_what_is_no_longer_counted_fails(self):
        found, failed, advice = self.verdicts({"a": 1000, "b": 5}, {"a": 1000})
        self.assertEqual(found, {"a": guard.SAME, "b": guard.GONE})
        self.assertTrue(failed)
        self.assertTrue(advice[0].startswith("GONE"))

    def test_models_of_both(self):
        table = guard.rows({"gone": {"a": 1}, "both": {"a": 2}}, {"both": {"a": 2}, "new": {"a": 3}})
        self.assertEqual([(row[0], row[-1]) for row in table],
                         [("both", guard.SAME), ("new", guard.NEW), ("gone", guard.GONE)])

    def test_only_counts_of_one_compiler_are_judged(self):
        table = guard.rows({"arm": {"poses": 1000}}, {"arm": {"poses": 2000}})
        lines, status = guard.conclusion(table, "g++ 12", "g++ 13")
        self.assertEqual((lines, status), (["not judged: committed with g++ 12, this is g++ 13"], 0))
        self.assertEqual(guard.conclusion(table, "g++ 13", "g++ 13")[1], 1)
        self.assertEqual(guard.conclusion(table, None, "g++ 13")[1], 1)
        equal = guard.rows({"arm": {"poses": 1}}, {"arm": {"poses": 1}})
        self.assertEqual(guard.conclusion(equal, "g++ 13", "g++ 13"), (["all as committed"], 0))

    def test_table(self):
        text = guard.text(guard.rows({"arm": {"poses": 1000}}, {"arm": {"poses": 1100, "x": 7}}))
        self.assertEqual(text.splitlines(), [
            "model  function  committed  counted  change",
            "arm    poses         1,000    1,100  +10.0%  MORE",
            "arm    x                 -        7          new",
        ])


if __name__ == "__main__":
    unittest.main()
