# `make run` is all that a fresh machine with Python 3.11 or newer needs. The first run makes .venv.
#   make run                  set up, then serve; HOST, PORT and ASKWEB_DATA are read by `manage.py up`
#   make test ARGS="-k name"  set up with what the tests need, then run them
#   make test-several         the tests of the running server with web processes and workers in place of `manage.py up`;
#                             needs DATABASE_URL and REDIS_URL
#   make chaos PEOPLE=200     several processes, and faults of every kind; needs PostgreSQL and Redis installed
#   make bench                measures everything that has a goal into benchmarks/RESULTS.md, for about a quarter of an hour
#   PYTHON=/path/to/python    sets up with this interpreter
#   ASKWEB_LOCAL_MODEL=off    leaves out the small local model

.PHONY: run install test test-several chaos lint bench messages extension
export PYTHON

BIOME = 2.6.8
TEMPLATES = find templates askweb prompts questions -name '*.html' -print0
bin = .venv/bin

run:
	@scripts/install && exec $(bin)/python manage.py up

install:
	@scripts/install --again && echo "AskWeb is set up: make run starts it."

test:
	@scripts/install dev && exec $(bin)/python -m pytest $(ARGS)

test-several:
	@scripts/install dev && ASKWEB_TEST_PROCESSES=several exec $(bin)/python -m pytest \
		-m "not sqlite and not long" --ignore tests/live/test_starting.py tests/live tests/openai $(ARGS)

PEOPLE = 200

chaos:
	@scripts/install dev && ASKWEB_CHAOS=$(PEOPLE) exec $(bin)/python -m pytest -q -s tests/chaos

lint:
	@scripts/install dev
	$(bin)/ruff check
	$(bin)/ruff format --check
	$(bin)/python -m mypy
	@echo "djade --check"; $(TEMPLATES) | xargs -0 -r $(bin)/djade --check --target-version 5.2
	@if command -v npx >/dev/null; then echo "biome ci"; npx --yes @biomejs/biome@$(BIOME) ci; else echo "biome: left out, npx is not installed"; fi
	$(bin)/python manage.py makemigrations --check --dry-run
	$(bin)/python manage.py check

# Takes up new texts, and compiles what is translated; needs GNU gettext.
messages:
	$(bin)/python manage.py makemessages -l zh_Hans -l ja -l vi --no-wrap --no-obsolete --add-location=file \
		-i .venv -i var -i tests -i benchmarks
	$(bin)/python manage.py compilemessages -i .venv

# Renews what the Chrome extension shares with the Control UI, and makes var/extension/askweb-extension.zip.
extension:
	@scripts/install && exec $(bin)/python scripts/extension.py

bench:
	@scripts/install dev && exec $(bin)/python benchmarks/results.py $(ARGS)
