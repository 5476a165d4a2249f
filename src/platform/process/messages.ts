/** The messages between the primary and its processes, over the channel that node:cluster opens. */
export type ToProcess =
  | { readonly kind: 'ask'; readonly id: number; readonly question: string }
  /** Accept no more connections, end those that are open, and exit. */
  | { readonly kind: 'stop'; readonly idleMs: number; readonly graceMs: number }
  /** The answer to `closed` and `farewell`: the primary has read everything that was sent before. */
  | { readonly kind: 'heard' };

export type FromProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'closed' }
  | { readonly kind: 'farewell'; readonly words: unknown };
