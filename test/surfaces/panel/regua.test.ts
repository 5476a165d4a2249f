import test from 'ava';
import { situacaoDasTarefas } from '../../../src/domain/tarefas/operacao.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { DIA, cenarios, relogio } from '../../domain/regua/apoio.ts';

let api: Api;
let cenario: ReturnType<typeof cenarios>;

test.before(async () => {
  api = await criarApi({ relogio });
  cenario = cenarios(api);
});
test.after.always(async () => api.fechar());

test.serial('a lista dos avisos sem confirmação se trabalha sem sair dela', async (t) => {
  const c = await cenario({ sem_entrega: false });
  for (let n = 0; n < 3; n += 1) await (await c.devedor()).dever('2027-02-10');
  await c.rodar(DIA(1));
  const quem = await entrarNoPainel(api, c.id);
  const lista = { dia: DIA(1), passo: 'aviso', entrega: 'sem_confirmacao' };
  const em = `/regua?dia=${DIA(1)}&passo=aviso&entrega=sem_confirmacao`;
  const marcas = (texto: string): string[] =>
    [...texto.matchAll(/name="registros"\s+value="(\d+)"/g)].map(([, id]) => id!);
  const ids = marcas((await quem.get(em)).texto);
  t.is(ids.length, 3);
  t.deepEqual(marcas((await quem.get(`/regua?dia=${DIA(1)}&passo=aviso`)).texto), [], 'sem filtro não se marca');

  t.regex((await quem.post('/regua/entregas', { ...lista, como: 'em mãos' })).texto, /marque os que foram entregues/);
  const semComo = await quem.post('/regua/entregas', { ...lista, registros: ids });
  t.regex(semComo.texto, /Como foram entregues: é obrigatório/);
  const marcadas = await quem.post('/regua/entregas', { ...lista, registros: ids.slice(0, 1), como: 'em mãos' });
  t.is(marcadas.status, 303);
  t.regex(String(marcadas.headers['location']), /entrega=sem_confirmacao/);
  t.deepEqual(marcas((await quem.get(em)).texto), ids.slice(1));

  const um = await quem.post(`/regua/registros/${ids[1]}/entrega`, lista);
  t.regex(String(um.headers['location']), /\/regua\?.*entrega=sem_confirmacao/, 'fica na lista');
  const desfeito = await quem.post(`/regua/registros/${ids[1]}/desfazer`, lista);
  t.is(desfeito.status, 303);
  t.is((await quem.post('/regua/entregas', { ...lista, todas: 'on', como: 'com a fatura' })).status, 303);
  t.deepEqual(marcas((await quem.get(em)).texto), []);
  const anotadas = await api.dono('regua_passos').where({ provedor_id: c.id, passo: 'aviso' }).pluck('entrega_como');
  t.deepEqual(
    anotadas.toSorted((a: string, b: string) => a.localeCompare(b)),
    ['com a fatura', 'com a fatura', 'em mãos'],
  );
});

test.serial('a régua só está atrasada uma hora depois da sua, na primeira página e para quem opera', async (t) => {
  const c = await cenario({ hora: 9 });
  const atrasadas = async () =>
    (await situacaoDasTarefas(api.container.db, relogio)).find(({ tarefa }) => tarefa === 'regua.aplicar')?.atrasadas;
  // Signed in anew each time: a session does not last over the hours between.
  const inicio = async () => {
    const { texto } = await (await entrarNoPainel(api, c.id)).get('');
    t.regex(texto, /Tarefas que já deviam/);
    return texto;
  };
  // Eight, and half past nine in São Paulo.
  relogio.definir(`${DIA(1)}T11:00:00Z`);
  t.is(await atrasadas(), 0);
  t.notRegex(await inicio(), /Aplicar a régua/);
  relogio.definir(`${DIA(1)}T12:30:00Z`);
  t.is(await atrasadas(), 0);
  relogio.definir(`${DIA(1)}T13:01:00Z`);
  t.true((await atrasadas())! > 0);
  t.regex(await inicio(), /Aplicar a régua/);
});
