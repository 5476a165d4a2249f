import { opcional } from '../../../domain/campos/campos.ts';
import { id } from '../../../domain/campos/leitores.ts';
import { CATEGORIAS_DE_CHAMADO } from '../../../domain/chamados/chamados.types.ts';
import { valorDe } from '../formulario/estado.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { CONSULTA_DA_FILA } from './fila/filtros.ts';
import { VARIOS, telaDeVarios, telaDoResultado } from './varios.ts';

const { visao: _visao, apos: _apos, dia: _dia, ...FILTRO } = CONSULTA_DA_FILA;

/** One answer to many tickets, as in an outage. */
export const DE_VARIOS: readonly Rota[] = [
  pagina(VARIOS, {
    permissao: 'chamados.atender',
    consulta: { ...FILTRO, depois_de: opcional(id) },
    mostrar: async (chamada) => ({ tela: await telaDeVarios(chamada, chamada.consulta) }),
  }),

  acao(VARIOS, {
    permissao: 'chamados.atender',
    campos: {
      chamados: 'lista',
      todos: 'caixa',
      aviso: 'texto',
      categoria: 'texto',
      depois_de: 'texto',
      texto: 'texto',
      solucionar: 'caixa',
    },
    // The tickets of the notice are shown again, or the latest of the queue: what was marked is marked where it is among them.
    async formulario(chamada, estado) {
      const aviso = Number(valorDe(estado, 'aviso'));
      const daCategoria = valorDe(estado, 'categoria');
      const categoria = CATEGORIAS_DE_CHAMADO.find((uma) => uma === daCategoria);
      const dele = Number.isSafeInteger(aviso) && aviso > 0 ? aviso : undefined;
      return telaDeVarios(chamada, { aviso: dele, categoria }, estado);
    },
    async fazer({ dados, mudar }) {
      const { todos, chamados, aviso, categoria, depois_de, ...resposta } = dados;
      const quais = todos === true ? { aviso, categoria, depois_de } : { chamados };
      const feito = await mudar(async (_d, { respostas }) => respostas.responderVarios({ ...quais, ...resposta }));
      return { tela: telaDoResultado(feito, { aviso: todos === true ? String(aviso) : null, categoria, ...resposta }) };
    },
  }),
];
