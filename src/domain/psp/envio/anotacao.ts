import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { tocarSino } from '../../notificacoes/toque.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { FATURAS_TAG, tagsDaFatura } from '../../tags.ts';
import { createCobrancasQueries } from '../cobrancas/cobrancas.queries.ts';
import { conciliarCobrancas, devolverCodigos } from '../cobrancas/cobrancas.service.ts';
import { cobravel } from '../cobrancas/decisao.regras.ts';
import type { FaturaACobrar } from '../cobrancas/decisao.regras.ts';
import { txidEstaticoValido } from '../../../brazil/pix/pix.ts';
import type { CobrancaRow } from '../psp.types.ts';
import type { Desfecho } from './envio.types.ts';

const MINUTO_MS = 60_000;
const MAIOR_ESPERA_MS = 6 * 3_600_000;
const NADA_MAIS = { etapa: null, proxima_em: null } as const;

/** After so many failures in a row a PSP has answered nothing for an hour or two, and people have to know: its money is not read either. */
export const AVISA_NA = 10;

/** Tells staff, once for each time, that nothing is got from a PSP. */
export async function avisarParada(w: Write, convenioId: number, codigo: string, agora: Date): Promise<void> {
  w.emit('psp.parado', convenioId, { codigo });
  await tocarSino(w, [{ tipo: 'psp.parado', origem: 'PIX', recurso: 'psp_convenio', recursoId: convenioId }], agora);
}

/** How long a charge waits after so many tries that came to nothing. */
export const esperaDepois = (tentativas: number): number =>
  Math.min(MINUTO_MS * 2 ** Math.min(Math.max(tentativas - 1, 0), 20), MAIOR_ESPERA_MS);

/** Puts the code of a charge to its invoice, where that is still what was charged. */
async function adotar(w: Write, cobranca: CobrancaRow, fatura: FaturaACobrar, codigo: string): Promise<void> {
  const igual = cobranca.valor_fatura === fatura.valor && cobranca.vencimento_fatura === fatura.vencimento;
  const nossa = fatura.pix_txid === null || fatura.pix_txid === cobranca.txid || txidEstaticoValido(fatura.pix_txid);
  if (!cobravel(fatura) || !igual || !nossa) return;
  if (fatura.pix_txid !== cobranca.txid && fatura.pix_txid !== cobranca.txid_anterior) {
    await w.update('psp_cobrancas', (q) => void q.where({ id: cobranca.id }), { txid_anterior: fatura.pix_txid });
  }
  await w.update('faturas', (q) => void q.where({ id: fatura.id }), {
    pix_txid: cobranca.txid,
    pix_copia_cola: codigo,
  });
  w.touch(FATURAS_TAG, ...tagsDaFatura(fatura.id, fatura.cliente_id));
}

/**
 * Writes what came of a charge. Meanwhile something else may have been asked of it: then only what the PSP has by now is written, and what
 * was asked is still to be done.
 */
export async function anotarCobranca(
  w: Write,
  provedor: Provedor,
  feita: CobrancaRow,
  desfecho: Desfecho,
  agora: Date,
): Promise<void> {
  const queries = createCobrancasQueries(w);
  const [fatura] = await queries.travarFaturas([feita.fatura_id]);
  const cobranca = await queries.travar(feita.id);
  if (fatura === undefined || cobranca === undefined) return;
  const mesma =
    cobranca.etapa === feita.etapa && cobranca.valor === feita.valor && cobranca.vencimento === feita.vencimento;
  const gravar = async (como: object): Promise<void> =>
    void (await w.update('psp_cobrancas', (q) => void q.where({ id: feita.id }), como));
  const em = toDatabaseTime(agora);
  switch (desfecho.tipo) {
    case 'ativa': {
      const { lida, codigo } = desfecho;
      const sabe = { location: lida.location, copia_cola: codigo, codigo: null, motivo: null };
      await gravar({ ...sabe, estado: 'ativa', emitida_em: em, ...(mesma ? NADA_MAIS : {}) });
      if (mesma && cobranca.viva === 1) await adotar(w, cobranca, fatura, codigo);
      if (cobranca.estado !== 'ativa') w.emit('cobranca_pix.emitida', feita.id, { fatura: fatura.id });
      return;
    }
    case 'concluida':
      await gravar({ ...NADA_MAIS, estado: 'concluida', viva: null, encerrada_em: em });
      // Who paid it is told by the list of what was received.
      await w.update('psp_convenios', (q) => void q.where({ id: cobranca.convenio_id }), { leitura_em: em });
      return;
    case 'removida':
    case 'passou':
      await gravar({ ...NADA_MAIS, estado: 'removida', viva: null, encerrada_em: em, codigo: null, motivo: null });
      if (cobranca.viva === 1) await devolverCodigos(w, [{ fatura, cobranca }]);
      if (desfecho.tipo === 'passou') await conciliarCobrancas(w, provedor, [fatura.id], agora, false);
      if (cobranca.estado === 'ativa') w.emit('cobranca_pix.removida', feita.id, { fatura: fatura.id });
      return;
    case 'recusada':
      await gravar({
        ...(mesma ? { ...NADA_MAIS, estado: 'recusada' } : {}),
        codigo: desfecho.codigo,
        motivo: desfecho.motivo,
      });
      return;
    case 'falha':
      break;
  }
  if (!mesma) return;
  const proxima = new Date(agora.getTime() + (desfecho.esperaMs ?? esperaDepois(cobranca.tentativas)));
  await gravar({ proxima_em: toDatabaseTime(proxima), codigo: desfecho.codigo });
}
