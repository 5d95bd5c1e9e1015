#!/usr/bin/env bash
# Installs what the tests use from the system: a browser for the page's tests (without windows: the same tests take two
# thirds of the processor time), PostgreSQL and MariaDB servers for the SQL
# source's (of MariaDB the server alone, 45 MB), Dovecot for mailboxes, poppler's tools, which make the PDF tests' inputs, and
# faketime, with which the attack campaign sets clocks, and promtool, which reads the rules of examples/deploy, and
# the converters of mailboxes of Outlook, compiled help and scanned books (6 MB); where npm is there,
# the inspector of the Model Context Protocol. Tests whose tool is missing are skipped and say so; those of MediaWiki want it too (mediawiki php-cli php-sqlite3 php-intl, 300 MB), which is not installed here.
set -euo pipefail

PACKAGES=(chromium poppler-utils postgresql mariadb-server-core dovecot-imapd faketime prometheus
    pst-utils 7zip djvulibre-bin)
COMMANDS=(chromium chromium-headless-shell pdftotext mariadbd dovecot faketime promtool readpst 7zz djvused)

missing() {
    local PATH="$PATH:/usr/sbin"
    for command in "${COMMANDS[@]}"; do
        command -v "$command" >/dev/null || return 0
    done
    compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || command -v postgres >/dev/null || return 0
    return 1
}

if ! missing; then
    echo "The system's tools for the tests are here."
elif ! command -v apt-get >/dev/null; then
    echo "This is not Debian. Install these with your package manager, or their tests are skipped:"
    echo "  Chromium, poppler's pdftotext, PostgreSQL and MariaDB servers, Dovecot, faketime, promtool, readpst, 7-Zip, DjVuLibre"
elif [ "$(id -u)" -ne 0 ]; then
    echo "Not root, so nothing was installed. For all tests to run:"
    echo "  sudo apt-get install --no-install-recommends ${PACKAGES[*]}"
else
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q
    # RUNLEVEL: installing a server does not start it
    RUNLEVEL=1 apt-get install -q -y --no-install-recommends "${PACKAGES[@]}"
    apt-get install -q -y --no-install-recommends chromium-headless-shell || true # not every release has it
fi

if command -v npm >/dev/null && ! command -v mcp-inspector >/dev/null; then
    if [ "$(id -u)" -eq 0 ]; then
        npm install --global --no-fund --no-audit @modelcontextprotocol/inspector@0.15.0 ||
            echo "The inspector of the Model Context Protocol could not be installed: its test is skipped."
    else
        echo "For the test of the Model Context Protocol's inspector: npm install -g @modelcontextprotocol/inspector"
    fi
fi
