import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { emCsv, faturaDoIxc, linhaDoIxc } from '../../support/importacao.ts';
import { criarPsp, novoFimAFim } from '../../support/recebimentos.ts';
import { criarCenario } from './apoio.ts';
import type { Cenario } from './apoio.ts';

let c: Cenario;
test.before(async () => {
  c = await criarCenario();
});
test.after.always(() => c.api.fechar());

const linha = (provedor: number, n: number, mais: Readonly<Record<string, string>> = {}) =>
  linhaDoIxc(n, { login: `cliente${n}@p${provedor}`, ...mais });

const faturasDe = async (provedor: number): Promise<any[]> =>
  c.api.dono('faturas').where({ provedor_id: provedor }).orderBy('id');

test.serial('uma fatura importada se paga por PIX, e o contrato bloqueado é liberado', async (t) => {
  const provedor = await c.fabrica.provedor();
  await c.importar(provedor, emCsv([linha(provedor, 1, { status_internet: 'FA' })]), { criar_planos: true });
  await c.importar(provedor, emCsv([faturaDoIxc(1, { data_vencimento: '10/11/2026' })]));
  const [fatura] = await faturasDe(provedor);
  t.like(fatura, { situacao: 'vencida', tipo: 'pix' });
  t.regex(fatura.pix_txid, /^[A-Z\d]{25}$/);
  const { texto: chave } = await c.api.criarChave(provedor);
  const ler = async () => (await c.api.get(`/faturas/${fatura.id}`, { chave })).corpo.dados;
  const antes = await ler();
  t.regex(antes.segunda_via.pix_copia_cola, new RegExp(fatura.pix_txid));

  const { segredo } = await c.api.container.receptores.criar(TERMINAL, provedor, { nome: 'Banco de teste' });
  const pix = {
    endToEndId: novoFimAFim(),
    txid: fatura.pix_txid as string,
    valor: Number(antes.valor_atualizado).toFixed(2),
    horario: '2026-11-23T14:00:00.000Z',
  };
  t.deepEqual(await criarPsp(c.api).avisar(segredo, [pix]), ['quitada']);
  t.is((await ler()).situacao, 'paga');
  t.like(await c.api.dono('contratos').where({ provedor_id: provedor }).first(), {
    situacao: 'ativo',
    bloqueio_origem: null,
  });
});

test.serial('só o que está em aberto ganha txid, e não o que se paga no balcão', async (t) => {
  const provedor = await c.fabrica.provedor();
  await c.importar(provedor, emCsv([linha(provedor, 1)]), { criar_planos: true });
  const csv = ['codigo;codigo_cliente;tipo;valor;vencimento;situacao']
    .concat(
      [
        '1;ixc:1;;50,00;10/12/2026;aberta',
        '2;ixc:1;boleto;50,00;10/12/2026;aberta',
        '3;ixc:1;carteira;50,00;10/12/2026;aberta',
      ],
      ['4;ixc:1;;50,00;10/10/2026;paga', '5;ixc:1;pix;50,00;10/10/2026;cancelada'],
    )
    .join('\n');
  await c.importar(provedor, csv);
  t.deepEqual(
    (await faturasDe(provedor)).map(({ tipo, pix_txid }) => [tipo, pix_txid !== null]),
    [
      ['pix', true],
      ['boleto', true],
      ['carteira', false],
      [null, false],
      ['pix', false],
    ],
  );
});
