import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { Agent, get } from 'node:http';
import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { ROTAS } from '../../../src/surfaces/panel/rotas.ts';
import { enderecoDe, povoar } from './povoado.ts';
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

/** All that is opened, but what is no page: news, files and parts of pages among them. */
const paginas = ROTAS.filter(
  ({ metodo, acesso, caminho }) => metodo === 'GET' && acesso === 'completo' && caminho !== '/eventos',
);

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

test('o script do painel cabe em 6 kB comprimidos', async (t) => {
  const { texto } = await (await entrarNoPainel(api, povoado.provedorId)).get('');
  const endereco = enderecos(texto).find((um) => um.endsWith('/painel.js')) ?? '';
  const { status, bytes } = await baixar(endereco, 'gzip');
  t.is(status, 200);
  t.true(bytes.length <= 6000, `${bytes.length}`);
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

test('o painel se instala: o manifesto, sem sessão, diz onde começa e leva a ícones que existem', async (t) => {
  const { texto } = await (await entrarNoPainel(api, povoado.provedorId)).get('');
  const [, endereco = ''] = /rel="manifest" href="([^"]+)"/.exec(texto) ?? [];
  const { status, headers, bytes } = await baixar(endereco, 'identity');
  t.is(status, 200);
  t.regex(String(headers['content-type']), /^application\/manifest\+json/);
  const { start_url, scope, display, icons } = JSON.parse(bytes.toString());
  t.deepEqual([start_url, scope, display], ['/painel', '/painel', 'standalone']);
  for (const { src, type, sizes } of icons as { src: string; type: string; sizes: string }[]) {
    const icone = await baixar(src, 'identity');
    t.is(icone.status, 200, src);
    t.true(String(icone.headers['content-type']).startsWith(type), src);
    if (type !== 'image/png') continue;
    t.is(icone.bytes.subarray(0, 8).toString('hex'), '89504e470d0a1a0a');
    t.is(`${icone.bytes.readUInt32BE(16)}x${icone.bytes.readUInt32BE(20)}`, sizes);
  }
});

test('o que uma página pede sem que ninguém aperte nada não deixa a sessão em uso', async (t) => {
  const pessoa = await entrarNoPainel(api, povoado.provedorId);
  let pedem = 0;
  for (const rota of paginas) {
    const { texto } = await pessoa.get(enderecoDe(rota, povoado));
    for (const [elemento] of texto.matchAll(/<[a-z][^>]*hx-trigger="[^"]*(?:every|renovar|from:body)[^>]*>/g)) {
      pedem += 1;
      t.regex(elemento, /hx-headers='\{"X-Por-Si":"sim"\}'/, `${rota.caminho}: ${elemento}`);
    }
  }
  t.true(pedem > paginas.length / 2, `${pedem}`);
});

test('nenhuma página tem código nem estilo dentro dela', async (t) => {
  const pessoa = await entrarNoPainel(api, povoado.provedorId);
  const { headers } = await pessoa.get('');
  let vistas = 0;
  for (const rota of paginas) {
    const { texto } = await pessoa.get(enderecoDe(rota, povoado));
    // The texts of a page are escaped, so that none of them looks like an element.
    for (const [elemento] of texto.matchAll(/<[a-z][^>]*>/g)) {
      t.notRegex(elemento, /^<script(?![^>]*\bsrc=)|^<style|\sstyle=|\son\w+=|hx-on|javascript:|\bjs:/, rota.caminho);
    }
    vistas += 1;
  }
  t.true(vistas > 100, `${vistas}`);
  t.regex(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self'; style-src 'self';/);
});
