"""A picture at a moment: segments in, the bytes that go down the strip out.

Integer maths only, small enough that MicroPython never leaves its 31-bit integers. No clock, no pins: ``frame(t)`` is a
function of the picture, the settings and ``t``.
"""

from firmware_proto.codec import STEPS, Picture, Segment, Settings

# The calm pattern and the length of a bar: [led] idle_rgb, idle_rhythm, step_ms of the look's tokens (a test compares them).
CALM_RGB = (40, 22, 8)
CALM_RHYTHM = 0x56AA95  # 111222222111
BAR_MS = 2160

FULL_LAMP_MA = 20
"""One colour of a WS2812 at full drive."""
RESTING_LAMP_MA = 1
"""A dark one."""

_THIRDS = (0, 85, 170, 255)


def step(rhythm: int, i: int) -> int:
    """Brightness 0..255 of step ``i`` of a rhythm."""
    return _THIRDS[rhythm >> (2 * (STEPS - 1 - i)) & 3]


def level(rhythm: int, period: int, t: int) -> int:
    """Brightness 0..255 at ``t`` ms: each step is eased into over its first half, so that nothing flashes."""
    if not period:
        return step(rhythm, 0)
    at = t % period * STEPS
    i = at // period
    now = step(rhythm, i)
    before = step(rhythm, (i or STEPS) - 1)
    into = at % period * 2
    if before == now or into >= period:
        return now
    x = into * 256 // period
    return before + ((now - before) * (x * x * (768 - 2 * x) >> 16) >> 8)  # smoothstep


def peak(rhythm: int, period: int) -> int:
    """The brightest this rhythm ever gets."""
    return max([step(rhythm, i) for i in range(STEPS if period else 1)])


def calm(settings: Settings) -> Picture:
    """What the strip shows while no host cares for it."""
    return Picture(0, settings.brightness, (Segment(0, settings.lamps, CALM_RGB, CALM_RHYTHM, BAR_MS),))


class Animator:
    """Shows one picture at a time on one strip."""

    def __init__(self, settings: Settings, picture: Picture | None = None) -> None:
        """``picture`` None: calm."""
        picture = picture or calm(settings)
        self._gamma = settings.gamma
        self._frame = bytearray(3 * (settings.first + settings.lamps))
        # Lamps that share a rhythm share its arithmetic, and are touched only when it moves: a chip is no desktop.
        self._beats = [_Beat(r, period, runs) for (r, period), runs in _visible(settings, picture).items()]
        gain = self._affordable((picture.brightness * 256 + 127) // 255, settings)
        for beat in self._beats:
            beat.runs = [(at, lamps, (r * gain, g * gain, b * gain)) for at, lamps, (r, g, b) in beat.runs]

    def frame(self, t: int) -> bytearray:
        """Colours in the strip's own order at ``t`` ms. The same buffer every time: copy what you keep."""
        for beat in self._beats:
            bright = level(beat.rhythm, beat.period, t)
            if bright != beat.bright:
                beat.bright = bright
                bright = self._seen(bright)
                for at, lamps, (r, g, b) in beat.runs:
                    self._frame[at : at + 3 * lamps] = bytes((_drive(r * bright), _drive(g * bright), _drive(b * bright))) * lamps
        return self._frame

    def _seen(self, bright: int) -> int:
        return (bright * bright + 127) // 255 if self._gamma else bright

    def _affordable(self, gain: int, settings: Settings) -> int:
        """The gain (256 is full) at which even the moment when every lamp is at its brightest stays under the cap.

        One gain for the whole picture: were it found anew each moment, a steady lamp would dim whenever another one shines.
        """
        spare = max(0, settings.cap_ma - RESTING_LAMP_MA * (settings.first + settings.lamps))
        budget = spare * 255 // FULL_LAMP_MA
        asked = self._sum(gain)
        if asked > budget:
            gain = gain * budget // asked
            while self._sum(gain) > budget:  # rounding may have added a little
                gain -= 1
        return gain

    def _sum(self, gain: int) -> int:
        total = 0
        for beat in self._beats:
            bright = gain * self._seen(peak(beat.rhythm, beat.period))
            for _, lamps, colour in beat.runs:
                total += lamps * sum([_drive(c * bright) for c in colour])
        return total


class _Beat:
    """A rhythm, the lamps that have it, and how bright they are now."""

    def __init__(self, rhythm: int, period: int, runs: list[tuple[int, int, tuple[int, int, int]]]) -> None:
        self.rhythm, self.period, self.runs = rhythm, period, runs
        self.bright = -1


def _drive(product: int) -> int:
    """Colour * gain * brightness, back to 0..255, rounded."""
    return (product + 32640) // 65280


def _visible(k: Settings, picture: Picture) -> dict[tuple[int, int], list[tuple[int, int, tuple[int, int, int]]]]:
    """By rhythm and period: where in the frame a run of lamps begins, how many there are, and their colour in the strip's order."""
    owner: list[Segment | None] = [None] * k.lamps
    for s in picture.segments:
        end = min(s.first + s.length, k.lamps)
        if s.first < end:
            owner[s.first : end] = [s] * (end - s.first)
    out: dict[tuple[int, int], list[tuple[int, int, tuple[int, int, int]]]] = {}
    i = 0
    while i < k.lamps:
        start, seen = i, owner[i]
        while i < k.lamps and owner[i] is seen:
            i += 1
        if seen is not None:
            first = k.lamps - i if k.reversed else start
            r, g, b = [seen.rgb["rgb".index(c)] for c in k.order]
            out.setdefault((seen.rhythm, seen.period), []).append((3 * (k.first + first), i - start, (r, g, b)))
    return out


def milliamps(frame: bytes) -> int:
    """What a frame draws, rounded up."""
    return (sum(frame) * FULL_LAMP_MA + 254) // 255 + RESTING_LAMP_MA * (len(frame) // 3)
