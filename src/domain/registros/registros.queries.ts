import { columns, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { numeroDoIpv4, redesDoIp } from './endereco.regras.ts';

/** An address of a session, with what is known of whose it was. */
export interface RegistroRow {
  readonly id: number;
  readonly contrato_id: number | null;
  readonly cliente_id: number | null;
  readonly cliente_nome: string | null;
  readonly cliente_cpf_cnpj: string | null;
  readonly login: string;
  readonly nas: string;
  readonly mac: string;
  readonly rede: string;
  readonly bits: number;
  readonly inicio: string;
  readonly fim: string | null;
  /** When an open session was last heard of, by the NAS's clock. */
  readonly visto_em: string | null;
}

/** Of `registros_conexao as r`, its contract `c`, that one's client `p`, and what is known of its last sign of life `o`. */
const DO_REGISTRO = columns<RegistroRow>('r', {
  id: true,
  contrato_id: true,
  cliente_id: 'c.cliente_id',
  cliente_nome: 'p.nome',
  cliente_cpf_cnpj: 'p.cpf_cnpj',
  login: true,
  nas: 'INET_NTOA(r.nas)',
  mac: true,
  rede: 'INET6_NTOA(r.rede)',
  bits: true,
  inicio: true,
  fim: true,
  visto_em: 'IF(r.fim IS NULL, o.dita_em, NULL)',
});

/** Ports of a public address, and whose they were behind it. */
export interface PortasRow {
  readonly login: string;
  readonly ip_privado: string | null;
  readonly porta_inicial: number;
  readonly porta_final: number;
  readonly inicio: string;
  readonly fim: string | null;
  readonly nas: string;
  /** Of the session of an open range: its last sign of life; null where it is over, or nobody knows it. */
  readonly visto_em: string | null;
}

/** Of `registros_portas as t`, its session's row `r`, and what is known of its last sign of life `o`. */
const DAS_PORTAS = columns<PortasRow>('t', {
  login: true,
  ip_privado: 'INET_NTOA(t.ip_privado)',
  porta_inicial: true,
  porta_final: true,
  inicio: true,
  fim: true,
  nas: 't.nasipaddress',
  visto_em: `IF(t.fim IS NULL AND r.radacctid IS NOT NULL AND (r.acctstoptime IS NULL OR r.acctstarttime > r.acctstoptime),
                COALESCE(o.dita_em, r.acctupdatetime, r.acctstarttime), NULL)`,
});

/** Both ends of a time, as MySQL writes them. */
interface Janela {
  readonly de: Date;
  readonly ate: Date;
}

/** Of one answer: an address that so many sessions had within two minutes is no subscriber's. */
export const MAXIMO = 200;
/** Sessions that had one of the private addresses behind an answer's ranges of ports, of which most have one or two. */
export const MAXIMO_ATRAS = 20 * MAXIMO;

export function createRegistrosQueries(tenant: TenantDb) {
  const { db, provedorId } = tenant;
  return {
    /**
     * Sessions that had one of some addresses in a time, the newest first, of all up to `maximo`. In one statement, by a range of one index for
     * each network that an address may be in.
     */
    async comEndereco(enderecos: readonly Buffer[], { de, ate }: Janela, maximo: number): Promise<RegistroRow[]> {
      if (enderecos.length === 0) return [];
      const redes = enderecos.flatMap(redesDoIp).map(({ rede, bits }) => [rede.toString('hex'), bits]);
      return rowsOfSql(
        db,
        DO_REGISTRO,
        (colunas) =>
          `SELECT ${colunas}
             FROM JSON_TABLE(?, '$[*]' COLUMNS (rede VARCHAR(32) PATH '$[0]', bits INT PATH '$[1]')) AS procuradas
             STRAIGHT_JOIN registros_conexao r FORCE INDEX FOR JOIN (registros_conexao_endereco)
               ON r.provedor_id = ? AND r.rede = UNHEX(procuradas.rede) AND r.inicio <= ?
              AND (r.fim IS NULL OR r.fim >= ?) AND r.bits = procuradas.bits
             LEFT JOIN contratos c ON c.provedor_id = r.provedor_id AND c.id = r.contrato_id
             LEFT JOIN clientes p ON p.provedor_id = c.provedor_id AND p.id = c.cliente_id
             LEFT JOIN sessoes_ouvidas o ON o.radacctid = r.radacctid
            ORDER BY r.inicio DESC, r.id DESC LIMIT ?`,
        [JSON.stringify(redes), provedorId, toDatabaseTime(ate), toDatabaseTime(de), maximo],
      );
    },

    /** Ports of a public address in a time, the newest first: those that hold one port, or all, up to `maximo`. */
    async portas(bytes: Buffer, porta: number | undefined, { de, ate }: Janela, maximo: number): Promise<PortasRow[]> {
      const query = tenant
        .from('registros_portas as t', 'registros_portas_endereco')
        .leftJoin('radacct as r', 'r.acctuniqueid', 't.sessao')
        .leftJoin('sessoes_ouvidas as o', 'o.radacctid', 'r.radacctid')
        .where('t.ip_publico', numeroDoIpv4(bytes))
        .where('t.inicio', '<=', toDatabaseTime(ate))
        .where((aberta) => void aberta.whereNull('t.fim').orWhere('t.fim', '>=', toDatabaseTime(de)))
        .orderBy('t.inicio', 'desc')
        .orderBy('t.id', 'desc')
        .limit(maximo);
      if (porta !== undefined) query.where('t.porta_inicial', '<=', porta).where('t.porta_final', '>=', porta);
      return rowsOf(query, DAS_PORTAS);
    },
  };
}
