import test from 'ava';
import type { BancoComCnab } from '../../../src/brazil/cnab/convenio.types.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { AGORA, HOJE, criarBanco } from './apoio.ts';
import { retornoDe } from './banco.ts';

const relogio = relogioEm(AGORA);
let api: Api;
const { boletoDe, cena, faturaDe, faturar, gerar, mudar, receber, resposta, resultados } = criarBanco(() => api);

test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

/** Another agreement of the same account and bank, which differs in some fields and issues from now on. */
async function outroConvenio(c: Awaited<ReturnType<typeof cena>>, muda: object): Promise<typeof c> {
  const {
    id: _id,
    provedor_id: _provedor,
    emite: _emite,
    emite_por: _emitePor,
    criado_em: _criado,
    atualizado_em: _atualizado,
    ...row
  } = await api.dono('convenios_bancarios').where('id', c.convenio).first();
  const [convenio = 0] = await api
    .dono('convenios_bancarios')
    .insert({ ...row, ...muda, provedor_id: c.provedor, nome: 'O outro', proximo_nsa: 1, emite: 0 });
  await mudar(c.provedor, async ({ convenios }) => convenios.ativar(convenio));
  return { ...c, convenio };
}

const MUDA: Partial<Record<BancoComCnab, object>> = {
  '341': { carteira: '112' },
  '237': { carteira: '02' },
  '756': { codigo: '828191' },
};

for (const [banco, muda] of Object.entries(MUDA) as [BancoComCnab, object][]) {
  test(`do ${banco}: com dois convênios que o arquivo não distingue, ele paga as suas próprias faturas`, async (t) => {
    const c = await cena(banco);
    const primeira = await faturar(c);
    await gerar(c);
    const outro = await outroConvenio(c, muda);
    const segunda = await faturar(c, { valor: '80.00' });
    await gerar(outro);
    const [daPrimeira, daSegunda] = [await boletoDe(primeira), await boletoDe(segunda)];
    t.is(daPrimeira.numero, daSegunda.numero, 'cada um numera do começo');
    t.is(daSegunda.convenio_id, outro.convenio);
    const arquivo = retornoDe(banco, [
      await resposta(segunda, { movimento: '02', valor: 8000 }),
      await resposta(segunda, { movimento: '06', valor: 8000, pago: 8000 }),
    ]);
    t.deepEqual(await resultados((await receber(c.provedor, arquivo)).id), ['registrado', 'quitada']);
    const [uma, outra] = [await faturaDe(primeira), await faturaDe(segunda)];
    t.deepEqual([uma.situacao, uma.boleto_situacao], ['pendente', 'enviado']);
    t.is(outra.situacao, 'paga');
    t.deepEqual(
      await resultados(
        (await receber(c.provedor, retornoDe(banco, [await resposta(primeira, { movimento: '02' })]))).id,
      ),
      ['registrado'],
    );
  });
}

test('o arquivo de que nada diz de qual convênio é espera que uma pessoa o diga', async (t) => {
  const c = await cena('341');
  await faturar(c);
  await gerar(c);
  const outro = await outroConvenio(c, { carteira: '112' });
  const alheio = { movimento: '06', numero: '90000001', dv: '0', uso: 900_001, documento: '55', pago: 4500, em: HOJE };
  const bytes = Buffer.from(retornoDe('341', [alheio]), 'latin1');
  const { arquivosDeRetorno } = api.container;
  await t.throwsAsync(arquivosDeRetorno.receber(TERMINAL, c.provedor, bytes, 'banco.ret'), {
    message: new RegExp(`^convenio: diga de qual .* \\(${c.convenio}\\), O outro \\(${outro.convenio}\\)$`),
  });
  t.is((await api.dono('retornos').where('provedor_id', c.provedor)).length, 0);
  await t.throwsAsync(arquivosDeRetorno.receber(TERMINAL, c.provedor, bytes, 'banco.ret', 999_999), {
    message: /^convenio: não existe/,
  });
  const { id } = await arquivosDeRetorno.receber(TERMINAL, c.provedor, bytes, 'banco.ret', outro.convenio);
  t.is((await api.dono('retornos').where('id', id).first()).convenio_id, outro.convenio);
});

test('a linha que traz o id e o documento de outro título não paga a fatura do nosso número que é igual', async (t) => {
  const c = await cena('033');
  const fatura = await faturar(c);
  await gerar(c);
  const nossa = await resposta(fatura, { movimento: '06', pago: 9990 });
  const alheia = { ...nossa, pago: 4500, uso: Number(nossa.uso) + 1, documento: String(fatura + 1) };
  const lida = await receber(c.provedor, retornoDe('033', [alheia, { ...alheia, movimento: '02' }]));
  t.deepEqual(await resultados(lida.id), ['nao_identificada', 'desconhecido']);
  t.is((await faturaDe(fatura)).situacao, 'pendente');
  const certa = { ...nossa, documento: String(fatura) };
  t.deepEqual(await resultados((await receber(c.provedor, retornoDe('033', [certa]))).id), ['quitada']);
});
