import test from 'ava';
import { atorDoUsuario } from '../../../src/domain/actor.ts';
import { CamposInvalidos } from '../../../src/domain/erros.ts';
import type { Recusa } from '../../../src/domain/erros.ts';
import type { EstadoDeConvite } from '../../../src/domain/convites/convites.types.ts';
import { untracked } from '../../../src/platform/cache/trail.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarPagina } from '../../support/pre-cadastro.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { vindoDe } from '../../support/autor.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

async function montar() {
  const fabrica = criarFabrica(api.dono);
  const id = await fabrica.provedor();
  const plano = await fabrica.plano(id);
  const [usuario] = await api
    .dono('usuarios')
    .insert({ provedor_id: id, nome: 'Ana', email: 'ana@exemplo.com.br', perfil: 'atendimento' });
  const ana = atorDoUsuario({ id: Number(usuario), nome: 'Ana' }, vindoDe());
  const { provedores, changeTenant, readTenant } = api.container;
  const provedor = await provedores.exigirPorId(id);
  return {
    plano,
    provedor: id,
    criar: async (dados: object) =>
      changeTenant(ana, provedor, async (_, { convites }) => convites.criarDaForma(dados)),
    revogar: async (qual: number) => changeTenant(ana, provedor, async (_, { convites }) => convites.revogar(qual)),
    listar: async (estado: EstadoDeConvite | null = null) =>
      readTenant(provedor, untracked, { reader: 'teste', whole: false }, async ({ convites }) =>
        convites.listar({ estado }, { pagina: 1, porPagina: 20 }),
      ),
  };
}

test.serial('a equipe faz um convite, vê quem o fez, e o revoga uma vez: o link diz que expirou', async (t) => {
  const { plano, provedor, criar, revogar, listar } = await montar();
  const { id, link, expiraEm } = await criar({ plano_id: plano, dia_vencimento: 10, validade_dias: 3 });
  t.deepEqual(expiraEm, new Date('2026-11-23T15:00:00.000Z'));
  const pagina = async () => (await criarPagina(api).pedir(new URL(link).pathname)).status;
  t.is(await pagina(), 200);
  const { itens, total } = await listar();
  t.is(total, 1);
  t.like(itens[0], { id, estado: 'aberto', diaVencimento: 10, clienteId: null, revogadoEm: null });
  t.like(itens[0]?.plano, { id: plano });
  t.like(itens[0]?.criadoPor, { tipo: 'usuario', nome: 'Ana' });
  await revogar(id);
  await revogar(id);
  t.not(await pagina(), 200);
  t.like((await listar('revogado')).itens[0], { id, estado: 'revogado', revogadoEm: new Date(AGORA) });
  for (const estado of ['aberto', 'usado', 'expirado'] as const) t.is((await listar(estado)).total, 0, estado);
  const acoes = await api.dono('auditoria').where({ provedor_id: provedor, recurso: 'convite' }).orderBy('id');
  t.deepEqual(
    acoes.map(({ acao }) => acao),
    ['convite.criado', 'convite.revogado'],
  );
});

test.serial(
  'um convite cujo prazo passou é dado por expirado antes de a tarefa o marcar, e não se revoga',
  async (t) => {
    const { criar, revogar, listar } = await montar();
    const { id } = await criar({});
    const outro = await criar({ validade_dias: 8 });
    relogio.avancar(7 * 86_400_000);
    t.deepEqual(
      (await listar()).itens.map((um) => [um.id, um.estado]),
      [
        [outro.id, 'aberto'],
        [id, 'expirado'],
      ],
    );
    t.deepEqual(
      (await listar('expirado')).itens.map((um) => um.id),
      [id],
    );
    t.deepEqual(
      (await listar('aberto')).itens.map((um) => um.id),
      [outro.id],
    );
    const error = await t.throwsAsync(revogar(id));
    t.is((error as Recusa).motivo, 'convite_encerrado');
    t.is((await t.throwsAsync<Recusa>(revogar(id + 1000))).motivo, 'nao_encontrado');
  },
);

test.serial('os erros de um convite dizem os campos', async (t) => {
  const { criar } = await montar();
  const error = await t.throwsAsync(criar({ plano_id: 'x', dia_vencimento: 31, validade_dias: 0 }), {
    instanceOf: CamposInvalidos,
  });
  t.deepEqual(
    error.faltas.map(({ campo }) => campo),
    ['plano_id', 'dia_vencimento', 'validade_dias'],
  );
  t.is((await t.throwsAsync<Recusa>(criar({ plano_id: 999_999 }))).motivo, 'plano_indisponivel');
});
