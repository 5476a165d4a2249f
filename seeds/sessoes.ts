import { createHash } from 'node:crypto';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import { DIA, HORA, MINUTO, SEGUNDO } from './calendario.ts';
import type { Calendario } from './calendario.ts';
import { LOGINS_COMPARTILHADOS } from './perfis.ts';
import type { ContratoGerado, Linha } from './modelo.ts';
import type { PerfilDemo } from './perfis.ts';
import type { Sorteio } from './sorteio.ts';

const DIAS_DE_SESSOES = 30;
const INTERVALO = 300;
/** Marks who is online in the demonstration, which has no NAS to confirm it every five minutes: see `manterOnline`. */
export const INTERVALO_ONLINE = 86_400;

const CAUSAS: readonly (readonly [string, number])[] = [
  ['Lost-Carrier', 34],
  ['User-Request', 26],
  ['Session-Timeout', 14],
  ['Admin-Reset', 8],
  ['NAS-Reboot', 6],
  ['Port-Error', 4],
  ['Lost-Service', 3],
  ['Idle-Timeout', 3],
  ['NAS-Request', 2],
];

/** How the contract is in the network now. */
type Estado = 'online' | 'offline' | 'sem_resposta' | 'nunca';

/** Thirty days of `radacct`, by the beginning of the session; times in UTC, as FreeRADIUS writes them here. */
export function gerarSessoes(
  deps: { perfil: PerfilDemo; calendario: Calendario; sorteio: Sorteio },
  contratos: readonly ContratoGerado[],
): Linha[] {
  const { perfil, sorteio, calendario } = deps;
  const agora = Math.floor(calendario.agora.getTime() / SEGUNDO) * SEGUNDO;
  const desde = agora - DIAS_DE_SESSOES * DIA;
  const sessoes: { inicio: number; linha: Linha }[] = [];

  for (const contrato of contratos) {
    const { linha, bloqueadoEm } = contrato;
    if (linha.login === null || (linha.situacao !== 'ativo' && linha.situacao !== 'bloqueado')) continue;
    const bloqueado = linha.situacao === 'bloqueado' && bloqueadoEm !== null;
    const estado: Estado = bloqueado ? 'offline' : sortearEstado(sorteio, linha.login);
    if (estado === 'nunca') continue;
    const nas = sorteio.escolher(perfil.nas);
    const porta = `ether${sorteio.inteiro(2, 9)}.${sorteio.inteiro(100, 999)}`;
    const mac = linha.mac ?? '48:8F:5A:00:00:01';
    const ip = linha.ip ?? `100.${64 + (perfil.semente % 8)}.${sorteio.inteiro(0, 255)}.${sorteio.inteiro(1, 254)}`;

    const gravar = (inicio: number, fim: number | null, ouvida: number, causa: string): void => {
      const confirmada = fim === null && estado === 'online';
      const id = `${perfil.apelido}${String(sessoes.length).padStart(8, '0')}`;
      const segundos = (fim ?? ouvida) - inicio;
      sessoes.push({
        inicio,
        linha: {
          acctsessionid: id.slice(-10),
          acctuniqueid: createHash('md5').update(id).digest('hex'),
          username: linha.login,
          nasipaddress: nas,
          nasportid: porta,
          nasporttype: 'Ethernet',
          acctstarttime: texto(inicio),
          acctupdatetime: texto(ouvida),
          acctstoptime: fim === null ? null : texto(fim),
          acctinterval: confirmada ? INTERVALO_ONLINE : INTERVALO,
          acctsessiontime: Math.floor(segundos / SEGUNDO),
          acctauthentic: 'RADIUS',
          acctinputoctets: Math.floor(segundos * sorteio.inteiro(5, 40)),
          acctoutputoctets: Math.floor(segundos * sorteio.inteiro(60, 500)),
          calledstationid: `pppoe-${perfil.apelido}`,
          callingstationid: mac,
          acctterminatecause: causa,
          servicetype: 'Framed-User',
          framedprotocol: 'PPP',
          framedipaddress: ip,
        },
      });
    };

    // Backwards, because what is known is how the contract is now.
    let fim = agora;
    let causa = bloqueado ? 'Admin-Reset' : 'User-Request';
    if (estado === 'offline') {
      fim = bloqueado ? bloqueadoEm.getTime() : agora - Math.floor(sorteio.exponencial(20 * HORA)) - 2 * MINUTO;
      if (!bloqueado) causa = sorteio.pesado(CAUSAS);
    } else {
      const inicio = agora - duracao(sorteio) - 30 * MINUTO;
      const silencio = estado === 'online' ? sorteio.inteiro(1, 240) * SEGUNDO : sorteio.inteiro(25, 600) * MINUTO;
      const ouvida = Math.max(inicio, agora - silencio);
      gravar(inicio, null, ouvida, '');
      causa = sorteio.pesado(CAUSAS);
      fim = inicio - intervalo(sorteio, causa);
    }
    while (fim > desde) {
      // A bad link drops twice in a row: the second time seconds after it came back.
      const piscou = causa === 'Lost-Carrier' && sorteio.chance(0.15);
      const inicio = fim - (piscou ? sorteio.inteiro(10, 35) * SEGUNDO : duracao(sorteio));
      gravar(inicio, fim, inicio + Math.floor((fim - inicio) / (INTERVALO * SEGUNDO)) * INTERVALO * SEGUNDO, causa);
      if (!piscou) causa = sorteio.pesado(CAUSAS);
      fim = inicio - (piscou ? sorteio.inteiro(5, 15) * SEGUNDO : intervalo(sorteio, causa));
    }
  }
  return sessoes.toSorted((a, b) => a.inicio - b.inicio).map(({ linha }) => linha);
}

function sortearEstado(sorteio: Sorteio, login: string): Estado {
  // Logins that exist in both providers have sessions in both, or they would show nothing.
  if (LOGINS_COMPARTILHADOS.includes(login)) return 'online';
  return sorteio.pesado([
    ['online', 90],
    ['offline', 6],
    ['sem_resposta', 2],
    ['nunca', 2],
  ]);
}

/** About three days on average, from five minutes to nine days. */
function duracao(sorteio: Sorteio): number {
  const ms = Math.min(9 * DIA, Math.max(5 * MINUTO, sorteio.exponencial(3.1 * DIA)));
  return Math.floor(ms / SEGUNDO) * SEGUNDO;
}

/** How long the client is away before coming back: seconds after a drop, longer when it was the client who left. */
function intervalo(sorteio: Sorteio, causa: string): number {
  return (causa === 'User-Request' ? sorteio.inteiro(60, 5400) : sorteio.inteiro(5, 90)) * SEGUNDO;
}

function texto(ms: number): string {
  return toDatabaseTime(new Date(ms)).slice(0, 19);
}
