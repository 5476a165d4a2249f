import { emAtraso } from '../../../brazil/calendario/calendario-bancario.ts';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { columns, computed, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { estaAberta } from '../../faturas/apuracao.regras.ts';
import { COLUNAS_DA_FATURA } from '../../faturas/faturas.types.ts';
import type { FaturaRow } from '../../faturas/faturas.types.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { REFERENCIA_DA_FATURA } from './candidatas.queries.ts';
import type { AvisoDado, FatosDoBloqueio } from '../juizo.regras.ts';
import type { Passo } from '../regua.types.ts';
import { jaBloqueados } from './bloqueados.queries.ts';
import { contratosQueRespondem } from './respondem.queries.ts';
import { esperamRetorno } from './retornos.queries.ts';

/** An invoice with what tells its steps apart. */
export type FaturaDaRegua = FaturaRow & { referencia: string };

interface PassoDadoRow {
  id: number;
  passo: Passo;
  alvo_id: number;
  referencia: string;
  vez: number;
  dia: Data;
  prazo: Data | null;
  entregue_em: string | null;
}

const DO_PASSO = columns<PassoDadoRow>('regua_passos', {
  id: true,
  passo: true,
  alvo_id: true,
  referencia: true,
  vez: true,
  dia: true,
  prazo: true,
  entregue_em: true,
});
const DA_PAUSA = columns<{ cliente_id: number; contrato_id: number | null; so_bloqueio: number }>('regua_pausas', {
  cliente_id: true,
  contrato_id: true,
  so_bloqueio: true,
});
const CONTRATO = columns<{ contrato_id: number }>('t', { contrato_id: true });
const CLIENTE = columns<{ cliente_id: number }>('faturas', { cliente_id: true });
interface ParcelaRow {
  renegociacao_id: number;
  cliente_id: number;
  criada_em: string;
  vencimento: Data;
}

const DO_ACORDO = columns<ParcelaRow>('r', {
  renegociacao_id: 'r.id',
  cliente_id: true,
  criada_em: true,
  vencimento: 'f.vencimento',
});

/** Some invoices, by id. `travar`: until the transaction ends. */
export async function lerFaturas(de: TenantDb, ids: readonly number[], travar: boolean): Promise<FaturaDaRegua[]> {
  const faturas = de
    .from('faturas')
    .whereIn('faturas.id', [...ids])
    .orderBy('faturas.id')
    .modify((q) => void (travar && q.forUpdate()));
  const referencia = de.db.raw(REFERENCIA_DA_FATURA.replaceAll('f.', 'faturas.'));
  return rowsOf(faturas, COLUNAS_DA_FATURA, computed<{ referencia: string }>({ referencia }));
}

/** What was said or done of some invoices or contracts, of one step; the newest last. */
export async function passosDados(
  de: Pick<TenantDb, 'from'>,
  passo: Passo,
  alvos: readonly number[],
): Promise<PassoDadoRow[]> {
  return rowsOf(
    de
      .from('regua_passos')
      .where({ passo })
      .whereIn('alvo_id', [...alvos])
      .orderBy('id'),
    DO_PASSO,
  );
}

/** The step as it was last taken of an invoice or contract that stands where it does. */
export const ultimoPasso = (
  passos: readonly PassoDadoRow[],
  alvoId: number,
  referencia: string,
): PassoDadoRow | undefined => passos.findLast((um) => um.alvo_id === alvoId && um.referencia === referencia);

export const avisoDe = (fuso: string, row: PassoDadoRow | undefined): AvisoDado | null =>
  row === undefined
    ? null
    : {
        dia: row.dia,
        prazo: row.prazo,
        entregueEm: row.entregue_em === null ? null : hojeEm(fuso, fromDatabaseTime(row.entregue_em)),
      };

interface DeQuem {
  readonly clienteId: number;
  readonly contratoId: number | null;
}

/** Whether the ladder stands still for somebody; `bloqueio`: for blocks, which some pauses are of alone. */
async function pausas(
  de: Pick<TenantDb, 'from'>,
  clienteIds: readonly number[],
  dia: Data,
): Promise<(quem: DeQuem, bloqueio: boolean) => boolean> {
  const emVigor = de
    .from('regua_pausas')
    .whereIn('cliente_id', [...clienteIds])
    .whereNull('encerrada_em')
    .where((q) => void q.whereNull('ate').orWhere('ate', '>=', dia));
  const porCliente = groupBy(await rowsOf(emVigor, DA_PAUSA), ({ cliente_id }) => cliente_id);
  return ({ clienteId, contratoId }, bloqueio) =>
    (porCliente.get(clienteId) ?? []).some(
      (pausa) =>
        (pausa.contrato_id === null || pausa.contrato_id === contratoId) && (bloqueio || pausa.so_bloqueio === 0),
    );
}

/**
 * Whether nothing is to be said of an invoice on a day: the ladder stands still for its client, or for all of the contracts that answer for it.
 */
export async function quietas(
  de: Pick<TenantDb, 'from'>,
  faturas: readonly FaturaDaRegua[],
  dia: Data,
): Promise<(fatura: FaturaDaRegua) => boolean> {
  const pausado = await pausas(
    de,
    faturas.map(({ cliente_id }) => cliente_id),
    dia,
  );
  const { deQuem } = await contratosQueRespondem(de, faturas);
  return (fatura) => {
    const clienteId = fatura.cliente_id;
    const respondem = deQuem(fatura);
    return typeof respondem === 'string'
      ? pausado({ clienteId, contratoId: fatura.contrato_id }, false)
      : respondem.every(({ id }) => pausado({ clienteId, contratoId: id }, false));
  };
}

/** What holds blocks and rescissions back of some contracts and their clients: five statements, however many they are. */
export async function retencoes(
  de: Pick<TenantDb, 'from'>,
  { regras, fusoHorario }: Provedor,
  dia: Data,
  clienteIds: readonly number[],
  contratoIds: readonly number[],
) {
  const contratos = [...contratoIds];
  const clientes = [...clienteIds];
  const pausado = await pausas(de, clientes, dia);
  const abertas = de.from('promessas_pagamento as t').whereIn('contrato_id', contratos).where('em_aberto', 1);
  const promessas = new Set((await rowsOf(abertas, CONTRATO)).map(({ contrato_id }) => contrato_id));
  const emVigor = de.from('desbloqueios_confianca as t').whereIn('contrato_id', contratos).whereNull('encerrado_em');
  const confiancas = new Set((await rowsOf(emVigor, CONTRATO)).map(({ contrato_id }) => contrato_id));
  const pagando = de.from('faturas').whereIn('cliente_id', clientes).where('grupo', 'processando').distinct();
  const processando = new Set((await rowsOf(pagando, CLIENTE)).map(({ cliente_id }) => cliente_id));
  const acordos = de
    .from('renegociacoes as r')
    .join('renegociacoes_faturas as m', sameTenant('r', 'id', 'm', 'renegociacao_id'))
    .join('faturas as f', sameTenant('m', 'fatura_id', 'f', 'id'))
    .whereIn('r.cliente_id', clientes)
    .whereNull('r.quebrada_em')
    .where('m.papel', 'parcela')
    .where('f.grupo', 'aberta');
  const porAcordo = groupBy(await rowsOf(acordos, DO_ACORDO), ({ renegociacao_id }) => renegociacao_id);
  const feitoEm = new Map<number, Data>();
  for (const parcelas of porAcordo.values()) {
    if (parcelas.some(({ vencimento }) => emAtraso(vencimento, dia, regras.calendario))) continue;
    for (const { cliente_id, criada_em } of parcelas) {
      const feito = hojeEm(fusoHorario, fromDatabaseTime(criada_em));
      if (feito > (feitoEm.get(cliente_id) ?? '')) feitoEm.set(cliente_id, feito);
    }
  }
  return {
    pausado,
    prometeu: (contratoId: number) => promessas.has(contratoId),
    emConfianca: (contratoId: number) => confiancas.has(contratoId),
    processando: (clienteId: number) => processando.has(clienteId),
    /** Whether an agreement is kept that was made on a day or after it: what has come since is not part of what was agreed. */
    acordoEmDia: (clienteId: number, desde: Data) => (feitoEm.get(clienteId) ?? '') >= desde,
  };
}

/** Of an invoice and one of the contracts that answer for it. */
export interface FatosDaFatura extends FatosDoBloqueio {
  readonly contratoId: number | null;
  /** How often its notice was given. */
  readonly avisos: number;
}

/**
 * All that there is to know of some invoices before a contract is blocked for one: of a joint invoice for each of the contracts that it charges
 * and that were not blocked for it yet.
 * A fixed number of statements. Of a day to come (`previsao`) no bank can have told anything: it is taken that it will have.
 */
export async function fatosDoBloqueio(
  de: TenantDb,
  provedor: Provedor,
  dia: Data,
  faturas: readonly FaturaDaRegua[],
  { previsao = false }: { readonly previsao?: boolean } = {},
): Promise<Map<number, readonly FatosDaFatura[]>> {
  if (faturas.length === 0) return new Map();
  const { contratos, deQuem } = await contratosQueRespondem(de, faturas);
  const clientes = [...new Set(faturas.map(({ cliente_id }) => cliente_id))];
  const contratoIds = contratos.map(({ id }) => id);
  const retido = await retencoes(de, provedor, dia, clientes, contratoIds);
  const foiBloqueado = await jaBloqueados(de, faturas, deQuem);
  const ids = faturas.map(({ id }) => id);
  const avisos = await passosDados(de, 'aviso', ids);
  const semRetorno = previsao ? new Set<number>() : await esperamRetorno(de, provedor, dia, ids);
  return new Map(
    faturas.map((fatura) => {
      const aviso = ultimoPasso(avisos, fatura.id, fatura.referencia);
      const falta = lerDinheiro(fatura.valor) - lerDinheiro(fatura.valor_pago) - lerDinheiro(fatura.abatido);
      const respondem = deQuem(fatura);
      const deles = typeof respondem === 'string' ? [] : respondem;
      const daFatura = {
        vencimento: fatura.vencimento as Data,
        falta: centavos(Math.max(0, falta)),
        aberta: estaAberta(fatura),
        aviso: avisoDe(provedor.fusoHorario, aviso),
        avisos: aviso?.vez ?? 0,
        // What was promised or trusted of one contract is of what it owes with the others, too.
        emConfianca: deles.some(({ id }) => retido.emConfianca(id)),
        prometeu: deles.some(({ id }) => retido.prometeu(id)),
        acordoEmDia: retido.acordoEmDia(fatura.cliente_id, fatura.vencimento as Data),
        processando: retido.processando(fatura.cliente_id),
        esperaRetorno: semRetorno.has(fatura.id),
      };
      const pausado = (contratoId: number | null): boolean =>
        retido.pausado({ clienteId: fatura.cliente_id, contratoId }, true);
      const fatos: FatosDaFatura[] =
        typeof respondem === 'string'
          ? [{ ...daFatura, contratoId: null, contrato: respondem, pausado: pausado(null) }]
          : respondem
              .filter(({ id }) => !foiBloqueado(fatura, id))
              .map(({ id, situacao, tipo_cobranca: tipo }) => ({
                ...daFatura,
                contratoId: id,
                contrato: { situacao, isento: tipo === 'isento' },
                pausado: pausado(id),
              }));
      return [fatura.id, fatos];
    }),
  );
}
