import { groupBy } from '../../platform/group-by.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import { lerCampos } from '../campos/campos.ts';
import type { Write } from '../escrita.ts';
import { bytesDoIp } from './endereco.regras.ts';
import { FORMA_DE_CONSULTA } from './registros.campos.ts';
import { MAXIMO, MAXIMO_ATRAS, createRegistrosQueries } from './registros.queries.ts';
import type { PortasRow, RegistroRow } from './registros.queries.ts';

/** Clocks of a NAS, of whoever kept a log elsewhere and ours differ: sessions that began or ended so close are named, too. */
const TOLERANCIA_SEGUNDOS = 60;
/** Twice the longest interval between signs of life (conexoes/estado.regras.ts): a session that was silent for longer had gone. */
export const SILENCIO_SEGUNDOS = 3600;

/**
 * `confirmada`: the session was up at that moment. `na_tolerancia`: it began or ended within the tolerance. `sem_sinal`: nobody said that it
 * ended, and nothing was heard of it for more than an hour before.
 */
export type Certeza = 'confirmada' | 'na_tolerancia' | 'sem_sinal';

/** A session that had the address. */
export interface QuemUsou {
  readonly certeza: Certeza;
  readonly contrato_id: number | null;
  readonly cliente: { readonly id: number; readonly nome: string; readonly cpf_cnpj: string } | null;
  readonly login: string;
  readonly nas: string;
  readonly mac: string | null;
  /** The address or prefix that the session had. */
  readonly rede: string | null;
  readonly inicio: Date;
  readonly fim: Date | null;
  /** When an open session was last heard of. */
  readonly visto_em: Date | null;
  /** Where it went out by a public address that others had, too. */
  readonly portas: { readonly inicial: number; readonly final: number } | null;
}

export interface Consulta {
  readonly instante: Date;
  readonly tolerancia_segundos: number;
  /** There were more than are told; a port tells which of them it was. */
  readonly incompleto: boolean;
  /** The most certain first. */
  readonly encontrados: readonly QuemUsou[];
}

export type RegistrosService = ReturnType<typeof createRegistrosService>;

/** Connection records (Lei 12.965/2014, art. 13): secret, and told only to whom a judge says. */
export function createRegistrosService({ w }: { readonly w: Write }) {
  const queries = createRegistrosQueries(w.tenant);

  /**
   * The session behind ports of a public address: that which had the private one then, by the same login. `rows`: those that had one of
   * all the private addresses.
   */
  function porTras(portas: PortasRow, rows: ReadonlyMap<string, readonly RegistroRow[]>, instante: Date): QuemUsou {
    const dele = (rows.get(portas.ip_privado ?? '') ?? []).filter(({ login }) => login === portas.login);
    const faixa = { inicial: portas.porta_inicial, final: portas.porta_final };
    const [inicio, fim] = [fromDatabaseTime(portas.inicio), lido(portas.fim)];
    const vistoEm = lido(portas.visto_em);
    // Nobody says of a range by itself that it lives: its session does.
    const orfa = fim === null && vistoEm === null;
    const certeza = orfa ? 'sem_sinal' : certezaDe(inicio, fim, vistoEm ?? inicio, instante);
    // Where it went to another holder while it was up, the one whose it was then.
    const [sessao] = dele.map((row) => paraQuemUsou(row, instante)).toSorted(porCerteza);
    if (sessao !== undefined) return { ...sessao, certeza: pior(certeza, sessao.certeza), portas: faixa };
    const { login, nas, ip_privado: rede } = portas;
    return {
      certeza,
      contrato_id: null,
      cliente: null,
      login,
      nas,
      mac: null,
      rede,
      inicio,
      fim,
      visto_em: vistoEm,
      portas: faixa,
    };
  }

  return {
    /**
     * Who had an address, or a port of it, at a moment. That it was asked, by whom and by which order is written down in the same
     * transaction, whether or not somebody was found; the address and the answer are not, because the audit log is kept for ever.
     *
     * @throws CamposInvalidos
     */
    async quemUsou(dados: unknown): Promise<Consulta> {
      const { ip, porta, instante, motivo } = lerCampos(FORMA_DE_CONSULTA, dados);
      const janela = { de: deslocar(instante, -TOLERANCIA_SEGUNDOS), ate: deslocar(instante, TOLERANCIA_SEGUNDOS) };
      const diretos = await queries.comEndereco([ip], janela, MAXIMO + 1);
      const portas = ip.length === 4 ? await queries.portas(ip, porta, janela, MAXIMO + 1) : [];
      const faixas = portas.slice(0, MAXIMO);
      const privados = new Set(faixas.flatMap(({ ip_privado: privado }) => privado ?? []));
      const enderecos = [...privados].flatMap((privado) => bytesDoIp(privado) ?? []);
      const atras = await queries.comEndereco(enderecos, janela, MAXIMO_ATRAS + 1);
      const porRede = groupBy(atras, ({ rede }) => rede);
      w.emit('registro_conexao.consultado', null, {
        motivo,
        instante: instante.toISOString(),
        versao: ip.length === 4 ? 'ipv4' : 'ipv6',
        com_porta: porta !== undefined,
      });
      const encontrados = [
        ...diretos.slice(0, MAXIMO).map((row) => paraQuemUsou(row, instante)),
        ...faixas.map((faixa) => porTras(faixa, porRede, instante)),
      ].toSorted(porCerteza);
      const incompleto = diretos.length > MAXIMO || portas.length > MAXIMO || atras.length > MAXIMO_ATRAS;
      return { instante, tolerancia_segundos: TOLERANCIA_SEGUNDOS, incompleto, encontrados };
    },
  };
}

const ORDEM: readonly Certeza[] = ['confirmada', 'na_tolerancia', 'sem_sinal'];
const porCerteza = (a: QuemUsou, b: QuemUsou): number => ORDEM.indexOf(a.certeza) - ORDEM.indexOf(b.certeza);
const pior = (a: Certeza, b: Certeza): Certeza => (ORDEM.indexOf(a) > ORDEM.indexOf(b) ? a : b);

const deslocar = (instante: Date, segundos: number): Date => new Date(instante.getTime() + segundos * 1000);
const lido = (momento: string | null): Date | null => (momento === null ? null : fromDatabaseTime(momento));

/** `visto`: until when it is known to have been up. */
function certezaDe(inicio: Date, fim: Date | null, visto: Date, instante: Date): Certeza {
  if (fim === null && deslocar(visto, SILENCIO_SEGUNDOS) < instante) return 'sem_sinal';
  // Records are by the second.
  return inicio <= instante && (fim === null || deslocar(fim, 1) > instante) ? 'confirmada' : 'na_tolerancia';
}

function paraQuemUsou(row: RegistroRow, instante: Date): QuemUsou {
  const [inicio, fim, vistoEm] = [fromDatabaseTime(row.inicio), lido(row.fim), lido(row.visto_em)];
  const { cliente_id: id, cliente_nome: nome, cliente_cpf_cnpj: cpf_cnpj } = row;
  return {
    certeza: certezaDe(inicio, fim, vistoEm ?? inicio, instante),
    contrato_id: row.contrato_id,
    cliente: id === null || nome === null || cpf_cnpj === null ? null : { id, nome, cpf_cnpj },
    login: row.login,
    nas: row.nas,
    mac: row.mac === '' ? null : row.mac,
    rede: row.bits === 32 && row.rede.includes('.') ? row.rede : `${row.rede}/${row.bits}`,
    inicio,
    fim,
    visto_em: vistoEm,
    portas: null,
  };
}
