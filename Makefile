# Thin names for the commands of daily work; the work is done by scripts/ and CMake presets.
.PHONY: help demo docs test check test-python test-peers test-viewer fuzz bench bench-guard build format tidy clean
.DEFAULT_GOAL := help

help:      ## list the targets
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/make \1\t\2/p' Makefile | expand -t 18

demo:      ## an elastic manipulator's manoeuvre and a robot, simulated; one page with both in the browser
	@scripts/setup
	@cmake --preset demo >/dev/null
	@cmake --build --preset demo --target axode_cli
	build/demo/axode simulate examples/flexible/arm4.json --out build/demo/manoeuvre.mcap --force
	build/demo/axode simulate models/swinging_arm.json --out build/demo/robot.mcap --force
	build/demo/axode view build/demo/manoeuvre.mcap build/demo/robot.mcap --out build/demo.html --force
	@echo 'Both are in build/demo.html'

docs:      ## the documentation site, build/docs/html/index.html
	@scripts/setup docs
	@scripts/build_docs

test:      ## build and test the library, the command and the Python package
	@scripts/test

check:     ## the other checks: sanitizers, clang-tidy, types, peers, the viewer, the documentation
	@scripts/check

test-peers: ## compare with Pinocchio and MuJoCo on published robots (fetched from PyPI)
	@scripts/setup test
	@scripts/test_peers

test-python: ## build the Python package and test it in a virtual environment
	@scripts/setup test
	@scripts/build_python
	@scripts/test_python

test-viewer: ## test the page of the viewer in Chromium (packages fetched from npm)
	@scripts/setup test
	@scripts/test_viewer

fuzz:      ## run the fuzzers of the file readers, SECONDS=60 each, and of the command
	@scripts/setup fuzz
	@scripts/fuzz $(SECONDS)

bench:     ## build and run the benchmarks, and compare with other libraries (fetched)
	@scripts/setup bench
	@scripts/setup_peers
	@cmake --preset bench >/dev/null
	@cmake --build --preset bench --target bench_lie bench_lie_native bench_kinematics bench_dynamics \
	  bench_work_precision bench_mechanism bench_flexible
	@build/bench/bench_lie --json=build/bench/lie.json
	@build/bench/bench_lie_native --json=build/bench/lie_native.json
	@build/bench/bench_kinematics
	@build/bench/bench_dynamics
	@build/bench/bench_mechanism
	@build/bench/bench_flexible
	@build/bench/bench_work_precision >build/bench/work_precision.json
	@scripts/figures/plot_work_precision
	@scripts/bench_peers

bench-guard: ## instruction counts of hot functions: none over 3 % above bench/guard.json
	@scripts/setup guard
	@scripts/bench_guard

build:     ## build the library, its tests and examples (release)
	@scripts/setup test
	@cmake --preset release >/dev/null
	@cmake --build --preset release

format:    ## format all sources in place
	@scripts/format

tidy:      ## run clang-tidy (needs a release build)
	@scripts/tidy

clean:     ## remove all that was built
	rm -rf build
