import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { NOMES_DE_PERMISSAO, PERMISSOES_DO_PAINEL } from '../../../src/domain/usuarios/permissoes.regras.ts';
import type { PermissaoPainel } from '../../../src/domain/usuarios/permissoes.regras.ts';
import type { Rota } from '../../../src/surfaces/panel/rota.ts';
import { ROTAS } from '../../../src/surfaces/panel/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { vindoDe } from '../../support/autor.ts';
import { SENHA_DO_PAINEL, abrirPainel } from '../../support/painel.ts';
import type { NavegadorSimples, RespostaDoPainel } from '../../support/painel.ts';
import { enderecoDe, existe, povoar } from './povoado.ts';
import type { Povoado } from './povoado.ts';

/** Profiles that ask at the same time: one waits for the database while another is answered. */
const JUNTOS = 8;

/** Of a route, each set of permissions that opens it and of which none can be left out. */
const chavesDe = ({ permissao, tambem }: Rota): PermissaoPainel[][] =>
  [permissao ?? []].flat().map((uma) => [...new Set([uma, ...tambem])].toSorted((a, b) => a.localeCompare(b)));

const pedidas = ROTAS.filter(({ acesso, permissao }) => acesso === 'completo' && permissao !== null);
const nomeDe = ({ metodo, caminho }: Rota): string => `${metodo} /painel${caminho}`;

/** What a profile lacks of a route first, in the words of the page that refuses it; null where it opens. */
function falta({ permissao, tambem }: Rota, tem: readonly PermissaoPainel[]): string | null {
  const exigidas = [[permissao ?? []].flat(), ...tambem.map((uma) => [uma])];
  const ausente = exigidas.find((umas) => !umas.some((uma) => tem.includes(uma)));
  if (ausente === undefined) return null;
  const ditas = ausente.map((nome) => PERMISSOES_DO_PAINEL[nome].descricao).join(' ou ');
  return `Falta a permissão de ${ditas}. Quem gere os usuários do provedor pode dá-la ao perfil`;
}

let api: Api;
let povoado: Povoado;
/** Somebody of each profile, by its permissions. */
const pessoas = new Map<string, NavegadorSimples>();

/** All sets of permissions of which there is a profile: each alone, and what a route asks for together. */
const PERFIS = [
  ...new Map(
    [...NOMES_DE_PERMISSAO.map((nome) => [nome]), ...pedidas.flatMap(chavesDe)].map((um) => [um.join(), um]),
  ).values(),
];

/** Does something with one profile after another, some side by side. */
async function emCada(fazer: (tem: readonly PermissaoPainel[], quem: NavegadorSimples) => Promise<void>) {
  const fila = [...PERFIS];
  const vez = async (): Promise<void> => {
    for (let tem = fila.shift(); tem !== undefined; tem = fila.shift()) {
      const quem = pessoas.get(tem.join());
      if (quem === undefined) throw new Error(`ninguém tem ${tem.join()}`);
      await fazer(tem, quem);
    }
  };
  await Promise.all(Array.from({ length: JUNTOS }, vez));
}

const pedir = async (quem: NavegadorSimples, rota: Rota): Promise<RespostaDoPainel> => {
  // As htmx asks: no frame is drawn around what is answered.
  const headers = { 'HX-Request': 'true', 'HX-Target': 'main#conteudo' };
  const endereco = enderecoDe(rota, povoado);
  return rota.metodo === 'GET' ? quem.get(endereco, headers) : quem.post(endereco, {}, headers);
};

test.before(async () => {
  api = await criarApi();
  // Of a demonstration's people no second factor is asked.
  povoado = await povoar(api, { demonstracao: 1 });
  const { provedorId, host } = povoado;
  const { usuarios, perfis, provedores } = api.container;
  const provedor = await provedores.exigirPorId(provedorId);
  const [algum] = await perfis.listar(provedorId);
  const email = 'molde@malha.test';
  const { token } = await usuarios.convidar(TERMINAL, provedor, { email, nome: 'Molde', perfil_id: algum?.id ?? 0 });
  const { usuarioId } = await usuarios.aceitar(provedor, token, { senha: SENHA_DO_PAINEL }, vindoDe());
  const { senha_hash } = await api.dono('usuarios').where({ id: usuarioId }).first();
  const fila = [...PERFIS.entries()];
  const vez = async (): Promise<void> => {
    for (let proximo = fila.shift(); proximo !== undefined; proximo = fila.shift()) {
      const [n, tem] = proximo;
      const perfil = { provedor_id: provedorId, nome: `Perfil ${n}`, permissoes: JSON.stringify(tem) };
      const [perfil_id] = await api.dono('perfis').insert(perfil);
      const gente = { provedor_id: provedorId, nome: `Gente ${n}`, email: `so${n}@malha.test`, perfil_id, senha_hash };
      await api.dono('usuarios').insert(gente);
      const quem = abrirPainel(api, host);
      const { status, texto } = await quem.post('/entrar', { email: gente.email, senha: SENHA_DO_PAINEL });
      if (status !== 303) throw new Error(`${tem.join()}: ${status} ${texto.slice(0, 300)}`);
      pessoas.set(tem.join(), quem);
    }
  };
  await Promise.all(Array.from({ length: JUNTOS }, vez));
});
test.after.always(async () => api.fechar());

/** Not of the address, but of whom it would be given to: nobody grants, resets or brings back more than he may do himself. */
const NINGUEM_DA = 'Ninguém dá a outro o que ele mesmo não pode';

/** What a page says, without its tags. */
const emPalavras = (texto: string): string =>
  texto
    .replaceAll(/<[^>]*>|\s+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .slice(0, 300);

/** Hears of every statement that changes something, until it is stopped; not of the note that somebody was there. */
function escutar() {
  const ditas: string[] = [];
  const ouvir = ({ sql }: { sql: string }): void => {
    const le = /^\s*(?:select|set|show|begin|start|commit|rollback)/i.test(sql);
    if (!le && !sql.startsWith('update `painel_sessoes`')) ditas.push(sql);
  };
  api.container.db.on('query', ouvir);
  return {
    parar(): readonly string[] {
      api.container.db.off('query', ouvir);
      return ditas;
    },
  };
}

test.serial(
  'quem tem uma só permissão é recusado em tudo que pede outra, com o que falta, e nada se grava',
  async (t) => {
    t.timeout(120_000);
    const erradas: string[] = [];
    const escuta = escutar();
    let recusados = 0;
    await emCada(async (tem, quem) => {
      if (tem.length > 1) return;
      for (const rota of pedidas) {
        const esperada = falta(rota, tem);
        if (esperada === null) continue;
        const { status, texto } = await pedir(quem, rota);
        recusados += 1;
        if (status !== 403 || !texto.includes(esperada))
          erradas.push(`${nomeDe(rota)}, só com ${tem.join()}: ${status} ${emPalavras(texto)}`);
      }
    });
    t.deepEqual(erradas, []);
    t.deepEqual([...new Set(escuta.parar())], []);
    t.true(recusados > pedidas.length * NOMES_DE_PERMISSAO.length * 0.9);
  },
);

test.serial('cada permissão abre por si o que a pede', async (t) => {
  t.timeout(120_000);
  const abertas = new Map<Rota, Set<string>>(pedidas.map((rota) => [rota, new Set()]));
  const erradas: string[] = [];
  const escuta = escutar();
  // What is changed may take away what another would look at.
  for (const metodo of ['GET', 'POST']) {
    await emCada(async (tem, quem) => {
      for (const rota of pedidas.filter((uma) => uma.metodo === metodo)) {
        if (!chavesDe(rota).some((chave) => chave.join() === tem.join())) continue;
        const { status, texto } = await pedir(quem, rota);
        abertas.get(rota)?.add(tem.join());
        // Where the address itself names what is looked at, and not its query.
        const nomeado = rota.caminho.includes('{') && existe(rota, povoado);
        const sumiu = metodo === 'GET' && nomeado && status === 404;
        const recusado = status === 403 && !texto.includes(NINGUEM_DA);
        if (recusado || status >= 500 || sumiu)
          erradas.push(`${nomeDe(rota)}, só com ${tem.join()}: ${status} ${emPalavras(texto)}`);
      }
    });
  }
  t.deepEqual(erradas, []);
  // What is written is heard, so that nothing heard of what is refused means that nothing was.
  t.true(escuta.parar().length > 0);
  for (const [rota, por] of abertas) t.is(por.size, chavesDe(rota).length, nomeDe(rota));
});
