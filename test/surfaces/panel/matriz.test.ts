import test from 'ava';
import { PERFIS_DE_FABRICA, permissoesDeFabrica } from '../../../src/domain/usuarios/permissoes.regras.ts';
import type { PerfilDeFabrica } from '../../../src/domain/usuarios/permissoes.regras.ts';
import type { Rota } from '../../../src/surfaces/panel/rota.ts';
import { ROTAS } from '../../../src/surfaces/panel/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { abrirPainel, entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';
import { enderecoDe, povoar } from './povoado.ts';
import type { Povoado } from './povoado.ts';

/** Addresses that belong to whoever has signed in, whatever his profile. */
const DE_CADA_UM = /^(?:$|\/conta|\/sair$|\/eventos$|\/notificacoes|\/busca$|\/manifesto|\/entrar)/;

const PERFIS = Object.keys(PERFIS_DE_FABRICA) as PerfilDeFabrica[];

let api: Api;
let povoado: Povoado;
let pessoas: Readonly<Record<PerfilDeFabrica, PessoaNoPainel>>;
let deOutro: PessoaNoPainel;
test.before(async () => {
  api = await criarApi();
  povoado = await povoar(api);
  const entradas = PERFIS.map(
    async (perfil) => [perfil, await entrarNoPainel(api, povoado.provedorId, perfil)] as const,
  );
  pessoas = Object.fromEntries(await Promise.all(entradas)) as typeof pessoas;
  deOutro = await entrarNoPainel(api, await criarFabrica(api.dono).provedor());
});
test.after.always(async () => api.fechar());

const nomeDe = ({ metodo, caminho }: Rota): string => `${metodo} /painel${caminho}`;
const fechadas = ROTAS.filter(({ acesso }) => acesso === 'completo');
const pedir = async (quem: Pick<PessoaNoPainel, 'get' | 'post'>, rota: Rota, headers: Record<string, string> = {}) => {
  const endereco = enderecoDe(rota, povoado);
  return rota.metodo === 'GET' ? quem.get(endereco, headers) : quem.post(endereco, {}, headers);
};

test('cada endereço diz que permissão pede, menos o que é de cada um', (t) => {
  const semPermissao = fechadas.filter(({ permissao, caminho }) => permissao === null && !DE_CADA_UM.test(caminho));
  t.deepEqual(semPermissao.map(nomeDe), []);
  t.is(new Set(ROTAS.map(nomeDe)).size, ROTAS.length);
});

test('sem sessão, nenhum endereço fechado se abre', async (t) => {
  const ninguem = abrirPainel(api, povoado.host);
  for (const rota of fechadas) {
    const { status, headers } = await pedir(ninguem, rota);
    t.is(status, 303, nomeDe(rota));
    t.regex(String(headers['location']), /^\/painel\/entrar/, nomeDe(rota));
  }
});

for (const perfil of PERFIS) {
  test.serial(`o perfil ${perfil} abre o que a matriz lhe dá, e nada mais`, async (t) => {
    const permissoes: readonly string[] = permissoesDeFabrica(perfil);
    for (const rota of fechadas.filter(({ caminho }) => caminho !== '/sair' && caminho !== '/eventos')) {
      const { permissao, tambem } = rota;
      const abre = permissao === null || [permissao].flat().some((uma) => permissoes.includes(uma));
      const tem = abre && tambem.every((uma) => permissoes.includes(uma));
      const { status, texto } = await pedir(pessoas[perfil], rota);
      if (tem) t.false(status === 403 || status >= 500, `${nomeDe(rota)}: ${status} ${texto.slice(0, 300)}`);
      else t.is(status, 403, nomeDe(rota));
    }
  });
}

test('o que é de outro provedor não existe', async (t) => {
  for (const rota of fechadas.filter(({ caminho }) => caminho.includes('{'))) {
    const { status } = await pedir(deOutro, rota);
    // What asks for proof first says nothing of what is there.
    const perguntou = rota.metodo === 'POST' && rota.prova && status === 200;
    t.true(status === 404 || perguntou, `${nomeDe(rota)}: ${status}`);
  }
});

test('nenhuma mudança é aceita de outro site', async (t) => {
  for (const site of ['cross-site', 'same-site', 'none']) {
    // Of each session, 600 requests a minute are taken.
    const alguem = await entrarNoPainel(api, povoado.provedorId);
    for (const rota of ROTAS.filter(({ metodo }) => metodo === 'POST')) {
      const { status } = await pedir(alguem, rota, { 'sec-fetch-site': site });
      t.is(status, 403, `${nomeDe(rota)} de ${site}`);
    }
  }
});
