#!/usr/bin/env bash
# Installs what is missing of the given groups of packages.txt (build, demo, tests).
# Does nothing, and asks for no password, when all is there. On anything but
# Debian it installs nothing: it goes on when all is there, else lists what to install.
set -euo pipefail

list=$(dirname "$0")/packages.txt
os_release=${VSG_OS_RELEASE:-/etc/os-release} # the tests try others

die() {
    printf '%s\n' "$@" >&2
    exit 1
}

[ $# -gt 0 ] || die "usage: $0 GROUP... (groups: build demo tests)"

on_debian() {
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null &&
        grep -qx 'ID=debian' "$os_release" 2>/dev/null
}

installed() { # one package name
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

any_installed() { # name|name...
    local name names
    IFS='|' read -ra names <<<"$1"
    for name in "${names[@]}"; do
        installed "$name" && return 0
    done
    return 1
}

present() { # command:NAME, module:NAME or header:NAME
    case $1 in
    command:*) command -v "${1#*:}" >/dev/null ;;
    module:*) command -v pkg-config >/dev/null && pkg-config --exists "${1#*:}" ;;
    header:*) command -v cc >/dev/null &&
        printf '#include <%s>\n' "${1#*:}" | cc -E -x c - >/dev/null 2>&1 ;;
    *) die "$list: unknown check '$1'" ;;
    esac
}

missing=() # packages
wanted=()  # lines for people
for wanted_group in "$@"; do
    grep -q "^$wanted_group " "$list" || die "no group '$wanted_group' in $list"
    while read -r group package check purpose; do
        [ "$group" = "$wanted_group" ] || continue
        if on_debian; then
            any_installed "$package" && continue
        else
            present "$check" && continue
        fi
        case " ${missing[*]-} " in *" ${package%%|*} "*) continue ;; esac
        missing+=("${package%%|*}")
        wanted+=("$(printf '  %-18s %s' "${package%%|*}" "$purpose")")
    done < <(grep -E '^[a-z]' "$list")
done

[ ${#missing[@]} -gt 0 ] || exit 0

if ! on_debian; then
    die "This script installs packages on Debian only. Please install these yourself" \
        "(names as in Debian 12), then start again:" "${wanted[@]}"
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    by_hand="apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    command -v sudo >/dev/null ||
        die "Packages are missing, and installing them needs root or sudo. As root, run:" "  $by_hand"
    as_root=(sudo)
    [ -t 0 ] || as_root=(sudo -n) # nobody is there to type a password
    "${as_root[@]}" true || die "sudo did not work. As root, run:" "  $by_hand"
fi

printf 'installing %d packages: %s\n' ${#missing[@]} "${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
        -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null >>"$log" 2>&1
}
if ! { apt update && apt install --no-install-recommends "${missing[@]}"; }; then
    tail -n 20 "$log" >&2
    die "apt-get failed (its last lines are above). Is the network there, and does" \
        "/etc/apt/sources.list or sources.list.d name the main section of Debian?"
fi
