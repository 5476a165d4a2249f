import { ajustesDe, conferirConvenio } from '../../../brazil/cnab/ajustes.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Convenio } from '../../../brazil/cnab/convenio.types.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { Cnab } from '../cnab.ts';
import { beneficiarioDe, convenioDoBanco } from '../convenios/convenios.types.ts';
import type { ConvenioRow } from '../convenios/convenios.types.ts';
import { doTitulo, julgarEntradas, recusadaDe, semRegistroPorque } from './entradas.ts';
import type { Pronto } from './entradas.ts';
import { pagadorDe } from './pagador.regras.ts';
import type { Recusada } from './pagador.regras.ts';
import { createTitulosQueries } from './titulos.queries.ts';
import type { AMudarRow, ARegistrarRow } from './titulos.queries.ts';

/** All that a file would hold now. */
interface Preparo {
  readonly convenio: Convenio;
  readonly entradas: readonly Pronto<ARegistrarRow>[];
  /** Whether more wait than the file holds. */
  readonly haMais: boolean;
  readonly instrucoes: readonly Pronto<AMudarRow>[];
  /** Some of those that are left out; those that a mended registration would let in come first. */
  readonly recusadas: readonly Recusada[];
  /** How many are left out, of all that were looked at until the file was full. */
  readonly recusadasAoTodo: number;
}

/** Titles of one file, at most: Sicredi takes ten files a day, and each is made in one transaction. */
const TITULOS_POR_ARQUIVO = 5000;

/** Of how many invoices that are left out it is said why. */
const RECUSADAS_DITAS = 200;

interface Pedido {
  readonly provedor: Provedor;
  readonly convenio: ConvenioRow;
  readonly cnab: Cnab;
  readonly hoje: Data;
}

/** Judges what a file of an agreement would hold on a day, without writing anything. */
export async function prepararRemessa(tenant: TenantDb, pedido: Pedido): Promise<Preparo> {
  const { provedor, convenio: row, hoje } = pedido;
  const convenio = convenioDoBanco(row, beneficiarioDe(provedor, row));
  const queries = createTitulosQueries(tenant, row);
  const recusadas: Recusada[] = [];
  let recusadasAoTodo = 0;
  const entradas: Pronto<ARegistrarRow>[] = [];
  for await (const pagina of julgarEntradas(queries, { ...pedido, porPagina: TITULOS_POR_ARQUIVO })) {
    entradas.push(...pagina.prontas);
    recusadasAoTodo += pagina.recusadas.length;
    recusadas.push(...pagina.recusadas.slice(0, RECUSADAS_DITAS - recusadas.length));
    if (entradas.length > TITULOS_POR_ARQUIVO) break;
  }
  const instrucoes = await instrucoesDe(queries, pedido);
  recusadasAoTodo += instrucoes.recusadas.length;
  recusadas.push(...instrucoes.recusadas.slice(0, RECUSADAS_DITAS - recusadas.length));
  if (row.emite === 1) {
    recusadasAoTodo += await queries.quantasSemRegistro(hoje);
    const semRegistro = await queries.semRegistro(hoje, RECUSADAS_DITAS - recusadas.length);
    recusadas.push(...semRegistro.map((fatura) => semRegistroPorque(fatura, hoje)));
  }
  return {
    convenio,
    entradas: entradas.slice(0, TITULOS_POR_ARQUIVO),
    haMais: entradas.length > TITULOS_POR_ARQUIVO,
    instrucoes: instrucoes.prontas,
    recusadas,
    recusadasAoTodo,
  };
}

/** What a file would ask for of titles that the bank has, and what it would not, though a mended registration would let it. */
async function instrucoesDe(
  queries: ReturnType<typeof createTitulosQueries>,
  { provedor, convenio: row, cnab, hoje }: Pedido,
): Promise<{ readonly prontas: readonly Pronto<AMudarRow>[]; readonly recusadas: readonly Recusada[] }> {
  const convenio = convenioDoBanco(row, beneficiarioDe(provedor, row));
  const mudadas = await queries.aMudar(hoje, TITULOS_POR_ARQUIVO);
  const instrucoes = mudadas.flatMap((mudada) => instrucaoDe(mudada, convenio, provedor.fusoHorario));
  if (instrucoes.length === 0) return { prontas: [], recusadas: [] };
  const erradas = await cnab.conferir({ convenio, hoje, titulos: instrucoes.map(({ titulo }) => titulo) });
  const semForma = new Set(erradas.map(({ indice }) => indice));
  const recusadas = erradas.flatMap(({ indice, campo, motivo }) => {
    const errada = instrucoes[indice];
    // Where the bank takes no such instruction by file at all, no change of a registration would help.
    return errada === undefined || campo === 'movimento' ? [] : [recusadaDe(errada.row, campo, motivo)];
  });
  return { prontas: instrucoes.filter((_, indice) => !semForma.has(indice)), recusadas };
}

/**
 * Whether something waits that a file of the agreement could hold: an invoice, or something to ask of a title that the bank has. Of an agreement
 * that its bank would not take, nothing does.
 */
export async function temParaRemessa(tenant: TenantDb, pedido: Pedido): Promise<boolean> {
  const { convenio: row, provedor } = pedido;
  if (conferirConvenio(convenioDoBanco(row, beneficiarioDe(provedor, row))).length > 0) return false;
  const queries = createTitulosQueries(tenant, row);
  for await (const { prontas } of julgarEntradas(queries, { ...pedido, porPagina: TITULOS_POR_ARQUIVO })) {
    if (prontas.length > 0) return true;
  }
  return (await instrucoesDe(queries, pedido)).prontas.length > 0;
}

/** What to ask for a title. The bank knows its payer already, so what is missing of the payer does not matter. */
function instrucaoDe(row: AMudarRow, convenio: Convenio, fuso: string): Pronto<AMudarRow>[] {
  const quem = pagadorDe(row);
  const pagador =
    'pagador' in quem
      ? quem.pagador
      : { nome: row.nome, documento: row.cpf_cnpj, logradouro: '', bairro: '', cep: '', cidade: '', uf: '' };
  const base = {
    ...doTitulo(row, fuso),
    nossoNumero: row.boleto_numero ?? '',
    usoEmpresa: String(row.boleto_id),
    pagador,
  };
  const comoEsta = { vencimento: row.boleto_vencimento as Data, valor: lerDinheiro(row.boleto_valor) };
  const baixa = [{ row, titulo: { ...base, ...comoEsta, movimento: 'baixa' as const } }];
  const encerrada = row.grupo !== 'aberta' || lerDinheiro(row.valor_pago) > 0 || lerDinheiro(row.abatido) > 0;
  if (encerrada) return baixa;
  if (row.valor !== row.boleto_valor) {
    // Where the bank is not known to change amounts, the title goes and comes back with another number.
    if (ajustesDe(convenio).movimentoDeValor === '') return baixa;
    return [{ row, titulo: { ...base, vencimento: comoEsta.vencimento, movimento: 'valor' as const } }];
  }
  return [{ row, titulo: { ...base, movimento: 'vencimento' as const } }];
}
