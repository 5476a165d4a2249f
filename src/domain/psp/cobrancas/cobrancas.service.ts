import { randomBytes } from 'node:crypto';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { contaDaFatura } from '../../cobradores/cobradores.types.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { FATURAS_TAG, tagsDaFatura } from '../../tags.ts';
import type { CobrancaRow } from '../psp.types.ts';
import { createCobrancasQueries } from './cobrancas.queries.ts';
import { decidir, emAberto, novaCobranca } from './decisao.regras.ts';
import type { FaturaACobrar } from './decisao.regras.ts';

/** 32 letters and digits, 128 bits of which nobody can foresee: of a charge, 26 to 35 are allowed. */
const novoTxid = (): string => randomBytes(16).toString('hex');

/** What a charge is once there is nothing more to do of it. */
const FEITA = { etapa: null, proxima_em: null } as const;

interface ComCobranca {
  readonly fatura: FaturaACobrar;
  readonly cobranca: CobrancaRow;
}

/** Gives invoices that are still open the code back that they had before their charges, in one statement. Who calls holds their locks. */
export async function devolverCodigos(w: Write, todas: readonly ComCobranca[]): Promise<void> {
  const delas = todas.filter(
    ({ fatura: { situacao, pix_txid: txid }, cobranca }) => emAberto({ situacao }) && txid === cobranca.txid,
  );
  if (delas.length === 0) return;
  await w.updateEach(
    'faturas',
    delas.map(({ fatura }) => fatura.id),
    { pix_txid: delas.map(({ cobranca }) => cobranca.txid_anterior), pix_copia_cola: null },
  );
  w.touch(FATURAS_TAG, ...delas.flatMap(({ fatura: { id, cliente_id: cliente } }) => tagsDaFatura(id, cliente)));
}

/**
 * Brings the charges of some invoices to what the invoices ask for: what is to be done at the PSP is written down, with the txid, and done
 * afterwards by the sending. Calling it again for the same invoices changes nothing.
 *
 * @param deNovo whether charges that the PSP refused are tried again
 * @returns of how many invoices something is to be done
 */
export async function conciliarCobrancas(
  w: Write,
  provedor: Provedor,
  faturaIds: readonly number[],
  agora: Date,
  deNovo: boolean,
): Promise<number> {
  const queries = createCobrancasQueries(w);
  if (faturaIds.length === 0) return 0;
  const convenios = await queries.convenios();
  const faturas = await queries.travarFaturas(faturaIds);
  const vivas = new Map((await queries.vivas(faturaIds)).map((uma) => [uma.fatura_id, uma]));
  const semViva = faturas.filter((fatura) => emAberto(fatura) && !vivas.has(fatura.id));
  const gastas = await queries.concluidas(semViva.flatMap(({ pix_txid: txid }) => txid ?? []));
  if (convenios.length === 0 && vivas.size === 0 && gastas.size === 0) return 0;
  const recebidos = await queries.recebidos([...[...vivas.values()].map(({ txid }) => txid), ...gastas.keys()]);
  const hoje = hojeEm(provedor.fusoHorario, agora);
  const em = toDatabaseTime(agora);
  const novas: object[] = [];
  const porFazer = new Map<string, number[]>();
  const anotar = (que: string, id: number): void => void porFazer.set(que, [...(porFazer.get(que) ?? []), id]);
  const alteradas: { readonly viva: CobrancaRow; readonly nova: ReturnType<typeof novaCobranca> }[] = [];
  const semCodigo: ComCobranca[] = [];
  let quantas = 0;
  for (const fatura of faturas) {
    const conta = contaDaFatura(provedor.contas, fatura.cobrador_id);
    const convenio = convenios.find(({ cobrador_id: dela }) => dela === conta.id) ?? null;
    const viva = vivas.get(fatura.id) ?? null;
    const paga = viva !== null && recebidos.has(viva.txid);
    // The invoice is owed again, by the MED or a person's word: its code was paid once, and no bank takes it again.
    const dela = viva === null && fatura.pix_txid !== null ? gastas.get(fatura.pix_txid) : undefined;
    const gasta = dela?.fatura_id === fatura.id && recebidos.has(dela.txid) ? dela : null;
    const decisao = decidir(fatura, convenio, viva, { paga, gasta: gasta !== null, deNovo, agora, hoje });
    if (decisao === 'nada') continue;
    quantas += 1;
    if (gasta !== null) semCodigo.push({ fatura, cobranca: gasta });
    if (viva !== null && decisao !== 'concluir' && decisao !== 'repetir') semCodigo.push({ fatura, cobranca: viva });
    if (viva !== null && decisao !== 'alterar') anotar(decisao === 'trocar' ? 'remover' : decisao, viva.id);
    if (convenio === null || decisao === 'remover' || decisao === 'concluir' || decisao === 'repetir') continue;
    if (decisao === 'devolver') continue;
    const nova = novaCobranca(fatura, convenio, provedor, agora);
    if (decisao === 'alterar' && viva !== null) {
      alteradas.push({ viva, nova });
      continue;
    }
    novas.push({
      ...nova,
      convenio_id: convenio.id,
      fatura_id: fatura.id,
      txid: novoTxid(),
      txid_anterior: (viva ?? gasta ?? { txid_anterior: fatura.pix_txid }).txid_anterior,
      etapa: 'emitir',
      proxima_em: em,
      criado_em: em,
    });
  }
  await devolverCodigos(w, semCodigo);
  const mudar = async (que: string, como: object): Promise<void> => {
    const ids = porFazer.get(que) ?? [];
    if (ids.length > 0) await w.update('psp_cobrancas', (q) => void q.whereIn('id', ids), como);
  };
  const fim = { viva: null, encerrada_em: em };
  await mudar('concluir', { ...FEITA, ...fim, estado: 'concluida' });
  await mudar('remover', { ...fim, etapa: 'remover', proxima_em: em, tentativas: 0 });
  await mudar('repetir', { etapa: 'emitir', estado: 'nova', proxima_em: em, tentativas: 0 });
  if (alteradas.length > 0) {
    const de = <N extends keyof (typeof alteradas)[number]['nova']>(nome: N) => alteradas.map(({ nova }) => nova[nome]);
    await w.updateEach(
      'psp_cobrancas',
      alteradas.map(({ viva }) => viva.id),
      {
        valor: de('valor'),
        vencimento: de('vencimento'),
        multa: de('multa'),
        juros_modalidade: de('juros_modalidade'),
        juros: de('juros'),
        validade_dias: de('validade_dias'),
        expira_em: de('expira_em'),
        valor_fatura: de('valor_fatura'),
        vencimento_fatura: de('vencimento_fatura'),
        // A charge that the PSP never had is made with the new terms.
        etapa: alteradas.map(({ viva }) => (viva.estado === 'nova' ? 'emitir' : 'alterar')),
        proxima_em: em,
        tentativas: 0,
      },
    );
  }
  if (novas.length > 0) await w.insert('psp_cobrancas', novas, { soughtBefore: true });
  return quantas;
}
