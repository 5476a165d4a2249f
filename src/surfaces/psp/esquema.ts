const valor = { type: 'string', pattern: '^\\d{1,10}\\.\\d{2}$' } as const;

/** What a PSP posts: the callback of the Banco Central's API Pix (v2.9, `POST {url}/pix`). Each PIX is judged by itself. */
export const avisoSchema = {
  type: 'object',
  properties: {
    // Some PSPs try an address out with a body of their own.
    pix: { type: 'array', maxItems: 1000 },
  },
} as const;

/** One PIX. Fields that we have no use for, the payer's among them, are let through unread; PSPs write what is absent in several ways. */
export const pixSchema = {
  type: 'object',
  required: ['endToEndId', 'valor', 'horario'],
  properties: {
    endToEndId: { type: 'string', pattern: '^[a-zA-Z0-9]{32}$' },
    // Any text: a txid that no invoice can have counts as none (aviso.ts), and the payment is kept.
    txid: { type: ['string', 'null'] },
    valor,
    // RFC 3339; whether the date exists is judged apart.
    horario: {
      type: 'string',
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$',
    },
    devolucoes: {
      type: ['array', 'null'],
      maxItems: 1000,
      items: {
        type: 'object',
        required: ['id', 'valor', 'status'],
        properties: {
          id: { type: 'string', pattern: '^[a-zA-Z0-9]{1,35}$' },
          valor,
          status: { type: 'string' },
          natureza: { type: ['string', 'null'] },
        },
      },
    },
  },
} as const;
