# Two commands do everything on a fresh Debian 12 with make, git and python3-venv:
#   make run     the table (ARGS="--for 20" stops it after 20 seconds; ARGS=--help shows the rest)
#   make test    installs what the tests need, then runs every gate
PYTHON3 ?= python3
VENV := .venv
PY := $(VENV)/bin/python
ARGS ?=

# What Kivy's window loads from the system; without a display none of it is needed.
WINDOW_PACKAGES := libgl1 libgl1-mesa-dri libegl1 libx11-6 libxext6 libxcursor1 libxi6 libxrandr2 libxss1 libxxf86vm1 libmtdev1
TEST_PACKAGES := $(WINDOW_PACKAGES) chromium mosquitto xvfb xauth xdotool procps libatomic1 libstdc++6 libusb-1.0-0

# $(call packages,LIST,WHAT TO DO WHEN NOT ROOT): installs what is missing as root, else names it with the command that does.
define packages
@missing=""; for p in $(1); do \
  dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'install ok installed' || missing="$$missing $$p"; done; \
if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ]; then echo "Installing system packages:$$missing"; \
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
elif [ -n "$$missing" ]; then echo "Missing system packages; install them with: sudo apt-get install --no-install-recommends$$missing"; $(2); fi
endef

.PHONY: run test soak bench mutants format lock clean

run: $(VENV)/run.stamp
	$(if $(DISPLAY)$(WAYLAND_DISPLAY),$(call packages,$(WINDOW_PACKAGES),true))
	@$(PY) hatch_build.py
	@$(PY) main.py run $(ARGS)

test: $(VENV)/dev.stamp
	$(call packages,$(TEST_PACKAGES),exit 1)
	@$(PY) hatch_build.py
	@$(PY) -m pytest -n 2 --cov --cov-report= --cov-fail-under=97

soak: $(VENV)/dev.stamp
	$(call packages,$(TEST_PACKAGES),exit 1)
	@$(PY) hatch_build.py
	@JINMAKU_SOAK=1 $(PY) -m pytest -n 2 -m "soak or scaled or hypothesis" --timeout 7200 --durations=0

bench: $(VENV)/dev.stamp
	@$(PY) hatch_build.py
	@$(PY) -m tests.bench $(ARGS)

mutants: $(VENV)/dev.stamp
	@$(PY) -m tests.mutants $(ARGS)

format: $(VENV)/dev.stamp
	@$(VENV)/bin/ruff check --fix . && $(VENV)/bin/ruff format .

$(VENV)/python.stamp:
	@$(PYTHON3) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else "Jinmaku needs Python 3.11, 3.12 or 3.13; this is %s. Say: make PYTHON3=python3.12" % sys.version.split()[0])'
	@$(PYTHON3) -m venv $(VENV)
	@touch $@

# The test lock holds all of the run lock, so a test machine is ready to run.
$(VENV)/run.stamp: $(VENV)/python.stamp requirements.lock
	@test -e $(VENV)/dev.stamp || { echo "Installing what the table needs ..."; $(PY) -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock; }
	@touch $@

$(VENV)/dev.stamp: $(VENV)/python.stamp requirements-dev.lock
	@echo "Installing what the tests need ..."
	@$(PY) -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

lock:
	uv pip compile --universal --generate-hashes --no-emit-index-url --no-header -q --extra sim --group dev pyproject.toml -o requirements-dev.lock
	uv pip compile --universal --generate-hashes --no-emit-index-url --no-header -q --extra sim --group build -c requirements-dev.lock pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) companion/phone/static companion/tablet/fonts companion/phone/web/node_modules
