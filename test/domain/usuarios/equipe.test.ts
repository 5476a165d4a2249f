import test from 'ava';
import type { ExecutionContext } from 'ava';
import { TERMINAL, atorDoUsuario } from '../../../src/domain/actor.ts';
import { Recusa } from '../../../src/domain/erros.ts';
import type { MotivoDeRecusa } from '../../../src/domain/erros.ts';
import { PERFIS_DE_FABRICA, permissoesDeFabrica } from '../../../src/domain/usuarios/permissoes.regras.ts';
import { julgarSenha } from '../../../src/domain/usuarios/senha/senha.regras.ts';
import { createResumos } from '../../../src/domain/usuarios/senha/resumos.service.ts';
import { createThreads } from '../../../src/platform/threads/threads.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { DE_ONDE, SENHA, criarEquipe } from './apoio.ts';

let api: Api;
test.before(async () => {
  api = await criarApi();
});
test.after.always(async () => api.fechar());

async function recusa(t: ExecutionContext, feito: Promise<unknown>, motivo: MotivoDeRecusa): Promise<void> {
  const erro = await t.throwsAsync(feito, { instanceOf: Recusa });
  t.is(erro.motivo, motivo);
}

test('um provedor começa com os quatro perfis, e cada um pode o que diz a regra', async (t) => {
  const c = await criarEquipe(api);
  const perfis = await api.container.perfis.listar(c.provedor.id);
  t.deepEqual(
    perfis.map(({ nome, deFabrica }) => [deFabrica, nome]),
    Object.entries(PERFIS_DE_FABRICA),
  );
  for (const { deFabrica, permissoes } of perfis) t.deepEqual(permissoes, permissoesDeFabrica(deFabrica!));
});

/** Who may do what, beside the administrator, who may do all: as the specification's table of the panel has it (Financeiro, Atendimento, Técnico). */
const DA_ESPECIFICACAO = {
  'inicio.ver': 'FAT',
  'clientes.ver': 'FAT',
  'clientes.documentos': 'FA',
  'clientes.editar': 'FA',
  'clientes.cancelar': '',
  'clientes.apagar': '',
  'acesso.gerar': 'A',
  'contratos.bloquear': 'F',
  'contratos.desbloquear_confianca': 'FA',
  'contratos.editar': 'A',
  'contratos.ativar': 'AT',
  'contratos.cancelar': '',
  'faturas.ver': 'FA',
  'faturas.criar': 'F',
  'faturas.cancelar': 'F',
  'faturas.baixar': 'F',
  'faturas.desconto': 'F',
  'chamados.ver': 'FAT',
  'chamados.atender': 'FAT',
  'chamados.atribuir': 'A',
  'chamados.agendar': 'A',
  'planos.gerir': '',
  'convites.gerir': 'A',
  'conexao.ver': 'AT',
  'conexao.desconectar': 'AT',
  'rede.ver': 'AT',
  'rede.gerir': 'T',
  'cobranca.editar': '',
  'chaves.ver': '',
  'chaves.gerir': '',
  'webhooks.ver': '',
  'webhooks.gerir': '',
  'usuarios.gerir': '',
  'configuracoes.editar': '',
  'auditoria.ver': '',
  'importacao.usar': '',
  exportar: '',
  'tarefas.ver': 'F',
  'tarefas.rodar': '',
} as const;
/** Those that came with later work. */
const DEPOIS = {
  'conciliacao.ver': 'F',
  'conciliacao.aplicar': 'F',
  'recebimentos.devolver': '',
  'nfcom.ver': 'FA',
  'nfcom.emitir': 'F',
  'nfcom.configurar': '',
  'cobranca.faturar': 'F',
} as const;

test('os perfis que vêm prontos podem o que a especificação diz, e nada mais', (t) => {
  const tabela: Readonly<Record<string, string>> = { ...DA_ESPECIFICACAO, ...DEPOIS };
  const deCada = { financeiro: 'F', atendimento: 'A', tecnico: 'T' } as const;
  for (const [perfil, letra] of Object.entries(deCada)) {
    const dele = Object.keys(tabela).filter((nome) => tabela[nome]?.includes(letra));
    t.deepEqual([...permissoesDeFabrica(perfil as keyof typeof deCada)].toSorted(), dele.toSorted(), perfil);
  }
  t.deepEqual([...permissoesDeFabrica('administrador')].toSorted(), Object.keys(tabela).toSorted());
});

test('ninguém dá o que não tem: nem convite, nem senha de outro, nem permissão', async (t) => {
  const { usuarios, perfis, sessoes } = api.container;
  const c = await criarEquipe(api);
  const chefe = await c.usuario('administrador');
  const ator = atorDoUsuario(await c.usuario('atendimento'), DE_ONDE);
  const convite = { email: 'x@malha.test', nome: 'X', perfil_id: c.perfilId('administrador') };
  await recusa(t, usuarios.convidar(ator, c.provedor, convite), 'permissao_que_falta');
  await recusa(t, usuarios.redefinirSenha(ator, c.provedor, chefe.id), 'permissao_que_falta');
  await recusa(t, usuarios.redefinirFator(ator, c.provedor.id, chefe.id), 'permissao_que_falta');
  // Nor does anybody take his own.
  const proprio = atorDoUsuario({ id: chefe.id, nome: chefe.nome }, DE_ONDE);
  await recusa(t, usuarios.redefinirFator(proprio, c.provedor.id, chefe.id), 'permissao_que_falta');
  await c.entrar(chefe.email);
  await recusa(t, sessoes.encerrar(ator, c.provedor.id, chefe.id), 'permissao_que_falta');
  const tecnico = c.perfilId('tecnico');
  const mais = { permissoes: [...permissoesDeFabrica('tecnico'), 'chaves.gerir'] };
  await recusa(t, perfis.alterar(ator, c.provedor.id, tecnico, mais), 'permissao_que_falta');
  await recusa(t, perfis.alterar(TERMINAL, c.provedor.id, c.perfilId('administrador'), mais), 'perfil_fixo');
  t.deepEqual(await perfis.alterar(atorDoUsuario(chefe, DE_ONDE), c.provedor.id, tecnico, mais), ['permissoes']);
});

test('mudar o que um perfil pode, ou o perfil de alguém, encerra as sessões; desativar também, e ele não entra', async (t) => {
  const { usuarios, perfis } = api.container;
  const c = await criarEquipe(api);
  const { id, email } = await c.usuario('tecnico');
  const sessao = async () => (await c.entrar(email)).texto;
  const encerrada = async (texto: string) => (await c.registro(texto)).sessao.encerradaEm !== null;
  const primeira = await sessao();
  await perfis.alterar(TERMINAL, c.provedor.id, c.perfilId('tecnico'), { nome: 'Campo' });
  t.false(await encerrada(primeira));
  await perfis.alterar(TERMINAL, c.provedor.id, c.perfilId('tecnico'), { permissoes: ['inicio.ver'] });
  t.true(await encerrada(primeira));
  const segunda = await sessao();
  t.deepEqual((await c.registro(segunda)).perfil.permissoes, ['inicio.ver']);
  await usuarios.alterar(TERMINAL, c.provedor.id, id, { perfil_id: c.perfilId('financeiro') });
  t.true(await encerrada(segunda));
  const terceira = await sessao();
  t.true(await usuarios.desativar(TERMINAL, c.provedor.id, id));
  t.true(await encerrada(terceira));
  await recusa(t, c.entrar(email), 'credenciais_incorretas');
  t.false(await usuarios.desativar(TERMINAL, c.provedor.id, id));
  t.true(await usuarios.reativar(TERMINAL, c.provedor.id, id));
  await c.entrar(email);
});

test('os chamados abertos de quem sai voltam para a fila, e os fechados ficam com o nome dele', async (t) => {
  const { usuarios } = api.container;
  const c = await criarEquipe(api);
  const { id } = await c.usuario('tecnico');
  const { id: outro } = await c.usuario('tecnico');
  const fabrica = criarFabrica(api.dono);
  const cliente_id = await fabrica.cliente(c.provedor.id);
  const chamado = async (responsavel_id: number, situacao = 'aberto') =>
    fabrica.chamado(c.provedor.id, { cliente_id, responsavel_id, situacao });
  const dele = [await chamado(id), await chamado(id, 'em_andamento')];
  const fechado = await chamado(id, 'solucionado');
  const deOutro = await chamado(outro);
  await usuarios.desativar(TERMINAL, c.provedor.id, id);
  const linhas: { id: number; responsavel_id: number | null }[] = await api
    .dono('chamados')
    .where('provedor_id', c.provedor.id)
    .orderBy('id');
  t.deepEqual(
    new Map(linhas.map((linha) => [linha.id, linha.responsavel_id])),
    new Map([...dele.map((um) => [um, null] as const), [fechado, id], [deOutro, outro]]),
  );
  const notas: { chamado_id: number; acao: string }[] = await api
    .dono('chamados_notas')
    .where('provedor_id', c.provedor.id)
    .orderBy('chamado_id');
  t.deepEqual(
    notas.map(({ chamado_id, acao }) => [chamado_id, acao]),
    dele.map((um) => [um, 'responsavel']),
  );
  t.is((await c.auditoria()).filter((acao) => acao === 'chamado.atribuido').length, 2);
});

test('o último administrador fica, também quando os dois últimos saem ao mesmo tempo', async (t) => {
  const { usuarios } = api.container;
  const c = await criarEquipe(api);
  const um = await c.usuario('administrador');
  await recusa(t, usuarios.desativar(TERMINAL, c.provedor.id, um.id), 'ultimo_administrador');
  const rebaixar = { perfil_id: c.perfilId('tecnico') };
  await recusa(t, usuarios.alterar(TERMINAL, c.provedor.id, um.id, rebaixar), 'ultimo_administrador');
  const dois = await c.usuario('administrador');
  const saem = await Promise.allSettled(
    [um, dois].map(async ({ id }) => usuarios.desativar(TERMINAL, c.provedor.id, id)),
  );
  t.deepEqual(saem.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
});

test('um perfil se faz de outro, tem nome único, e só sai sem usuários', async (t) => {
  const { perfis, usuarios } = api.container;
  const c = await criarEquipe(api);
  const pid = c.provedor.id;
  const id = await perfis.criar(TERMINAL, pid, { nome: 'Estágio', de_id: c.perfilId('atendimento') });
  await recusa(t, perfis.criar(TERMINAL, pid, { nome: 'Estágio', de_id: id }), 'perfil_repetido');
  const { id: usuarioId } = await c.usuario();
  await usuarios.alterar(TERMINAL, pid, usuarioId, { perfil_id: id });
  await recusa(t, perfis.remover(TERMINAL, pid, id), 'perfil_em_uso');
  await recusa(t, perfis.remover(TERMINAL, pid, c.perfilId('tecnico')), 'perfil_fixo');
  await usuarios.alterar(TERMINAL, pid, usuarioId, { perfil_id: c.perfilId('tecnico') });
  await perfis.remover(TERMINAL, pid, id);
  t.is((await perfis.listar(pid)).length, 4);
});

const DE_QUEM = { nome: 'Mariana Souza', email: 'mariana.souza@serraazul.com.br', provedor: 'Serra Azul Telecom' };
for (const fraca of [
  'curta',
  'aaaaaaaaaaaaaaaa',
  'abcabcabcabcabc',
  'qwertyuiop12345',
  '1q2w3e4r5t6y7u',
  'Mariana.Souza2026',
  'SerraAzul@2026!!',
  'senhasecreta123',
  'P@ssw0rdP@ssw0rd',
  'x'.repeat(129),
]) {
  test(`a senha ${fraca.slice(0, 20)} é fraca`, (t) => t.not(julgarSenha(fraca, DE_QUEM), null));
}
for (const boa of [SENHA, 'tatu-bola em cima do muro', 'Kx9#vLq2!mTz', 'ção ñandú 漢字 гора']) {
  test(`a senha ${boa} serve`, (t) => t.is(julgarSenha(boa, DE_QUEM), null));
}

test('dois resumos de cada vez, 64 esperam, e o seguinte é recusado; nenhum fica preso', async (t) => {
  const threads = createThreads({ maxThreads: 2 });
  t.teardown(() => threads.close());
  const resumos = createResumos({ threads });
  const feitos = await Promise.allSettled(Array.from({ length: 67 }, async () => resumos.confere(null, 'x')));
  const recusados = feitos.filter(({ status }) => status === 'rejected');
  t.is(recusados.length, 1);
  t.is((recusados[0] as PromiseRejectedResult).reason.motivo, 'ocupado');
  t.regex(await resumos.fazer('x'), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});
