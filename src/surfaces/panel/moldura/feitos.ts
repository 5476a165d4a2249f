/** What was done, as the next page says it; its address carries the name alone. */
export const FEITOS = {
  salvo: 'Salvo.',
  criado: 'Criado.',
  removido: 'Removido.',
  enviado: 'Enviado.',
  cancelado: 'Cancelado.',
  desfeito: 'Desfeito.',
  entrou: 'Você entrou.',
  saiu: 'Você saiu.',
} as const;

export type Feito = keyof typeof FEITOS;

export const ditoDe = (nome: string | null): string | null =>
  nome !== null && Object.hasOwn(FEITOS, nome) ? FEITOS[nome as Feito] : null;
