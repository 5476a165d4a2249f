import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { tocarSino } from '../../notificacoes/toque.service.ts';
import type { ConvenioRow } from '../psp.types.ts';
import { DA_LEITURA, DO_WEBHOOK } from './envio.types.ts';
import type { Feita, Tarefa } from './envio.types.ts';

const MINUTO_MS = 60_000;
const DIA_MS = 24 * 60 * MINUTO_MS;
/** How often what was received is read. */
const INTERVALO_MS = 5 * MINUTO_MS;
/** What comes before the last reading is read again: PSPs list late, and clocks differ. */
const SOBREPOSICAO_MS = 120 * MINUTO_MS;
/** Once a day the list of so many days is read anew. */
const DE_NOVO_MS = 5 * DIA_MS;
/** The longest span of one reading. */
const JANELA_MS = DIA_MS;
/** Whoever took a reading and died has it no more after this. */
const PRAZO_MS = 15 * MINUTO_MS;

/** What is to be read now of an agreement, taken by whoever asks. */
export async function devida(w: Write, convenio: ConvenioRow, agora: Date): Promise<Tarefa[]> {
  const { id, ativo, leitura_em: leitura, lido_ate: lido, relido_em: relido, criado_em: criado } = convenio;
  if (ativo !== 1 || (leitura !== null && fromDatabaseTime(leitura) > agora)) return [];
  const ms = agora.getTime();
  const tomar = async (como: object): Promise<void> =>
    void (await w.update('psp_convenios', (q) => void q.where({ id }), {
      leitura_em: toDatabaseTime(new Date(ms + PRAZO_MS)),
      ...como,
    }));
  const visto = convenio.webhook_visto_em === null ? 0 : fromDatabaseTime(convenio.webhook_visto_em).getTime();
  const doWebhook: Tarefa[] =
    convenio.receptor_id !== null && ms - visto >= DIA_MS ? [{ id: DO_WEBHOOK, fazer: 'webhook' }] : [];
  const marca = doWebhook.length > 0 ? { webhook_visto_em: toDatabaseTime(agora) } : {};
  if (relido !== null && ms - fromDatabaseTime(relido).getTime() >= DIA_MS) {
    await tomar({ ...marca, relido_em: toDatabaseTime(agora) });
    return [...doWebhook, { id: DA_LEITURA, fazer: 'reler' }];
  }
  const desde = lido === null ? fromDatabaseTime(criado).getTime() - DIA_MS : fromDatabaseTime(lido).getTime();
  const de = Math.min(desde, ms) - SOBREPOSICAO_MS;
  const ate = new Date(Math.min(ms, Math.max(desde, de) + JANELA_MS));
  await tomar({ ...marca, ...(relido === null ? { relido_em: toDatabaseTime(agora) } : {}) });
  return [...doWebhook, { id: DA_LEITURA, fazer: 'ler', de: new Date(de), ate }];
}

/** Writes how far the list was read. One that failed is read again, from where it was. */
export async function anotarLeitura(
  w: Write,
  { id, lido_ate: lido }: ConvenioRow,
  feita: Extract<Feita, { fez: 'ler' | 'reler' }>,
  agora: Date,
): Promise<void> {
  const gravar = async (como: object): Promise<void> =>
    void (await w.update('psp_convenios', (q) => void q.where({ id }), como));
  const ms = agora.getTime();
  const espera = feita.falha === null ? 0 : (feita.falha.esperaMs ?? MINUTO_MS);
  if (feita.fez === 'reler') {
    // This reads only what was given back, and not each PSP takes it: whether it did or not, the days before are read in full. Where reading
    // had stood still for longer, they still are.
    const deNovo = toDatabaseTime(new Date(ms - DE_NOVO_MS));
    const leitura_em = toDatabaseTime(new Date(ms + espera));
    await gravar({ leitura_em, lido_ate: lido === null || lido < deNovo ? lido : deNovo });
    return;
  }
  if (feita.falha !== null) {
    await gravar({ leitura_em: toDatabaseTime(new Date(ms + espera)) });
    return;
  }
  const emDia = ms - feita.ate.getTime() < INTERVALO_MS;
  await gravar({
    lido_ate: toDatabaseTime(feita.ate),
    leitura_em: toDatabaseTime(new Date(ms + (emDia ? INTERVALO_MS : 0))),
  });
}

/** Writes whether the PSP still has our webhook; staff are told once where it does not. */
export async function anotarWebhook(
  w: Write,
  { id, webhook }: ConvenioRow,
  { esta }: Extract<Feita, { fez: 'webhook' }>,
  agora: Date,
): Promise<void> {
  if (esta === null) return;
  const agoraEh = esta ? 'registrado' : 'sumiu';
  await w.update('psp_convenios', (q) => void q.where({ id }), { webhook: agoraEh });
  if (esta || webhook === 'sumiu') return;
  await tocarSino(w, [{ tipo: 'psp.webhook_sumiu', origem: 'PIX', recurso: 'psp_convenio', recursoId: id }], agora);
  w.emit('psp.webhook_sumiu', id);
}
