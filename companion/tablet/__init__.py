"""The tablet: one Kivy window on the table. It draws views and sends commands; it knows no rules.

Here: the window, what is drawn in it and what a touch means. Not here: colours and sizes (``companion.look``), words (``companion.words``),
what is lawful (every choice comes from a prompt). No module here may import Kivy before ``config.prepare`` has run; ``app.run`` sees to it.
"""
