import type { MeioDevolvido, SituacaoDaDevolucao } from '../../../domain/recebimentos/devolucoes/devolucoes.types.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';
import type { Cor } from '../componentes/cartao.ts';

export const MEIOS: Readonly<Record<MeioDevolvido, string>> = { pix: 'PIX', boleto: 'Boletos', manual: 'À mão' };

/** What a single thing that came in is called. */
export const UM: Readonly<Record<MeioDevolvido, string>> = {
  pix: 'PIX',
  boleto: 'Boleto',
  manual: 'Recebimento à mão',
};

export const FORMAS_DE_DEVOLVER: Readonly<Record<string, string>> = {
  dinheiro: 'Em dinheiro',
  transferencia: 'Por transferência',
  pix: 'Por outro PIX',
  outro: 'De outra forma',
};

const SITUACOES: Readonly<Record<SituacaoDaDevolucao, readonly [texto: string, cor: Cor]>> = {
  pedida: ['Pedida', 'blue'],
  enviada: ['No banco', 'azure'],
  devolvida: ['Devolvida', 'green'],
  nao_realizada: ['Não realizada', 'red'],
};

export const situacaoDaDevolucao = (situacao: SituacaoDaDevolucao): Html => etiqueta(...SITUACOES[situacao]);
