import test from 'ava';
import { TERMINAL, atorDoUsuario } from '../../../src/domain/actor.ts';
import { CamposInvalidos, Recusa } from '../../../src/domain/erros.ts';
import { permissoesDeFabrica } from '../../../src/domain/usuarios/permissoes.regras.ts';
import type { PermissaoPainel } from '../../../src/domain/usuarios/permissoes.regras.ts';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { vindoDe } from '../../support/autor.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const DIA_MS = 86_400_000;
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ processos: 2, relogio });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

async function montar() {
  const provedor = await criarFabrica(api.dono).provedor();
  const [usuario] = await api.dono('usuarios').insert({
    provedor_id: provedor,
    nome: 'Ana',
    email: 'ana@exemplo.com.br',
    perfil: 'atendimento',
  });
  const ana = atorDoUsuario({ id: Number(usuario), nome: 'Ana' }, vindoDe());
  const auditadas = async (id: number): Promise<string[]> =>
    (await api.dono('auditoria').where({ provedor_id: provedor, recurso_id: id }).orderBy('id')).map(
      ({ acao }) => acao,
    );
  return { provedor, ana, auditadas, chaves: api.container.chaves };
}
const codigo = async (chave: string, processo: number, caminho = '/status'): Promise<unknown> => {
  const { status, corpo } = await api.get(caminho, { chave, processo });
  return status === 200 ? 200 : corpo.erro.codigo;
};

test.serial('uma chave alterada vale como ficou, em todos os processos, assim que se responde', async (t) => {
  const { provedor, chaves, auditadas } = await montar();
  const { id, texto } = await api.criarChave(provedor);
  for (const processo of [0, 1]) t.is(await codigo(texto, processo, '/planos'), 200);
  t.deepEqual(await chaves.alterar(TERMINAL, provedor, id, { permissoes: ['clientes:leitura'], nome: 'URA' }), [
    'nome',
    'permissoes',
  ]);
  for (const processo of [0, 1]) t.not(await codigo(texto, processo, '/planos'), 200);
  t.deepEqual(await chaves.alterar(TERMINAL, provedor, id, { ips: ['203.0.113.0/24'] }), ['ips']);
  for (const processo of [0, 1]) t.is(await codigo(texto, processo), 'ip_nao_autorizado');
  t.deepEqual(await chaves.alterar(TERMINAL, provedor, id, { ips: [], expira: AGORA }), ['ips', 'expira']);
  for (const processo of [0, 1]) t.is(await codigo(texto, processo), 'chave_expirada');
  t.deepEqual(await chaves.alterar(TERMINAL, provedor, id, { ips: null, nome: ' URA ' }), []);
  t.deepEqual(await auditadas(id), ['chave.criada', 'chave.alterada', 'chave.alterada', 'chave.alterada']);
});

test.serial('as restrições de uma chave só se somam, e quem não as conhece não lhe deixa fazer nada', async (t) => {
  const { provedor, chaves } = await montar();
  const { id, texto } = await api.criarChave(provedor, {
    permissoes: ['planos:leitura', 'clientes:leitura'],
    restricoes: ['somente_busca'],
  });
  const row = async (qual: number) => api.dono('chaves_api').where({ id: qual }).first();
  // What a process of the release before reads.
  t.deepEqual(jsonColumn((await row(id)).permissoes), []);
  for (const processo of [0, 1]) t.is(await codigo(texto, processo, '/planos'), 200);
  const recusada = async (dados: object) => {
    const erro = await t.throwsAsync(chaves.alterar(TERMINAL, provedor, id, dados));
    return erro instanceof CamposInvalidos ? erro.faltas.map(({ campo }) => campo) : erro;
  };
  t.deepEqual(await recusada({ restricoes: [] }), ['restricoes']);
  t.deepEqual(await recusada({ restricoes: ['dados_mascarados'] }), ['restricoes']);
  t.deepEqual(await recusada({ restricoes: ['tudo'] }), ['restricoes.0']);
  t.deepEqual(await chaves.alterar(TERMINAL, provedor, id, { restricoes: ['dados_mascarados', 'somente_busca'] }), [
    'restricoes',
  ]);
  for (const processo of [0, 1]) {
    const { corpo } = await api.get('/status', { chave: texto, processo });
    t.deepEqual(corpo.dados.restricoes, ['somente_busca', 'dados_mascarados']);
    t.deepEqual(corpo.dados.permissoes, ['planos:leitura', 'clientes:leitura']);
  }
  t.deepEqual(await chaves.alterar(TERMINAL, provedor, id, { permissoes: ['planos:leitura'] }), ['permissoes']);
  const nova = await chaves.renovar(TERMINAL, provedor, id, { dias: 0 });
  const { corpo } = await api.get('/status', { chave: nova.texto });
  t.deepEqual(corpo.dados.restricoes, ['somente_busca', 'dados_mascarados']);
  t.deepEqual(corpo.dados.permissoes, ['planos:leitura']);
});

test.serial(
  'uma chave com restrições não tem extratos, acessos nem webhooks, nem ganha restrições com eles',
  async (t) => {
    const { provedor, chaves } = await montar();
    for (const permissao of ['extratos:leitura', 'acesso:escrita', 'webhooks:leitura', 'webhooks:escrita'] as const) {
      for (const restricao of ['somente_busca', 'dados_mascarados'] as const) {
        const erro = await t.throwsAsync(
          chaves.criar(TERMINAL, provedor, { nome: 'x', permissoes: [permissao], restricoes: [restricao] }),
        );
        t.like(erro, { faltas: [{ campo: 'permissoes' }] });
      }
      const { id } = await api.criarChave(provedor, { permissoes: [permissao, 'planos:leitura'] });
      const erro = await t.throwsAsync(chaves.alterar(TERMINAL, provedor, id, { restricoes: ['dados_mascarados'] }));
      t.like(erro, { faltas: [{ campo: 'permissoes' }] });
      const ajustes = { restricoes: ['dados_mascarados'], permissoes: ['planos:leitura'] };
      t.deepEqual(await chaves.alterar(TERMINAL, provedor, id, ajustes), ['permissoes', 'restricoes']);
    }
  },
);

test.serial('uma chave só perde permissões, e os erros dizem o campo', async (t) => {
  const { provedor, chaves } = await montar();
  const { id } = await api.criarChave(provedor, { permissoes: ['planos:leitura'] });
  const recusada = async (dados: object) => {
    const error = await t.throwsAsync(chaves.alterar(TERMINAL, provedor, id, dados), { instanceOf: CamposInvalidos });
    return error.faltas.map(({ campo }) => campo);
  };
  t.deepEqual(await recusada({ permissoes: ['planos:leitura', 'clientes:leitura'] }), ['permissoes']);
  t.deepEqual(await recusada({ nome: '', limite: 0, ips: ['10.0.0.1', 'x'], expira: 'amanhã' }), [
    'nome',
    'ips.1',
    'limite',
    'expira',
  ]);
  t.deepEqual(await recusada({}), ['corpo']);
  const outro = await criarFabrica(api.dono).provedor();
  for (const [de, qual] of [
    [outro, id],
    [provedor, id + 1000],
  ] as const) {
    await t.throwsAsync(chaves.alterar(TERMINAL, de, qual, { nome: 'x' }), {
      instanceOf: Recusa,
      message: /não existe/,
    });
  }
});

test.serial('quem leu a versão de antes não grava por cima da nova, e a revogada já não muda', async (t) => {
  const { provedor, chaves } = await montar();
  const { id } = await api.criarChave(provedor);
  const [{ atualizado_em: versao }] = await api.dono('chaves_api').where({ id });
  const atualizado_em = new Date(`${String(versao).replace(' ', 'T')}Z`);
  await chaves.alterar(TERMINAL, provedor, id, { nome: 'um', atualizado_em });
  const error = await t.throwsAsync(chaves.alterar(TERMINAL, provedor, id, { nome: 'dois', atualizado_em }));
  t.is((error as Recusa).motivo, 'versao_divergente');
  await chaves.revogar(TERMINAL, provedor, id);
  const depois = await t.throwsAsync(chaves.alterar(TERMINAL, provedor, id, { nome: 'tres' }));
  t.is((depois as Recusa).motivo, 'chave_encerrada');
});

test.serial('renovada, a nova vale como a antiga, que vale ainda os dias ditos e nem um instante mais', async (t) => {
  const { provedor, chaves, auditadas } = await montar();
  const { id, texto } = await api.criarChave(provedor, { permissoes: ['planos:leitura'], nome: 'URA' });
  t.is(await codigo(texto, 1), 200);
  const nova = await chaves.renovar(TERMINAL, provedor, id, { dias: 2 });
  t.deepEqual(nova.antigaAte, new Date('2026-11-22T15:00:00.000Z'));
  for (const qual of [texto, nova.texto]) t.is(await codigo(qual, 1, '/planos'), 200);
  const [antiga, feita] = await chaves.listar(provedor);
  const { nome, permissoes, limitePorMinuto } = antiga!;
  t.like(feita, { id: nova.id, nome, permissoes, limitePorMinuto, expiraEm: null });
  relogio.avancar(2 * DIA_MS);
  t.is(await codigo(texto, 1), 'chave_expirada');
  t.is(await codigo(nova.texto, 1), 200);
  t.deepEqual(await auditadas(id), ['chave.criada', 'chave.renovada']);
  for (const outra of [{ dias: 8 }, { dias: -1 }, {}]) {
    await t.throwsAsync(chaves.renovar(TERMINAL, provedor, nova.id, outra), { instanceOf: CamposInvalidos });
  }
  const error = await t.throwsAsync(chaves.renovar(TERMINAL, provedor, id, { dias: 0 }));
  t.is((error as Recusa).motivo, 'chave_encerrada');
  const ja = await chaves.renovar(TERMINAL, provedor, nova.id, { dias: 0 });
  t.is(await codigo(nova.texto, 0), 'chave_expirada');
  t.is(await codigo(ja.texto, 0), 200);
});

test.serial('ninguém dá a uma chave o que não pode, nem a renovando; quem a fez fica escrito', async (t) => {
  const { provedor, ana, chaves } = await montar();
  const poderes = permissoesDeFabrica('atendimento').filter((uma) => uma !== 'convites.gerir');
  const dados = { nome: 'x', permissoes: ['planos:leitura', 'pre_cadastro:escrita', 'extratos:leitura'] };
  const error = await t.throwsAsync(chaves.criarDaForma(ana, provedor, dados, poderes), {
    instanceOf: CamposInvalidos,
  });
  t.deepEqual(
    error.faltas.map(({ campo }) => campo),
    ['permissoes'],
  );
  t.regex(error?.message ?? '', /pre_cadastro:escrita.*extratos:leitura/);
  await t.throwsAsync(chaves.criarDaForma(ana, provedor, dados), { message: /preciso dizer/ });
  const { id } = await api.criarChave(provedor, { permissoes: ['extratos:leitura'] });
  await t.throwsAsync(chaves.renovar(ana, provedor, id, { dias: 0 }, poderes), { instanceOf: CamposInvalidos });
  t.is((await chaves.listar(provedor)).length, 1);
  // Of an extract, who may not see what is in it gives nothing either.
  const doContador: PermissaoPainel[] = [
    'chaves.gerir',
    'exportar',
    'faturas.ver',
    'chamados.ver',
    'conexao.desconectar',
  ];
  for (const permissao of ['extratos:leitura', 'contratos:conexao']) {
    const uma = { nome: 'x', permissoes: [permissao] };
    await t.throwsAsync(
      chaves.criarDaForma(ana, provedor, uma, doContador),
      { instanceOf: CamposInvalidos },
      permissao,
    );
  }
  await t.throwsAsync(chaves.renovar(ana, provedor, id, { dias: 0 }, doContador), { instanceOf: CamposInvalidos });
  t.is((await chaves.listar(provedor)).length, 1);
  const sua = await chaves.criarDaForma(ana, provedor, { nome: 'x', permissoes: ['planos:leitura'] }, poderes);
  const [linha] = await api.dono('chaves_api').where({ id: sua.id });
  t.is(linha.criada_por, ana.id);
});
