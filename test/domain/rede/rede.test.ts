import test from 'ava';
import { createAplicacaoService } from '../../../src/domain/rede/aplicacao/aplicacao.service.ts';
import { encerrarSessoesDe } from '../../../src/domain/rede/pedir.ts';
import { createDesconexaoService } from '../../../src/domain/rede/sessoes/desconexao.service.ts';
import type { AvisoDeRede } from '../../../src/domain/rede/rede.types.ts';
import { createNasClient } from '../../../src/platform/radius/client.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { AUTOR } from '../../support/autor.ts';
import { ate } from '../../support/espera.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { criarNas } from '../../support/nas-coa.ts';
import { relogioEm } from '../../support/relogio.ts';
import { contextoDeTarefa } from '../../support/trabalhador.ts';
import { createRedeAplicarJob } from '../../../workers/jobs/rede-aplicar.job.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const SEGREDO = 'so-o-nas-sabe';
const relogio = relogioEm(AGORA);

let banco: Banco;
let fabrica: Fabrica;
test.before(async () => {
  banco = await criarBanco();
  fabrica = criarFabrica(banco.db);
});
test.after.always(() => banco.fechar());

/** For NASes that answer: only a hang takes longer. */
const PRAZO_MS = 15_000;

let serie = 0;

/** A provider with a NAS and, for each login, an active contract. */
async function montar({ logins = [`login-${(serie += 1)}`], grupo_radius = null as string | null } = {}) {
  const { db } = banco;
  relogio.definir(AGORA);
  const avisos: AvisoDeRede[] = [];
  const write = createEscrita({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
  const deps = { db, relogio, write, avisar: (aviso: AvisoDeRede) => void avisos.push(aviso) };
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor, { grupo_radius });
  const cliente = await fabrica.cliente(provedor);
  const contratos: number[] = [];
  for (const login of logins) {
    contratos.push(await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano, login }));
  }
  return {
    provedor,
    plano,
    cliente,
    contratos,
    contrato: contratos[0]!,
    login: logins[0]!,
    avisos,
    aplicacao: createAplicacaoService(deps),
    desconexao: ({ timeoutMs = PRAZO_MS } = {}) =>
      createDesconexaoService({ ...deps, perguntar: createNasClient({ timeoutMs }) }),
    /** Puts the contract into the state that the action comes of, and asks. */
    async pedir(
      contrato_id: number,
      acao: 'liberar' | 'bloquear',
      situacao = acao === 'liberar' ? 'ativo' : 'bloqueado',
    ) {
      await db('contratos').where('id', contrato_id).update({ situacao });
      const [id] = await db('rede_pedidos').insert({
        provedor_id: provedor,
        contrato_id,
        acao,
        pedido_em: '2026-11-20 14:00:00.000',
      });
      return id!;
    },
    async nas(endereco: string, porta = 3799) {
      await db('provedores_nas').insert({ provedor_id: provedor, nasipaddress: endereco, porta_coa: porta });
      await db('nas').where('nasname', endereco).delete();
      await db('nas').insert({ nasname: endereco, secret: SEGREDO });
      return endereco;
    },
    desconexoes: async () => db('rede_desconexoes').where('provedor_id', provedor).orderBy('id'),
    resultados: async (): Promise<string[]> =>
      (await db('rede_pedidos').where('provedor_id', provedor).orderBy('id')).map(({ resultado }) => resultado),
  };
}

const gruposDe = async (username: string): Promise<string[]> =>
  (await banco.db('radusergroup').where({ username }).orderBy('priority').orderBy('id')).map(
    ({ groupname }) => groupname,
  );

const ABERTA = { acctstarttime: '2026-11-20 14:00:00', acctupdatetime: '2026-11-20 14:55:00' };
let octeto = 10;
/** An address of the machine itself that no other test has. */
const endereco = (): string => `127.0.9.${(octeto += 1)}`;

test.serial(
  'bloquear e liberar levam o login do grupo do plano a bloqueado e de volta, e outros grupos ficam',
  async (t) => {
    const m = await montar();
    await banco.db('radusergroup').insert([
      { username: m.login, groupname: `plano-${m.plano}`, priority: 1 },
      { username: m.login, groupname: 'ipv6', priority: 0 },
    ]);
    await m.pedir(m.contrato, 'bloquear');
    t.deepEqual(await m.aplicacao.provedores(), [m.provedor]);
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    // Before the others: FreeRADIUS stops at the first that holds.
    t.deepEqual(await gruposDe(m.login), ['bloqueado', 'ipv6']);
    await m.pedir(m.contrato, 'liberar');
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    t.deepEqual(await gruposDe(m.login), ['ipv6', `plano-${m.plano}`]);
    t.deepEqual(await m.resultados(), ['aplicado', 'aplicado']);
    t.deepEqual(await m.aplicacao.provedores(), []);
  },
);

test.serial('o grupo é o que o plano diz, e o de um plano que o contrato deixou sai', async (t) => {
  const m = await montar({ grupo_radius: 'fibra-500' });
  const antigo = await fabrica.plano(m.provedor, { grupo_radius: 'Fibra-100' });
  t.truthy(antigo);
  await banco.db('radusergroup').insert({ username: m.login, groupname: 'fibra-100', priority: 1 });
  await m.pedir(m.contrato, 'liberar');
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.deepEqual(await gruposDe(m.login), ['fibra-500']);
});

test.serial('quem acaba de pagar não espera pelos muitos que se pediram antes, e esses andam também', async (t) => {
  const m = await montar({ logins: Array.from({ length: 40 }, () => `fila-${(serie += 1)}`) });
  for (const contrato of m.contratos.toReversed()) await m.pedir(contrato, 'bloquear');
  const pago = m.contratos[30]!;
  await m.pedir(pago, 'liberar');
  t.deepEqual(await m.aplicacao.aplicar(AUTOR, m.provedor, 10), { mais: true });
  const feitos: number[] = await banco
    .db('rede_pedidos')
    .where({ provedor_id: m.provedor })
    .whereNotNull('aplicado_em')
    .distinct('contrato_id')
    .orderBy('contrato_id')
    .pluck('contrato_id');
  t.is(feitos.length, 10);
  t.true(feitos.includes(pago));
  t.true(feitos.filter((id) => id < m.contratos[12]!).length >= 8);
  for (let vez = 0; vez < 4; vez += 1) await m.aplicacao.aplicar(AUTOR, m.provedor, 10);
  t.false((await m.resultados()).some((resultado) => resultado === null));
});

test.serial('vale o último pedido de cada contrato; repetir não muda nada', async (t) => {
  const m = await montar();
  for (const acao of ['bloquear', 'liberar', 'bloquear'] as const) await m.pedir(m.contrato, acao);
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.deepEqual(await gruposDe(m.login), ['bloqueado']);
  t.deepEqual(await m.resultados(), ['superado', 'superado', 'aplicado']);
  // As after a loss of power between the deed and its mark, were they not one transaction.
  await banco.db('rede_pedidos').where('provedor_id', m.provedor).update({ aplicado_em: null, resultado: null });
  const antes = await banco.db('radusergroup').where('username', m.login);
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.deepEqual(await banco.db('radusergroup').where('username', m.login), antes);
});

test.serial('um pedido velho que aparece depois do último não desfaz o que o último fez', async (t) => {
  const m = await montar();
  await m.pedir(m.contrato, 'liberar');
  await m.pedir(m.contrato, 'bloquear');
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  await banco.db('rede_pedidos').where({ provedor_id: m.provedor, acao: 'liberar' }).update({ aplicado_em: null });
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.deepEqual(await gruposDe(m.login), ['bloqueado']);
});

for (const [acao, grupo] of [
  ['liberar', (plano: number) => `plano-${plano}`],
  ['bloquear', () => 'bloqueado'],
] as const) {
  test.serial(`quem encerra a sessão enquanto se espera ${acao} não faz esquecê-lo`, async (t) => {
    const m = await montar();
    const nas = await m.nas(endereco());
    const antes = acao === 'liberar' ? 'bloqueado' : `plano-${m.plano}`;
    await banco.db('radusergroup').insert({ username: m.login, groupname: antes, priority: 1 });
    await fabrica.sessao({ username: m.login, nasipaddress: nas, ...ABERTA });
    const pedido = await m.pedir(m.contrato, acao);
    const write = createEscrita({ db: banco.db, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
    await write(AUTOR, m.provedor, async (w) => encerrarSessoesDe(w, [m.contrato], relogio.agora()));
    t.deepEqual(await m.resultados(), [null, 'aplicado']);
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    t.deepEqual(await gruposDe(m.login), [grupo(m.plano)]);
    t.deepEqual(await m.resultados(), ['aplicado', 'aplicado']);
    // The session is ended all the same, once.
    const esperam = (await m.desconexoes()).filter(({ estado }) => estado === 'pendente');
    t.like(esperam, [{ pedido_id: pedido, alterar_para: null }]);
    t.is(esperam.length, 1);
  });
}

test.serial('um contrato sem login conclui sem efeito, e isso é dito', async (t) => {
  const m = await montar();
  const sem = await fabrica.contrato(m.provedor, { cliente_id: m.cliente, plano_id: m.plano, login: null });
  const pedido = await m.pedir(sem, 'liberar');
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.deepEqual(await m.resultados(), ['sem_login']);
  t.deepEqual(m.avisos, [{ provedorId: m.provedor, estado: 'sem_login', total: 1, exemplo: pedido }]);
});

test.serial('o contrato que outro segura fica para a próxima vez, e não faz os demais esperarem', async (t) => {
  const m = await montar({ logins: ['seguro', 'solto'] });
  for (const contrato of m.contratos) await m.pedir(contrato, 'bloquear');
  const trx = await banco.db.transaction();
  await trx('contratos').where('id', m.contratos[0]).forUpdate().select('id');
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.deepEqual([await gruposDe('seguro'), await gruposDe('solto')], [[], ['bloqueado']]);
  await trx.commit();
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.deepEqual(await gruposDe('seguro'), ['bloqueado']);
});

test.serial('vinte ao mesmo tempo deixam uma linha por login e um fim por sessão', async (t) => {
  const logins = Array.from({ length: 30 }, (_, n) => `muitos-${n}`);
  const m = await montar({ logins });
  const nas = await m.nas(endereco());
  for (const contrato of m.contratos) await m.pedir(contrato, 'bloquear');
  for (const username of logins) await fabrica.sessao({ username, nasipaddress: nas, ...ABERTA });
  await Promise.all(Array.from({ length: 20 }, async () => m.aplicacao.aplicar(AUTOR, m.provedor)));
  for (const login of logins) t.deepEqual(await gruposDe(login), ['bloqueado']);
  t.is((await m.desconexoes()).length, 30);
});

test.serial('o número de comandos não depende de quantos são os contratos', async (t) => {
  const contar = async (total: number): Promise<number> => {
    const logins = Array.from({ length: total }, (_, n) => `comandos-${total}-${n}`);
    const m = await montar({ logins });
    const nas = await m.nas(endereco());
    for (const contrato of m.contratos) await m.pedir(contrato, 'bloquear');
    for (const username of logins) await fabrica.sessao({ username, nasipaddress: nas, ...ABERTA });
    let comandos = 0;
    const somar = (): void => void (comandos += 1);
    banco.db.on('query', somar);
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    banco.db.off('query', somar);
    return comandos;
  };
  t.is(await contar(100), await contar(2));
});

test.serial('só se encerram sessões abertas, do login, nos NAS do provedor', async (t) => {
  const m = await montar();
  const nas = await m.nas(endereco());
  const alheio = await montar();
  const outro = await alheio.nas(endereco());
  await fabrica.sessao({ username: m.login, nasipaddress: nas, ...ABERTA });
  await fabrica.sessao({ username: m.login, nasipaddress: nas, ...ABERTA, acctstoptime: '2026-11-20 14:56:00' });
  await fabrica.sessao({ username: m.login, nasipaddress: nas, acctstarttime: '2026-09-01 00:00:00' });
  await fabrica.sessao({ username: m.login, nasipaddress: outro, ...ABERTA });
  await fabrica.sessao({ username: m.login, nasipaddress: '10.99.0.1', ...ABERTA });
  await fabrica.sessao({ username: alheio.login, nasipaddress: nas, ...ABERTA });
  await m.pedir(m.contrato, 'bloquear');
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.like(await m.desconexoes(), [{ contrato_id: m.contrato, nasipaddress: nas, estado: 'pendente', tentativas: 0 }]);
});

test.serial(
  'o NAS que responde encerra a sessão; a que ele não conhece já tinha acabado; a recusa fica com a causa',
  async (t) => {
    const m = await montar();
    const de = { ack: endereco(), desconhecida: endereco(), recusa: endereco() };
    const servidores = [
      await criarNas(de.ack, SEGREDO),
      await criarNas(de.desconhecida, SEGREDO, { nak: 503 }),
      await criarNas(de.recusa, SEGREDO, { nak: 406 }),
    ];
    for (const [n, onde] of Object.values(de).entries()) {
      await m.nas(onde, servidores[n]!.porta);
      await fabrica.sessao({ username: m.login, nasipaddress: onde, ...ABERTA });
    }
    await m.pedir(m.contrato, 'bloquear');
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    t.is(await m.desconexao().desconectar(AUTOR, m.provedor), 3);
    const feitas = new Map((await m.desconexoes()).map((linha) => [linha.nasipaddress, linha]));
    t.like(feitas.get(de.ack), { estado: 'aceita', tentativas: 1, causa_erro: null });
    t.like(feitas.get(de.desconhecida), { estado: 'encerrada', causa_erro: 503 });
    t.like(feitas.get(de.recusa), { estado: 'recusada', causa_erro: 406 });
    t.like(m.avisos, [{ estado: 'recusada', total: 1, causa: 406 }]);
    // Nothing is left to be done.
    relogio.avancar(3_600_000);
    t.false((await m.desconexao().provedores()).includes(m.provedor));
    for (const servidor of servidores) {
      t.is(servidor.recebidos.length, 1);
      await servidor.fechar();
    }
  },
);

test.serial('a sessão de um NAS cujo relógio está em 1970 também é encerrada, enquanto é ouvida', async (t) => {
  const m = await montar();
  const onde = await m.nas(endereco());
  const desde1970 = { acctstarttime: '1970-01-02 00:00:00', acctupdatetime: '1970-01-02 00:05:00' };
  await fabrica.sessao({ username: m.login, nasipaddress: onde, ...desde1970 });
  await m.pedir(m.contrato, 'bloquear');
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.deepEqual(await m.desconexoes(), []);
  await banco.db('sessoes_ouvidas').where('dita_em', '<', '1971-01-01').update({ ouvida_em: '2026-11-20 14:55:00' });
  await m.pedir(m.contrato, 'bloquear');
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.like(await m.desconexoes(), [{ nasipaddress: onde }]);
});

test.serial('um NAS mudo é tentado cinco vezes em uns 30 s, e então se diz que não respondeu', async (t) => {
  const m = await montar();
  const onde = endereco();
  const mudo = await criarNas(onde, SEGREDO, 'nada');
  await m.nas(onde, mudo.porta);
  await fabrica.sessao({ username: m.login, nasipaddress: onde, ...ABERTA });
  await m.pedir(m.contrato, 'bloquear');
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  const vezes: number[] = [];
  for (let segundo = 0; segundo < 120; segundo++) {
    const antes = mudo.recebidos.length;
    const desconexao = m.desconexao({ timeoutMs: 150 });
    if ((await desconexao.provedores()).includes(m.provedor)) await desconexao.desconectar(AUTOR, m.provedor);
    if (mudo.recebidos.length > antes) vezes.push(segundo);
    relogio.avancar(1000);
  }
  t.is(vezes.length, 5);
  t.true(vezes.at(-1)! >= 27 && vezes.at(-1)! <= 38, String(vezes));
  const [linha] = await m.desconexoes();
  t.like(linha, { estado: 'sem_resposta', tentativas: 5 });
  t.deepEqual(m.avisos, [{ provedorId: m.provedor, estado: 'sem_resposta', total: 1, exemplo: linha.id, causa: null }]);
  t.false(JSON.stringify([m.avisos, linha]).includes(SEGREDO));
  await mudo.fechar();
});

test.serial('um NAS que não responde, com muitas sessões, não atrasa os outros', async (t) => {
  const m = await montar();
  const [calado, pronto] = [endereco(), endereco()];
  // It answers when the others are done, and not by a clock: on a busy machine their work takes longer than any wait.
  const lento = await criarNas(calado, SEGREDO, 'adia');
  const vivo = await criarNas(pronto, SEGREDO);
  t.teardown(() => Promise.all([lento.fechar(), vivo.fechar()]));
  await m.nas(calado, lento.porta);
  await m.nas(pronto, vivo.porta);
  const outros = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const login = `calado-${n}`;
      for (let k = 0; k < 5; k++) await fabrica.sessao({ username: login, nasipaddress: calado, ...ABERTA });
      return fabrica.contrato(m.provedor, { cliente_id: m.cliente, plano_id: m.plano, login });
    }),
  );
  for (const contrato of outros) await m.pedir(contrato, 'bloquear');
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  const desconexao = m.desconexao({ timeoutMs: 60_000 });
  const esperando = desconexao.desconectar(AUTOR, m.provedor);
  try {
    await ate(() => lento.recebidos.length === 32);
    await fabrica.sessao({ username: m.login, nasipaddress: pronto, ...ABERTA });
    await m.pedir(m.contrato, 'bloquear');
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    // While the other run still waits.
    t.is(await desconexao.desconectar(AUTOR, m.provedor), 1);
    t.is(vivo.recebidos.length, 1);
    t.is(lento.recebidos.length, 32);
  } finally {
    lento.responderAdiados();
    t.is(await esperando, 32);
  }
});

test.serial('uma execução da tarefa encerra todas as sessões de um NAS que responde, quantas forem', async (t) => {
  const logins = Array.from({ length: 100 }, (_, n) => `meia-noite-${n}`);
  const m = await montar({ logins });
  const onde = endereco();
  const nas = await criarNas(onde, SEGREDO);
  await m.nas(onde, nas.porta);
  for (const username of logins) await fabrica.sessao({ username, nasipaddress: onde, ...ABERTA });
  for (const contrato of m.contratos) await m.pedir(contrato, 'bloquear');
  await createRedeAplicarJob(m.aplicacao, m.desconexao())({}, contextoDeTarefa());
  t.deepEqual(new Set((await m.desconexoes()).map(({ estado }) => estado)), new Set(['aceita']));
  t.is(nas.recebidos.length, 100);
  await nas.fechar();
});

test.serial(
  'quem morre depois de enviar e antes de gravar deixa um pedido que se repete, no máximo até a quinta vez',
  async (t) => {
    const m = await montar();
    const onde = endereco();
    const nas = await criarNas(onde, SEGREDO);
    await m.nas(onde, nas.porta);
    await fabrica.sessao({ username: m.login, nasipaddress: onde, ...ABERTA });
    await m.pedir(m.contrato, 'bloquear');
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    const { db } = banco;
    await db('rede_desconexoes').where('provedor_id', m.provedor).update({ tentativas: 1 });
    await m.desconexao().desconectar(AUTOR, m.provedor);
    t.is(nas.recebidos.length, 1);
    await db('rede_desconexoes').where('provedor_id', m.provedor).update({
      estado: 'pendente',
      tentativas: 5,
      proxima_em: '2026-11-20 14:59:00.000',
    });
    await m.desconexao().desconectar(AUTOR, m.provedor);
    t.is(nas.recebidos.length, 1);
    t.like(await m.desconexoes(), [{ estado: 'sem_resposta' }]);
    await nas.fechar();
  },
);

test.serial('a sessão que já acabou, o NAS que saiu e o NAS sem segredo concluem sem envio', async (t) => {
  const m = await montar();
  const { db } = banco;
  const [acabou, saiu, sem] = [await m.nas(endereco()), await m.nas(endereco()), await m.nas(endereco())];
  for (const nasipaddress of [acabou, saiu, sem]) await fabrica.sessao({ username: m.login, nasipaddress, ...ABERTA });
  await m.pedir(m.contrato, 'bloquear');
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  await db('radacct').where('nasipaddress', acabou).delete();
  await db('provedores_nas').where('nasipaddress', saiu).delete();
  await db('nas').where('nasname', sem).delete();
  await m.desconexao().desconectar(AUTOR, m.provedor);
  const estados = new Map((await m.desconexoes()).map((linha) => [linha.nasipaddress, linha.estado]));
  t.deepEqual(
    [acabou, saiu, sem].map((onde) => estados.get(onde)),
    ['encerrada', 'sem_nas', 'sem_segredo'],
  );
  t.deepEqual(m.avisos.map(({ estado }) => estado).toSorted(), ['sem_nas', 'sem_segredo']);
});

test.serial('o login que não cabe num pedido não impede que se escreva o que foi dos outros', async (t) => {
  // 64 characters, as radacct holds, of four bytes each.
  const logins = ['😀'.repeat(64), `login-${(serie += 1)}`];
  const m = await montar({ logins });
  const onde = endereco();
  const nas = await criarNas(onde, SEGREDO);
  await m.nas(onde, nas.porta);
  for (const [n, username] of logins.entries()) {
    await fabrica.sessao({ username, nasipaddress: onde, ...ABERTA });
    await m.pedir(m.contratos[n]!, 'bloquear');
  }
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.is(await m.desconexao().desconectar(AUTOR, m.provedor), 2);
  const estados = new Map((await m.desconexoes()).map(({ contrato_id, estado }) => [contrato_id, estado]));
  t.deepEqual(
    m.contratos.map((contrato) => estados.get(contrato)),
    ['pendente', 'aceita'],
  );
  await nas.fechar();
});

test.serial('um pedido novo toma o lugar dos fins de sessão que ainda esperam', async (t) => {
  const m = await montar();
  const nas = await m.nas(endereco());
  await fabrica.sessao({ username: m.login, nasipaddress: nas, ...ABERTA });
  await m.pedir(m.contrato, 'bloquear');
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  await m.pedir(m.contrato, 'liberar');
  await m.aplicacao.aplicar(AUTOR, m.provedor);
  t.deepEqual(
    (await m.desconexoes()).map(({ estado }) => estado),
    ['superada', 'pendente'],
  );
});

test.serial(
  'um login de dois provedores não é movido por um para o outro, e sem NAS próprio não se move',
  async (t) => {
    const login = 'de-dois';
    const [m, outro] = [await montar({ logins: [login] }), await montar({ logins: [login] })];
    await banco.db('radusergroup').insert({ username: login, groupname: `plano-${outro.plano}`, priority: 1 });
    await m.pedir(m.contrato, 'bloquear');
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    t.deepEqual(await m.resultados(), ['sem_nas']);
    t.like(m.avisos, [{ estado: 'sem_nas' }]);
    t.deepEqual(await gruposDe(login), [`plano-${outro.plano}`]);

    const [um, dois] = [await m.nas(endereco()), await m.nas(endereco())];
    await m.pedir(m.contrato, 'bloquear');
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    t.deepEqual(await gruposDe(login), [`bloqueado-${um}`, `bloqueado-${dois}`, `plano-${outro.plano}`]);
    const itens = await banco.db('radgroupcheck').where('groupname', `bloqueado-${um}`);
    t.like(itens, [
      { attribute: 'NAS-IP-Address', op: '==', value: um },
      { attribute: 'Auth-Type', op: ':=', value: 'Reject' },
    ]);
    await m.pedir(m.contrato, 'liberar');
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    t.deepEqual(await gruposDe(login), [`plano-${outro.plano}`]);

    // Once the other has cancelled, the login is this provider's alone.
    await banco.db('contratos').where('id', outro.contrato).update({ situacao: 'cancelado' });
    await m.pedir(m.contrato, 'bloquear');
    await m.aplicacao.aplicar(AUTOR, m.provedor);
    t.deepEqual((await gruposDe(login))[0], 'bloqueado');
  },
);
