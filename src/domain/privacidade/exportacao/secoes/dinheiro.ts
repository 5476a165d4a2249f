import { secao } from '../secao.ts';
import type { Secao } from '../exportacao.types.ts';

const DAS_FATURAS: readonly Secao[] = [
  secao({
    nome: 'faturas',
    tabela: 'faturas',
    campos: [
      'id',
      'cliente_id',
      'contrato_id',
      'carne_id',
      'parcela',
      'descricao',
      'situacao',
      'tipo',
      'valor',
      'valor_pago',
      'vencimento',
      'nosso_numero',
      'boleto_situacao',
      'linha_digitavel',
      'motivo_codigo',
      'motivo',
      'codigo_externo',
    ],
    instantes: ['emitida_em', 'pago_em', 'cancelada_em', 'reaberta_em', 'atualizado_em'],
    de: (q, { faturas }) => q.whereIn('faturas.id', faturas),
  }),
  secao({
    nome: 'carnes',
    tabela: 'carnes',
    campos: ['id', 'cliente_id', 'parcelas'],
    instantes: ['emitido_em'],
    de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
  }),
  secao({
    nome: 'cobrancas_de_meses',
    tabela: 'faturamento_cobrancas',
    campos: ['contrato_id', 'competencia', 'tipo', 'fatura_id', 'vencimento', 'valor', 'dias', 'itens'],
    ordem: 'competencia',
    de: (q, { contratos }) => q.whereIn('contrato_id', contratos),
  }),
  secao({
    nome: 'itens_de_contratos',
    tabela: 'contratos_itens',
    campos: ['id', 'contrato_id', 'tipo', 'descricao', 'valor', 'de', 'ate'],
    instantes: ['criado_em', 'removido_em'],
    de: (q, { contratos }) => q.whereIn('contrato_id', contratos),
  }),
  secao({
    nome: 'lancamentos_de_faturas',
    tabela: 'faturas_lancamentos',
    campos: ['id', 'fatura_id', 'tipo', 'valor'],
    instantes: ['criado_em', 'atualizado_em'],
    de: (q, { faturas }) => q.whereIn('fatura_id', faturas),
  }),
  secao({
    nome: 'pagamentos_por_pix',
    tabela: 'pix_recebidos',
    campos: ['id', 'fatura_id', 'end_to_end_id', 'valor', 'devolvido', 'tomado'],
    instantes: ['pago_em', 'criado_em', 'vinculado_em'],
    de: (q, { faturas }) => q.whereIn('fatura_id', faturas),
  }),
  secao({
    nome: 'boletos',
    tabela: 'boletos',
    campos: ['id', 'fatura_id', 'numero', 'situacao', 'valor', 'vencimento', 'linha', 'pix'],
    instantes: ['criado_em', 'registrado_em', 'encerrado_em'],
    de: (q, { faturas }) => q.whereIn('fatura_id', faturas),
  }),
  secao({
    nome: 'pagamentos_por_boleto',
    tabela: 'boletos_recebidos',
    campos: ['id', 'fatura_id', 'nosso_numero', 'valor', 'devolvido', 'pago_no_dia', 'creditado_em'],
    instantes: ['pago_em', 'criado_em', 'vinculado_em', 'desfeito_em'],
    de: (q, { faturas }) => q.whereIn('fatura_id', faturas),
  }),
  secao({
    nome: 'devolucoes_de_pix',
    tabela: 'pix_devolucoes',
    campos: ['id', 'recebido_id', 'devolucao', 'valor', 'natureza'],
    instantes: ['criado_em'],
    de: (q, { tenant, faturas }) =>
      q.whereIn('recebido_id', tenant.from('pix_recebidos').whereIn('fatura_id', faturas).select('id')),
  }),
  secao({
    nome: 'devolucoes_pedidas',
    tabela: 'devolucoes_pedidas',
    campos: ['id', 'fatura_id', 'meio', 'devolucao', 'valor', 'situacao', 'motivo', 'forma', 'recusa'],
    instantes: ['pedida_em', 'enviada_em', 'respondida_em'],
    de: (q, { faturas }) => q.whereIn('fatura_id', faturas),
  }),
];

const DAS_NOTAS = secao({
  nome: 'notas_fiscais',
  tabela: 'nfcom',
  // What the document says of the person is what was on record when it was issued; the key leads to it.
  campos: [
    'id',
    'fatura_id',
    'cliente_id',
    'serie',
    'numero',
    'chave',
    'ambiente',
    'situacao',
    'protocolo',
    'valor',
    'motivo_codigo',
    'motivo',
  ],
  instantes: ['emitida_em', 'autorizada_em', 'cancelada_em'],
  de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
});

const DAS_NOTAS_POR_VIR = secao({
  nome: 'dados_fiscais',
  tabela: 'nfcom_clientes',
  ordem: 'cliente_id',
  campos: [
    'cliente_id',
    'indicador_ie',
    'inscricao_estadual',
    'inscricao_municipal',
    'tipo_assinante',
    'municipio_codigo',
    'retencoes',
  ],
  de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
});

/** What was paid, discounted and agreed on by hand. */
const A_MAO: readonly Secao[] = [
  secao({
    nome: 'pagamentos_registrados',
    tabela: 'recebimentos_manuais',
    campos: ['id', 'fatura_id', 'forma', 'valor', 'devolvido', 'observacao', 'desfeito_motivo'],
    instantes: ['pago_em', 'criado_em', 'desfeito_em'],
    de: (q, { faturas }) => q.whereIn('fatura_id', faturas),
  }),
  secao({
    nome: 'ajustes_de_faturas',
    tabela: 'faturas_ajustes',
    campos: ['id', 'fatura_id', 'tipo', 'valor', 'motivo', 'origem_fatura_id', 'renegociacao_id', 'desfeito_motivo'],
    instantes: ['dado_em', 'criado_em', 'desfeito_em'],
    de: (q, { faturas }) => q.whereIn('fatura_id', faturas),
  }),
  secao({
    nome: 'renegociacoes',
    tabela: 'renegociacoes',
    campos: ['id', 'cliente_id', 'devido', 'desconto', 'motivo', 'quebrada_motivo'],
    instantes: ['criada_em', 'quebrada_em'],
    de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
  }),
  secao({
    nome: 'faturas_de_renegociacoes',
    tabela: 'renegociacoes_faturas',
    campos: ['id', 'renegociacao_id', 'fatura_id', 'papel', 'numero'],
    de: (q, { faturas }) => q.whereIn('fatura_id', faturas),
  }),
];

/** What was charged and paid, and the fiscal notes of it. */
export const DO_DINHEIRO: readonly Secao[] = [...DAS_FATURAS, ...A_MAO, DAS_NOTAS, DAS_NOTAS_POR_VIR];
