import type { MeioDevolvido } from '../../../domain/recebimentos/devolucoes/devolucoes.types.ts';
import { etiqueta } from '../componentes/cartao.ts';
import type { Cor } from '../componentes/cartao.ts';

export const MEIOS: Readonly<Record<MeioDevolvido, string>> = { pix: 'PIX', boleto: 'Boletos', manual: 'À mão' };

/** One of them. */
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

const SITUACOES: Readonly<Record<string, readonly [texto: string, cor: Cor]>> = {
  pedida: ['Pedida', 'blue'],
  enviada: ['No banco', 'azure'],
  devolvida: ['Devolvida', 'green'],
  nao_realizada: ['Não realizada', 'red'],
};

export function situacaoDaDevolucao(situacao: string) {
  const [texto, cor] = SITUACOES[situacao] ?? [situacao, 'secondary'];
  return etiqueta(texto, cor);
}
