import type { Motivo } from '../../../domain/boletos/boletos.types.ts';
import type { SituacaoDaRemessa } from '../../../domain/boletos/remessas/remessas.types.ts';
import type { ResultadoDaLinha } from '../../../domain/boletos/retornos/retornos.types.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';
import type { Cor } from '../componentes/cartao.ts';

const DA_REMESSA: Readonly<Record<SituacaoDaRemessa, readonly [texto: string, cor: Cor]>> = {
  gerada: ['Por baixar', 'yellow'],
  baixada: ['Baixada', 'blue'],
  enviada: ['Enviada', 'green'],
  desfeita: ['Desfeita', 'secondary'],
  recusada: ['Recusada pelo banco', 'red'],
};

export const situacaoDaRemessa = (situacao: SituacaoDaRemessa): Html => etiqueta(...DA_REMESSA[situacao]);

/** What a line did, in words. */
export const RESULTADOS: Readonly<Record<ResultadoDaLinha, string>> = {
  registrado: 'Registrado',
  rejeitado: 'Rejeitado',
  quitada: 'Fatura quitada',
  parcial: 'Pago em parte',
  excedente: 'Pago a mais',
  nao_identificada: 'Dinheiro não identificado',
  repetida: 'Já recebida antes',
  baixado: 'Baixado',
  desfeita: 'Pagamento desfeito',
  a_desfazer: 'Desfaz um pagamento que nenhum arquivo tinha dito até então: se vier, será desfeito',
  confirmada: 'Mudança confirmada',
  recusada: 'Pedido recusado',
  tarifa: 'Tarifa',
  ilegivel: 'Linha que não se pôde ler',
  sem_efeito: 'Sem efeito',
  desconhecido: 'Título que não é daqui',
};

export const emPalavras = (motivos: readonly Motivo[]): string =>
  motivos.map(({ codigo, texto }) => (texto === '' ? `código ${codigo} do banco` : texto)).join('; ');

/** How what a bank refused is mended: most of its reasons are about the client's registration. */
export function remedioDe(motivos: readonly Motivo[]): string {
  const dito = emPalavras(motivos).toLowerCase();
  if (/cep|endere|bairro|cidade|uf|munic/.test(dito)) return 'Corrija o endereço do cliente e mande de novo.';
  if (/inscri|cpf|cnpj|pagador|sacado|nome/.test(dito))
    return 'Corrija o CPF, o CNPJ ou o nome do cliente e mande de novo.';
  if (/vencimento|data/.test(dito)) return 'Mude o vencimento da fatura e mande de novo.';
  if (/nosso n|carteira|conv[eê]nio|benefici|cedente/.test(dito)) return 'Confira o convênio bancário com o banco.';
  return 'Veja com o banco o que corrigir e mande de novo.';
}
