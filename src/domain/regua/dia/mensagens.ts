import { somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Write } from '../../escrita.ts';
import { estaAberta } from '../../faturas/apuracao.regras.ts';
import { apurarFaturas } from '../../faturas/apuracao.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { contratoTag } from '../../tags.ts';
import { outrasAAvisar } from './candidatas.queries.ts';
import { passosDados, quietas } from './fatos.queries.ts';
import type { FaturaDaRegua } from './fatos.queries.ts';
import { contratosQueRespondem } from './respondem.queries.ts';
import type { Respondem } from './respondem.queries.ts';
import { destinatarios, dizer, registrar, rescindivelDesde } from './registro.ts';
import type { PassoNovo } from './registro.ts';
import { travarDasFaturas } from './travas.ts';
import { MINIMOS_DA_REGUA } from '../regua.types.ts';
import type { ConfiguracaoRegua } from '../regua.types.ts';

/** What a chunk of a day's ladder is done by. */
export interface Rodada {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly regua: ConfiguracaoRegua;
  readonly dia: Data;
  readonly agora: Date;
}

const HISTORICO = {
  lembrete: 'Lembrete antes do vencimento',
  vencimento: 'Lembrete no vencimento',
  aviso: 'Aviso de débito e de bloqueio',
} as const;

/** Says to clients that invoices are due soon, are due, or are late; each once, and only while they are open. */
export async function mandarMensagens(
  rodada: Rodada,
  passo: keyof typeof HISTORICO,
  daVez: readonly number[],
): Promise<number> {
  const { w, dia } = rodada;
  const ids = passo === 'aviso' ? [...daVez, ...(await outrasAAvisar(w.tenant, rodada, daVez))] : daVez;
  const { faturas: travadas } = await travarDasFaturas(w, ids);
  const ditas = new Set((await passosDados(w, passo, ids)).map((p) => `${p.alvo_id} ${p.referencia}`));
  const quieta = await quietas(w, travadas, dia);
  const rows = travadas.filter(
    (fatura) =>
      estaAberta(fatura) &&
      (passo === 'aviso') === fatura.vencimento < dia &&
      !ditas.has(`${fatura.id} ${fatura.referencia}`) &&
      !quieta(fatura),
  );
  return dizerDeTodas(rodada, passo, rows);
}

/** An invoice of which a message is said; `vez` counts how often it was. */
type ADizer = FaturaDaRegua & { readonly vez?: number };

/** Writes down what is said of some invoices, which are locked with all that is theirs. @returns how many messages it is */
export async function dizerDeTodas(
  { w, provedor, regua, dia, agora }: Rodada,
  passo: keyof typeof HISTORICO,
  rows: readonly ADizer[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const porId = new Map(rows.map((row) => [row.id, row]));
  const faturas = await apurarFaturas(w.tenant, provedor, dia, rows);
  const para = await destinatarios(
    w,
    rows.map(({ cliente_id }) => cliente_id),
  );
  const bloqueio =
    passo === 'aviso' && regua.bloqueioDias !== null
      ? somarDias(dia, Math.max(regua.bloqueioDias, MINIMOS_DA_REGUA.bloqueio))
      : null;
  const { deQuem } = await contratosQueRespondem(w, rows);
  const passos = faturas.flatMap((fatura): PassoNovo[] => {
    const quem = para.get(fatura.clienteId);
    const row = porId.get(fatura.id);
    if (quem === undefined || row === undefined || fatura.aPagar === 0) return [];
    const { aPagar: valor } = fatura;
    const prazo = haOQueBloquear(deQuem(row)) ? bloqueio : null;
    const rescisao = prazo === null ? null : rescindivelDesde(prazo, regua);
    return [
      {
        passo,
        alvoId: fatura.id,
        referencia: row.referencia,
        vez: row.vez ?? 1,
        clienteId: fatura.clienteId,
        contratoId: fatura.contratoId,
        faturaId: fatura.id,
        valor,
        prazo,
        dito: dizer(passo, regua, { provedor, fatura, nome: quem.nome, valor, bloqueio: prazo, rescisao }),
        temEmail: quem.temEmail,
      },
    ];
  });
  const registros = await registrar(w, passos, { dia, agora, historico: HISTORICO[passo] });
  for (const [n, { clienteId: cliente, contratoId: contrato, alvoId, valor, prazo }] of passos.entries()) {
    const registro = registros[n];
    if (registro === undefined) continue;
    if (contrato !== null) w.touch(contratoTag(contrato));
    const dados = { cliente, contrato, passo, registro, valor: escreverDinheiro(valor), prazo };
    w.emit('fatura.cobrada', alvoId, dados);
  }
  return passos.length;
}

/** Without a contract, or where all that answer are exempt, there is nothing to block: the client is told of the debt alone. */
function haOQueBloquear(respondem: ReturnType<Respondem['deQuem']>): boolean {
  if (typeof respondem === 'string') return respondem !== 'sem_contrato';
  return respondem.some(({ tipo_cobranca: tipo }) => tipo !== 'isento');
}
