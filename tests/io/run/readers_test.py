"""Runs and their exports as others read them: the packages mcap, numpy and h5py, and @mcap/core.

All numbers must be those of Axode's own CSV export, to the last bit.

Usage: readers_test.py AXODE [FOLDER of node_modules]; scripts/ctest/readers fetches the packages
"""

import csv
import json
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np
from mcap.reader import make_reader
from mcap.stream_reader import StreamReader
from mcap.records import Message

ROOT = Path(__file__).resolve().parents[3]
AXODE, MODULES = "", ""
MODEL = ROOT / "models/scara.json"
JOINTS = ["shoulder", "elbow", "slide", "turn"]

NODE = """
const fs = require("fs");
const { McapIndexedReader, McapStreamReader } = require("@mcap/core");
const { decompress } = require("fzstd");
const decompressHandlers = { zstd: (data, size) => decompress(data, new Uint8Array(Number(size))) };
(async () => {
  const bytes = fs.readFileSync(process.argv[1]);
  const readable = {
    size: async () => BigInt(bytes.length),
    read: async (at, size) => new Uint8Array(bytes.subarray(Number(at), Number(at + size))),
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  const found = { topics: {}, states: [], metadata: {}, attachments: [] };
  for await (const message of reader.readMessages()) {
    const { topic } = reader.channelsById.get(message.channelId);
    found.topics[topic] = (found.topics[topic] ?? 0) + 1;
    if (topic === "/state") found.states.push(JSON.parse(new TextDecoder().decode(message.data)));
  }
  for await (const record of reader.readMetadata())
    found.metadata[record.name] = Object.fromEntries(record.metadata);
  for await (const file of reader.readAttachments())
    found.attachments.push([file.name, new TextDecoder().decode(file.data)]);
  const stream = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  stream.append(new Uint8Array(bytes));
  found.streamed = 0;
  for (let record; (record = stream.nextRecord()); ) found.streamed += record.type === "Message";
  found.done = stream.done();
  console.log(JSON.stringify(found));
})();
"""


def axode(*arguments):
    subprocess.run([AXODE, *map(str, arguments)], check=True, capture_output=True, text=True)


class Readers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keep = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.keep.name)
        common = ["simulate", MODEL, "--for", "2s", "--q", "elbow=30deg", "--v", "shoulder=1",
                  "--checkpoint", "500ms", "--quiet"]
        cls.run_file, cls.binary = cls.folder / "a.mcap", cls.folder / "b.mcap"
        axode(*common, "--out", cls.run_file)
        axode(*common, "--out", cls.binary, "--binary")
        for ending in ("csv", "npz", "h5"):
            axode("export", cls.run_file, "-o", cls.folder / f"a.{ending}")
        with open(cls.folder / "a.csv", newline="", encoding="utf-8") as file:
            cls.head, *rows = csv.reader(file)
        cls.rows = np.array([[float(x) for x in row] for row in rows])

    @classmethod
    def tearDownClass(cls):
        cls.keep.cleanup()

    def columns(self, quantity):
        return self.rows[:, [i for i, h in enumerate(self.head) if h.startswith(quantity)]]

    def check_states(self, states):
        self.assertEqual(len(states), len(self.rows))
        for key in ("q", "v", "a", "tau"):
            found = np.array([state[key] for state in states], dtype=float)
            self.assertEqual(found.tobytes(), self.columns(key + ":").tobytes(), key)
        for key, heading in (("t", "time"), ("kinetic", "kinetic"), ("stored", "stored"),
                             ("potential", "potential"), ("work", "work")):
            found = np.array([[state[key]] for state in states], dtype=float)
            self.assertEqual(found.tobytes(), self.columns(heading).tobytes(), key)

    def test_csv_names_columns_and_units(self):
        self.assertEqual(self.head[:6], ["time [s]", "q:shoulder [rad]", "q:elbow [rad]", "q:slide [m]",
                                         "q:turn [rad]", "v:shoulder [rad/s]"])
        self.assertEqual(self.rows.shape, (201, 21))

    def test_mcap_of_python(self):
        with open(self.run_file, "rb") as file:
            reader = make_reader(file, validate_crcs=True)
            summary = reader.get_summary()
            messages = [(c.topic, s.encoding, m) for s, c, m in reader.iter_messages()]
            metadata = {m.name: m.metadata for m in reader.iter_metadata()}
            attachments = {a.name: a.data for a in reader.iter_attachments()}
        self.check_states([json.loads(m.data) for topic, _, m in messages if topic == "/state"])
        self.assertEqual({e for _, e, _ in messages}, {"jsonschema"})
        self.assertEqual(summary.statistics.message_count, len(messages))
        self.assertEqual(summary.statistics.chunk_count, len(summary.chunk_indexes))
        run = metadata["axode.run"]
        self.assertEqual(json.loads(run["v_names"]), JOINTS)
        self.assertEqual(json.loads(run["options"])["duration"], 2)
        self.assertTrue(run["command_line"].startswith("axode simulate "))
        self.assertEqual(attachments["model"], MODEL.read_bytes())
        checkpoint = [json.loads(m.data) for topic, _, m in messages if topic == "/checkpoint"]
        self.assertGreaterEqual(len(checkpoint), 3)
        closing = [json.loads(m.data) for topic, _, m in messages if topic == "/summary"]
        self.assertEqual([c["ending"] for c in closing], ["finished"])

    def test_binary_rows(self):
        with open(self.binary, "rb") as file:
            reader = make_reader(file, validate_crcs=True)
            found = [(s, m) for s, c, m in reader.iter_messages() if c.topic == "/state_binary"]
        columns = json.loads(found[0][0].data)["columns"]
        self.assertEqual(columns[:2], ["t", "q:shoulder"])
        rows = np.array([struct.unpack(f"<{len(columns)}d", m.data) for _, m in found])
        self.assertEqual(rows.tobytes(), self.rows.tobytes())

    def test_cut_file_as_a_stream(self):
        data = self.run_file.read_bytes()
        cut = self.folder / "cut.mcap"
        cut.write_bytes(data[:len(data) * 2 // 3])
        states = []
        with open(cut, "rb") as file:
            try:
                for record in StreamReader(file, validate_crcs=True).records:
                    if isinstance(record, Message) and record.data.startswith(b'{"t":') and \
                            b'"tau"' in record.data:
                        states.append(json.loads(record.data))
            except Exception:  # pylint: disable=broad-except  # it ends early, as it should
                pass
        self.assertGreater(len(states), 50)
        self.assertEqual([s["t"] for s in states], list(self.rows[:len(states), 0]))
        axode("export", cut, "-o", self.folder / "cut.csv")
        whole = (self.folder / "a.csv").read_text(encoding="utf-8")
        self.assertTrue(whole.startswith((self.folder / "cut.csv").read_text(encoding="utf-8")))

    def test_npz(self):
        with np.load(self.folder / "a.npz", allow_pickle=False) as data:
            self.assertEqual(data["time"].tobytes(), self.rows[:, 0].tobytes())
            self.assertEqual(data["q"].shape, (201, 4))
            for key in ("q", "v", "a", "tau"):
                self.assertEqual(data[key].tobytes(), self.columns(key + ":").tobytes())
                self.assertEqual(list(data[key + "_names"]), JOINTS)
            self.assertEqual(list(data["tau_units"]), ["N m", "N m", "N", "N m"])
            self.assertEqual(data["work"].shape, (201,))

    def test_hdf5(self):
        with h5py.File(self.folder / "a.h5") as data:
            self.assertEqual(data["time"][:].tobytes(), self.rows[:, 0].tobytes())
            self.assertEqual(data["time"].attrs["units"], "s")
            for key in ("q", "v", "a", "tau"):
                self.assertEqual(data[key][:].tobytes(), self.columns(key + ":").tobytes())
                self.assertEqual(list(data[key].attrs["names"]), JOINTS)
            self.assertEqual(list(data["v"].attrs["units"]), ["rad/s", "rad/s", "m/s", "rad/s"])
            self.assertEqual(data["kinetic"].shape, (201,))
            self.assertEqual(data["kinetic"].attrs["units"], "J")
            self.assertTrue(data.attrs["command_line"].startswith("axode simulate"))

    def test_mcap_of_node(self):
        if not MODULES:
            self.skipTest("@mcap/core is not here")
        result = subprocess.run(["node", "-e", NODE, str(self.run_file)], cwd=MODULES, text=True,
                                capture_output=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)
        self.check_states(found["states"])
        self.assertEqual(found["topics"]["/summary"], 1)
        self.assertEqual(found["streamed"], sum(found["topics"].values()))
        self.assertTrue(found["done"])
        self.assertEqual(json.loads(found["metadata"]["axode.run"]["q_names"]), JOINTS)
        self.assertEqual(found["attachments"], [["model", MODEL.read_text(encoding="utf-8")]])


if __name__ == "__main__":
    AXODE = str(Path(sys.argv.pop(1)).resolve())
    if len(sys.argv) > 1:
        MODULES = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
