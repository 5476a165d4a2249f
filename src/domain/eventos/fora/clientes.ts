import { SITUACOES_DE_CLIENTE } from '../../clientes/clientes.types.ts';
import type { TipoDeFora } from './dito.ts';
import { dados, data, dinheiro, id, idOuNulo, instante, quantos, textos } from './dito.ts';

const SITUACOES = ['pendente', 'ativo', 'bloqueado', 'inativo', 'cancelado', 'cancelado_definitivo'] as const;
const contrato_id = id;

/** What those outside hear of clients and their contracts. */
export const DE_FORA_DOS_CLIENTES = {
  'cliente.criado': {
    descricao: 'Um cliente foi cadastrado pela equipe, pela API ou por uma importação.',
    dados: dados({
      situacao: { enum: SITUACOES_DE_CLIENTE },
      origem: { enum: ['painel', 'api', 'importacao'] },
    }),
    exemplo: { cliente_id: 1042, situacao: 'ativo', origem: 'painel' },
  },
  'cliente.pre_cadastrado': {
    descricao: 'Alguém se cadastrou pelo link de um convite.',
    dados: dados({ contrato_id, convite_id: id, plano_id: id }),
    exemplo: { cliente_id: 1042, contrato_id: 77, convite_id: 5, plano_id: 2 },
  },
  'cliente.atualizado': {
    descricao: 'Mudou o cadastro de um cliente; `campos` diz quais.',
    dados: dados({ campos: textos }),
    exemplo: { cliente_id: 1042, campos: ['email', 'telefones'] },
  },
  'cliente.cancelado': {
    descricao: 'Um cliente foi cancelado.',
    dados: dados({}),
    exemplo: { cliente_id: 1042 },
  },
  'cliente.apagado': {
    descricao: 'Dados de um cliente foram apagados a seu pedido (LGPD): apague também os seus.',
    dados: dados({ apagados: textos, guardados: textos }),
    exemplo: { cliente_id: 1042, apagados: ['cadastro.email'], guardados: ['cadastro.cpf_cnpj'] },
  },
  'cliente.acesso_solicitado': {
    descricao: 'Alguém pediu um código para entrar no app; o código não vai aqui.',
    dados: dados({ solicitacao_id: id, expira_em: instante }),
    exemplo: { cliente_id: 1042, solicitacao_id: 81, expira_em: '2026-11-30T15:15:00.000Z' },
  },
  'cliente.contrato_criado': {
    descricao: 'Um contrato foi criado.',
    dados: dados({ contrato_id, plano_id: id, situacao: { enum: SITUACOES } }),
    exemplo: { cliente_id: 1042, contrato_id: 77, plano_id: 2, situacao: 'pendente' },
  },
  'cliente.contrato_ativado': {
    descricao: 'Um contrato pendente, inativo ou cancelado passou a ativo.',
    dados: dados({ contrato_id, de: { enum: SITUACOES } }),
    exemplo: { cliente_id: 1042, contrato_id: 77, de: 'pendente' },
  },
  'cliente.contrato_bloqueado': {
    descricao: 'Um contrato foi bloqueado, por débito, pela equipe ou pelo fim de um desbloqueio de confiança.',
    dados: dados({ contrato_id, origem: { enum: ['financeiro', 'manual'] }, fatura_id: idOuNulo }),
    exemplo: { cliente_id: 1042, contrato_id: 77, origem: 'financeiro', fatura_id: 9001 },
  },
  'cliente.contrato_liberado': {
    descricao: 'Um contrato bloqueado foi liberado, por pagamento ou pela equipe.',
    dados: dados({ contrato_id, por: { enum: ['pagamento', 'manual'] }, fatura_id: idOuNulo }),
    exemplo: { cliente_id: 1042, contrato_id: 77, por: 'pagamento', fatura_id: 9001 },
  },
  'cliente.desbloqueio_confianca': {
    descricao: 'Um contrato teve desbloqueio de confiança, até um instante.',
    dados: dados({ contrato_id, dias: quantos, ate: instante, fatura_id: idOuNulo }),
    exemplo: { cliente_id: 1042, contrato_id: 77, dias: 3, ate: '2026-11-27T02:59:59.999Z', fatura_id: 9001 },
  },
  'cliente.desbloqueio_encerrado': {
    descricao: 'Acabou um desbloqueio de confiança sem que o contrato voltasse a ser bloqueado.',
    dados: dados({ contrato_id }),
    exemplo: { cliente_id: 1042, contrato_id: 77 },
  },
  'cliente.contrato_rescisao_avisada': {
    descricao: 'Quem está bloqueado por débito foi avisado de que o contrato pode ser rescindido a partir de um dia.',
    dados: dados({ contrato_id, a_pagar: dinheiro, rescisao_desde: data }),
    exemplo: { cliente_id: 1042, contrato_id: 77, a_pagar: 204.2, rescisao_desde: '2027-01-26' },
  },
  'cliente.contrato_rescisao_devida': {
    descricao: 'Passou o prazo de um contrato bloqueado por débito, e a equipe decide se o rescinde.',
    dados: dados({ contrato_id, a_pagar: dinheiro }),
    exemplo: { cliente_id: 1042, contrato_id: 77, a_pagar: 204.2 },
  },
  'cliente.contrato_inativado': {
    descricao: 'Um contrato foi suspenso a pedido do cliente.',
    dados: dados({ contrato_id }),
    exemplo: { cliente_id: 1042, contrato_id: 77 },
  },
  'cliente.contrato_cancelado': {
    descricao: 'Um contrato foi cancelado; em definitivo, quando já não pode voltar.',
    dados: dados({ contrato_id, definitivo: { type: 'boolean' } }),
    exemplo: { cliente_id: 1042, contrato_id: 77, definitivo: false },
  },
  'cliente.promessa_registrada': {
    descricao: 'Um assinante prometeu pagar o que um contrato deve até um dia; nada foi liberado por isso.',
    dados: dados({ contrato_id, data }),
    exemplo: { cliente_id: 1042, contrato_id: 77, data: '2026-11-30' },
  },
  'cliente.promessa_quebrada': {
    descricao: 'Passou o dia de uma promessa de pagamento, e ainda se deve.',
    dados: dados({ contrato_id, data }),
    exemplo: { cliente_id: 1042, contrato_id: 77, data: '2026-11-30' },
  },
  'cliente.plano_alterado': {
    descricao: 'Um contrato passou a outro plano; `valor` é o que ele tem desde então.',
    dados: dados({ contrato_id, plano_anterior_id: id, plano_id: id, valor: dinheiro }),
    exemplo: { cliente_id: 1042, contrato_id: 77, plano_anterior_id: 2, plano_id: 3, valor: 129.9 },
  },
} as const satisfies Readonly<Record<string, TipoDeFora>>;
