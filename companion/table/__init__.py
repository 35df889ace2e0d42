"""THE TABLE: who sits where, the one writer, the journal, the figures, the record.

Not here: rules (``companion.rules``), words (``companion.words``), phones and screens, devices.
"""
