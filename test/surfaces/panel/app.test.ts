import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { comProva, entrarNoPainel } from '../../support/painel.ts';
import { CPF, SENHA, criarAssinante, recusa } from '../../domain/acessos/apoio.ts';

let api: Api;
test.before(async () => {
  api = await criarApi();
});
test.after.always(async () => api.fechar());

const MAIS_DE_UM = /Código de acesso|Encerrar sessões do app/;

test.serial('quem atende gera um código, que aparece uma vez e com que o cliente escolhe a senha', async (t) => {
  const c = await criarAssinante(api, { senha: false });
  const quem = await entrarNoPainel(api, c.provedor.id, 'atendimento');
  const ficha = async () => (await quem.get(`/clientes/${c.cliente}`)).texto;
  t.regex(await ficha(), /app: não/);
  t.regex(await ficha(), /Gerar código de acesso/);
  const aqui = `/clientes/${c.cliente}/codigo-do-app`;
  t.regex((await quem.get(aqui)).texto, /vale 24 horas/);
  const { status, texto } = await quem.post(aqui);
  t.is(status, 200);
  const codigo = /id="codigo">(\d{4} \d{4})</.exec(texto)?.[1] ?? '';
  t.true(texto.includes('(35) 99999-0001'));
  t.is((await c.definir(codigo)).quem.id, c.cliente);
  t.regex(await ficha(), /app: sim/);
  t.false((await quem.get(aqui)).texto.includes(codigo));
  t.regex((await quem.post(aqui)).texto, /id="codigo">/);
  t.regex((await quem.post(aqui)).texto, /id="codigo">/);
  const demais = await quem.post(aqui);
  t.is(demais.status, 422);
  t.regex(demais.texto, /códigos demais/);
});

test.serial('encerrar as sessões do app vale na hora, e quem não pode não vê nem faz', async (t) => {
  const c = await criarAssinante(api);
  const tokens = await c.entrar();
  const quem = await entrarNoPainel(api, c.provedor.id, 'atendimento');
  const aqui = `/clientes/${c.cliente}/encerrar-app`;
  t.regex((await quem.get(`/clientes/${c.cliente}`)).texto, /Encerrar sessões do app/);
  t.regex((await quem.get(aqui)).texto, /2 sessões terminam/);
  t.is((await quem.post(aqui)).status, 303);
  await recusa(t, c.renovar(tokens.refresh), 'sessao_encerrada');
  t.is((await c.entrar(SENHA)).quem.id, c.cliente);
  const tecnico = await entrarNoPainel(api, c.provedor.id, 'tecnico');
  t.notRegex((await tecnico.get(`/clientes/${c.cliente}`)).texto, MAIS_DE_UM);
  t.is((await tecnico.post(aqui)).status, 403);
});

test.serial('um pré-cadastro não tem código', async (t) => {
  const c = await criarAssinante(api, { senha: false });
  await api.dono('clientes').where('id', c.cliente).update({ situacao: 'pre_cadastro' });
  const quem = await entrarNoPainel(api, c.provedor.id, 'atendimento');
  t.notRegex((await quem.get(`/clientes/${c.cliente}`)).texto, MAIS_DE_UM);
  const aqui = `/clientes/${c.cliente}/codigo-do-app`;
  t.regex((await quem.get(aqui)).texto, /ainda não dá acesso/);
  t.is((await quem.post(aqui)).status, 422);
});

test.serial('o CPF de quem é da equipe se escreve no seu cadastro, e sai dele', async (t) => {
  const c = await criarAssinante(api, { senha: false });
  const chefe = await entrarNoPainel(api, c.provedor.id);
  const outra = await entrarNoPainel(api, c.provedor.id, 'tecnico');
  const { perfil } = await api.container.usuarios.exigir(c.provedor.id, outra.usuarioId);
  const aqui = `/configuracoes/usuarios/${outra.usuarioId}`;
  const mudar = async (cpf: string) => comProva(chefe, aqui, { nome: 'Bia', cpf, perfil_id: String(perfil.id) });
  t.is((await mudar('529.982.247-26')).status, 422);
  t.is((await mudar('529.982.247-25')).status, 303);
  const cpf = async () => (await api.container.usuarios.exigir(c.provedor.id, outra.usuarioId)).cpf;
  t.is(await cpf(), CPF);
  t.true((await chefe.get(aqui)).texto.includes('529.982.247-25'));
  t.is((await mudar('')).status, 303);
  t.is(await cpf(), null);
});
