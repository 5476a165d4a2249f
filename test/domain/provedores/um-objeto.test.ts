import test from 'ava';
import { createProvedoresService } from '../../../src/domain/provedores/provedores.service.ts';
import { createProvedoresLidos } from '../../../src/domain/provedores/um-objeto.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(() => banco.fechar());

test('quem guarda muitas credenciais tem um só objeto por provedor, até que algo nele mude', async (t) => {
  const provedores = createProvedoresService({ db: banco.db });
  const [um, outro] = await Promise.all(
    ['um', 'outro'].map(async (nome) =>
      provedores.criar({ nome, panelHost: `${nome}.objeto.test`, fusoHorario: 'America/Sao_Paulo' }),
    ),
  );
  const lidos = createProvedoresLidos();
  const achar = async (id: number, chave: string) =>
    lidos.comUmSo({ chave, provedor: await provedores.exigirPorId(id) });
  const a = await achar(um!.id, 'a');
  const b = await achar(um!.id, 'b');
  t.not(await provedores.exigirPorId(um!.id), a!.provedor, 'cada leitura faz o seu');
  t.is(b!.chave, 'b');
  t.is(b!.provedor, a!.provedor);
  t.not((await achar(outro!.id, 'c'))!.provedor, a!.provedor);

  // Also of what is no text of its own: a day of its calendar.
  await banco
    .db('provedores_feriados')
    .insert({ provedor_id: um!.id, dia: '2026-12-08', nome: 'Padroeira', dia_util: 0 });
  const depois = await achar(um!.id, 'a');
  t.not(depois!.provedor, a!.provedor);
  t.true(depois!.provedor.regras.calendario.feriados.has('2026-12-08'));
  t.is((await achar(um!.id, 'b'))!.provedor, depois!.provedor);
  t.is(lidos.comUmSo(null), null);
});
