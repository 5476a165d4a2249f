import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { createBuscaQueries } from './busca.queries.ts';
import { TIPOS_DA_BUSCA } from './busca.types.ts';
import type {
  ClienteAchado,
  ContratoAchado,
  ContratoAchadoRow,
  OpcoesDaBusca,
  PorQue,
  ResultadoDaBusca,
  TipoDaBusca,
} from './busca.types.ts';
import { acharPorNome } from './nomes.queries.ts';
import { documentoInteiro, reconhecer } from './reconhecimento.regras.ts';
import type { Reconhecido } from './reconhecimento.regras.ts';

export type BuscaService = ReturnType<typeof createBuscaService>;

/** Results of a kind. */
const LIMITE = 8;

/** The one search box: what was typed decides what is looked for, and each is found by an index of the provider's. */
export function createBuscaService(tenant: TenantDb) {
  const queries = createBuscaQueries(tenant, LIMITE);

  async function buscarClientes(oque: Reconhecido, documento: string | null, doProtocolo: number | null) {
    const por = new Map<number, PorQue>();
    const juntar = (ids: readonly number[], porque: PorQue): void =>
      ids.forEach((id) => por.has(id) || por.set(id, porque));
    if (doProtocolo !== null) juntar([doProtocolo], 'protocolo');
    if (oque.numero !== null) juntar([oque.numero], 'numero');
    if (documento !== null) juntar(await queries.porDocumento(documento), 'documento');
    if (oque.telefone !== null) juntar(await queries.porTelefone(oque.telefone), 'telefone');
    const { ids, incompleto } = await acharPorNome(tenant, oque.palavras, LIMITE);
    juntar(ids, 'nome');
    const rows = new Map((await queries.porId([...por.keys()].slice(0, 4 * LIMITE))).map((row) => [row.id, row]));
    const clientes = [...por].flatMap(([id, porque]): ClienteAchado[] => {
      const row = rows.get(id);
      return row === undefined ? [] : [{ ...row, por: porque, telefones: row.telefones?.split(',') ?? [] }];
    });
    return { clientes: clientes.slice(0, LIMITE), incompleto: incompleto || clientes.length > LIMITE };
  }

  async function buscarContratos(oque: Reconhecido) {
    const achados = new Map<number, ContratoAchado>();
    const juntar = (rows: readonly ContratoAchadoRow[], por: PorQue): void =>
      rows.forEach((row) => achados.has(row.id) || achados.set(row.id, { ...row, por }));
    if (oque.numero !== null) juntar(await queries.contratoDeId(oque.numero), 'numero');
    if (oque.mac !== null) juntar(await queries.porMac(oque.mac), 'mac');
    if (oque.ip !== null) juntar(await queries.porIp(oque.ip), 'ip');
    if (oque.login !== null) juntar(await queries.porLogin(oque.login), 'login');
    const todos = [...achados.values()];
    return { contratos: todos.slice(0, LIMITE), incompleto: todos.length > LIMITE };
  }

  return {
    /**
     * Up to eight of each kind, the surest first. A text of nothing that can be looked for finds nothing.
     *
     * @param texto as it was typed.
     */
    async buscar(
      texto: string,
      { tipos = TIPOS_DA_BUSCA, documentos = 'partes' }: OpcoesDaBusca = {},
    ): Promise<ResultadoDaBusca> {
      const oque = reconhecer(texto);
      const documentoDe = {
        partes: () => oque.documento,
        inteiros: () => documentoInteiro(texto),
        nenhum: () => null,
      };
      const pode = (tipo: TipoDaBusca): boolean => tipos.includes(tipo);
      const contato = oque.protocolo === null ? null : await queries.doProtocolo(oque.protocolo);
      // A ticket is what its protocol means; of another contact it is the client.
      const doContato = contato?.chamado === null ? contato.cliente : null;
      const { clientes, incompleto: maisClientes } = pode('clientes')
        ? await buscarClientes(oque, documentoDe[documentos](), doContato)
        : { clientes: [], incompleto: false };
      const { contratos, incompleto: maisContratos } = pode('contratos')
        ? await buscarContratos(oque)
        : { contratos: [], incompleto: false };
      const { numero } = oque;
      const faturas = numero !== null && pode('faturas') ? await queries.fatura(numero) : [];
      const doChamado = contato?.chamado ?? numero;
      const chamados = doChamado !== null && pode('chamados') ? await queries.chamado(doChamado) : [];
      const achados = { clientes, contratos, faturas, chamados };
      return { ...achados, exato: exatoDe(oque, achados), incompleto: maisClientes || maisContratos };
    },
  };
}

/** What is opened at once: one thing alone that was named whole. A number without `#` may be many things, and opens none. */
function exatoDe(oque: Reconhecido, achados: Pick<ResultadoDaBusca, TipoDaBusca>): ResultadoDaBusca['exato'] {
  const { clientes, contratos, chamados } = achados;
  if (oque.protocolo !== null) {
    const [chamado] = chamados;
    if (chamado !== undefined) return { tipo: 'chamados', id: chamado.id };
    const contato = clientes.find(({ por }) => por === 'protocolo');
    if (contato !== undefined) return { tipo: 'clientes', id: contato.id };
  }
  if (oque.soNumero) {
    const todos = TIPOS_DA_BUSCA.flatMap((tipo) => achados[tipo].map(({ id }) => ({ tipo, id })));
    return todos.length === 1 ? (todos[0] ?? null) : null;
  }
  const certos = [
    ...clientes
      .filter(({ por, cpf_cnpj: documento }) =>
        por === 'documento' ? documento === oque.documento : por === 'telefone' && (oque.telefone ?? '').length >= 8,
      )
      .map(({ id }) => ({ tipo: 'clientes' as const, id })),
    ...contratos
      .filter(({ por, login, mac, cliente_id: dono }) => {
        // Where the tax id is the login, both are of one person.
        if (clientes.some(({ id, por: porque }) => id === dono && porque === 'documento')) return false;
        // What is a name to others is not opened as a login.
        const soLogin = clientes.length === 0 || /[^\p{L}]/u.test(oque.login ?? '');
        if (por === 'login') return soLogin && login?.toLowerCase() === oque.login?.toLowerCase();
        return por === 'ip' || (por === 'mac' && mac?.toLowerCase() === oque.mac);
      })
      .map(({ id }) => ({ tipo: 'contratos' as const, id })),
  ];
  return certos.length === 1 ? (certos[0] ?? null) : null;
}
