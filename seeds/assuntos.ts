import type { CategoriaChamado } from '../src/domain/chamados/chamados.types.ts';

/** Who signs what staff does, in both providers. */
export const EQUIPE: readonly [string, ...string[]] = [
  'Ana Paula Ferreira',
  'Diego Magalhães',
  'Luíza Conceição',
  'Rogério Simões',
];

export const COMENTARIOS: readonly string[] = [
  'Cliente não atendeu, tentar de novo à tarde.',
  'Cliente retornou pelo WhatsApp e confirmou os dados.',
  'Encaminhado ao setor responsável.',
  'Cliente pede retorno depois das 18h.',
  'Aguardando a resposta do cliente.',
];

interface Assunto {
  readonly categoria: CategoriaChamado | null;
  readonly assunto: string;
  readonly descricao: string;
  readonly solucao: string;
}

const assunto = (categoria: CategoriaChamado | null, titulo: string, descricao: string, solucao: string): Assunto => ({
  categoria,
  assunto: titulo,
  descricao,
  solucao,
});

export const ASSUNTOS: readonly Assunto[] = [
  assunto(
    'TECNICO',
    'Sem conexão desde ontem',
    'A luz LOS da ONU está vermelha e o cliente já desligou e ligou o equipamento.',
    'Emenda refeita na caixa de atendimento; sinal em -21 dBm.',
  ),
  assunto(
    'TECNICO',
    'Lentidão à noite',
    'Velocidade abaixo da contratada entre 19h e 23h, no cabo e no Wi-Fi.',
    'Canal do Wi-Fi trocado e firmware atualizado; teste por cabo na velocidade contratada.',
  ),
  assunto(
    'TECNICO',
    'Quedas várias vezes ao dia',
    'A conexão cai e volta sozinha depois de um ou dois minutos.',
    'Conector óptico substituído; sem quedas nas 24 horas seguintes.',
  ),
  assunto(
    'FINANCEIRO',
    'Segunda via do boleto',
    'Cliente não recebeu o boleto deste mês por e-mail.',
    'Segunda via enviada e e-mail do cadastro corrigido.',
  ),
  assunto(
    'FINANCEIRO',
    'Pagamento não reconhecido',
    'Pagou por PIX na semana passada e a fatura continua em aberto.',
    'Pagamento localizado e baixado; contrato liberado.',
  ),
  assunto(
    'COMERCIAL',
    'Mudança de plano',
    'Quer aumentar a velocidade e saber se o valor muda já na próxima fatura.',
    'Plano alterado; o novo valor vale a partir do próximo vencimento.',
  ),
  assunto(
    'INSTALACAO',
    'Agendar instalação',
    'Contrato assinado; cliente prefere a parte da manhã.',
    'Instalado com 12 metros de cabo interno e Wi-Fi configurado.',
  ),
  assunto(
    'INSTALACAO',
    'Mudança de endereço',
    'Cliente muda no fim do mês e quer levar a internet para a casa nova.',
    'Transferido para o novo endereço, há viabilidade na mesma caixa.',
  ),
  assunto(
    'CANCELAMENTO',
    'Pedido de cancelamento',
    'Vai se mudar para uma cidade que não atendemos.',
    'Retirada do equipamento agendada e fatura proporcional emitida.',
  ),
  assunto(
    'OUTRO',
    'Elogio ao técnico',
    'Cliente elogia o atendimento da última visita.',
    'Repassado à equipe de campo.',
  ),
  assunto(
    null,
    'Atualização de cadastro',
    'Trocou de número de telefone e de e-mail.',
    'Telefone e e-mail atualizados no cadastro.',
  ),
];
