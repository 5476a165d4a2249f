import { DE_FORA } from '../../../domain/eventos/fora.types.ts';

export const EXEMPLO_DE_WEBHOOK = {
  id: 7,
  url: 'https://crm.exemplo.com.br/malha',
  description: 'CRM',
  events: ['fatura.*', 'cliente.criado'],
  status: 'ativo',
  disabled_reason: null,
  failing_since: null,
  secret_hint: 'xK4Q',
  previous_secret_until: null,
  pending: 0,
  last_delivery_at: '2026-11-22T17:02:12.000Z',
  last_success_at: '2026-11-22T17:02:12.000Z',
  created_at: '2026-11-01T12:00:00.000Z',
  updated_at: '2026-11-01T12:00:00.000Z',
} as const;

export const EXEMPLO_DE_SEGREDO = 'whsec_…';

const TENTATIVA = { status_code: 200, error: null, duration_ms: 87 } as const;

export const EXEMPLO_DE_TESTE = {
  delivery_id: 4410,
  at: '2026-11-22T17:02:11.000Z',
  ...TENTATIVA,
  response_body: 'ok',
} as const;

export const EXEMPLO_DE_ENTREGA = {
  id: 4411,
  message_id: 'msg_01JD7QZK8V3W5X2Y4T6R9M0N1P',
  type: 'fatura.paga',
  status: 'entregue',
  attempts: 1,
  next_attempt_at: null,
  created_at: '2026-11-22T17:02:11.000Z',
  delivered_at: '2026-11-22T17:02:11.000Z',
  last: TENTATIVA,
} as const;

export const EXEMPLO_DE_ENTREGA_COM_CORPO = {
  ...EXEMPLO_DE_ENTREGA,
  body: JSON.stringify({
    type: 'fatura.paga',
    timestamp: '2026-11-22T17:02:11.000Z',
    provedor: 'painel.serra.example',
    data: DE_FORA['fatura.paga'].exemplo,
  }),
  attempts_log: [{ n: 1, at: '2026-11-22T17:02:11.000Z', ...TENTATIVA, response_body: 'ok' }],
} as const;
