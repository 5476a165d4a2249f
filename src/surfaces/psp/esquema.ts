/**
 * What a PSP posts: the callback of the Banco Central's API Pix (v2.9, `POST {url}/pix`). Fields that we have no use for, the payer's
 * among them, are let through unread.
 */
export const avisoSchema = {
  type: 'object',
  properties: {
    // Some PSPs try an address out with a body of their own.
    pix: {
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        required: ['endToEndId', 'valor', 'horario'],
        properties: {
          endToEndId: { type: 'string', pattern: '^[a-zA-Z0-9]{32}$' },
          txid: { type: 'string', pattern: '^[a-zA-Z0-9]{1,35}$' },
          valor: { $ref: '#/$defs/valor' },
          horario: { $ref: '#/$defs/horario' },
          devolucoes: {
            type: 'array',
            maxItems: 1000,
            items: {
              type: 'object',
              required: ['id', 'valor', 'status'],
              properties: {
                id: { type: 'string', pattern: '^[a-zA-Z0-9]{1,35}$' },
                valor: { $ref: '#/$defs/valor' },
                status: { type: 'string' },
              },
            },
          },
        },
      },
    },
  },
  $defs: {
    valor: { type: 'string', pattern: '^\\d{1,10}\\.\\d{2}$' },
    // RFC 3339; whether the date exists is judged apart.
    horario: {
      type: 'string',
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$',
    },
  },
} as const;

/** A body that the schema has let through. */
export interface AvisoDoPsp {
  readonly pix?: readonly {
    readonly endToEndId: string;
    readonly txid?: string;
    readonly valor: string;
    readonly horario: string;
    readonly devolucoes?: readonly { readonly id: string; readonly valor: string; readonly status: string }[];
  }[];
}
