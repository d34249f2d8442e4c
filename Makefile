# make demo     watch a real database being planned, migrated and checked
# make test     run the tests
# make test-some TESTS=Diff,Undo/UndoTests.swift  build and run only these folders and files of the library's tests
# make check    everything that CI runs
# make examples build the examples and run a session with each
# make docs     build the documentation site into .build-docs/site
# make command-pages   write the pages of docs/commands from the help of schemactl
# make bench    time planning, and changes of a table of ROWS rows
# make bench-costs     measure what the ways of changing a table cost, for the constants that choose among them
# make bench-peers     time such a change in Python tools as well
# make compare-peers   show what changes of a table leave of the rest, in Python tools and here
# make bench-open      time opening files that need no change, against C and GRDB
# make bench-changes   time how soon an observer is told of commits of another process
# make bench-records   time records against the C API and GRDB
# make bench-servers    time objects and a change on dqlite and sqld, against a file
# make bench-online ROWS=1000000   time how long a writer waits while a table is copied, online and not
# make bench-fleet FILES=2000   time changing many files against a loop in C
# make nightly  run every test on six versions of SQLite with many random schemas, fuzz, soak, mistreat files, and run all on encrypted files
# make fuzz     look for inputs that the parser or the planner cannot take, for SECONDS each
# make findings run the scripts of findings/, which show what other tools do against expectation
# make lab      let real programs make and use files, and change these in between; PROGRAMS="beets fossil" chooses
# make soak     migrate random pairs of schemas for MINUTES, on seeds of their own
# make simulate SEED=1 STEPS=1000000   change files in a world whose faults and schedule a seed decides
# make mistreated  change CASES files whose rows are not what their catalog says, on four versions of SQLite
# make agreement   plan and change CASES files with odd things in them, on four versions of SQLite
# make check-macros   test the trait Macros, in a package that depends on SchemaKit with it
# make check-cipher   run the tests of encryption on SQLCipher, and link a program with the trait SQLCipher
# make matrix   run the tests on several versions of SQLite, or on VERSIONS
# make sqlite-differences  write docs/sqlite-versions.md from the libraries of the matrix
# make check-neighbours  let Alembic, Django and sqlite-utils work on files that schemactl manages
# make check-remote     run the tests of databases on servers, on a cluster of three dqlite nodes and on sqld
# make cluster  start such a cluster to try on
# make sqld     start sqld, the server of libSQL, to try on
# make dist     make a self-contained schemactl and its packages in dist/
# make check-dist        install each of them in a tree without Swift, and use it
# make check-dist-commands   run the tests of the command with the program of dist/
# make release  make VERSION: checks, packages, commit and tag
# make install  install schemactl under PREFIX (default /usr/local), with manual pages and shell completions

PREFIX ?= /usr/local
SWIFT ?= swift
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

.PHONY: demo test test-some nightly check check-engines check-macros check-cipher check-neighbours check-remote cluster sqld setup-remote build lint install setup setup-tests examples migrations docs command-pages bench bench-planning \
  bench-strategies bench-costs bench-peers compare-peers bench-open bench-changes bench-records bench-servers bench-online bench-fleet fuzz soak simulate findings lab mistreated agreement matrix sqlite-versions sqlite-differences dist check-dist check-dist-commands \
  release clean

demo: setup
	SWIFT="$(SWIFT)" scripts/demo.sh

# No more tests at once than processors: those that wait for another task would wait behind all that are queued.
WIDTH = --experimental-maximum-parallelization-width $(JOBS)

test: setup setup-tests
	$(SWIFT) build --build-tests -j $(JOBS)
	$(SWIFT) test --skip-build $(WIDTH)

# A test may use others' helpers: name their files as well where the compiler misses something.
TESTS ?= Support
test-some: setup
	SCHEMAKIT_TESTS="Support,$(TESTS)" $(SWIFT) build --build-tests -j $(JOBS)
	SCHEMAKIT_TESTS="Support,$(TESTS)" $(SWIFT) test --skip-build $(WIDTH)

# Hours. At the end every test runs with every file encrypted, but for a few that say why they need plain files.
# The random schemas of the tests, five times as many as `make test` has; the totals of the soak go to docs/soak.tsv.
nightly:
	SCHEMAKIT_PROPERTY_PAIRS=2000 $(MAKE) matrix
	$(MAKE) fuzz SECONDS=1800
	$(MAKE) soak MINUTES=120
	$(MAKE) mistreated
	$(MAKE) agreement
	$(MAKE) matrix VERSIONS=sqlcipher-keyed

build: setup
	SCHEMAKIT_STRICT=1 $(SWIFT) build --build-tests -j $(JOBS)

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Plugins Tests Examples Benchmarks

check: setup setup-tests lint build
	SCHEMAKIT_STRICT=1 $(SWIFT) test --skip-build $(WIDTH)
	$(MAKE) check-engines
	$(MAKE) check-neighbours
	$(MAKE) migrations
	SCHEMAKIT_STRICT=1 $(MAKE) docs
	$(MAKE) examples

# The tests of plans, rows and changes on the oldest SQLite and on the newest; `make matrix` runs all of them on all versions.
ENGINE_TESTS = Rule|AdoptIndex|Pitfall|RowCheck|AbsentValue|ShortRow|ViolationScope|Hazard|QuickPlan|StrategyTable|SessionOpening|SessionPolicy|SchemaReader|CatalogClone|ForeignKeyGuard|KeptData|UndoTests|Applied|FullText|SilentLoss|Ledger|MigrationRunner|SchemaPair|VerbatimCheck|RebuildBuilder|ExpandContract|ExpandProperty|MistreatedFile
check-engines:
	SCHEMAKIT_STRICT=1 SWIFT="$(SWIFT)" JOBS="$(JOBS)" FILTER='$(ENGINE_TESTS)' scripts/matrix.sh 3.33.0 3.54.1

# The real Alembic, Django and sqlite-utils on files that schemactl manages, as docs/coexistence.md says.
check-neighbours: setup
	SCHEMAKIT_STRICT=1 $(SWIFT) build --product schemactl -j $(JOBS)
	scripts/neighbours.sh

# Encrypted databases, on SQLCipher.
check-cipher: setup setup-tests
	SCHEMAKIT_STRICT=1 SWIFT="$(SWIFT)" JOBS="$(JOBS)" scripts/check-cipher.sh

# Databases on servers: a cluster of three dqlite nodes whose leader is killed, and sqld. Needs Linux on x86-64.
REMOTE_TESTS = Dqlite|Remote|LibSQL|ServerRecord
check-remote: setup setup-tests setup-remote
	SCHEMAKIT_STRICT=1 $(SWIFT) build --build-tests -j $(JOBS)
	SCHEMAKIT_CLUSTER=1 SCHEMAKIT_SQLD=1 $(SWIFT) test --skip-build --filter '$(REMOTE_TESTS)'
	SWIFT="$(SWIFT)" JOBS="$(JOBS)" Examples/Cluster/check.sh
	SCHEMAKIT_STRICT=1 $(SWIFT) build --product schemactl --traits Remote --scratch-path .build-remote -j $(JOBS)

# A cluster to try on: prints the addresses of its nodes, and ends with Ctrl-C.
cluster: setup-remote
	python3 scripts/cluster/dqlite_cluster.py --port 9001 .build-cluster/nodes

# A server to try on: prints its address, and ends with Ctrl-C.
sqld:
	python3 scripts/cluster/sqld.py --port 8080 .build-cluster/sqld-data

setup-remote:
	@scripts/setup.sh remote
	@python3 scripts/cluster/sqld.py --install >/dev/null

# Our own recorded migrations must lead to the schema of the sample models.
migrations:
	SCHEMAKIT_STRICT=1 $(SWIFT) build --product notes-schema -j $(JOBS)
	.build/debug/notes-schema check --migrations migrations

# Symbols, articles and the pages of docs/ as a static site; DOCS_BASE=/name for a host that serves it below that. What DocC
# warns of, such as a link that leads nowhere, is an error.
docs: setup
	SWIFT="$(SWIFT)" JOBS="$(JOBS)" DOCS_BASE="$(DOCS_BASE)" scripts/docs.sh

# The macro @Model: that nobody resolves swift-syntax without it, what it writes, its mistakes, and the example.
check-macros: setup
	SWIFT="$(SWIFT)" scripts/check-traits.sh
	SCHEMAKIT_STRICT=1 $(SWIFT) build --package-path Tests/MacroTests --build-tests -j $(JOBS)
	SCHEMAKIT_STRICT=1 $(SWIFT) test --package-path Tests/MacroTests --skip-build
	SCHEMAKIT_STRICT=1 SWIFT="$(SWIFT)" JOBS="$(JOBS)" PACKAGE="$(CURDIR)/Tests/MacroTests" Examples/FieldService/check.sh

command-pages: setup
	$(SWIFT) build --product schemactl -j $(JOBS)
	python3 scripts/docs/commands.py .build/debug/schemactl docs/commands

# The examples must build and behave as their pages say.
examples:
	@scripts/setup.sh demo
	SWIFT="$(SWIFT)" JOBS="$(JOBS)" Examples/Notes/check.sh
	SWIFT="$(SWIFT)" JOBS="$(JOBS)" Examples/Bookshop/check.sh

# The manual pages and the completions are made from the help texts of the program that is installed.
SHARE = $(DESTDIR)$(PREFIX)/share
install: setup
	$(SWIFT) build -c release --static-swift-stdlib --product schemactl -j $(JOBS)
	$(SWIFT) build -c release --static-swift-stdlib --product generate-manual -j $(JOBS)
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/man/man1" "$(SHARE)/bash-completion/completions" \
	  "$(SHARE)/zsh/site-functions" "$(SHARE)/fish/vendor_completions.d" "$(SHARE)/schemactl"
	install -s -m 755 .build/release/schemactl "$(DESTDIR)$(PREFIX)/bin/schemactl"
	install -m 644 docs/agents.md "$(SHARE)/schemactl/AGENTS.md"
	.build/release/generate-manual .build/release/schemactl --multi-page --output-directory "$(SHARE)/man/man1"
	.build/release/schemactl --generate-completion-script bash >"$(SHARE)/bash-completion/completions/schemactl"
	.build/release/schemactl --generate-completion-script zsh >"$(SHARE)/zsh/site-functions/_schemactl"
	.build/release/schemactl --generate-completion-script fish >"$(SHARE)/fish/vendor_completions.d/schemactl.fish"

# A schemactl that needs no library, as a tarball, wheel, Debian package and image in dist/. Linux on x86-64 only.
dist: setup
	SWIFT="$(SWIFT)" JOBS="$(JOBS)" scripts/dist.sh

check-dist:
	scripts/check-dist.sh

# The tests of the command, with the program of dist/ in place of the one that is built, and with its version of SQLite.
check-dist-commands: setup setup-tests
	SWIFT="$(SWIFT)" JOBS="$(JOBS)" SCHEMAKIT_SCHEMACTL="$(CURDIR)/.build-dist/tree/bin/schemactl" \
	  FILTER="$$(ls Tests/SchemaKitTests/Commands | sed -n 's/^\(.*Tests\)\.swift$$/\1/p' | paste -sd '|')" \
	  scripts/matrix.sh $$(sed -n 's/^version=//p' scripts/sqlite-static.sh)

# make release VERSION=0.2.0: checks, artefacts, commit and tag; pushes nothing.
release:
	scripts/release.sh "$(VERSION)"

setup:
	@scripts/setup.sh

setup-tests:
	@scripts/setup.sh tests

bench: bench-planning bench-strategies

bench-planning:
	@scripts/setup.sh demo
	$(SWIFT) build -c release --product schemactl -j $(JOBS)
	scripts/bench.sh

# Changes of a large table, over a rebuild or the best copy in C. Takes ten minutes, and 2 GB beside the build.
ROWS ?= 1000000
REPEATS ?= 3
bench-strategies:
	@scripts/setup.sh
	@mkdir -p .build-bench
	$(SWIFT) build -c release --package-path Benchmarks --product strategies-bench -j $(JOBS)
	Benchmarks/.build/release/strategies-bench --rows $(ROWS) --repeats $(REPEATS) --directory .build-bench

bench-costs:
	python3 scripts/bench-costs.py $(ROWS) $(REPEATS)

# The mixed change of these with sqlite-utils, Alembic and Django, which come from PyPI into .build-bench.
bench-peers:
	@scripts/setup.sh
	$(SWIFT) build -c release --package-path Benchmarks --product strategies-bench -j $(JOBS)
	scripts/bench-peers.sh --rows $(ROWS) --repeats $(REPEATS)

compare-peers:
	@scripts/setup.sh
	$(SWIFT) build --product schemactl -j $(JOBS)
	SWIFT="$(SWIFT)" scripts/compare-peers.sh

# Opening a file that is as declared, over the same file opened in C.
bench-open:
	@scripts/setup.sh
	@mkdir -p .build-bench
	$(SWIFT) build -c release --package-path Benchmarks --product open-bench -j $(JOBS)
	Benchmarks/.build/release/open-bench --directory .build-bench

# How soon a commit of another process is told, and what waiting for one costs. Takes three minutes.
bench-changes:
	@scripts/setup.sh
	@mkdir -p .build-bench
	$(SWIFT) build -c release --package-path Benchmarks --product changes-bench -j $(JOBS)
	Benchmarks/.build/release/changes-bench --directory .build-bench

# Saving and loading, compared with the C API and GRDB. The first build takes some minutes.
bench-records:
	@scripts/setup.sh
	$(SWIFT) run -c release --package-path Benchmarks records-bench

# Objects and a change of their table on servers of this machine. The first build takes some minutes.
bench-servers: setup setup-remote
	$(SWIFT) build -c release --package-path Benchmarks --product servers-bench -j $(JOBS)
	python3 scripts/bench-servers.py Benchmarks/.build/release/servers-bench

# How long a program that writes has to wait while its table is copied.
bench-online:
	@scripts/setup.sh
	$(SWIFT) build -c release --product schemactl -j $(JOBS)
	python3 scripts/bench-online.py .build/release/schemactl $(ROWS)

# Changing many files, over a loop in C that runs the same statements.
FILES ?= 2000
bench-fleet:
	@scripts/setup.sh
	$(SWIFT) build -c release --product schemactl -j $(JOBS)
	python3 scripts/bench-fleet.py .build/release/schemactl $(FILES)

# Needs Linux: Swift comes with libFuzzer there. Built apart, with coverage and the address sanitizer.
SECONDS ?= 60
FUZZ = .build-fuzz
fuzz:
	@scripts/setup.sh
	@mkdir -p $(FUZZ)/findings $(FUZZ)/corpus/sql $(FUZZ)/corpus/file
	for name in parser file; do \
	  SCHEMAKIT_FUZZ=1 $(SWIFT) build -c release --scratch-path $(FUZZ) --product fuzz-$$name -j $(JOBS) || exit 1; \
	done
	SWIFT_BACKTRACE=enable=no $(FUZZ)/release/fuzz-parser -dict=Fuzz/sql.dict -timeout=20 -rss_limit_mb=2048 \
	  -max_len=1500 -max_total_time=$(SECONDS) -artifact_prefix=$(FUZZ)/findings/ $(FUZZ)/corpus/sql Fuzz/Corpus/sql
	SWIFT_BACKTRACE=enable=no $(FUZZ)/release/fuzz-file -dict=Fuzz/sql.dict -timeout=20 -rss_limit_mb=2048 \
	  -max_len=6000 -max_total_time=$(SECONDS) -artifact_prefix=$(FUZZ)/findings/ $(FUZZ)/corpus/file Fuzz/Corpus/file

findings:
	@changed=; for script in findings/*.sh; do echo "$$script"; sh "$$script" || changed="$$changed $$script"; done; \
	test -z "$$changed" || { echo "Otherwise than stated:$$changed" >&2; exit 1; }

# Real programs from PyPI and Debian, with SCHEMACTL or the binary that was built last; AGAIN=1 runs those anew that were as expected.
PROGRAMS ?=
lab:
	@lab/run $(if $(AGAIN),--again) $(PROGRAMS)

# A release build of the tests takes long before the first pair; CONFIGURATION=debug begins at once, with fewer pairs a minute.
MINUTES ?= 60
CONFIGURATION ?= release
soak: setup setup-tests
	SWIFT="$(SWIFT)" JOBS="$(JOBS)" MINUTES=$(MINUTES) CONFIGURATION=$(CONFIGURATION) scripts/soak.sh

# Changes beside writers, under faults, in virtual time; seeds follow SEED until STEPS operations are done, or for SEEDS of them.
SEED ?= 1
STEPS ?= 1000000
SEEDS ?=
simulate:
	@scripts/setup.sh
	$(SWIFT) build -c release --product simulate -j $(JOBS)
	.build/release/simulate --seed $(SEED) $(if $(SEEDS),--seeds $(SEEDS),--steps $(STEPS)) --jobs 2 --shrink

# Files whose rows are not what their catalog says, changed on the oldest SQLite, the system's and the newest; CASES on each.
CASES ?= 20000
mistreated: setup setup-tests
	SWIFT="$(SWIFT)" JOBS="$(JOBS)" CASES=$(CASES) scripts/odd-files.sh mistreated

# Files with functions, collations, modules and tables that are not there: what a plan says is what becomes of it.
agreement: setup setup-tests
	SWIFT="$(SWIFT)" JOBS="$(JOBS)" CASES=$(CASES) scripts/odd-files.sh agreement

# Other versions of SQLite come out of Python packages; Linux only. VERSIONS="3.33.0 3.54.1" chooses.
matrix: setup setup-tests
	SWIFT="$(SWIFT)" JOBS="$(JOBS)" scripts/matrix.sh $(VERSIONS)

sqlite-versions:
	@scripts/sqlite-versions.sh $(VERSIONS)

# docs/sqlite-versions.md, on a system with SQLite 3.40.1.
sqlite-differences: sqlite-versions
	python3 scripts/docs/sqlite-differences.py docs/sqlite-versions.md $(foreach version,3.33.0 3.40.1 3.46.1 3.50.4 3.53.4 3.54.1,$(version)=$(if \
	  $(wildcard .build-sqlite/$(version)/libsqlite3.so.0),$(CURDIR)/.build-sqlite/$(version)/libsqlite3.so.0,libsqlite3.so.0))

clean:
	$(SWIFT) package clean
