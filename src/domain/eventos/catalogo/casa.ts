import { campos, data, dinheiro, evento, id, idOuNulo, instante, nomes, quantos, semDados } from './evento.ts';

const CAMPOS_DE_CHAVE = ['nome', 'permissoes', 'restricoes', 'ips', 'limite', 'expira'] as const;
const feriado = campos(
  { dia: { type: 'string', pattern: '^(?:\\d{4}-)?\\d{2}-\\d{2}$' }, dia_util: { type: 'boolean' } },
  ['dia_util'],
);
const nas = { nas: { type: 'string' } } as const;

/** What is done about a provider itself: for the audit log. */
export const DA_CASA = {
  'cache.esquecido': semDados(false, 'Mandou-se esquecer o que se guardava do provedor.'),
  'chave.criada': semDados(false, 'Criou-se uma chave da API.'),
  'chave.alterada': evento({
    descricao:
      'Mudou o nome, a origem, o limite ou a validade de uma chave da API, ou ela perdeu permissões ou ganhou restrições.',
    sai: false,
    dados: campos({ campos: { type: 'array', items: { enum: CAMPOS_DE_CHAVE } } }),
    exemplo: { campos: ['ips', 'limite'] },
  }),
  'chave.renovada': evento({
    descricao: 'Fez-se de uma chave da API outra igual, de texto novo; a antiga vale até um instante.',
    sai: false,
    dados: campos({ nova: id, ate: instante }),
    exemplo: { nova: 8, ate: '2026-11-30T15:00:00.000Z' },
  }),
  'chave.expirando': evento({
    descricao: 'Uma chave da API expira em até sete dias.',
    sai: false,
    dados: campos({ expira_em: instante }),
    exemplo: { expira_em: '2026-11-30T15:00:00.000Z' },
  }),
  'chave.revogada': semDados(false, 'Revogou-se uma chave da API.'),
  'nas.adicionado': evento({
    descricao: 'Acrescentou-se um NAS.',
    sai: false,
    dados: campos({ ...nas, porta_coa: quantos }),
    exemplo: { nas: '192.0.2.1', porta_coa: 3799 },
  }),
  'nas.alterado': evento({
    descricao: 'Mudou a porta, o nome ou o segredo de um NAS.',
    sai: false,
    dados: campos({ ...nas, porta_coa: quantos }),
    exemplo: { nas: '192.0.2.1', porta_coa: 3799 },
  }),
  'nas.removido': evento({
    descricao: 'Removeu-se um NAS.',
    sai: false,
    dados: campos(nas),
    exemplo: { nas: '192.0.2.1' },
  }),
  'provedor.configurado': evento({
    descricao: 'Mudaram colunas da configuração; juros que pediram confirmação ficam com o percentual.',
    sai: false,
    dados: campos({ campos: nomes, juros_confirmados: dinheiro }, ['juros_confirmados']),
    exemplo: { campos: ['juros_mensal_percentual'], juros_confirmados: '1.50' },
  }),
  'provedor.importado': semDados(false, 'Carregou-se o provedor do arquivo de outra célula.'),
  'provedor.assumido': semDados(false, 'Pôs-se em serviço o provedor que veio de outra célula.'),
  'provedor.feriado_adicionado': evento({
    descricao: 'Acrescentou-se um dia próprio, feriado ou útil, ao calendário.',
    sai: false,
    dados: feriado,
    exemplo: { dia: '2027-03-19' },
  }),
  'provedor.feriado_alterado': evento({
    descricao: 'Mudou o nome de um dia próprio, ou se ele é útil.',
    sai: false,
    dados: feriado,
    exemplo: { dia: '03-19', dia_util: true },
  }),
  'provedor.feriado_removido': evento({
    descricao: 'Removeu-se um dia próprio.',
    sai: false,
    dados: feriado,
    exemplo: { dia: '03-19' },
  }),
  'regua.configurada': evento({
    descricao: 'Mudou a régua de cobrança.',
    sai: false,
    dados: campos({ campos: nomes }),
    exemplo: { campos: ['ativa', 'bloqueio_dias'] },
  }),
  'regua.pausada': evento({
    descricao: 'Parou-se a régua de cobrança para um contrato, ou para todos de um cliente.',
    sai: false,
    dados: campos({ cliente: id, contrato: idOuNulo }),
    exemplo: { cliente: 12, contrato: null },
  }),
  'regua.retomada': evento({
    descricao: 'Acabou uma pausa da régua de cobrança.',
    sai: false,
    dados: campos({ cliente: id, contrato: idOuNulo }),
    exemplo: { cliente: 12, contrato: null },
  }),
  'regua.entrega_anotada': evento({
    descricao: 'Alguém da equipe anotou que um aviso da régua foi entregue, em mãos ou por telefone.',
    sai: false,
    dados: campos({ cliente: id, registro: id }),
    exemplo: { cliente: 12, registro: 301 },
  }),
  'regua.entrega_desanotada': evento({
    descricao: 'Alguém da equipe desfez a anotação de que um aviso da régua foi entregue.',
    sai: false,
    dados: campos({ cliente: id, registro: id }),
    exemplo: { cliente: 12, registro: 301 },
  }),
  'regua.aplicada': evento({
    descricao: 'Fez-se o que a régua de cobrança pedia num dia.',
    sai: false,
    dados: campos({ dia: data, linhas: quantos }),
    exemplo: { dia: '2026-11-24', linhas: 311 },
  }),
  'receptor.criado': semDados(false, 'Criou-se um receptor de PIX.'),
  'receptor.revogado': semDados(false, 'Revogou-se um receptor de PIX.'),
  'tarefa.reaberta': evento({
    descricao: 'Mandou-se fazer de novo uma tarefa diária, de um dia em diante.',
    sai: false,
    dados: campos({ tarefa: { type: 'string' }, dia: data, dias: quantos }),
    exemplo: { tarefa: 'pix.recalcular', dia: '2026-11-24', dias: 1 },
  }),
  'tarefa.falhou': evento({
    descricao: 'Esgotaram-se as tentativas de uma tarefa diária; dito uma vez de cada dia, e ela é tentada de novo.',
    sai: false,
    dados: campos({ tarefa: { type: 'string' }, dia: data }),
    exemplo: { tarefa: 'pix.recalcular', dia: '2026-11-24' },
  }),
  // Neither its text nor to whom.
  'push.mensagem': evento({
    descricao: 'Mandou-se uma mensagem aos aparelhos de clientes: a tantos clientes, em tantos aparelhos.',
    sai: false,
    dados: campos({ clientes: quantos, aparelhos: quantos }),
    exemplo: { clientes: 120, aparelhos: 148 },
  }),
  // Never an address.
  'webhook.criado': semDados(false, 'Criou-se um webhook.'),
  'webhook.alterado': evento({
    descricao: 'Mudou o endereço, os eventos, a descrição ou a situação de um webhook.',
    sai: false,
    dados: campos({ campos: { type: 'array', items: { enum: ['url', 'eventos', 'descricao', 'situacao'] } } }),
    exemplo: { campos: ['situacao'] },
  }),
  'webhook.removido': semDados(false, 'Removeu-se um webhook.'),
  'webhook.segredo_trocado': evento({
    descricao: 'Trocou-se o segredo de um webhook; o anterior assina ao lado até um instante.',
    sai: false,
    dados: campos({ anterior_ate: instante }),
    exemplo: { anterior_ate: '2026-11-24T15:00:00.000Z' },
  }),
  'webhook.falhando': semDados(false, 'Nada se entrega num webhook há um dia.'),
  'webhook.desativado': evento({
    descricao: 'Desativou-se um webhook em que nada mais se entregava; tantas entregas não serão feitas.',
    sai: false,
    dados: campos({ motivo: { enum: ['falhas', 'gone'] }, canceladas: quantos }),
    exemplo: { motivo: 'falhas', canceladas: 311 },
  }),
} as const;
