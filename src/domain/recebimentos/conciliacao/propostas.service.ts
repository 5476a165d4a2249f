import { diasEntre, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { calcularEncargos } from '../../../brazil/dinheiro/encargos.ts';
import { escreverReais } from '../../../brazil/dinheiro/escrita.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { estaAberta } from '../../faturas/apuracao.regras.ts';
import type { SituacaoFatura } from '../../faturas/faturas.types.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { EntradaDoLivro, Proposta } from './conciliacao.types.ts';

interface CandidataRow {
  id: number;
  cliente_id: number;
  cliente_nome: string;
  situacao: SituacaoFatura;
  valor: string;
  vencimento: Data;
  pix_txid: string | null;
  nosso_numero: string | null;
}

const DA_CANDIDATA = columns<CandidataRow>('faturas', {
  id: true,
  cliente_id: true,
  cliente_nome: 'clientes.nome',
  situacao: true,
  valor: true,
  vencimento: true,
  pix_txid: true,
  nosso_numero: true,
});

/** Days before and after the payment within which an invoice of that very amount may have been due. */
const DIAS_EM_VOLTA = 7;
/** How late a payment with fine and interest is looked for. */
const DIAS_DE_ATRASO = 60;
const MAXIMO_DE_CADA = 50;
const MAXIMO_DE_PROPOSTAS = 10;
/** A shorter beginning of a txid is many invoices'. */
const MENOR_COMECO = 8;

/**
 * Invoices that something without one may be of: by its txid or nosso número alike, by what an open invoice asked for on the day of the
 * payment, by its value in that week. Three statements at most, each by an index; who paid is not known, for it is not kept.
 */
export async function proporFaturas(
  tenant: TenantDb,
  provedor: Provedor,
  { meio, txid, identificador, valor, devolvido }: EntradaDoLivro,
  dia: Data,
): Promise<Proposta[]> {
  if (meio === 'manual' || valor <= devolvido) return [];
  const ler = async (
    quais: (faturas: ReturnType<TenantDb['from']>) => unknown,
    indice: string,
  ): Promise<CandidataRow[]> => {
    const query = tenant
      .from('faturas', indice)
      .join('clientes', sameTenant('faturas', 'cliente_id', 'clientes', 'id'));
    quais(query);
    return rowsOf(query.limit(MAXIMO_DE_CADA), DA_CANDIDATA);
  };
  const doCodigo =
    meio === 'pix'
      ? txid === null || txid.length < MENOR_COMECO
        ? []
        : await ler((q) => {
            q.where((um) => {
              um.whereIn('faturas.pix_txid', [...new Set([txid, txid.toLowerCase(), txid.toUpperCase()])]);
              um.orWhere('faturas.pix_txid', 'like', `${txid}%`);
            });
          }, 'faturas_txid')
      : await ler((q) => void q.whereIn('faturas.nosso_numero', variantes(identificador)), 'faturas_nosso_numero');
  const daSemana = await ler((q) => {
    q.where('faturas.grupo', 'aberta').where('faturas.valor', escreverDinheiro(valor));
    q.whereBetween('faturas.vencimento', [somarDias(dia, -DIAS_EM_VOLTA), somarDias(dia, DIAS_EM_VOLTA)]);
  }, 'faturas_valor');
  const pares = comEncargos(valor, dia, provedor);
  const atrasadas =
    pares.length === 0
      ? []
      : await ler((q) => {
          q.where('faturas.grupo', 'aberta').where((um) => {
            for (const [face, vencimento] of pares) {
              um.orWhere((par) => void par.where('faturas.valor', face).where('faturas.vencimento', vencimento));
            }
          });
        }, 'faturas_valor');

  const unicas = new Map([...doCodigo, ...daSemana, ...atrasadas].map((uma) => [uma.id, uma]));
  return [...unicas.values()]
    .map((uma) => propor(uma, { codigo: meio === 'pix' ? txid : identificador, meio, valor, dia, provedor }))
    .toSorted((a, b) => b.pontos - a.pontos || b.faturaId - a.faturaId)
    .slice(0, MAXIMO_DE_PROPOSTAS);
}

/** As banks and files write a nosso número: with zeros before it or without, with its check digit or without. */
function variantes(nossoNumero: string): string[] {
  const digitos = nossoNumero.replaceAll(/\D/g, '');
  const semZeros = digitos.replace(/^0+/, '');
  const todas = [nossoNumero, digitos, semZeros, digitos.slice(0, -1), semZeros.slice(0, -1)];
  return [...new Set(todas.filter((um) => um !== ''))];
}

/** Values and due dates of which exactly so much, or a centavo more or less, was owed on a day with fine and interest. */
function comEncargos(pago: Centavos, dia: Data, { regras }: Provedor): [face: string, vencimento: Data][] {
  const pares: [string, Data][] = [];
  for (let atraso = 1; atraso <= DIAS_DE_ATRASO; atraso += 1) {
    const vencimento = somarDias(dia, -atraso);
    const comEles = calcularEncargos({ valor: CEM_MIL_REAIS, vencimento, hoje: dia, regras, pagamentos: [] }).total;
    if (comEles <= CEM_MIL_REAIS) continue;
    const face = Math.round((pago * CEM_MIL_REAIS) / comEles);
    for (const perto of [face - 1, face, face + 1]) {
      if (perto > 0) pares.push([escreverDinheiro(centavos(perto)), vencimento]);
    }
  }
  return pares;
}

/** Large enough that rounding to the centavo does not change what charges add in proportion. */
const CEM_MIL_REAIS = centavos(10_000_000);

interface DoPagamento {
  readonly codigo: string | null;
  readonly meio: 'pix' | 'boleto';
  readonly valor: Centavos;
  readonly dia: Data;
  readonly provedor: Provedor;
}

const PONTOS = { codigo: 100, devido: 50, valor: 40, perto: 10, semana: 5, fechada: -30 } as const;

function propor(row: CandidataRow, { codigo, meio, valor, dia, provedor }: DoPagamento): Proposta {
  const razoes: string[] = [];
  let pontos = 0;
  const contar = (quanto: number, razao: string | null): void => {
    pontos += quanto;
    if (razao !== null) razoes.push(razao);
  };
  const dela = meio === 'pix' ? row.pix_txid : row.nosso_numero;
  const face = lerDinheiro(row.valor);
  const doCodigo =
    codigo !== null &&
    dela !== null &&
    (meio === 'pix' ? dela.toLowerCase().startsWith(codigo.toLowerCase()) : variantes(codigo).includes(dela));
  if (doCodigo)
    contar(
      PONTOS.codigo,
      meio === 'pix' ? 'o txid é o desta fatura, ou o começo dele' : 'o nosso número é o desta fatura',
    );
  const devido = calcularEncargos({
    valor: face,
    vencimento: row.vencimento,
    hoje: dia,
    regras: provedor.regras,
    pagamentos: [],
  }).total;
  if (face === valor) contar(PONTOS.valor, 'o valor é o da fatura');
  else if (Math.abs(devido - valor) <= 1)
    contar(PONTOS.devido, `com multa e juros devia ${escreverReais(devido)} nesse dia`);
  const longe = Math.abs(diasEntre(row.vencimento, dia));
  if (longe <= 2)
    contar(
      PONTOS.perto,
      longe === 0 ? 'vencia nesse dia' : `vencia a ${longe} ${longe === 1 ? 'dia' : 'dias'} do pagamento`,
    );
  else if (longe <= DIAS_EM_VOLTA) contar(PONTOS.semana, 'vencia nessa semana');
  if (!estaAberta(row)) contar(PONTOS.fechada, `mas está ${row.situacao}`);
  return {
    faturaId: row.id,
    clienteId: row.cliente_id,
    clienteNome: row.cliente_nome,
    situacao: row.situacao,
    valor: face,
    vencimento: row.vencimento,
    razoes,
    pontos,
  };
}
