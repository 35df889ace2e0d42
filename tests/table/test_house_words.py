"""The words for the table itself, as bytes: read strictly, and by the measure of a box of figures."""

from __future__ import annotations

import msgspec
import pytest
from table_orders import order, pick

from companion.rules.game import CHANCE, TABLE, TIME
from companion.table import commands as table
from companion.table.referee import Referee


def test_words_for_the_table_itself_are_read_strictly(referee: Referee) -> None:
    pick(referee)
    for raw, key in (
        (b'{"do":"undo","seat":"koi","first":"x","last":1}', "table.command_field"),
        (b'{"do":"undo","seat":"koi"}', "table.command_field"),
        (b'{"do":"tick","seat":"lotus","kind":"a","from":"b","to":"c","left":1}', "table.command_seat"),
        (b'{"do":"waive","seat":"koi","at":1}', "table.host_only"),
        (b'{"do":"mend","seat":"koi"}', "table.host_only"),
        (b'{"do":"correct","seat":"koi","what":[]}', "table.host_only"),
        (b'{"do":"adopt","seat":"koi","what":[]}', "table.host_only"),
        (b'{"do":"tick","seat":"koi","kind":"a","from":"b","to":"c","left":0}', "table.changed"),
        (b'{"do":"tick","seat":"koi","kind":"a","from":"b","to":"c","left":1001}', "table.command_field"),
        (b'{"do":"tick","seat":"koi","kind":"a","from":"b","to":"c","left":-1}', "table.command_field"),
        (b'{"do":"undo","seat":"koi","first":1e30,"last":1}', "table.command_field"),
        (b'{"do":"agree","seat":"koi","to":' + b"9" * 300 + b"}", "table.command_field"),
        (b'{"do":"correct","seat":"koi","what":[],"amounts":{"coins":1000000}}', "table.command_field"),
    ):
        answer = referee.submit("koi", order(raw, 0, raw.decode()[-60:]))
        assert answer.refusal is not None and answer.refusal.text.key == key, raw
    for seat in (CHANCE, TIME):
        with pytest.raises(ValueError, match="is not one of"):
            referee.submit_internal(seat, table.Undo(seat, 1, 2))


def test_no_word_of_the_table_names_more_figures_than_a_box_holds() -> None:
    """More than a phone may send at once; a trusted screen and a journal are read by the same measure."""
    piece = {"type": "move", "seat": "koi", "kind": "koi/pebble", "from": "edo", "to": "oshu"}
    for do in ("adopt", "correct"):
        for n in (table.MOST_FIGURES, table.MOST_FIGURES + 1):
            raw = msgspec.json.encode({"do": do, "seat": TABLE, "what": [piece] * n})
            if n > table.MOST_FIGURES:
                with pytest.raises(msgspec.ValidationError, match="length <= 1000"):
                    table.DECODER.decode(raw)
            else:
                assert len(table.DECODER.decode(raw).what) == n
