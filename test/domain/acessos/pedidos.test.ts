import test from 'ava';
import { createAvisosDeSegurancaService } from '../../../src/domain/acessos/avisos/seguranca.service.ts';
import { createPedidosDeAcessoService } from '../../../src/domain/acessos/codigos/pedidos.service.ts';
import { createConsuming } from '../../../src/platform/mysql/outbox-consumer.ts';
import { createSecrets } from '../../../src/platform/secrets/secrets.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { CPF, DE_ONDE, criarAssinante, recusa } from './apoio.ts';

const AGORA = '2026-11-23T12:00:00.000Z';
const HORA = 3_600_000;
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, env: { MALHA_CHAVE_MESTRA: '7'.repeat(64) } });
});
test.after.always(async () => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

/** What would go out by SMTP. */
function caixa(ativo = true) {
  const cartas: { para: string; assunto: string; texto: string }[] = [];
  const correio = {
    ativo,
    enviar: async (carta: (typeof cartas)[number]) => Promise.resolve(cartas.push(carta) > 0),
    tentar: async () => Promise.resolve({ tipo: 'fora' as const, erro: 'sem_servidor' }),
    close() {},
  };
  const { db, write } = api.container;
  const segredos = createSecrets(() => [Buffer.from('7'.repeat(64), 'hex')]);
  const logger = { error: () => {} };
  return { cartas, correio, pedidos: createPedidosDeAcessoService({ db, relogio, write, segredos, correio, logger }) };
}
const codigoEm = (texto: string): string => /\n(\d{8})\n/.exec(texto)?.[1] ?? '';

test.serial('quem pede recebe um código no e-mail do cadastro, que vale 15 minutos', async (t) => {
  const c = await criarAssinante(api, { senha: false });
  const { cartas, pedidos } = caixa();
  await pedidos.atender(c.provedor, CPF, DE_ONDE);
  t.is(cartas.length, 1);
  t.is(cartas[0]!.para, 'maria@malha.test');
  const codigo = codigoEm(cartas[0]!.texto);
  relogio.avancar(15 * 60_000);
  await recusa(t, c.definir(codigo), 'codigo_incorreto');
  await pedidos.atender(c.provedor, CPF, DE_ONDE);
  t.is((await c.definir(codigoEm(cartas[1]!.texto))).quem.id, c.cliente);
  const evento = await api
    .dono('eventos')
    .where({ provedor_id: c.provedor.id, tipo: 'cliente.acesso_solicitado' })
    .first();
  const dados = typeof evento.dados === 'string' ? JSON.parse(evento.dados) : evento.dados;
  t.like(dados, { cliente: c.cliente, expira_em: '2026-11-23T12:15:00.000Z' });
  t.false(JSON.stringify(evento).includes(codigo));
});

test.serial('a ninguém, a quem só se pré-cadastrou e a quem tem dois e-mails nada se envia', async (t) => {
  const c = await criarAssinante(api, { senha: false });
  const { cartas, pedidos } = caixa();
  await pedidos.atender(c.provedor, '11144477735', DE_ONDE);
  await c.fabrica.cliente(c.provedor.id, { cpf_cnpj: CPF, situacao: 'pre_cadastro', email: 'estranho@malha.test' });
  await pedidos.atender(c.provedor, CPF, DE_ONDE);
  t.deepEqual(
    cartas.map(({ para }) => para),
    ['maria@malha.test'],
  );
  await c.fabrica.cliente(c.provedor.id, { cpf_cnpj: CPF, situacao: 'cancelado', email: 'outro@malha.test' });
  await pedidos.atender(c.provedor, CPF, DE_ONDE);
  t.is(cartas.length, 1);
});

test.serial('sem servidor de e-mail só se diz que alguém pediu, e o código da equipe fica de pé', async (t) => {
  const c = await criarAssinante(api, { senha: false });
  const { codigo } = await c.gerar();
  const { pedidos } = caixa(false);
  await pedidos.atender(c.provedor, CPF, DE_ONDE);
  t.is((await c.auditoria()).at(-1), 'cliente.acesso_solicitado');
  t.is((await c.definir(codigo)).quem.id, c.cliente);
});

test.serial('três pedidos na hora, e o quarto não se ouve', async (t) => {
  const c = await criarAssinante(api, { senha: false });
  const { cartas, pedidos } = caixa();
  for (let n = 0; n < 5; n += 1) await pedidos.atender(c.provedor, CPF, DE_ONDE);
  t.is(cartas.length, 3);
  t.is((await c.gerar()).codigo.length, 8);
  relogio.avancar(HORA);
  await pedidos.atender(c.provedor, CPF, DE_ONDE);
  t.is(cartas.length, 4);
});

test.serial('por um dia o código vai também ao e-mail de antes, que ouve da troca e da senha', async (t) => {
  const c = await criarAssinante(api, { senha: false });
  const { cartas, correio, pedidos } = caixa();
  const { db, provedores, changeTenant } = api.container;
  const ouvir = async (): Promise<string[]> => {
    const antes = await api.dono('correio_pedidos').pluck('id');
    const consumer = createAvisosDeSegurancaService({ relogio, correio, provedores });
    const { consume } = createConsuming({ db, consumer, onFailure: (_id, error) => t.fail(String(error)) });
    while ((await consume()) > 0);
    const pedidas: { para: string; assunto: string; cliente_id: number }[] = await api
      .dono('correio_pedidos')
      .where({ provedor_id: c.provedor.id, origem: 'seguranca', estado: 'pendente' })
      .whereNotIn('id', antes)
      .orderBy('id');
    t.true(pedidas.every(({ cliente_id }) => cliente_id === c.cliente));
    return pedidas.map(({ para, assunto }) => `${para}: ${assunto}`);
  };
  await ouvir();
  await changeTenant(c.bot, c.provedor, async (_dominio, { clientes }) =>
    clientes.alterar(c.cliente, { email: 'nova@malha.test' }),
  );
  t.deepEqual(await ouvir(), [`maria@malha.test: Seu cadastro em ${c.provedor.nome}`]);
  cartas.length = 0;
  await pedidos.atender(c.provedor, CPF, DE_ONDE);
  t.deepEqual(cartas.map(({ para }) => para).toSorted(), ['maria@malha.test', 'nova@malha.test']);
  await c.definir(codigoEm(cartas[0]!.texto));
  const daSenha = await ouvir();
  t.deepEqual(daSenha.toSorted(), [
    `maria@malha.test: Senha do app de ${c.provedor.nome}`,
    `nova@malha.test: Senha do app de ${c.provedor.nome}`,
  ]);
  relogio.avancar(24 * HORA);
  cartas.length = 0;
  await pedidos.atender(c.provedor, CPF, DE_ONDE);
  t.deepEqual(
    cartas.map(({ para }) => para),
    ['nova@malha.test'],
  );
});

test.serial('quem passa a ter outro CPF deixa de entrar pelo de antes', async (t) => {
  const c = await criarAssinante(api);
  const { refresh } = await c.entrar();
  const { codigo } = await c.gerar();
  await api.container.changeTenant(c.bot, c.provedor, async (_dominio, { clientes }) =>
    clientes.alterar(c.cliente, { cpf_cnpj: '11144477735' }),
  );
  await recusa(t, c.renovar(refresh), 'sessao_encerrada');
  await recusa(t, c.entrar(), 'credenciais_incorretas');
  // The tax id is somebody else's, who is registered now.
  const outra = await c.fabrica.cliente(c.provedor.id, { cpf_cnpj: CPF, nome: 'Joana' });
  await recusa(t, c.entrar(), 'credenciais_incorretas');
  await recusa(t, c.definir(codigo), 'codigo_incorreto');
  await c.definir((await c.gerar(outra)).codigo, 'outra qualquer 88');
  t.is((await c.entrar('outra qualquer 88')).quem.id, outra);
});
