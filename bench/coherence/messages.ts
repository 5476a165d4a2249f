/** What the driver asks of a writer's process; `past` is by plain SQL, past the service. */
export type Order =
  | {
      readonly kind: 'start';
      readonly clients: readonly Client[];
      readonly provedorId: number;
      readonly perSecond: number;
    }
  | { readonly kind: 'stop' }
  | { readonly kind: 'revoke'; readonly id: number; readonly provedorId: number; readonly past: boolean };

/** What a writer's process says, after the service has answered it. */
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'written'; readonly client: number; readonly count: number; readonly past: boolean }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'revoked'; readonly id: number }
  | { readonly kind: 'refused'; readonly id: number };

/** A client whose name, contract and invoice show one counter. */
export interface Client {
  readonly id: number;
  readonly cpf: string;
  readonly contrato: number;
  readonly fatura: number;
}
