import { date, dateOrNull, id, instantOrNull, money, textOrNull } from '../kit/fields/fields.ts';
import { closed } from '../platform/schema-type.ts';
import { avisosEmVigor } from './rede/avisos.schemas.ts';
import { enderecoSchema, exemploEndereco } from './enderecos.schemas.ts';

export const contratoSchema = closed('Contrato', {
  id,
  cliente_id: { ...id, person: true },
  situacao: {
    type: 'string',
    enum: ['pendente', 'ativo', 'bloqueado', 'inativo', 'cancelado', 'cancelado_definitivo'],
  },
  conexao: {
    type: 'string',
    enum: ['online', 'offline', 'desconhecido'],
    description: 'online: há sessão aberta e recente; desconhecido: sem login ou nunca conectou.',
  },
  tipo_conexao: { type: 'string', examples: ['pppoe'], mask: 'none' },
  login: { ...textOrNull, mask: 'hidden' },
  mac: { ...textOrNull, mask: 'hidden' },
  ip: { ...textOrNull, mask: 'hidden' },
  tipo_cobranca: { type: 'string', enum: ['pos_pago', 'pre_pago', 'isento'] },
  dia_vencimento: { type: 'integer', minimum: 1, maximum: 31 },
  valor: money,
  ativado_em: { ...dateOrNull, mask: 'none' },
  bloqueado_em: instantOrNull,
  desbloqueio_confianca: closed(null, {
    ativo: { type: 'boolean' },
    ate: { ...instantOrNull, description: 'Fim do desbloqueio em vigor.' },
  }),
  plano: closed(null, {
    id,
    nome: { type: 'string', mask: 'none' },
    download_mbps: { type: 'integer' },
    upload_mbps: { type: 'integer' },
  }),
  endereco_instalacao: enderecoSchema,
  avisos: avisosEmVigor,
});

export const exemploContrato = {
  id: 12,
  cliente_id: 7,
  situacao: 'ativo',
  conexao: 'online',
  tipo_conexao: 'pppoe',
  login: 'maria.silva',
  mac: 'D4:6E:0E:11:22:33',
  ip: '100.64.10.7',
  tipo_cobranca: 'pos_pago',
  dia_vencimento: 10,
  valor: 99.9,
  ativado_em: date.examples[0],
  bloqueado_em: null,
  desbloqueio_confianca: { ativo: false, ate: null },
  plano: { id: 3, nome: 'Fibra 500', download_mbps: 500, upload_mbps: 250 },
  endereco_instalacao: exemploEndereco,
  avisos: [],
};
