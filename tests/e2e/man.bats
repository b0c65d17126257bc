#!/usr/bin/env bats
# The man pages: every verb, option and key is there, and they render without a warning.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr; each test is a subshell
load helpers

# Escapes say "not markup"; without them the text is what a reader sees.
page() { sed 's/\\//g' "$1.scd"; }

sources() {
    expect 0 help --man pages
    empty "$output"
    empty "$stderr"
    cd pages || return 1
}

@test "a page for every verb, and each is named on the first one" {
    sources
    verbs=$("$VSGISIM" help | sed -n 's/^Verbs: \(.*\)\./\1/p')
    [ "$(wc -w <<<"$verbs")" -ge 9 ]
    for verb in $verbs; do
        has "$(page vsgisim.1)" "*vsgisim-$verb*(1)"
        has "$(page "vsgisim-$verb.1")" "*vsgisim $verb*"
    done
    # No page of a verb that is none:
    [ "$(find . -name 'vsgisim-*.1.scd' | wc -l)" -eq "$(wc -w <<<"$verbs")" ]
}

@test "every option that help shows stands on the verb's page, with its text" {
    sources
    count=0
    for verb in $("$VSGISIM" help | sed -n 's/^Verbs: \(.*\)\./\1/p'); do
        text=$(page "vsgisim-$verb.1")
        "$VSGISIM" help "$verb" | sed '1,/^Options:/d' >../options
        while IFS= read -r line; do
            [[ $line =~ (--[a-z-]+)(\ [^\ ]+)?\ \ +(.*)$ ]]
            has "$text" "*${BASH_REMATCH[1]}*"
            help=${BASH_REMATCH[3]% [*} # the default stands there in another form
            has "$(tr -d '`*' <<<"$text")" "$(tr -d '`' <<<"$help")"
            count=$((count + 1))
        done <../options
    done
    [ "$count" -ge 30 ]
}

@test "the page of run has its exit codes and examples in sections of their own" {
    sources
    has "$(page vsgisim-run.1)" $'# EXIT STATUS\n\n0 all well; 1 all runs failed'
    has "$(page vsgisim-run.1)" $'# EXAMPLES\n\n```\n\tvsgisim run scenarios/seed-two-socket.yaml\n'
    [ "$(grep -c '^# EXIT' vsgisim-run.1.scd)" -eq 1 ]
    run -1 grep -E 'Exit codes:|Examples?:' ./*.scd
}

@test "vsgisim-scenario(5) has every key with its meaning" {
    sources
    text=$(page vsgisim-scenario.5 | tr -d '*')
    "$VSGISIM" explain --json | jq -r '.[] | [.key, .doc] | @tsv' >../keys
    [ "$(wc -l <../keys)" -gt 80 ]
    while IFS=$'\t' read -r key doc; do
        has "$text" "$key"$'\n\t'"${doc//\*/}"
    done <../keys
}

@test "the scenario on vsgisim-scenario(5) is valid" {
    sources
    sed -n '/^\tformat: 1/,/^```/s/^\t//p' vsgisim-scenario.5.scd >../shown.yaml
    [ "$(wc -l <../shown.yaml)" -gt 5 ]
    expect 0 check ../shown.yaml
}

@test "pages render without warnings" {
    command -v scdoc >/dev/null || skip "scdoc is not installed"
    command -v man >/dev/null || skip "man-db is not installed"
    sources
    for source in *.scd; do
        scdoc <"$source" >"${source%.scd}"
        run --separate-stderr man --warnings -E UTF-8 -Tutf8 -Z -l "${source%.scd}"
        [ "$status" -eq 0 ]
        empty "$stderr"
        MANWIDTH=80 run man -P cat -l "${source%.scd}"
        has "$output" NAME
        [ "${#lines[@]}" -gt 10 ]
    done
    # The check can fail: an unknown request is a warning.
    printf '.TH a 1\n.SH NAME\na - b\n.nonsense\n' >wrong.1
    run --separate-stderr man --warnings -E UTF-8 -Tutf8 -Z -l wrong.1
    [ -n "$stderr" ]
}

@test "a folder that cannot be made is told" {
    touch file
    expect 1 help --man file/pages
    has "$stderr" "cannot write file/pages"
}
