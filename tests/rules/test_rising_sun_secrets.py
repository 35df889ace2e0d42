"""Non-interference by kind of question: whatever the table or a seat is asked, what a reader may not see changes nothing that reader gets (contract 3)."""

from __future__ import annotations

import random
from collections import Counter
from itertools import count

from rs_rig import keys, position, rig
from suite import check_secrets, walk

ENOUGH = 3
"""positions of each kind of question that are scrambled"""

WRITTEN = {
    "rs.prompt.begin_kami": "step kami 2",
    "rs.prompt.tea_over": "step tea\nally koi lotus\nally turtle dragonfly",
    "rs.prompt.war_begins": "step war",
    "rs.prompt.war_goes_on": "step war 1",
}
"""Questions that only a correction or a written position leads to."""


def test_no_question_tells_a_reader_what_it_may_not_see():
    bench, rng, scrambled = rig(), random.Random(7), Counter()
    kinds = {key for key in keys("en") if key.startswith("rs.prompt.")}

    def look(state):
        asked = {prompt.text.key for prompt in bench.game.prompts(state)}
        if any(scrambled[key] < ENOUGH for key in asked):
            check_secrets(bench, state, rng)
            scrambled.update(asked)

    for key, lines in WRITTEN.items():
        state = position(f"{lines}\nwars nagato edo oshu kansai kyushu shikoku")
        look(state)
        assert scrambled[key], key
    for seed in count():
        for state, _, _ in walk(bench, seed):
            look(state)
        if kinds <= scrambled.keys():
            break
