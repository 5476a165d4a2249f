/** What a PSP posts: the callback of the Banco Central's API Pix (v2.9, `POST {url}/pix`). Each PIX is judged by itself. */
export const avisoSchema = {
  type: 'object',
  properties: {
    // Some PSPs try an address out with a body of their own.
    pix: { type: 'array', maxItems: 1000 },
  },
} as const;
