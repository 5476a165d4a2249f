import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { somarDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { jsonColumn } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { ItemDaCobranca } from '../../faturamento/faturamento.types.ts';
import { apurarFaturas } from '../../faturas/apuracao.service.ts';
import type { Fatura } from '../../faturas/faturas.types.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { ConfiguracaoNfcom } from '../configuracao/configuracao.types.ts';
import { paraClienteFiscal, paraGrupo, paraParte, paraServico } from '../servicos/leitura.service.ts';
import { createServicosQueries } from '../servicos/servicos.queries.ts';
import { ADICIONAIS_DO_PRECO } from '../servicos/servicos.types.ts';
import type {
  AdicionalDoPreco,
  ClienteFiscal,
  GrupoFiscal,
  ParteDoPreco,
  ServicoNfcom,
} from '../servicos/servicos.types.ts';
import { createMontagemQueries } from './montagem.queries.ts';
import type { ClienteRow, ContratoRow, FaturaFiscalRow } from './montagem.queries.ts';
import { partesDasFaturas } from './partes.regras.ts';
import type { CobrancaRow, ParteDaFatura } from './partes.regras.ts';

/** An additional item of a contract. `preco`: of a whole month, where it recurs. */
interface AdicionalDoContrato {
  readonly tipo: AdicionalDoPreco;
  readonly preco: Centavos;
}

/** All that notes of some invoices are built from. */
export interface ContextoDaMontagem {
  readonly configuracao: ConfiguracaoNfcom;
  readonly faturas: ReadonlyMap<number, { readonly row: FaturaFiscalRow; readonly apurada: Fatura }>;
  readonly clientes: ReadonlyMap<number, ClienteRow>;
  readonly contratos: ReadonlyMap<number, ContratoRow>;
  /** What charges were made of, by invoice and contract as `chaveDaParte` names them. */
  readonly cobrados: ReadonlyMap<string, readonly ItemDaCobranca[]>;
  /** Which kind the items of contracts among them are, and what each costs in whole. */
  readonly adicionais: ReadonlyMap<number, AdicionalDoContrato>;
  /** Of invoices of several contracts, which part is of which. */
  readonly partesDasFaturas: ReadonlyMap<number, readonly ParteDaFatura[]>;
  readonly contratosDoCliente: ReadonlyMap<number, readonly ContratoRow[]>;
  readonly telefones: ReadonlyMap<number, string>;
  readonly descontos: ReadonlyMap<number, Centavos>;
  readonly importadas: ReadonlySet<number>;
  readonly deAcordo: ReadonlySet<number>;
  readonly fiscais: ReadonlyMap<number, ClienteFiscal>;
  readonly servicos: ReadonlyMap<number, ServicoNfcom>;
  readonly grupos: ReadonlyMap<number, GrupoFiscal>;
  /** By owner, as `nomeDoDono` names it. */
  readonly partes: ReadonlyMap<string, readonly ParteDoPreco[]>;
  /** By UF and compared name. */
  readonly municipios: ReadonlyMap<string, string>;
}

export const chaveDaParte = (faturaId: number, contratoId: number): string => `${faturaId} ${contratoId}`;

/** Reads it in so many statements, however many invoices there are. */
export async function lerContexto(
  tenant: TenantDb,
  provedor: Provedor,
  configuracao: ConfiguracaoNfcom,
  faturaIds: readonly number[],
  agora: Date,
): Promise<ContextoDaMontagem> {
  const queries = createMontagemQueries(tenant);
  const doServico = createServicosQueries(tenant);
  const rows = await queries.faturas(faturaIds);
  const apuradas = await apurarFaturas(tenant, provedor, hojeEm(provedor.fusoHorario, agora), rows);
  const clienteIds = [...new Set(rows.map(({ cliente_id }) => cliente_id))];
  const semContrato = rows.filter(({ contrato_id }) => contrato_id === null).map(({ cliente_id }) => cliente_id);
  const cobrancas = await queries.cobrancas(faturaIds);
  const cobrados = itensCobrados(cobrancas);
  const contratos = await queries.contratos(
    [...rows.flatMap(({ contrato_id: id }) => id ?? []), ...cobrancas.map(({ contrato_id }) => contrato_id)],
    semContrato,
  );
  const donos = contratos.flatMap(({ id, plano_id: plano }) => [`contrato:${id}`, `plano:${plano}`]);
  const partes = await doServico.partes([...new Set([...donos, 'provedor', ...ADICIONAIS_DO_PRECO])]);
  const fiscais = await doServico.clientes(clienteIds);
  const porFatura = groupBy(await queries.descontos(faturaIds), ({ fatura_id }) => fatura_id);
  return {
    configuracao,
    faturas: new Map(rows.flatMap((row, n) => porPar(row, apuradas[n]))),
    clientes: porId(await queries.clientes(clienteIds)),
    contratos: porId(contratos),
    cobrados,
    adicionais: await adicionaisDe(queries, cobrados),
    partesDasFaturas: partesDasFaturas(rows, cobrancas),
    contratosDoCliente: groupBy(contratos, ({ cliente_id }) => cliente_id),
    telefones: new Map((await queries.telefones(clienteIds)).map(({ cliente_id, numero }) => [cliente_id, numero])),
    descontos: new Map(
      [...porFatura].map(([id, deles]) => [id, somarDinheiro(...deles.map(({ valor }) => lerDinheiro(valor)))]),
    ),
    importadas: new Set(await queries.importadas(faturaIds)),
    deAcordo: new Set(await queries.deAcordo(faturaIds)),
    fiscais: new Map(fiscais.map((row) => [row.cliente_id, paraClienteFiscal(row)])),
    servicos: porId((await doServico.servicos()).map(paraServico)),
    grupos: porId((await doServico.grupos()).map(paraGrupo)),
    partes: new Map(
      [...groupBy(partes, ({ dono }) => dono)].map(([dono, delas]) => [dono, delas.map(paraParte)] as const),
    ),
    municipios: new Map((await doServico.municipios()).map(({ uf, cidade, codigo }) => [`${uf}${cidade}`, codigo])),
  };
}

function itensCobrados(cobrancas: readonly CobrancaRow[]): Map<string, readonly ItemDaCobranca[]> {
  const porParte = groupBy(cobrancas, ({ fatura_id: id, contrato_id: contrato }) => chaveDaParte(id, contrato));
  return new Map(
    [...porParte].map(([parte, delas]) => [
      parte,
      delas.flatMap(({ itens }) => jsonColumn<readonly ItemDaCobranca[]>(itens)),
    ]),
  );
}

async function adicionaisDe(
  queries: ReturnType<typeof createMontagemQueries>,
  cobrados: ReadonlyMap<string, readonly ItemDaCobranca[]>,
): Promise<Map<number, AdicionalDoContrato>> {
  const ids = [...cobrados.values()].flat().flatMap(({ item }) => item ?? []);
  const itens = await queries.itens([...new Set(ids)]);
  return new Map(
    itens.flatMap(({ id, tipo, valor }) =>
      tipo === 'unico' || tipo === 'recorrente' ? [[id, { tipo, preco: lerDinheiro(valor) }]] : [],
    ),
  );
}

const porPar = (row: FaturaFiscalRow, apurada: Fatura | undefined) =>
  apurada === undefined ? [] : [[row.id, { row, apurada }] as const];

const porId = <T extends { readonly id: number }>(rows: readonly T[]): Map<number, T> =>
  new Map(rows.map((row) => [row.id, row]));
