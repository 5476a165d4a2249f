import test from 'ava';
import { RECUSAS } from '../../../src/domain/erros.ts';
import { cpfDe, emCsv, linhaDoIxc, numeros } from '../../support/importacao.ts';
import { contagens, contar, criarCenario } from './apoio.ts';
import type { Cenario } from './apoio.ts';

let c: Cenario;
test.before(async () => {
  c = await criarCenario();
});
test.after.always(() => c.api.fechar());

async function provedorComPlano(): Promise<number> {
  const provedor = await c.fabrica.provedor();
  await c.fabrica.plano(provedor, { nome: 'Fibra' });
  return provedor;
}

/** Lines of our own columns: a contract's code, its client's, which client, and what else there is. */
const linhaDe = (
  [codigo, cliente, n]: readonly [string, string, number],
  mais: Readonly<Record<string, string>> = {},
) => ({
  codigo,
  codigo_cliente: cliente,
  nome: `Cliente ${n}`,
  cpf_cnpj: cpfDe(n),
  plano: 'Fibra',
  dia_vencimento: '10',
  situacao: 'ativo',
  desbloqueio_ate: '',
  ipv6_prefixo: '',
  ativado_em: '',
  ...mais,
});

const tituloDe = (codigo: string, mais: Readonly<Record<string, string>>) => ({
  codigo,
  codigo_contrato: '',
  codigo_cliente: '',
  cpf_cnpj: '',
  valor: '50,00',
  vencimento: '10/12/2026',
  emitida_em: '',
  ...mais,
});

test.serial('quem só se pré-cadastrou com um CPF não recebe os contratos nem as dívidas de quem o tem', async (t) => {
  const provedor = await provedorComPlano();
  const doConvite = await c.fabrica.cliente(provedor, { cpf_cnpj: cpfDe(1), situacao: 'pre_cadastro' });
  const impostor = await c.fabrica.cliente(provedor, { cpf_cnpj: cpfDe(2), situacao: 'pre_cadastro' });
  const real = await c.fabrica.cliente(provedor, { cpf_cnpj: cpfDe(2) });
  await c.fabrica.cliente(provedor, { cpf_cnpj: cpfDe(3), situacao: 'pre_cadastro' });
  const saiu = await c.fabrica.cliente(provedor, { cpf_cnpj: cpfDe(3), situacao: 'cancelado' });
  const csv = emCsv([linhaDe(['1', '', 1]), linhaDe(['2', '', 2])]);
  const { id } = await c.receber(provedor, csv);
  contagens(t, await c.fazer(provedor, id, 'simular'), { gravadas: 1, recusadas: 1, clientes: 0 });
  await c.fazer(provedor, id, 'executar');
  t.deepEqual(await c.erros(provedor, id), [`2 cpf_cnpj: ${RECUSAS.confirmacao_exigida}`]);
  const titulos = await c.importar(provedor, emCsv([1, 2, 3].map((n) => tituloDe(`t${n}`, { cpf_cnpj: cpfDe(n) }))));
  t.deepEqual(await c.erros(provedor, titulos.id), [`2 cpf_cnpj: ${RECUSAS.confirmacao_exigida}`]);
  for (const tabela of ['contratos', 'faturas']) {
    for (const cliente_id of [doConvite, impostor]) t.is(await contar(c.api, tabela, { cliente_id }), 0, tabela);
    t.is(await contar(c.api, tabela, { cliente_id: real }), 1, tabela);
  }
  t.is(await contar(c.api, 'faturas', { cliente_id: saiu }), 1);
});

test.serial('o código de um contrato não é o de outro cliente, no mesmo lote ou noutro', async (t) => {
  const provedor = await provedorComPlano();
  const { id } = await c.importar(
    provedor,
    emCsv([
      linhaDe(['10', '', 1]),
      linhaDe(['77', '10', 2]),
      linhaDe(['78', '10', 1]),
      linhaDe(['90', '20', 3]),
      linhaDe(['20', '', 4]),
    ]),
  );
  t.deepEqual(await c.erros(provedor, id), [
    '3 codigo_cliente: a linha 2 o dá a outro CPF ou CNPJ',
    '6 codigo: a linha 5 o dá a outro CPF ou CNPJ',
  ]);
  const donos = await c.api
    .dono('contratos as k')
    .join('clientes as c', 'c.id', 'k.cliente_id')
    .where('k.provedor_id', provedor)
    .orderBy('k.id')
    .select('k.codigo_externo as contrato', 'c.cpf_cnpj as de');
  t.deepEqual(
    donos.map(({ contrato, de }) => [contrato, de]),
    [
      ['10', cpfDe(1)],
      ['78', cpfDe(1)],
      ['90', cpfDe(3)],
    ],
  );
});

test.serial(
  'um título é de quem a linha diz: o CPF confere, e o código de um contrato não é o de um cliente',
  async (t) => {
    const provedor = await provedorComPlano();
    await c.importar(provedor, emCsv([linhaDe(['10', '', 1]), linhaDe(['500', '50', 2]), linhaDe(['50', '60', 3])]));
    const { id } = await c.importar(
      provedor,
      emCsv([
        tituloDe('a', { codigo_contrato: '99', codigo_cliente: '10' }),
        tituloDe('b', { codigo_contrato: '99', codigo_cliente: '10', cpf_cnpj: cpfDe(2) }),
        tituloDe('c', { codigo_contrato: '10', cpf_cnpj: cpfDe(2) }),
        tituloDe('d', { codigo_contrato: '99', codigo_cliente: '10', cpf_cnpj: cpfDe(1) }),
        tituloDe('e', { codigo_contrato: '10' }),
        // Another's contract has the same number, and the client's own is his.
        tituloDe('f', { codigo_contrato: '99', codigo_cliente: '50' }),
      ]),
    );
    t.deepEqual(await c.erros(provedor, id), [
      '2 codigo_cliente: é também o código de um contrato do cliente; diga o código do contrato, ou o CPF ou CNPJ',
      '3 cpf_cnpj: não é o do dono do contrato ou do código',
      '4 cpf_cnpj: não é o do dono do contrato ou do código',
    ]);
    const donos = await c.api
      .dono('faturas as f')
      .join('clientes as c', 'c.id', 'f.cliente_id')
      .where('f.provedor_id', provedor)
      .orderBy('f.id')
      .select('f.codigo_externo as fatura', 'c.cpf_cnpj as de');
    t.deepEqual(
      donos.map(({ fatura, de }) => [fatura, de]),
      [
        ['d', cpfDe(1)],
        ['e', cpfDe(1)],
        ['f', cpfDe(2)],
      ],
    );
  },
);

test.serial(
  'um cliente inativo volta a ativo com o seu segundo contrato, também noutro lote e só pelo CPF',
  async (t) => {
    const provedor = await provedorComPlano();
    await c.importar(
      provedor,
      emCsv([
        linhaDe(['1', '', 1], { situacao: 'inativo' }),
        ...numeros(500, 100).map((n) => linhaDe([String(n), '', n])),
        linhaDe(['2', '', 1]),
      ]),
    );
    const deles = await c.api.dono('clientes').where({ provedor_id: provedor, cpf_cnpj: cpfDe(1) });
    t.deepEqual(
      deles.map(({ situacao }) => situacao),
      ['ativo'],
    );
  },
);

test.serial('o cliente que um lote faz e outro muda é calado, e se desfaz inteiro', async (t) => {
  const provedor = await provedorComPlano();
  const de = (n: number, cliente: number, mais: Readonly<Record<string, string>> = {}) =>
    linhaDoIxc(n, {
      id_cliente: String(cliente),
      cnpj_cpf: cpfDe(cliente),
      login: `c${n}@p${provedor}`,
      contrato: 'Fibra',
      ...mais,
    });
  const { id } = await c.importar(
    provedor,
    emCsv([
      de(1, 1, { status_internet: 'FA' }),
      de(2, 2, { status: 'N' }),
      // Another lot begins.
      ...numeros(500, 100).map((n) => de(n, n)),
      de(701, 1),
      de(702, 2),
    ]),
  );
  const situacoes = await c.api.dono('clientes').where({ provedor_id: provedor }).orderBy('id').limit(2);
  t.deepEqual(
    situacoes.map(({ situacao }) => situacao),
    ['ativo', 'ativo'],
  );
  t.is(await contar(c.api, 'eventos', { provedor_id: provedor, tipo: 'cliente.atualizado' }), 0);
  t.like((await c.fazer(provedor, id, 'desfazer')).contagens, { desfeitas: 504, ficaram: 0 });
  t.is(await contar(c.api, 'clientes', { provedor_id: provedor }), 0);
  t.is(await contar(c.api, 'eventos', { provedor_id: provedor, tipo: 'cliente.atualizado' }), 0);
});

test.serial(
  'datas e prefixos que banco ou relógio não têm se recusam na linha, e um desbloqueio tem fim',
  async (t) => {
    const provedor = await provedorComPlano();
    const { id } = await c.receber(
      provedor,
      emCsv([
        linhaDe(['1', '', 1], { desbloqueio_ate: '31/12/9999' }),
        linhaDe(['2', '', 2], { desbloqueio_ate: '31/12/2099' }),
        linhaDe(['3', '', 3], { ipv6_prefixo: '0000:0000:0000:0000:0000:ffff:255.255.255.255/128' }),
        linhaDe(['4', '', 4], { ativado_em: '01/01/1000' }),
        linhaDe(['5', '', 5], { desbloqueio_ate: '21/02/2027', ipv6_prefixo: '2001:db8:100::/56' }),
        linhaDe(['6', '', 6], { desbloqueio_ate: '22/02/2027' }),
      ]),
    );
    contagens(t, await c.fazer(provedor, id, 'simular'), { gravadas: 1, recusadas: 5, desbloqueios: 1 });
    contagens(t, await c.fazer(provedor, id, 'executar'), { gravadas: 1, recusadas: 5, desbloqueios: 1 });
    t.deepEqual(await c.erros(provedor, id), [
      '2 desbloqueio_ate: deve ser de 1900 a 2100',
      '3 desbloqueio_ate: deve ser no máximo 90 dias depois de hoje',
      '4 ipv6_prefixo: deve ser um prefixo IPv6, como 2001:db8:100::/56',
      '5 ativado_em: deve ser de 1900 a 2100',
      '7 desbloqueio_ate: deve ser no máximo 90 dias depois de hoje',
    ]);
    const titulos = await c.importar(
      provedor,
      emCsv([
        tituloDe('a', { codigo_contrato: '5', emitida_em: '9999-12-31' }),
        tituloDe('b', { codigo_contrato: '5', vencimento: '1000-01-01' }),
        tituloDe('c', { codigo_contrato: '5' }),
      ]),
    );
    contagens(t, titulos, { gravadas: 1, recusadas: 2 });
  },
);
