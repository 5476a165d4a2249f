import test from 'ava';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarCasa } from '../../domain/contratos/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2027-01-05T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

const lido = (texto: string): string =>
  texto
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('\u00A0', ' ')
    .replace(/\s+/g, ' ');

test('faturar desde um mês que passou diz o que se cobra dele, e só se salva confirmado', async (t) => {
  const casa = await criarCasa(api);
  await casa.contrato({ criado_em: '2026-01-05 12:00:00', ativado_em: '2026-01-10', valor: '100.00' });
  const pessoa = await entrarNoPainel(api, casa.provedor);
  const em = '/configuracoes/faturamento';
  const digitado = { desde: '2026-11', antecedencia: '10' };
  t.notRegex((await pessoa.get(em)).texto, /campo-confirmado/);
  const pedida = await pessoa.post(em, digitado);
  t.is(pedida.status, 422);
  t.regex(pedida.texto, /id="campo-confirmado-falta"/);
  // November's charge of a contract that pays afterwards was due in December: it comes with December's, and January's is one more.
  t.regex(lido(pedida.texto), /2 faturas, de R\$ 300,00: nelas, 1 contrato paga R\$ 100,00 de meses anteriores/);
  t.deepEqual(await api.dono('faturamento_configuracoes').where('provedor_id', casa.provedor), []);
  t.is((await pessoa.post(em, { ...digitado, confirmado: 'sim' })).status, 303);
  t.regex(
    lido((await pessoa.get('/faturamento/previa?mes=2027-01')).texto),
    /De meses anteriores ao da cobrança 1 contrato, R\$ 100,00/,
  );
});

test('de mais de mil contratos, diz quantos são e onde se vê quanto dá, sem os calcular', async (t) => {
  const casa = await criarCasa(api);
  const outros = Array.from({ length: 1001 }, (_, n) => ({
    cliente_id: casa.cliente,
    plano_id: casa.plano,
    situacao: 'ativo',
    login: `muitos${casa.provedor}n${n}`,
    tipo_cobranca: 'pos_pago',
    dia_vencimento: 10,
    valor: '100.00',
    ativado_em: '2026-01-10',
    criado_em: '2026-01-05 12:00:00',
  }));
  await createTenantWriter(api.dono, casa.provedor).insert('contratos', outros);
  const pessoa = await entrarNoPainel(api, casa.provedor);
  const em = '/configuracoes/faturamento';
  const digitado = { desde: '2026-11', antecedencia: '10' };
  const pedida = await pessoa.post(em, digitado);
  t.is(pedida.status, 422);
  t.regex(pedida.texto, /id="campo-confirmado-falta"/);
  t.regex(lido(pedida.texto), /cobram-se até o fim do mês que vem 1\.001 contratos/);
  t.notRegex(lido(pedida.texto), /fazem-se/);
  t.regex(pedida.texto, /href="\/painel\/faturamento\/previa\?mes=2027-02"/);
  t.is((await pessoa.post(em, { ...digitado, confirmado: 'sim' })).status, 303);
});

test('um item tira-se do contrato por um botão, que falta depois de cobrado', async (t) => {
  const casa = await criarCasa(api);
  const contrato = await casa.contrato({ criado_em: '2026-01-05 12:00:00', ativado_em: '2026-01-10' });
  const pessoa = await entrarNoPainel(api, casa.provedor);
  await casa.mudar(async ({ faturamento }) => faturamento.configurar({ desde: '2027-01' }));
  const em = `/contratos/${contrato}/itens`;
  const por = async (descricao: string): Promise<number> => {
    await pessoa.post(em, { tipo: 'recorrente', descricao, valor: '20,00' });
    return (await casa.linhas('contratos_itens')).at(-1)!['id'];
  };
  const [errado, certo] = [await por('Errado'), await por('IP fixo')];
  t.is((await pessoa.post(`${em}/${errado}/remover`, {})).status, 303);
  t.notRegex((await pessoa.get(em)).texto, /Errado/);
  t.regex((await pessoa.get(em)).texto, new RegExp(`${em}/${certo}/remover`));
  await casa.mudar(async ({ faturamento }) => faturamento.carnes.gerar({ contrato_id: contrato, parcelas: 2 }));
  const depois = await pessoa.get(em);
  t.notRegex(depois.texto, new RegExp(`${em}/${certo}/remover`));
  t.regex(depois.texto, new RegExp(`${em}/${certo}/encerrar`));
});
