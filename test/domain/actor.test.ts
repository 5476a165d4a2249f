import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import {
  TERMINAL,
  atorDaChave,
  atorDaTarefa,
  atorDoAssinante,
  atorDoPreCadastro,
  atorDoReceptor,
  atorDoUsuario,
  atorDoVisitante,
} from '../../src/domain/actor.ts';
import type { Actor } from '../../src/domain/actor.ts';
import { createEscrita } from '../../src/domain/escrita.ts';
import { createChavesService } from '../../src/domain/chaves/chaves.service.ts';
import { NOMES_DE_PERMISSAO } from '../../src/domain/usuarios/permissoes.regras.ts';
import { relogioDoSistema } from '../../src/platform/timing/relogio.ts';
import { criarBanco } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { criarFabrica } from '../support/fabrica.ts';

const RAIZ = fileURLToPath(new URL('../../../', import.meta.url));
const IP = '192.0.2.7';
const DE_ONDE = { ip: IP, requestId: 'req-1' };
/** Rows that the audit log's foreign keys ask for have this id, in every table. */
const ID = 4321;

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(() => banco.fechar());

/** A line of the audit log as each kind leaves it. What a process of the version before reads of it is the same as it was. */
const COMO_FICA: { readonly [Tipo in Actor['tipo']]: [Actor, object] } = {
  chave: [
    atorDaChave({ id: ID, nome: 'chatbot' }, DE_ONDE),
    {
      autor: 'chatbot',
      ator_id: ID,
      ator_tarefa: null,
      chave_id: ID,
      usuario_id: null,
      ip: IP,
      requisicao_id: 'req-1',
    },
  ],
  usuario: [
    atorDoUsuario({ id: ID, nome: 'Ana' }, DE_ONDE),
    { autor: 'Ana', ator_id: ID, ator_tarefa: null, chave_id: null, usuario_id: ID, ip: IP, requisicao_id: 'req-1' },
  ],
  assinante: [
    atorDoAssinante({ id: ID }, DE_ONDE),
    { autor: 'App', ator_id: ID, ator_tarefa: null, chave_id: null, usuario_id: null, ip: IP, requisicao_id: 'req-1' },
  ],
  receptor: [
    atorDoReceptor({ id: ID, nome: 'Banco' }, DE_ONDE),
    {
      autor: 'PIX: Banco',
      ator_id: ID,
      ator_tarefa: null,
      chave_id: null,
      usuario_id: null,
      ip: IP,
      requisicao_id: 'req-1',
    },
  ],
  pre_cadastro: [
    atorDoPreCadastro(DE_ONDE),
    {
      autor: 'pré-cadastro',
      ator_id: null,
      ator_tarefa: null,
      chave_id: null,
      usuario_id: null,
      ip: IP,
      requisicao_id: 'req-1',
    },
  ],
  visitante: [
    atorDoVisitante(DE_ONDE),
    {
      autor: 'visitante',
      ator_id: null,
      ator_tarefa: null,
      chave_id: null,
      usuario_id: null,
      ip: IP,
      requisicao_id: 'req-1',
    },
  ],
  tarefa: [
    atorDaTarefa('convites.expirar'),
    {
      autor: 'tarefa',
      ator_id: null,
      ator_tarefa: 'convites.expirar',
      chave_id: null,
      usuario_id: null,
      ip: null,
      requisicao_id: null,
    },
  ],
  terminal: [
    TERMINAL,
    {
      autor: 'linha de comando',
      ator_id: null,
      ator_tarefa: null,
      chave_id: null,
      usuario_id: null,
      ip: null,
      requisicao_id: null,
    },
  ],
};

for (const [tipo, [actor, linha]] of Object.entries(COMO_FICA)) {
  test(`${tipo}: fica na auditoria como o que é`, async (t) => {
    const provedorId = await criarFabrica(banco.db).provedor();
    const write = createEscrita({ db: banco.db, gate: { bump: async () => {} }, onUnconfirmed: () => t.fail() });
    const chaves = createChavesService({ db: banco.db, relogio: relogioDoSistema, write });
    // Whom the line points at; in the tables of one file, the id is one tenant's.
    if (tipo === 'chave') {
      const { id } = await chaves.criar(TERMINAL, provedorId, { nome: 'chatbot', permissoes: ['planos:leitura'] });
      await banco.db('auditoria').where({ provedor_id: provedorId }).delete();
      await banco.db('chaves_api').where({ id }).update({ id: ID });
    }
    if (tipo === 'usuario') {
      await banco
        .db('usuarios')
        .insert({ provedor_id: provedorId, id: ID, nome: 'Ana', email: 'ana@example.org', perfil: 'tecnico' });
    }
    const poderes = tipo === 'usuario' ? NOMES_DE_PERMISSAO : null;
    await chaves.criarDaForma(actor, provedorId, { nome: 'outra', permissoes: ['planos:leitura'] }, poderes);
    const linhas = await banco.db('auditoria').where({ provedor_id: provedorId }).select();
    t.is(linhas.length, 1);
    t.like(linhas[0], { acao: 'chave.criada', recurso: 'chave', ator_tipo: tipo, ...linha });
  });
}

test('o que um processo da versão anterior grava na auditoria não diz o tipo', async (t) => {
  const provedor_id = await criarFabrica(banco.db).provedor();
  await banco.db('auditoria').insert({ provedor_id, acao: 'x.y', recurso: 'x', autor: 'tarefa' });
  t.like(await banco.db('auditoria').where({ provedor_id }).first(), { ator_tipo: null, ator_id: null });
});

test('nenhum arquivo do domínio além do próprio faz um ator: quem escreve o recebe', (t) => {
  const arquivos = readdirSync(path.join(RAIZ, 'src/domain'), { recursive: true, encoding: 'utf8' })
    .filter((nome) => nome.endsWith('.ts') && nome !== 'actor.ts')
    .map((nome) => [nome, readFileSync(path.join(RAIZ, 'src/domain', nome), 'utf8')] as const);
  t.true(arquivos.some(([, fonte]) => fonte.includes('actor.ts')));
  const feitos = arquivos.flatMap(([nome, fonte]) => [
    ...[...fonte.matchAll(/^import (?!type )([^;]*) from '[./]*\/actor\.ts'/gm)].map(([, nomes]) => `${nome} ${nomes}`),
    // The only other way past its type.
    ...[...fonte.matchAll(/\bas (?:unknown as )?Actor\b.*/g)].map(([texto]) => `${nome} ${texto}`),
  ]);
  t.deepEqual(feitos, [
    'escrita.ts { autoria }',
    // Only the terminal loads a provider from a file, by the schema's owner, before any write of the application is possible.
    'celulas/situacao.ts { TERMINAL, autoria }',
    // The app's door, and then the panel's, where it becomes known who asks: by a password, a factor, or the link of an invite.
    'acessos/codigos/pedidos.service.ts { atorDoVisitante }',
    'acessos/entrada/entrada.service.ts { atorDoAssinante }',
    'acessos/entrada/escolha-de-senha.service.ts { atorDoAssinante, atorDoVisitante }',
    'acessos/sessoes/rodizio.service.ts { atorDoVisitante }',
    // A job that does what was asked for stays the same job, and says in which request that was.
    'faturamento/pedidos/execucao.service.ts { aPedidoDe }',
    'importacoes/execucao/execucao.service.ts { aPedidoDe }',
    'usuarios/app/entrada-no-app.service.ts { atorDoUsuario, atorDoVisitante }',
    'usuarios/senha/senhas.service.ts { atorDoUsuario, atorDoVisitante }',
    'usuarios/sessoes/entrada.service.ts { atorDoUsuario, atorDoVisitante }',
  ]);
});
