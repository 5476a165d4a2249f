import test from 'ava';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { criarTerminal, recusado } from '../support/terminal.ts';
import type { Terminal } from '../support/terminal.ts';
import { vindoDe } from '../support/autor.ts';

let api: Api;
let terminal: Terminal;
test.before(async () => {
  api = await criarApi();
  terminal = criarTerminal(api);
});
test.after.always(async () => {
  await api.fechar();
  terminal.fechar();
});

test('o primeiro administrador é convidado no terminal, aparece na lista, e o seu fator e a senha se redefinem', async (t) => {
  const provedor = await criarFabrica(api.dono).provedor({ panel_host: 'painel-do-terminal.malha.test' });
  const usuario = (comando: string, ...mais: string[]) => ['usuario', comando, String(provedor), ...mais];
  const quem = ['--email', 'ana@malha.test'];
  const convite = await terminal.json<{ id: number; link: string }>(
    usuario('convidar', ...quem, '--nome', 'Ana', '--perfil', 'administrador'),
  );
  t.regex(convite.link, /^https:\/\/painel-do-terminal\.malha\.test\/painel\/convite\/[\w-]{43}$/);
  const [ana] = await terminal.json<Record<string, unknown>[]>(usuario('listar'));
  t.like(ana, { id: convite.id, nome: 'Ana', perfil: 'Administrador', situacao: 'convidado', tem_fator: false });
  const dono = await api.container.provedores.exigirPorId(provedor);
  const senha = 'jabuti roxo na varanda';
  await api.container.usuarios.aceitar(dono, convite.link.split('/').at(-1) ?? '', { senha }, vindoDe());
  const link = await terminal.json<{ link: string; sem_fator: boolean }>(usuario('redefinir', ...quem, '--fator'));
  t.regex(link.link, /\/painel\/senha\/[\w-]{43}$/);
  t.true(link.sem_fator);
  recusado(t, await terminal.malha(usuario('desativar', ...quem)), /último administrador/);
  recusado(t, await terminal.malha(usuario('convidar', ...quem, '--perfil', 'chefe')), /perfil: não há chefe/);
  recusado(t, await terminal.malha(usuario('redefinir', '--email', 'b@malha.test')), /não tem usuário/);
});
