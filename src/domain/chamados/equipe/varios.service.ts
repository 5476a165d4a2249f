import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { exigido, lerCampos, opcional } from '../../campos/campos.ts';
import { escolha, id, lista, simOuNao, texto } from '../../campos/leitores.ts';
import { faltaEm } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { CHAMADOS_TAG, chamadoTag, clienteTag } from '../../tags.ts';
import { inserirHistoricos } from '../historico.queries.ts';
import { CATEGORIAS_DE_CHAMADO } from '../chamados.types.ts';
import { createEquipeQueries } from './equipe.queries.ts';
import { daSituacao, daSolucao, doComentario, juntas } from './mudancas.regras.ts';

export type RespostaAVariosService = ReturnType<typeof createRespostaAVariosService>;

/** Tickets that are answered in one write. */
export const MAIS_DE_UMA_VEZ = 300;

/** Which: those named, or all of a notice of the network or of one category among them, after one of them where there were more than are answered at once. */
const CAMPOS = {
  chamados: opcional(lista(id, 0, MAIS_DE_UMA_VEZ)),
  aviso: opcional(id),
  categoria: opcional(escolha(CATEGORIAS_DE_CHAMADO)),
  depois_de: opcional(id),
  texto: exigido(texto(1, 5000)),
  solucionar: opcional(simOuNao),
} as const;

export interface RespondidosDeUmaVez {
  /** Those that were answered, by their ids. */
  readonly feitos: readonly number[];
  /** Those that were asked for and are open no more, or are not there. */
  readonly fora: readonly number[];
  /** Where a notice has more: to go on after this one. */
  readonly continua: number | null;
}

/** Answers many tickets with one text, as in an outage: as many statements for three hundred as for one. */
export function createRespostaAVariosService({ w, relogio }: { readonly w: Write; readonly relogio: Relogio }) {
  const queries = createEquipeQueries(w);

  return {
    /**
     * Comments on open tickets, or solves them. Each has its own entries and its own event, as if it had been answered by itself; one that
     * was closed meanwhile is left as it is.
     *
     * @throws CamposInvalidos
     */
    async responderVarios(dados: unknown): Promise<RespondidosDeUmaVez> {
      const {
        chamados = [],
        aviso,
        categoria,
        depois_de: depoisDe = 0,
        texto: dito,
        solucionar,
      } = lerCampos(CAMPOS, dados);
      if (aviso === undefined && chamados.length === 0) faltaEm('chamados', 'marque ao menos um');
      const achados =
        aviso === undefined ? chamados : await queries.doAviso(aviso, categoria, depoisDe, MAIS_DE_UMA_VEZ + 1);
      const pedidos = [...new Set(achados.slice(0, MAIS_DE_UMA_VEZ))];
      const abertos = pedidos.length === 0 ? [] : await queries.travarAbertos(pedidos);
      const feitos = abertos.map(({ id: um }) => um);
      const dentro = new Set(feitos);
      const resultado: RespondidosDeUmaVez = {
        feitos,
        fora: pedidos.filter((um) => !dentro.has(um)),
        continua: achados.length > MAIS_DE_UMA_VEZ ? (pedidos.at(-1) ?? null) : null,
      };
      if (abertos.length === 0) return resultado;
      const agora = toDatabaseTime(relogio.agora());
      const mudados = abertos.map((chamado) => ({
        chamado,
        ...juntas(
          solucionar === true
            ? [daSituacao(chamado, 'solucionado', agora), daSolucao(chamado, dito)]
            : [doComentario(dito)],
        ),
      }));
      const colunas =
        solucionar === true ? ({ situacao: 'solucionado', fechado_em: agora, solucao: dito } as const) : {};
      await queries.mudarParaTodos(feitos, colunas, agora);
      const entradas = await inserirHistoricos(
        w,
        agora,
        mudados.flatMap(({ chamado, entradas: dele }) => dele.map((entrada) => ({ ...entrada, chamado: chamado.id }))),
      );
      w.touch(CHAMADOS_TAG);
      for (const { chamado, entradas: dele } of mudados) {
        const { id: um, cliente_id: cliente, contrato_id: contrato, situacao: de } = chamado;
        w.touch(chamadoTag(um), clienteTag(cliente));
        const entrada = solucionar === true ? undefined : entradas.get(um);
        w.emit('chamado.atualizado', um, {
          cliente,
          contrato,
          campos: dele.map(({ acao }) => acao),
          de,
          para: colunas.situacao ?? de,
          ...(entrada === undefined ? {} : { entrada, por: 'equipe' }),
        });
      }
      return resultado;
    },
  };
}
