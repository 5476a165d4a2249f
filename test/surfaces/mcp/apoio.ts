import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult, VersionNegotiationMode } from '@modelcontextprotocol/client';
import type { Api } from '../../support/api.ts';

/** The revision that the service speaks; others are for clients that came before it. */
export const REVISAO = '2026-07-28';

const clientes: Client[] = [];

/** The protocol's own client, connected with a key. */
export async function conectar(
  { porta }: Pick<Api, 'porta'>,
  headers: Record<string, string>,
  mode: VersionNegotiationMode = { pin: REVISAO },
): Promise<Client> {
  const cliente = new Client({ name: 'testes', version: '1.0.0' }, { versionNegotiation: { mode } });
  const destino = new URL(`http://127.0.0.1:${porta}/v1/mcp`);
  await cliente.connect(new StreamableHTTPClientTransport(destino, { requestInit: { headers } }));
  clientes.push(cliente);
  return cliente;
}

/** Closes every client of this file. */
export async function desconectar(): Promise<void> {
  await Promise.all(clientes.map(async (cliente) => cliente.close()));
}

/** The text of a tool's result. */
export const textoDe = ({ content }: CallToolResult): string => {
  const [primeiro] = content;
  if (primeiro?.type !== 'text') throw new Error('a result without text');
  return primeiro.text;
};
