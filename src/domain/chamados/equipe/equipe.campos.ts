import { exigido, opcional } from '../../campos/campos.ts';
import { escolha, id, inteiro, ouNulo, texto } from '../../campos/leitores.ts';
import { versao } from '../../campos/versao.ts';
import { CATEGORIAS_DE_CHAMADO, PRIORIDADES_DE_CHAMADO } from '../chamados.types.ts';

/** States that staff chooses; what is solved or reopened has its own form. */
export const SITUACOES_DA_EQUIPE = ['em_andamento', 'pendente', 'pendente_terceiro', 'cancelado'] as const;

const daVersao = { atualizado_em: opcional(versao) } as const;
const longo = texto(1, 5000);

export const CAMPOS_DA_ABERTURA = {
  cliente_id: exigido(id),
  contrato_id: opcional(ouNulo(id)),
  assunto: exigido(texto(3, 300)),
  descricao: exigido(longo),
  prioridade: opcional(escolha(PRIORIDADES_DE_CHAMADO)),
  categoria: opcional(ouNulo(escolha(CATEGORIAS_DE_CHAMADO))),
  responsavel_id: opcional(ouNulo(id)),
} as const;
export const CAMPOS_DA_VERSAO = daVersao;
export const CAMPOS_DO_RESPONSAVEL = { ...daVersao, responsavel_id: exigido(ouNulo(id)) } as const;
export const CAMPOS_DA_VISITA = {
  ...daVersao,
  agendado_para: exigido(ouNulo(versao)),
  duracao_minutos: opcional(inteiro(5, 1440)),
} as const;
export const CAMPOS_DO_TEXTO = { ...daVersao, texto: exigido(longo) } as const;
export const CAMPOS_DA_REABERTURA = { ...daVersao, texto: opcional(ouNulo(longo)) } as const;
export const CAMPOS_DA_MUDANCA = {
  ...daVersao,
  situacao: opcional(escolha(SITUACOES_DA_EQUIPE)),
  prioridade: opcional(escolha(PRIORIDADES_DE_CHAMADO)),
  categoria: opcional(ouNulo(escolha(CATEGORIAS_DE_CHAMADO))),
} as const;
