import { ID, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { FATURAS_TAG, tagsDaFatura } from '../../tags.ts';
import type { Numeracao } from '../configuracao/configuracao.queries.ts';
import { TIPO_DE_EMISSAO } from '../nfcom.types.ts';
import { NUMEROS_DE_OUTRO, NUMERO_DE_OUTRA, PARADA_DA_AUTORIDADE } from './desfecho.regras.ts';
import { SEM_NUMERO, travarNotas } from './estado.ts';
import { createFilaQueries } from './fila.queries.ts';
import { SEM_PARADA, daOutra, estadoDe } from './fila.row.ts';
import type { FilaRow } from './fila.row.ts';

const SEM_REJEICOES = { rejeicao: null, rejeicoes: 0 } as const;

/**
 * Has a locked queue go on at once, and the authority asked again that refused whatever it was asked.
 *
 * @param agora as MySQL writes it
 * @throws Recusa `transicao_invalida` where nothing is stopped, or where the authority itself said so
 */
export async function retomarFila(
  w: Write,
  { parada_ate, codigo, sem_perguntar_ate }: Pick<FilaRow, 'parada_ate' | 'codigo' | 'sem_perguntar_ate'>,
  agora: string,
): Promise<void> {
  const parada = parada_ate !== null && parada_ate > agora;
  recusarSeNao(parada || sem_perguntar_ate !== null, 'transicao_invalida', { dito: 'o envio não está parado' });
  recusarSeNao(!parada || !PARADA_DA_AUTORIDADE.has(codigo ?? ''), 'transicao_invalida', {
    dito: 'foi a autoridade que parou o envio, e ele segue quando ela voltar a receber',
  });
  // Where numbers were another program's and nobody has said others, one note finds out whether that is over.
  const contagem = codigo === NUMEROS_DE_OUTRO ? {} : SEM_REJEICOES;
  // Until it answers one question, it is not asked several.
  const pergunta = sem_perguntar_ate === null ? {} : { sem_perguntar_ate: agora };
  await createFilaQueries(w).anotarNaFila({ ...SEM_PARADA, ...contagem, ...pergunta });
}

/** A provider goes over to the other environment: its authority is heard from now on as it was left, and this one of what is left. */
export async function trocarDeAutoridade(w: Write): Promise<void> {
  const queries = createFilaQueries(w);
  const antes = await queries.travar();
  await queries.anotarNaFila({ ...antes.outra, ...daOutra(estadoDe(antes)) });
}

/**
 * A queue that stood because its numbers were another program's goes on with those that were said now. What is signed with a number that is
 * not one of them, and is not with the authority, is built anew; what was issued offline stays as somebody may have it already.
 */
export async function retomarComNumeros(w: Write, { ambiente, serie }: Numeracao, proximo: number, agora: Date) {
  const queries = createFilaQueries(w);
  if ((await queries.travar()).codigo !== NUMEROS_DE_OUTRO) return;
  await queries.anotarNaFila({ ...SEM_PARADA, ...SEM_REJEICOES });
  const assinadas = w.from('nfcom').where({ etapa: 'enviar', ambiente, tipo_emissao: TIPO_DE_EMISSAO.normal });
  const deAntes = assinadas.where((q) => void q.whereNot({ serie }).orWhere('numero', '<', proximo));
  const idsDeAntes = (await rowsOf(deAntes, ID)).map(({ id }) => id);
  const notas = [...(await travarNotas(w, idsDeAntes)).values()];
  if (notas.length === 0) return;
  const em = toDatabaseTime(agora);
  await w.insert(
    'nfcom_versoes',
    notas.map(({ id, chave, digest, emitida_em, xml_assinado }) => ({
      nfcom_id: id,
      chave,
      digest,
      emitida_em,
      xml_assinado,
      codigo: NUMERO_DE_OUTRA,
      criado_em: em,
    })),
  );
  const ids = notas.map(({ id }) => id);
  const deNovo = { ...SEM_NUMERO, situacao: 'pendente', etapa: 'montar', proxima_em: em };
  await w.update('nfcom', (q) => void q.whereIn('id', ids), deNovo);
  w.touch(FATURAS_TAG, ...notas.flatMap((nota) => tagsDaFatura(nota.fatura_id, nota.cliente_id)));
}
