import { centavos, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { ItemDaNota } from '../../../brazil/nfcom/base/nota.types.ts';
import type { ParteDoPreco } from '../servicos/servicos.types.ts';
import { chaveDaParte } from './contexto.ts';
import type { ContextoDaMontagem } from './contexto.ts';
import { linhasDe } from './linhas.regras.ts';
import type { LinhaDaNota } from './linhas.regras.ts';
import type { ContratoRow } from './montagem.queries.ts';
import type { Parte } from './parte.regras.ts';
import { ratear, repartir } from './reparticao.regras.ts';
import type { Fatia } from './reparticao.regras.ts';

/** A quantity of one, in ten-thousandths. */
const UM = 10_000;

/** How the price of a contract splits: its own way, else its plan's, else the provider's, else the first service is all of it. */
export function partesDe({ partes, servicos }: ContextoDaMontagem, contrato: ContratoRow): readonly ParteDoPreco[] {
  const propria =
    partes.get(`contrato:${contrato.id}`) ?? partes.get(`plano:${contrato.plano_id}`) ?? partes.get('provedor');
  if (propria !== undefined) return propria;
  const [primeiro] = servicos.values();
  return primeiro === undefined ? [] : [{ servicoId: primeiro.id, descricao: null, percentual: null, valor: null }];
}

/** The items of a part of an invoice; null where no service is there to be named, or why it can have none. */
export function itensDe(
  faturaId: number,
  { valor, desconto }: Parte,
  contexto: ContextoDaMontagem,
  contrato: ContratoRow,
): ItemDaNota[] | null | 'desconto_total' | 'sem_resto' {
  const fatias = valor > 0 ? fatiasDe(faturaId, valor, contexto, contrato) : semValor(contexto, contrato);
  if (fatias === null) return 'sem_resto';
  if (fatias.length === 0) return null;
  if (valor > 0 && desconto >= valor) return 'desconto_total';
  const descontos = ratear(
    desconto,
    fatias.map((fatia) => fatia.valor),
  );
  const itens = fatias.map((fatia, n) => item(contexto, fatia, descontos[n] ?? centavos(0)));
  return itens.some((um) => um === null) ? null : (itens as ItemDaNota[]);
}

/** What is nothing, or less, comes out as one item, for which it is refused by name. */
const semValor = (contexto: ContextoDaMontagem, contrato: ContratoRow): Fatia[] =>
  partesDe(contexto, contrato)
    .slice(0, 1)
    .map(({ servicoId, descricao }) => ({ servicoId, descricao, valor: centavos(0) }));

/** Null where a line's fixed parts leave nothing for the part that takes what is left. */
function fatiasDe(
  faturaId: number,
  valor: Centavos,
  contexto: ContextoDaMontagem,
  contrato: ContratoRow,
): Fatia[] | null {
  const { cobrados, adicionais, partes } = contexto;
  const linhas = linhasDe(valor, cobrados.get(chaveDaParte(faturaId, contrato.id)) ?? [], (id) => {
    const tipo = adicionais.get(id)?.tipo;
    return tipo !== undefined && partes.has(tipo) ? tipo : null;
  });
  const fatias = linhas.map((linha) =>
    linha.de === null ? doPlano(linha, contexto, contrato) : doAdicional(linha, contexto, partes.get(linha.de) ?? []),
  );
  return fatias.includes(null) ? null : fatias.flatMap((delas) => delas ?? []);
}

function doPlano({ valor }: LinhaDaNota, contexto: ContextoDaMontagem, contrato: ContratoRow): Fatia[] | null {
  // Nobody knows what it is that is more than the price: it is no reason for more of a fixed part.
  const preco = centavos(Math.max(lerDinheiro(contrato.valor), valor));
  return repartir(valor, partesDe(contexto, contrato), preco);
}

/** Called what the item is called, unless its part says otherwise. Of a part of a month it has as much of a fixed part, as the plan's has. */
function doAdicional(
  { valor, item: id, descricao: doItem }: LinhaDaNota,
  { adicionais }: ContextoDaMontagem,
  partes: readonly ParteDoPreco[],
): Fatia[] | null {
  const doContrato = id === null ? undefined : adicionais.get(id);
  const preco = centavos(Math.max(doContrato?.preco ?? 0, valor));
  const fatias = repartir(valor, partes, preco);
  return fatias?.map(({ descricao, ...fatia }) => ({ ...fatia, descricao: descricao ?? doItem })) ?? null;
}

/** An item of one, as its service says it; null where there is no such service. */
export function item(
  { servicos, grupos }: ContextoDaMontagem,
  { servicoId, descricao, valor }: Fatia,
  desconto: Centavos,
): ItemDaNota | null {
  const servico = servicos.get(servicoId);
  const grupo = servico === undefined ? undefined : grupos.get(servico.grupoId);
  if (servico === undefined || grupo === undefined) return null;
  return {
    codigo: servico.codigo,
    descricao: descricao ?? servico.descricao,
    classe: servico.classe,
    cfop: servico.cfop,
    unidade: servico.unidade,
    quantidade: UM,
    valorUnitario: valor,
    desconto,
    acrescimo: centavos(0),
    devolucao: false,
    tributos: grupo.tributos,
    ibsCbs: grupo.ibsCbs,
    anterior: null,
    informacoes: null,
  };
}
