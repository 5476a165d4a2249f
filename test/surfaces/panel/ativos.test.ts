import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { Agent, get } from 'node:http';
import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { povoar } from './povoado.ts';
import type { Povoado } from './povoado.ts';

let api: Api;
let povoado: Povoado;
test.before(async () => {
  api = await criarApi();
  povoado = await povoar(api);
});
test.after.always(async () => api.fechar());

const agent = new Agent();

/** The bytes of a file as they come, and its headers. */
async function baixar(
  path: string,
  encoding: string,
): Promise<{ bytes: Buffer; headers: Record<string, unknown>; status: number }> {
  return new Promise((resolve, reject) => {
    const headers = { host: povoado.host, 'accept-encoding': encoding };
    get({ host: '127.0.0.1', port: api.porta, path, headers, agent }, (res) => {
      const partes: Buffer[] = [];
      res.on('data', (parte: Buffer) => partes.push(parte));
      res.on('end', () => resolve({ bytes: Buffer.concat(partes), headers: res.headers, status: res.statusCode ?? 0 }));
    }).on('error', reject);
  });
}

const enderecos = (pagina: string): string[] => [
  ...new Set([...pagina.matchAll(/(?:href|src)="(\/painel\/ativos\/[^"#]+)/g)].map(([, endereco = '']) => endereco)),
];

test('a primeira página, com tudo o que carrega, cabe em 120 kB comprimidos, e a seguinte em 15', async (t) => {
  const pessoa = await entrarNoPainel(api, povoado.provedorId);
  const { texto } = await pessoa.get('');
  const pagina = gzipSync(texto).length;
  const arquivos = await Promise.all(enderecos(texto).map(async (endereco) => baixar(endereco, 'gzip')));
  t.true(arquivos.length >= 6);
  const total = pagina + arquivos.reduce((soma, { bytes }) => soma + bytes.length, 0);
  t.log({ pagina, total });
  t.true(total <= 120_000, `${total}`);
  t.true(pagina <= 15_000, `${pagina}`);
});

test('o que as páginas carregam fica um ano no navegador, e é o mesmo em cada compressão', async (t) => {
  const { texto } = await (await entrarNoPainel(api, povoado.provedorId)).get('');
  for (const endereco of enderecos(texto)) {
    const [simples, gzip, br] = await Promise.all(['identity', 'gzip', 'br'].map(async (uma) => baixar(endereco, uma)));
    t.is(simples?.status, 200, endereco);
    t.is(simples?.headers['cache-control'], 'public, max-age=31536000, immutable');
    if (endereco.includes('/cor/')) continue;
    t.deepEqual(gunzipSync(gzip?.bytes ?? ''), simples?.bytes);
    t.deepEqual(brotliDecompressSync(br?.bytes ?? ''), simples?.bytes);
  }
  t.is((await baixar('/painel/ativos/0000000000000000/tabler.css', 'gzip')).status, 404);
});

test('nenhuma página tem código nem estilo dentro dela', async (t) => {
  const pessoa = await entrarNoPainel(api, povoado.provedorId);
  const { texto, headers } = await pessoa.get('');
  t.notRegex(texto, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|hx-on|javascript:|\bjs:/);
  t.regex(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self'; style-src 'self';/);
});
