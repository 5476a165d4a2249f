#!/bin/sh
# Leads a provider's callers to the cell CELL: malha provedor mover 3 --trocar '/etc/malha/trocar.sh b', where celula_b is its backend.
#   trocar.sh CELL [MAP] [SOCKET]      with MALHA_PROVEDOR and MALHA_HOST
# Who runs it must be able to write the map's file and the socket. Where it fails, nobody was led anywhere.
set -eu
celula=${1:?uso: trocar.sh CELULA [MAPA] [SOQUETE]}
mapa=${2:-/etc/haproxy/celulas.map}
soquete=${3:-/run/haproxy/admin.sock}
host=$(printf %s "${MALHA_HOST:?}" | tr A-Z a-z)
# As keys have it: in base 36.
numero=$(awk -v n="${MALHA_PROVEDOR:?}" 'BEGIN {
  do { texto = substr("0123456789abcdefghijklmnopqrstuvwxyz", n % 36 + 1, 1) texto; n = int(n / 36) } while (n > 0)
  print texto
}')

# One move at a time changes the map.
exec 9>>"$mapa"
flock 9
antes=$(cat "$mapa")
# Into the same file, which its folder may not let be replaced.
gravar() { printf '%s\n' "$1" >"$mapa"; }
# Which cell the map had before for what stands first in a line; the empty text: none.
celula_de() { printf '%s\n' "$antes" | awk -v um="$1" '$1 == um { celula = $2 } END { print celula }'; }

# HAProxy answers what it refuses with a text, and what it does with an empty line; who says nothing did nothing. Apart from the
# terminal, whose Ctrl-C would end it half-way.
dizer() {
  dito=$(setsid -w node -e '
    const [, soquete, linha] = process.argv;
    let dito = "";
    const s = require("node:net").connect(soquete, () => s.end(`${linha}\n`));
    s.on("data", (parte) => { dito += parte; }).on("error", ({ code }) => { dito = code; });
    s.on("close", () => {
      console.log(dito.trim());
      process.exitCode = /^\n+$/.test(dito) ? 0 : 1;
    });
    s.setTimeout(5000, () => s.destroy(Object.assign(new Error(), { code: "sem resposta" })));
  ' "$soquete" "$1") && return
  echo "trocar.sh: $1: ${dito:-sem resposta}" >&2
  return 1
}
# Leads what stands first in a line to a cell; without one, nowhere.
levar() {
  if test -n "$2"; then
    dizer "set map $mapa $1 $2" 2>/dev/null || dizer "add map $mapa $1 $2"
  else
    dizer "del map $mapa $1"
  fi
}

desfazer() {
  trap '' HUP INT TERM
  gravar "$antes"
  levar "$host" "$(celula_de "$host")" || true
  levar "$numero" "$(celula_de "$numero")" || true
}
levado=nao
trap 'test $levado = sim || desfazer' EXIT
trap 'exit 1' HUP INT TERM
gravar "$(printf '%s\n' "$antes" | awk -v um="$host" -v outro="$numero" 'NF && $1 != um && $1 != outro'
  printf '%s %s\n%s %s' "$host" "$celula" "$numero" "$celula")"
levar "$host" "$celula"
levar "$numero" "$celula"
# From here on it has led them, and may not say that it failed.
trap '' HUP INT TERM
levado=sim
