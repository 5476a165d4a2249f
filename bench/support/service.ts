import { request } from 'node:http';
import { PANEL_HOST } from '../data/dataset.ts';

/** A response as it came, by one plain request. */
export interface Sample {
  readonly status: number;
  /** Names and values in turn, without those that `node:http` adds by itself. */
  readonly headers: string[];
  readonly body: string;
}

/** Written by every `node:http` server, so a contender sends them without being told. */
const AUTOMATIC = new Set(['date', 'connection', 'keep-alive']);

export const get = async (port: number, target: string, key?: string): Promise<Sample> =>
  getAs(port, target, key === undefined ? {} : { 'X-API-Key': key });

/** The same with any credential. */
export function getAs(
  port: number,
  target: string,
  credential: Readonly<Record<string, string>>,
  host = PANEL_HOST,
): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const headers = { host, ...credential };
    const req = request({ port, host: '127.0.0.1', path: target, headers, agent: false }, (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('error', reject);
      res.on('end', () => {
        const raw = res.rawHeaders;
        const kept = raw.filter((_, i) => !AUTOMATIC.has((raw[i - (i % 2)] ?? '').toLowerCase()));
        resolve({ status: res.statusCode ?? 0, headers: kept, body: Buffer.concat(parts).toString() });
      });
    });
    req.on('error', reject);
    req.end();
  });
}

/** A whole HTTP/1.1 request, as a small client library writes it. */
export const requestText = (target: string, key: string): string => requestTextAs(target, { 'X-API-Key': key });

/** The same with any credential. */
export function requestTextAs(target: string, credential: Readonly<Record<string, string>>, host = PANEL_HOST): string {
  const headers = Object.entries(credential).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${headers.join('')}Accept: application/json\r\n\r\n`;
}

export const lookupTarget = (cpf: string): string => `/api/v1/clientes?cpf_cnpj=${cpf}`;
