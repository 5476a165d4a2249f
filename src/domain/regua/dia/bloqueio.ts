import { groupBy } from '../../../platform/group-by.ts';
import { mover } from '../../contratos/movimentos/movimentos.service.ts';
import { apurarFaturas } from '../../faturas/apuracao.service.ts';
import { fatosDoBloqueio, passosDados, ultimoPasso } from './fatos.queries.ts';
import { porqueNaoBloquear } from '../juizo.regras.ts';
import { dizerDeTodas } from './mensagens.ts';
import type { Rodada } from './mensagens.ts';
import { destinatarios, dizer, registrar, rescindivelDesde } from './registro.ts';
import type { PassoNovo } from './registro.ts';
import { travarDasFaturas } from './travas.ts';

/**
 * Blocks the contracts of late invoices whose clients were told long enough ago, where nothing holds the block back. Everything is judged
 * anew under the locks of the contracts and of the invoices, so that what was paid a moment before blocks nobody. All invoices that a block is
 * for are noted: a client whom staff release is then not blocked for the same ones on the next day. A client who would be blocked if the
 * notice were not too old is given another notice.
 */
export async function bloquearDevedores(rodada: Rodada, ids: readonly number[]): Promise<number> {
  const { w, provedor, regua, dia, agora } = rodada;
  const { contratos, faturas } = await travarDasFaturas(w, ids);
  const dadas = await passosDados(w, 'bloqueio', ids);
  const fatos = await fatosDoBloqueio(w.tenant, provedor, dia, faturas);
  const travados = new Map(contratos.map((contrato) => [contrato.id, contrato]));
  const julgadas = faturas.flatMap((fatura) =>
    // A joint one may have been held back for one of its contracts when it blocked the others.
    fatura.contrato_id !== null && ultimoPasso(dadas, fatura.id, fatura.referencia) !== undefined
      ? []
      : (fatos.get(fatura.id) ?? []).flatMap((dela) => {
          const contrato = dela.contratoId === null ? undefined : travados.get(dela.contratoId);
          if (contrato?.situacao !== 'ativo') return [];
          const espera = porqueNaoBloquear(dia, dela, regua, provedor.regras);
          return [{ fatura, contrato, vez: dela.avisos + 1, espera }];
        }),
  );
  const antigas = umaDeCada(julgadas.filter(({ espera }) => espera === 'aviso_antigo'));
  const ditas = await dizerDeTodas(
    rodada,
    'aviso',
    antigas.map(({ fatura, vez }) => ({ ...fatura, vez })),
  );
  const devidas = julgadas.filter(({ espera }) => espera === null);
  if (devidas.length === 0) return ditas;
  const apuradas = await apurarFaturas(
    w.tenant,
    provedor,
    dia,
    umaDeCada(devidas).map(({ fatura }) => fatura),
  );
  const porId = new Map(apuradas.map((fatura) => [fatura.id, fatura]));
  const para = await destinatarios(
    w,
    devidas.map(({ fatura }) => fatura.cliente_id),
  );
  // By due date: the oldest invoice is the one that the client is told the block is for.
  const emOrdem = devidas.toSorted(
    (a, b) => a.fatura.vencimento.localeCompare(b.fatura.vencimento) || a.fatura.id - b.fatura.id,
  );
  const porContrato = groupBy(emOrdem, ({ contrato }) => contrato.id);
  const causas = new Map([...porContrato].flatMap(([id, [causa]]) => (causa ? [[id, causa] as const] : [])));
  const causa = new Set([...causas.values()].map(({ fatura }) => fatura.id));
  // Of a joint invoice one row, of the first of the contracts that it blocks.
  const passos = umaDeCada(emOrdem).flatMap(({ fatura: row, contrato }): PassoNovo[] => {
    const fatura = porId.get(row.id);
    const quem = para.get(row.cliente_id);
    if (fatura === undefined || quem === undefined) return [];
    const { aPagar: valor } = fatura;
    const rescisao = regua.segundoAvisoDias === null ? null : rescindivelDesde(dia, regua);
    return [
      {
        passo: 'bloqueio',
        alvoId: row.id,
        referencia: row.referencia,
        vez: (ultimoPasso(dadas, row.id, row.referencia)?.vez ?? 0) + 1,
        clienteId: row.cliente_id,
        contratoId: contrato.id,
        faturaId: row.id,
        valor,
        prazo: rescisao,
        dito: causa.has(row.id)
          ? dizer('bloqueio', regua, { provedor, fatura, nome: quem.nome, valor, bloqueio: dia, rescisao })
          : null,
        temEmail: quem.temEmail,
      },
    ];
  });
  await registrar(w, passos, { dia, agora, historico: null });
  await mover(
    w,
    'bloquear_por_debito',
    [...causas.values()].map(({ contrato }) => contrato),
    {
      agora,
      descricao: 'Bloqueado pela régua de cobrança: há fatura em atraso, e o aviso já tem o prazo.',
      dados: ({ id }) => ({ origem: 'financeiro' as const, fatura: causas.get(id)?.fatura.id ?? null }),
    },
  );
  return ditas + causas.size;
}

/** The first of what was judged of each invoice. */
const umaDeCada = <J extends { readonly fatura: { readonly id: number } }>(julgadas: readonly J[]): J[] =>
  [...groupBy(julgadas, ({ fatura }) => fatura.id).values()].flatMap(([primeira]) => primeira ?? []);
