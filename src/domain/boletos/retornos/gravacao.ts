import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { tocarFaturas } from '../remessas/etiquetas.ts';
import type { Motivo } from '../boletos.types.ts';
import type { TituloEmMaos } from './estado.ts';
import { notificarEquipe } from '../../recebimentos/equipe.service.ts';

const DO_TXID = columns<{ pix_txid: string }>('faturas', { pix_txid: true });

/** As ASCII JSON, because the statement that writes several rows at once carries no other letters. */
function emAscii(motivos: string | readonly Motivo[] | null): string | null {
  if (motivos === null) return null;
  const json = typeof motivos === 'string' ? motivos : JSON.stringify(motivos);
  return json.replaceAll(/[^ -~]/g, (letra) => `\\u${letra.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Writes what became of titles and of their invoices, in statements that do not grow with them; says so. */
export async function gravarTitulos(w: Write, titulos: readonly TituloEmMaos[], agora: Date): Promise<void> {
  const mudados = titulos.filter(({ mudou }) => mudou);
  if (mudados.length > 0) await gravarMudados(w, mudados, agora);
  const respondidas = titulos.filter(({ respondida }) => respondida !== undefined);
  if (respondidas.length > 0) {
    await w.updateEach(
      'boletos_instrucoes',
      respondidas.map(({ instrucao }) => instrucao?.id ?? 0),
      { situacao: respondidas.map(({ respondida = 'recusada' }) => respondida), respondida_em: toDatabaseTime(agora) },
    );
  }
  const comFatura = titulos.filter(({ daFatura }) => daFatura !== undefined);
  if (comFatura.length > 0) await gravarFaturas(w, comFatura);
  await dizer(w, titulos, agora);
}

async function gravarMudados(w: Write, mudados: readonly TituloEmMaos[], agora: Date): Promise<void> {
  const em = toDatabaseTime(agora);
  // Most lines of a file are settlements, which change little: one statement writes them all, and another one what is left.
  const soLiquidados = mudados.filter(
    ({ situacao, registrou, motivos, pagoPorPix, row }) =>
      situacao === 'liquidado' && !registrou && motivos.length === 0 && pagoPorPix === row.pago_por_pix,
  );
  if (soLiquidados.length > 0) {
    const ids = soLiquidados.map(({ row }) => row.id);
    await w.update('boletos', (q) => void q.whereIn('id', ids), { situacao: 'liquidado', encerrado_em: em });
  }
  const outros = mudados.filter((um) => !soLiquidados.includes(um));
  if (outros.length === 0) return;
  await w.updateEach(
    'boletos',
    outros.map(({ row }) => row.id),
    {
      situacao: outros.map(({ situacao }) => situacao),
      numero: outros.map(({ numero }) => numero),
      dv: outros.map(({ dv }) => dv),
      valor: outros.map(({ valor }) => escreverDinheiro(valor)),
      vencimento: outros.map(({ vencimento }) => vencimento),
      barras: outros.map(({ barras }) => barras),
      linha: outros.map(({ linha }) => linha),
      registrado_em: outros.map(({ registrou, row }) => (registrou ? em : row.registrado_em)),
      encerrado_em: outros.map(({ encerrou, registrou, row }) => (encerrou ? em : registrou ? null : row.encerrado_em)),
      // Why it was refused is said no more of one that the bank has after all.
      motivos: outros.map(({ motivos, registrou, row }) =>
        emAscii(motivos.length > 0 ? motivos : registrou ? null : row.motivos),
      ),
      pix: outros.map(({ pix, row }) => pix?.codigo ?? row.pix),
      pago_por_pix: outros.map(({ pagoPorPix }) => pagoPorPix),
    },
  );
}

async function gravarFaturas(w: Write, titulos: readonly TituloEmMaos[]): Promise<void> {
  const registrado = ({ daFatura, situacao }: TituloEmMaos): boolean =>
    daFatura === 'registrado' && situacao === 'registrado';
  await w.updateEach(
    'faturas',
    titulos.map(({ row }) => row.fatura_id),
    {
      boleto_situacao: titulos.map(({ daFatura = null }) => daFatura),
      linha_digitavel: titulos.map((um) => (registrado(um) ? um.linha : null)),
      codigo_barras: titulos.map((um) => (registrado(um) ? um.barras : null)),
      nosso_numero: titulos.map((um) => (registrado(um) && um.numero !== null ? um.numero + (um.dv ?? '') : null)),
    },
  );
  // An invoice that has a code of a PSP keeps it, because somebody may have it on the screen.
  const comPix = await deTxidLivre(
    w,
    titulos.filter(({ pix, row }) => pix !== null && row.pix_txid === null),
  );
  if (comPix.length > 0) {
    await w.updateEach(
      'faturas',
      comPix.map(({ row }) => row.fatura_id),
      {
        pix_txid: comPix.map(({ pix }) => pix?.txid ?? null),
        pix_copia_cola: comPix.map(({ pix }) => pix?.codigo ?? null),
      },
    );
  }
  tocarFaturas(
    w,
    titulos.map(({ row }) => ({ id: row.fatura_id, cliente_id: row.cliente_id })),
  );
}

/** A txid belongs to one invoice. Where a file says the same one of two, it must not stop there: the first invoice keeps it. */
async function deTxidLivre(w: Write, titulos: readonly TituloEmMaos[]): Promise<TituloEmMaos[]> {
  if (titulos.length === 0) return [];
  const txids = titulos.flatMap(({ pix }) => pix?.txid ?? []);
  const tomados = new Set(
    (await rowsOf(w.from('faturas').whereIn('pix_txid', txids), DO_TXID)).map((row) => row.pix_txid),
  );
  return titulos.filter(({ pix }) => {
    const livre = pix !== null && !tomados.has(pix.txid);
    if (livre) tomados.add(pix.txid);
    return livre;
  });
}

async function dizer(w: Write, titulos: readonly TituloEmMaos[], agora: Date): Promise<void> {
  const avisos: { tipo: string; recurso: 'fatura'; id: number }[] = [];
  for (const { row, registrou, divergiu, encerrou, situacao, respondida, instrucao } of titulos) {
    const daFatura = { fatura: row.fatura_id, cliente: row.cliente_id };
    if (registrou) w.emit('boleto.registrado', row.id, daFatura);
    if (divergiu) {
      w.emit('boleto.divergente', row.id, daFatura);
      avisos.push({ tipo: 'boleto.divergente', recurso: 'fatura', id: row.fatura_id });
    }
    if (situacao === 'rejeitado' && encerrou) {
      w.emit('boleto.rejeitado', row.id, daFatura);
      avisos.push({ tipo: 'boleto.rejeitado', recurso: 'fatura', id: row.fatura_id });
    }
    if (situacao === 'baixado' && encerrou) w.emit('boleto.baixado', row.id, daFatura);
    if (respondida === 'recusada' && situacao !== 'liquidado' && instrucao !== undefined) {
      w.emit('boleto.instrucao_recusada', row.id, { ...daFatura, movimento: instrucao.movimento });
      avisos.push({ tipo: 'boleto.instrucao_recusada', recurso: 'fatura', id: row.fatura_id });
    }
  }
  if (avisos.length > 0) await notificarEquipe(w, avisos, 'boleto', agora);
}
