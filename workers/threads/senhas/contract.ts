/** A password to hash, at a cost; or, with a hash, to compare. The password is as it is to be calculated. */
export type PedidoDeResumo =
  | { readonly senha: string; readonly custo: Readonly<{ memoryCost: number; timeCost: number; parallelism: number }> }
  | { readonly senha: string; readonly resumo: string };
