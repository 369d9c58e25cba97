# Stages of scripts/test and scripts/check, which source this file: each is timed and judged, and a total is
# compared with a budget. The counts of cases go to build/logs/<name>.counts, for a sum over both.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
logs=build/logs
mkdir -p $logs
passed=0 failed=0 began=${EPOCHREALTIME/./}

seconds_since() { printf '%.1f' "$(((${EPOCHREALTIME/./} - $1) / 100000))e-1"; }

# stage NAME COMMAND...: one line with its time; if it fails, also its output, without the noise.
stage() {
  local name=$1 log="$logs/${1// /_}.log" start=${EPOCHREALTIME/./} verdict=ok
  shift
  printf '%-16s' "$name"
  "$@" >"$log" 2>&1 || verdict=FAILED
  printf '%7s s  %s\n' "$(seconds_since "$start")" $verdict
  [[ $verdict == ok ]] && return
  grep -vE '^\[|^ *[0-9]+/[0-9]+ Test .* Passed |^ +Start +[0-9]+:|^FAILED: |^(/usr/bin/ccache )?/[^ ]*\+\+ |^ *(Shadow bytes|(=>)?0x[0-9a-f]+: )|^ *$' "$log" |
    head -n 80 | cut -c -300 | sed 's/^/  /'
  echo "  (all of it: $log)"
  return 1
}

# check NAME COMMAND...: a stage that counts as one case.
check() { if stage "$@"; then ((++passed)); else ((++failed)); fi; }

build() { cmake --preset release >/dev/null && cmake --build --preset "$1" -j "$(nproc)" -- -k 0; }

# add_cases REPORT OK: counts the cases of a JUnit report; one more failure if the stage broke without one.
add_cases() {
  local report=$1 ok=$2 total bad skipped
  count() { grep -m1 -oP "(^\s*|<testsuite [^>]*\b)$1=\"\K[0-9]+" "$report" 2>/dev/null || echo 0; }
  total=$(count tests) bad=$(($(count failures) + $(count errors)))
  skipped=$(($(count skipped) + $(count disabled)))
  passed=$((passed + total - bad - skipped))
  failed=$((failed + (ok || bad ? bad : 1)))
}

# run_tests PRESET: the tests of ctest.
run_tests() {
  local report="$PWD/$logs/$1.xml" ok=1
  rm -f "$report"
  stage "test $1" ctest --preset "$1" -j "$(nproc)" --output-junit "$report" || ok=0
  add_cases "$report" $ok
}

# finish NAME BUDGET: total and budget [s], the last line with the cases, and the exit status.
finish() {
  local total
  total=$(((${EPOCHREALTIME/./} - began) / 1000000))
  grep -h '^skipped' $logs/{build_python,peers,coming_from,viewer,docs}.log 2>/dev/null
  printf '%-16s%7d s  of %d s%s\n' total $total "$2" "$( ((total > $2)) && echo ': OVER BUDGET')"
  echo "$passed $failed" >$logs/"$1".counts
  echo "$passed passed, $failed failed"
  ((failed == 0))
}
