import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { PANEL_HOST, PROVIDER_ID } from '../data/dataset.ts';
import { DIRECTUS_TOKEN } from './server.ts';

/** Rows of a page: the most that our API gives. */
export const A_PAGE = 100;

export type Resource = 'clientes' | 'faturas';

/** One page, as it came. */
export interface Answer {
  readonly ms: number;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Asks one server for pages, one after the other on one connection. */
export type Asker = (resource: Resource, page: number) => Promise<Answer>;

/** Our API; the keys take turns, so that none comes to its limit. */
export function malhaAsker(port: number, keys: readonly string[]): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let asked = 0;
  return async (resource, page) => {
    const key = keys[(asked += 1) % keys.length] ?? '';
    const path = `/api/v1/${resource}?pagina=${page}&por_pagina=${A_PAGE}`;
    return get(agent, port, path, { host: PANEL_HOST, 'x-api-key': key });
  };
}

/** Directus's REST API: the same rows in the same order with their total, and of clients their phones, contracts and plans. */
export function directusAsker(port: number): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const query = {
    clientes: 'sort=id&fields=*,telefones.numero,contratos.*,contratos.plano_id.*',
    faturas: 'sort=-emitida_em,-id',
  };
  return async (resource, page) => {
    const filter = `filter[provedor_id][_eq]=${PROVIDER_ID}`;
    const path = `/items/${resource}?limit=${A_PAGE}&page=${page}&meta=filter_count&${filter}&${query[resource]}`;
    return get(agent, port, path, { authorization: `Bearer ${DIRECTUS_TOKEN}` });
  };
}

async function get(agent: Agent, port: number, path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const req = request({ agent, port, host: '127.0.0.1', path, headers }, (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('error', reject);
      res.on('end', () => {
        const ms = performance.now() - begun;
        const body = Buffer.concat(parts).toString();
        if (res.statusCode === 200) resolve({ ms, status: 200, headers: res.headers, body });
        else reject(new Error(`${path}: ${res.statusCode} ${body.slice(0, 500)}`));
      });
    });
    req.on('error', reject);
    req.end();
  });
}

/** What both sides name alike; of clients and of invoices. */
interface Row {
  readonly id: number;
  readonly cpf_cnpj?: string;
  readonly vencimento?: string;
}

interface Ours {
  readonly dados: readonly (Row & {
    telefones?: readonly string[];
    contratos?: readonly { login: string; plano: { nome: string } }[];
  })[];
  readonly paginacao: { total: number };
}

interface Theirs {
  readonly data: readonly (Row & {
    telefones?: readonly { numero: string }[];
    contratos?: readonly { login: string; plano_id: { nome: string } }[];
  })[];
  readonly meta: { filter_count: number };
}

/** @throws Error when two answers are not the same page: rows, order, total, phones, contracts and plans. */
export function checkSame(ours: Answer, theirs: Answer): void {
  const { dados, paginacao } = JSON.parse(ours.body) as Ours;
  const { data, meta } = JSON.parse(theirs.body) as Theirs;
  const left = dados.map(({ id, cpf_cnpj, vencimento, telefones, contratos }) => [
    [id, cpf_cnpj, vencimento, telefones],
    contratos?.map(({ login, plano }) => [login, plano.nome]),
  ]);
  const right = data.map(({ id, cpf_cnpj, vencimento, telefones, contratos }) => [
    [id, cpf_cnpj, vencimento, telefones?.map(({ numero }) => numero)],
    contratos?.map((each) => [each.login, each.plano_id.nome]),
  ]);
  const same = JSON.stringify(left) === JSON.stringify(right) && paginacao.total === meta.filter_count;
  if (!same || left.length === 0) {
    throw new Error(`another page:\n${ours.body.slice(0, 1000)}\n${theirs.body.slice(0, 1000)}`);
  }
}
