import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import { somarContagens, travarImportacao } from '../importacoes.queries.ts';
import { SEM_CONTAGENS } from '../importacoes.types.ts';
import { emPalavra } from '../formatos/valores.regras.ts';
import type { Contagens, Importacao, PlanoSemPar, SimulacaoGuardada } from '../importacoes.types.ts';
import { criarMarcas } from '../linhas/marcas.ts';
import type { Assunto } from '../lotes/lote.types.ts';
import { queDiferem } from '../linhas/diferencas.ts';
import { comAssunto } from './assuntos.ts';
import type { Andamento, Meio } from './andamento.types.ts';
import { lotesDe } from './leitura-do-arquivo.ts';
import type { Lote } from './leitura-do-arquivo.ts';
import type { Recusada } from '../lotes/lote.types.ts';

/** How often the import's own row says how far a dry run has come. */
const DIZER_A_CADA_MS = 1000;
/** Plans without a pair that are kept: whoever has more has mapped the wrong column. */
const MAIS_PLANOS = 100;

/** What a dry run finds of each lot; nothing is written. */
export async function* ensaiar(
  importacao: Importacao,
  meio: Meio,
  opcoes: { comCelulas?: boolean } = {},
): AsyncGenerator<{
  lote: Lote<unknown>;
  recusadas: readonly Recusada[];
  diferem: readonly Recusada[];
  contagens: Partial<Contagens>;
  planosSemPar: readonly string[];
}> {
  yield* comAssunto(importacao.tipo, (assunto) => ensaiarCom(assunto, importacao, meio, opcoes));
}

async function* ensaiarCom<Valor, Nova>(
  assunto: Assunto<Valor, Nova>,
  importacao: Importacao,
  { db, segredos, relogio, provedor }: Meio,
  opcoes: { comCelulas?: boolean },
) {
  const tenant = createTenantDb(db, provedor.id);
  const simulado = criarMarcas();
  for await (const lote of lotesDe({ tenant, segredos, importacao }, assunto, opcoes)) {
    const juizo = {
      db,
      provedor,
      contexto: importacao,
      importacaoId: importacao.id,
      w: null,
      agora: relogio.agora(),
    };
    const julgado = await assunto.julgar(tenant, lote.lidas, juizo);
    const recusadas = [...lote.recusadas, ...julgado.recusadas];
    const diferem = queDiferem(julgado.jaEstavam);
    const contagens: Partial<Contagens> = {
      lidas: lote.lidas.length + lote.recusadas.length,
      gravadas: julgado.novas.length,
      ja_estavam: julgado.jaEstavam.length,
      difere: diferem.length,
      recusadas: recusadas.length,
      alteradas: lote.notas.length,
      ...assunto.prever(julgado.novas, simulado),
    };
    yield { lote, recusadas, diferem, contagens, planosSemPar: julgado.planosSemPar ?? [] };
  }
}

/** Reads and judges all lines as if they were to be written, and keeps how many of what there would be. Resolves to the lines read. */
export async function simular(importacao: Importacao, andamento: Andamento): Promise<number> {
  const { id } = importacao;
  const { write, actor, provedor, relogio } = andamento;
  let contagens = SEM_CONTAGENS;
  let ditoEm = performance.now();
  const semPar = new Map<string, PlanoSemPar>();
  for await (const { lote, contagens: doLote, planosSemPar } of ensaiar(importacao, andamento)) {
    contagens = somarContagens(contagens, doLote);
    for (const nome of planosSemPar) {
      const palavra = emPalavra(nome);
      const visto = semPar.get(palavra) ?? { nome, linhas: 0 };
      semPar.set(palavra, { ...visto, linhas: visto.linhas + 1 });
    }
    await andamento.avancou(importacao, contagens.lidas);
    if (performance.now() - ditoEm < DIZER_A_CADA_MS) continue;
    ditoEm = performance.now();
    const visto = { proxima_linha: lote.ate, contagens: JSON.stringify(contagens) };
    await write(actor, provedor.id, async (w) =>
      w.update('importacoes', (q) => void q.where({ id, acao: 'simular' }), visto),
    );
  }
  await write(actor, provedor.id, async (w) => {
    const agora = await travarImportacao(w, id);
    if (agora?.acao !== 'simular') return;
    await w.update('importacoes', (q) => void q.where({ id }), {
      acao: null,
      situacao: 'simulada',
      linhas: contagens.lidas,
      proxima_linha: 0,
      contagens: JSON.stringify(contagens),
      simulacao: JSON.stringify({ ...contagens, planos_sem_par: maisFrequentes(semPar) } satisfies SimulacaoGuardada),
      terminada_em: toDatabaseTime(relogio.agora()),
    });
    w.emit('importacao.simulada', id, doEvento(contagens));
  });
  return contagens.lidas;
}

const maisFrequentes = (semPar: ReadonlyMap<string, PlanoSemPar>): PlanoSemPar[] =>
  [...semPar.values()].toSorted((a, b) => b.linhas - a.linhas).slice(0, MAIS_PLANOS);

/** What events say of what came in. */
export const doEvento = ({ clientes, contratos, faturas, planos, recusadas }: Contagens) => ({
  clientes,
  contratos,
  faturas,
  planos,
  recusadas,
});
