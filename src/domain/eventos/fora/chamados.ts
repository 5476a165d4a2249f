import { CATEGORIAS_DE_CHAMADO, PRIORIDADES_DE_CHAMADO, SITUACOES_DE_CHAMADO } from '../../chamados/chamados.types.ts';
import type { TipoDeFora } from './dito.ts';
import { dados, dadosSemCliente, id, idOuNulo, instanteOuNulo, quantos, texto, textos } from './dito.ts';

const situacao = { enum: SITUACOES_DE_CHAMADO } as const;

/** What every event of a ticket says. */
const T = {
  chamado_id: id,
  contrato_id: idOuNulo,
  situacao,
  prioridade: { enum: PRIORIDADES_DE_CHAMADO },
  categoria: { enum: [...CATEGORIAS_DE_CHAMADO, null] },
} as const;

const EXEMPLO_T = {
  cliente_id: 1042,
  chamado_id: 311,
  contrato_id: 77,
  situacao: 'aberto',
  prioridade: 'normal',
  categoria: 'TECNICO',
} as const;

const mudanca = dados({ ...T, de: situacao, campos: textos });
const tipo = { enum: ['interrupcao', 'degradacao', 'manutencao', 'informativo'] } as const;
const aviso = dadosSemCliente({
  aviso_id: id,
  tipo,
  origem: { enum: ['equipe', 'detectado'] },
  contratos: quantos,
});
const EXEMPLO_DE_AVISO = {
  cliente_id: null,
  aviso_id: 8,
  tipo: 'interrupcao',
  origem: 'equipe',
  contratos: 311,
} as const;

/** What those outside hear of tickets, of notices of the network, and in a test. */
export const DE_FORA_DO_ATENDIMENTO = {
  'chamado.aberto': {
    descricao: 'Um chamado foi aberto.',
    dados: dados({ ...T, origem: texto }),
    exemplo: { ...EXEMPLO_T, origem: 'api' },
  },
  'chamado.atualizado': {
    descricao: 'Mudou a prioridade, a categoria ou a solução de um chamado, ou ele passou a outra situação em aberto.',
    dados: mudanca,
    exemplo: { ...EXEMPLO_T, situacao: 'em_andamento', de: 'aberto', campos: ['situacao'] },
  },
  'chamado.comentado': {
    descricao: 'Um chamado foi comentado, e mais nada mudou nele.',
    dados: dados({ ...T, entrada_id: idOuNulo, por: { enum: ['cliente', 'equipe', 'api', null] } }),
    exemplo: { ...EXEMPLO_T, entrada_id: 902, por: 'equipe' },
  },
  'chamado.agendado': {
    descricao: 'A visita de um chamado foi marcada, mudada ou desmarcada.',
    dados: dados({ ...T, agendado_para: instanteOuNulo }),
    exemplo: { ...EXEMPLO_T, agendado_para: '2026-11-25T12:00:00.000Z' },
  },
  'chamado.atribuido': {
    descricao: 'Mudou quem da equipe atende um chamado.',
    dados: dados({ ...T, responsavel_id: idOuNulo }),
    exemplo: { ...EXEMPLO_T, responsavel_id: 3 },
  },
  'chamado.solucionado': {
    descricao: 'Um chamado foi solucionado.',
    dados: mudanca,
    exemplo: { ...EXEMPLO_T, situacao: 'solucionado', de: 'em_andamento', campos: ['situacao', 'solucao'] },
  },
  'chamado.cancelado': {
    descricao: 'Um chamado foi cancelado.',
    dados: mudanca,
    exemplo: { ...EXEMPLO_T, situacao: 'cancelado', de: 'aberto', campos: ['situacao'] },
  },
  'chamado.reaberto': {
    descricao: 'Um chamado fechado foi reaberto.',
    dados: mudanca,
    exemplo: { ...EXEMPLO_T, situacao: 'reaberto', de: 'solucionado', campos: ['situacao'] },
  },
  'rede.aviso_aberto': {
    descricao: 'Um aviso da rede foi aberto; `contratos` é quantos ele cobre.',
    dados: aviso,
    exemplo: EXEMPLO_DE_AVISO,
  },
  'rede.aviso_alterado': {
    descricao: 'Mudou um aviso da rede que está aberto; `campos` diz o quê.',
    dados: dadosSemCliente({ aviso_id: id, campos: textos }),
    exemplo: { cliente_id: null, aviso_id: 8, campos: ['previsao'] },
  },
  'rede.aviso_encerrado': {
    descricao: 'Um aviso da rede foi encerrado.',
    dados: aviso,
    exemplo: EXEMPLO_DE_AVISO,
  },
  'teste.ping': {
    descricao: 'Alguém pediu um teste do webhook.',
    dados: dadosSemCliente({ mensagem: texto }),
    exemplo: { cliente_id: null, mensagem: 'Se isto chegou, o webhook funciona.' },
  },
} as const satisfies Readonly<Record<string, TipoDeFora>>;
