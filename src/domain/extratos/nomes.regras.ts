/** The folder of a day's extract, with a slash at its end. */
export const pastaDoExtrato = (provedorId: number, id: number): string => `${provedorId}/${id}/`;

/** Where a file of one try is kept: tries never write over each other. */
export function nomeNoArmazem(
  provedorId: number,
  { id, tentativa }: { readonly id: number; readonly tentativa: number },
  arquivo: string,
): string {
  return `${pastaDoExtrato(provedorId, id)}${tentativa}/${arquivo}`;
}
