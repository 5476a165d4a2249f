/**
 * Tags: what a cached answer can depend on. A write touches the tag of each thing it changes and the tag of the
 * list that thing is in; a read names the narrowest tags that cover its rows.
 */
export const PROVEDOR_TAG = 'provedor';
export const clienteTag = (id: number): string => `cliente:${id}`;
/** What a client is billed, which changes far more often than what is said of who he is. */
const faturasDoClienteTag = (id: number): string => `cliente:${id}:faturas`;
export const contratoTag = (id: number): string => `contrato:${id}`;
export const faturaTag = (id: number): string => `fatura:${id}`;
export const chamadoTag = (id: number): string => `chamado:${id}`;

/** What an invoice makes stale, besides lists that no client narrows. What is said of its client itself outlives what he is billed. */
export const tagsDaFatura = (id: number, clienteId: number): string[] => [
  faturaTag(id),
  faturasDoClienteTag(clienteId),
];

/**
 * What lists of a client's invoices depend on. The triggers that tell of invoices written from outside name the client himself, and so does what
 * changes him and what he is billed at once.
 */
export const tagsDasFaturasDe = (clienteId: number): string[] => [
  clienteTag(clienteId),
  faturasDoClienteTag(clienteId),
];

/** Lists that no client narrows. */
export const CLIENTES_TAG = 'clientes';
export const FATURAS_TAG = 'faturas';
export const CHAMADOS_TAG = 'chamados';

/** Which clients a tax id or a phone leads to: touched when a client appears or one of these changes. */
export const BUSCA_DE_CLIENTES_TAG = 'clientes:busca';
export const EXTRATOS_TAG = 'extratos';

/** Which contact a protocol leads to, of those that are of no client, or of none yet. */
export const ATENDIMENTOS_TAG = 'atendimentos';

/** Notices of the network, which cover contracts by their server, plan or place. */
export const AVISOS_TAG = 'avisos';

/** No answer depends on it: a write that rang the panel's bell says so by it. */
export const SINO_TAG = 'sino';

/**
 * No answer depends on it: what is to be done next of fiscal notes is in none that is kept. Many writes in a row touch it where each of them
 * would else look at all that waits in the outbox, their own events too, and begin everything anew once these are too many.
 */
export const NOTAS_TAG = 'notas';

/** What all that is kept of a provider depends on, and what its lists are counted by. */
export const TAGS_DE_TUDO = [
  PROVEDOR_TAG,
  CLIENTES_TAG,
  BUSCA_DE_CLIENTES_TAG,
  FATURAS_TAG,
  CHAMADOS_TAG,
  EXTRATOS_TAG,
] as const;
