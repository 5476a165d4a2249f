/** What the primary and its processes say to each other over the channel that node:cluster opens. */
export type ToProcess =
  | { readonly kind: 'ask'; readonly id: number; readonly question: string }
  /** Take no more connections, end those that are open, and go. */
  | { readonly kind: 'stop'; readonly idleMs: number; readonly graceMs: number }
  /** The answer to `closed` and `farewell`: what was sent before has been read. */
  | { readonly kind: 'heard' };

export type FromProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'closed' }
  | { readonly kind: 'farewell'; readonly words: unknown };
