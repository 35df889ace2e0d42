import os
import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # nothing is begun yet: Ctrl-C ends it, and there is nothing to say
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

from companion.cli import main  # what Ctrl-C would meet there is most of the first second

raise SystemExit(main())
