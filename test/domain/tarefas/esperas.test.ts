import test from 'ava';
import { situacaoDasEsperas } from '../../../src/domain/tarefas/esperas.queries.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { lidas } from '../../support/leituras.ts';

const AGORA = new Date('2026-11-20T15:00:00.000Z');
const MINUTO = 60_000;
const ha = (minutos: number): string =>
  new Date(AGORA.getTime() - minutos * MINUTO).toISOString().replace('T', ' ').replace('Z', '');

let banco: Banco;
/** Of one connection, so that what a session reads can be counted. */
let um: Db;
let provedores: number[];
test.before(async () => {
  banco = await criarBanco();
  um = createDatabase({ url: banco.url, pool: 1 });
  const fabrica = criarFabrica(banco.db);
  provedores = [await fabrica.provedor(), await fabrica.provedor()];
  await banco.db('eventos').update({ publicado_em: ha(0) });
});
test.after.always(async () => {
  // Their data are not as the catalogue has them, and nobody reads them.
  await banco.db('eventos').delete();
  await um.destroy();
  await banco.fechar();
});

let numero = 0;
const carta = (provedor_id: number, estado: string, proxima_em: string) => ({
  provedor_id,
  origem: 'regua',
  chave: `carta-${(numero += 1)}`,
  estado,
  proxima_em,
  expira_em: ha(-600),
  criado_em: ha(600),
});
const evento = (provedor_id: number, criado_em: string, publicado_em: string | null) => ({
  provedor_id,
  tipo: 'cliente.alterado',
  etiquetas: '[]',
  criado_em,
  publicado_em,
});

test.serial('onde nada espera nada se diz', async (t) => {
  const nada = { correioMs: null, eventosMs: null, pspMs: null, retornos: 0, retornosComFalha: 0 };
  t.deepEqual(await situacaoDasEsperas(um, AGORA), nada);
  await banco
    .db('correio_pedidos')
    .insert([carta(provedores[0]!, 'pendente', ha(-5)), carta(provedores[1]!, 'entregue', ha(90))]);
  await banco.db('eventos').insert(evento(provedores[0]!, ha(90), ha(89)));
  t.deepEqual(await situacaoDasEsperas(um, AGORA), nada);
});

test.serial(
  'quem opera vê há quanto tempo espera a primeira carta e o primeiro evento, de qualquer provedor',
  async (t) => {
    const [a = 0, b = 0] = provedores;
    await banco.db('correio_pedidos').insert([carta(a, 'pendente', ha(7)), carta(b, 'em_andamento', ha(12))]);
    await banco.db('eventos').insert([evento(a, ha(2), null), evento(b, ha(4), null), evento(b, ha(3), null)]);
    t.like(await situacaoDasEsperas(um, AGORA), { correioMs: 12 * MINUTO, eventosMs: 4 * MINUTO });
  },
);

test.serial('e as chamadas ao PSP, e os retornos que esperam ou falharam', async (t) => {
  const [provedor_id = 0] = provedores;
  const [cobrador_id = 0] = await banco.db('cobradores').insert({ provedor_id, nome: 'Conta de teste' });
  const [convenio_id = 0] = await banco
    .db('convenios_bancarios')
    .insert({ provedor_id, cobrador_id, nome: 'Sicoob', banco: '756', formato: '240' });
  const retorno = (falhas: number, concluido_em: string | null) => ({
    provedor_id,
    convenio_id,
    nome: 'a.ret',
    sha256: Buffer.alloc(32, (numero += 1)),
    linhas: 1,
    partes: 1,
    falhas,
    recebido_em: ha(30),
    concluido_em,
  });
  await banco.db('retornos').insert([retorno(0, null), retorno(3, null), retorno(2, ha(1)), retorno(0, ha(1))]);
  const [psp = 0] = await banco.db('psp_convenios').insert({
    provedor_id,
    cobrador_id,
    adaptador: 'padrao',
    base: 'https://psp.test',
    token_url: 'https://psp.test/token',
    chave: 'chave',
    segredos: Buffer.from('x'),
    criado_em: ha(60),
    atualizado_em: ha(60),
  });
  const fabrica = criarFabrica(banco.db);
  const cliente_id = await fabrica.cliente(provedor_id);
  const cobranca = async (proxima_em: string | null) => ({
    provedor_id,
    convenio_id: psp,
    fatura_id: await fabrica.fatura(provedor_id, { cliente_id }),
    txid: `tx${(numero += 1)}`,
    tipo: 'cobv',
    etapa: proxima_em === null ? null : 'emitir',
    proxima_em,
    valor: '10.00',
    vencimento: '2026-12-10',
    validade_dias: 60,
    expira_em: ha(-600),
    valor_fatura: '10.00',
    vencimento_fatura: '2026-12-10',
    criado_em: ha(60),
  });
  await banco.db('psp_cobrancas').insert([await cobranca(null), await cobranca(ha(9)), await cobranca(ha(8))]);
  t.like(await situacaoDasEsperas(um, AGORA), { pspMs: 9 * MINUTO, retornos: 2, retornosComFalha: 1 });
});

test.serial('de quem muda de célula ou foi para outra nada se espera aqui', async (t) => {
  const todas = await situacaoDasEsperas(um, AGORA);
  t.true(Object.values(todas).every(Boolean));
  const [a = 0, b = 0] = provedores;
  for (const mudanca of ['chegando', 'chegou', 'saindo', 'foi']) {
    await banco.db('provedores').whereIn('id', [a, b]).update({ mudanca });
    const nada = { correioMs: null, eventosMs: null, pspMs: null, retornos: 0, retornosComFalha: 0 };
    t.deepEqual(await situacaoDasEsperas(um, AGORA), nada, mudanca);
  }
  await banco.db('provedores').where('id', a).update({ mudanca: null });
  t.deepEqual(await situacaoDasEsperas(um, AGORA), { ...todas, correioMs: 7 * MINUTO, eventosMs: 2 * MINUTO });
  await banco.db('provedores').update({ mudanca: null });
  t.deepEqual(await situacaoDasEsperas(um, AGORA), todas);
});

test.serial('o que já foi feito não se lê, por mais que seja', async (t) => {
  const [a = 0, b = 0] = provedores;
  const feitas = Array.from({ length: 1500 }, (_, n) => carta(n % 2 === 0 ? a : b, 'entregue', ha(90)));
  const publicados = Array.from({ length: 1500 }, (_, n) => evento(n % 2 === 0 ? a : b, ha(90), ha(89)));
  await banco.db.batchInsert('correio_pedidos', feitas, 500);
  await banco.db.batchInsert('eventos', publicados, 500);
  const esperam = Array.from({ length: 1500 }, () => carta(a, 'pendente', ha(-5)));
  await banco.db.batchInsert('correio_pedidos', esperam, 500);
  await banco.db.raw('ANALYZE TABLE correio_pedidos, eventos');
  const quantas = await lidas(um, async () => situacaoDasEsperas(um, AGORA));
  t.true(quantas < 150, `${quantas} lidas`);
});
