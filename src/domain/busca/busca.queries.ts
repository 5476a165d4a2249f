import type { Knex } from 'knex';
import { columns, computed, rowsOf } from '../../platform/mysql/columns.ts';
import type { Columns } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { ultimosOito } from '../../brazil/pessoa/telefone.ts';
import { DA_FATURA_ACHADA, DO_CHAMADO_ACHADO, DO_CLIENTE_ACHADO, DO_CONTRATO_ACHADO } from './busca.types.ts';
import type { ChamadoAchadoRow, ContratoAchadoRow, FaturaAchadaRow } from './busca.types.ts';

const DO_DONO = columns<{ id: number }>('clientes_telefones', { id: 'clientes_telefones.cliente_id' });
const DO_LOGIN = columns<{ username: string }>('radacct', { username: true });
const DO_NAS = columns<{ nasipaddress: string }>('provedores_nas', { nasipaddress: true });
const DO_PROTOCOLO = columns<{ chamado_id: number | null; cliente_id: number | null }>('atendimentos', {
  chamado_id: true,
  cliente_id: true,
});
const SO_ID = columns<{ id: number }>('clientes', { id: true });

/** The text as the beginning of others, in LIKE. */
const comecandoPor = (texto: string): string => `${texto.replaceAll(/[\\%_]/g, '\\$&')}%`;

export function createBuscaQueries(tenant: TenantDb, limite: number) {
  /** Contracts by a condition of their own, those that are in force first. */
  const contratos = async (onde: (query: Knex.QueryBuilder) => void): Promise<ContratoAchadoRow[]> =>
    rowsOf(
      tenant
        .from('contratos')
        .join('clientes', sameTenant('contratos', 'cliente_id', 'clientes', 'id'))
        .join('planos', sameTenant('contratos', 'plano_id', 'planos', 'id'))
        .modify(onde)
        .limit(limite + 1),
      DO_CONTRATO_ACHADO,
    );
  const comDono = async <Row>(tabela: string, id: number, colunas: Columns<Row>): Promise<Row[]> =>
    rowsOf(
      tenant
        .from(tabela)
        .join('clientes', sameTenant(tabela, 'cliente_id', 'clientes', 'id'))
        .where(`${tabela}.id`, id),
      colunas,
    );

  return {
    /** Clients of a tax id, or of those that begin so. */
    async porDocumento(documento: string): Promise<number[]> {
      const inteiro = documento.length === 11 || documento.length === 14;
      const query = tenant.from('clientes', 'clientes_cpf_cnpj');
      if (inteiro) query.where('cpf_cnpj', documento).orderBy('id', 'desc');
      else query.where('cpf_cnpj', 'like', `${documento}%`).orderBy(['cpf_cnpj', 'id']);
      return (await rowsOf(query.limit(limite + 1), SO_ID)).map(({ id }) => id);
    },

    /** Clients of a phone: eight digits or more are compared by the last eight, fewer are its end. */
    async porTelefone(digitos: string): Promise<number[]> {
      const query =
        digitos.length >= 8
          ? tenant.from('clientes_telefones', 'clientes_telefones_busca').where('ultimos_oito', ultimosOito(digitos))
          : tenant
              .from('clientes_telefones', 'clientes_telefones_final')
              .where('ao_contrario', 'like', `${Array.from(digitos).toReversed().join('')}%`);
      const donos = await rowsOf(query.limit(4 * limite), DO_DONO);
      return [...new Set(donos.map(({ id }) => id))];
    },

    porId: async (ids: readonly number[]) =>
      ids.length === 0
        ? []
        : rowsOf(
            tenant.from('clientes').whereIn('clientes.id', [...ids]),
            DO_CLIENTE_ACHADO,
            computed<{ telefones: string | null }>({
              telefones: tenant
                .from('clientes_telefones as t')
                .whereRaw('t.cliente_id = clientes.id')
                .select(tenant.db.raw('GROUP_CONCAT(t.numero ORDER BY t.id)')),
            }),
          ),

    contratoDeId: async (id: number) => contratos((q) => void q.where('contratos.id', id)),
    porLogin: async (login: string) =>
      contratos((q) => void q.where('contratos.login', 'like', comecandoPor(login)).orderBy('contratos.login')),
    async porMac(mac: string) {
      const formas = [mac, mac.toUpperCase()];
      return contratos((q) => {
        if (mac.length === 17) q.whereIn('contratos.mac', formas);
        else q.where((ou) => formas.forEach((forma) => void ou.orWhere('contratos.mac', 'like', `${forma}%`)));
      });
    },

    /** Contracts that have the address of their own, or a session open with it now. */
    async porIp(ip: string): Promise<ContratoAchadoRow[]> {
      const proprios = await contratos((q) => void q.where('contratos.ip', ip));
      const nas = (await rowsOf(tenant.from('provedores_nas'), DO_NAS)).map(({ nasipaddress }) => nasipaddress);
      if (nas.length === 0 || ip.includes(':')) return proprios;
      const abertas = tenant.db
        .from(tenant.db.raw('radacct FORCE INDEX (framedipaddress)'))
        .where('framedipaddress', ip)
        .whereNull('acctstoptime')
        .whereIn('nasipaddress', nas)
        .limit(limite);
      const logins = (await rowsOf(abertas, DO_LOGIN)).map(({ username }) => username);
      if (logins.length === 0) return proprios;
      const ligados = await contratos((q) => void q.whereIn('contratos.login', logins));
      const vistos = new Set(proprios.map(({ id }) => id));
      return [...proprios, ...ligados.filter(({ id }) => !vistos.has(id))];
    },

    /** The ticket of a protocol, or whose the contact is where it is none; null where this tenant has none, or nobody knows whose it is. */
    async doProtocolo(
      protocolo: string,
    ): Promise<{ readonly chamado: number | null; readonly cliente: number } | null> {
      const [row] = await rowsOf(tenant.from('atendimentos').where('protocolo', protocolo), DO_PROTOCOLO);
      return row === undefined || row.cliente_id === null ? null : { chamado: row.chamado_id, cliente: row.cliente_id };
    },

    fatura: async (id: number) => comDono<FaturaAchadaRow>('faturas', id, DA_FATURA_ACHADA),
    chamado: async (id: number) => comDono<ChamadoAchadoRow>('chamados', id, DO_CHAMADO_ACHADO),
  };
}
