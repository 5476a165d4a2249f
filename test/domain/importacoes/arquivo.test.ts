import test from 'ava';
import * as fc from 'fast-check';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { reconhecer } from '../../../src/domain/importacoes/arquivo/reconhecimento.regras.ts';
import {
  emData,
  emDinheiro,
  emDocumento,
  emMbps,
  emTelefones,
  velocidadeNoNome,
} from '../../../src/domain/importacoes/formatos/valores.regras.ts';
import { lerSituacao } from '../../../src/domain/importacoes/formatos/situacoes.regras.ts';
import { criarMarcas } from '../../../src/domain/importacoes/linhas/marcas.ts';
import { CamposInvalidos, EntradaInvalida } from '../../../src/domain/erros.ts';
import { quanto } from '../../support/prova.ts';
import {
  emCsv,
  emWindows1252,
  faturaDoIxc,
  linhaDoIxc,
  linhaDoMkauth,
  linhaDoSgp,
  numeros,
} from '../../support/importacao.ts';
import { contar, criarCenario } from './apoio.ts';
import type { Cenario } from './apoio.ts';

let c: Cenario;
test.before(async () => {
  c = await criarCenario();
});
test.after.always(() => c.api.fechar());

test('cada exportação se reconhece pelas colunas, com qualquer separador e codificação', (t) => {
  const casos = [
    [emCsv([linhaDoIxc(1), linhaDoIxc(2)]), 'ixc', 'clientes', ';'],
    [emCsv([linhaDoMkauth(1), linhaDoMkauth(2)], ','), 'mkauth', 'clientes', ','],
    [emCsv([linhaDoSgp(1), linhaDoSgp(2)], '\t'), 'sgp', 'clientes', '\t'],
    [emCsv([faturaDoIxc(1)], '|'), 'ixc', 'faturas', '|'],
    ['id;login;datavenc;valor;status;datapag;valorpag\n1;a;2026-11-10;99.90;aberto;;\n', 'mkauth', 'faturas', ';'],
    ['titulo;contrato;cpfcnpj;vencimento;valor;status;data_pagamento\n1;2;3;4;5;6;7\n', 'sgp', 'faturas', ';'],
    ['nome;download_mbps;upload_mbps;valor\nFibra;500;250;99,90\n', 'malha', 'planos', ';'],
    ['Nome;CPF/CNPJ;Dia Vencimento;Plano;Telefone1\nA;1;2;3;4\n', 'malha', 'clientes', ';'],
  ] as const;
  for (const [csv, formato, tipo, separador] of casos) {
    const achado = reconhecer(Buffer.from(csv), true);
    t.like(achado, { formato, tipo });
    t.is(achado.leitura.separador, separador);
    t.true(achado.leitura.cabecalho);
  }
  const latim = reconhecer(emWindows1252(emCsv([linhaDoIxc(1)])), false);
  t.is(latim.leitura.codificacao, 'windows-1252');
  const bom = reconhecer(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(emCsv([linhaDoIxc(1)]))]), true);
  t.like(bom, { formato: 'ixc' });
  t.is(bom.leitura.colunas[0], 'id_contrato');
  const dezesseis = Buffer.from(`\ufeff${emCsv([linhaDoSgp(1)])}`, 'utf16le');
  t.like(reconhecer(dezesseis, false), { formato: 'sgp' });
});

test('colunas repetidas ganham número, e sem cabeçalho se chamam pela posição', (t) => {
  const { leitura } = reconhecer(Buffer.from('id;razao;id;cnpj_cpf;dia_fixo_vencimento\n1;2;3;4;5\n'), true);
  t.deepEqual(leitura.colunas, ['id', 'razao', 'id_2', 'cnpj_cpf', 'dia_fixo_vencimento']);
  const sem = reconhecer(Buffer.from('1;Maria;52998224725\n2;Ana;11144477735\n'), true, {
    formato: 'malha',
    tipo: 'clientes',
  });
  t.false(sem.leitura.cabecalho);
  t.deepEqual(sem.leitura.colunas, ['coluna_1', 'coluna_2', 'coluna_3']);
});

test('o que não é um CSV se recusa, dizendo o que é', (t) => {
  const casos: readonly (readonly [Buffer, RegExp])[] = [
    [Buffer.alloc(0), /está vazio/],
    [Buffer.from('\n\n  \n'), /está vazio/],
    [Buffer.from('uma coluna\nsó\n'), /não tem colunas/],
    [Buffer.from('PK\u0003\u0004resto'), /é uma planilha/],
    [Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8]), /não é um texto/],
    [Buffer.from('a;b\n1;2\n'), /não se reconhece/],
    [Buffer.from(`${';'.repeat(400)}\n`), /mais de 300 colunas/],
  ];
  for (const [bytes, dito] of casos)
    t.throws(() => reconhecer(bytes, true), { instanceOf: CamposInvalidos, message: dito });
});

test('datas, valores, telefones, documentos e velocidades se leem como cada sistema os escreve', (t) => {
  t.is(emData('31/12/2025'), '2025-12-31');
  t.is(emData('2025-12-31 00:00:00'), '2025-12-31');
  t.is(emData('1/2/2025 10:00'), '2025-02-01');
  t.is(emData('00/00/0000'), undefined);
  t.is(emData('31/12/25'), '31/12/25');
  for (const [de, para] of [
    ['99,90', '99.90'],
    ['R$ 1.234,56', '1234.56'],
    ['99.9000', '99.90'],
    ['99.905', '99.905'],
    // A thousand and a half, or one and a half: the form refuses it.
    ['1.500', '1.500'],
    ['1,500.00', '1,500.00'],
    ['1.500.000,00', '1500000.00'],
    ['100', '100'],
    ['-5,00', '-5.00'],
  ] as const) {
    t.is(emDinheiro(de), para);
  }
  t.deepEqual(emTelefones('(35) 9 9999-0000 / 35 3222-1111'), ['(35) 9 9999-0000', '35 3222-1111']);
  t.deepEqual(emTelefones('(35) 9999-0000'), ['35999990000']);
  t.deepEqual(emTelefones('0000000000; '), []);
  t.is(emDocumento('2998224725'), '2998224725');
  t.is(emDocumento('191'), '191');
  for (const [de, para] of [
    ['500', '500'],
    ['500M', '500'],
    ['1G', '1000'],
    ['512000k', '512'],
    ['500 Mbps', '500'],
    ['rápido', 'rápido'],
  ] as const)
    t.is(emMbps(de), para);
  for (const [nome, mbps] of [
    ['FIBRA 500 MEGA', 500],
    ['1 Giga', 1000],
    ['Plano 700Mb', 700],
    ['Básico', null],
    ['Turbo 2000', null],
    ['400Mbps+TV', 400],
  ] as const) {
    t.is(velocidadeNoNome(nome), mbps, nome);
  }
});

test('CPF a que a planilha comeu os zeros volta a ter onze dígitos', (t) => {
  t.is(emDocumento('00000000191'), '00000000191');
  // 012.345.678-90
  t.is(emDocumento('1234567890'), '01234567890');
});

test('cada estado de cada sistema é o da tabela, e o desconhecido se diz de que coluna é', (t) => {
  t.deepEqual(lerSituacao('ixc', { situacao: 'a', situacao_internet: 'cm' }), {
    situacao: 'bloqueado',
    origem: 'manual',
  });
  t.deepEqual(lerSituacao('ixc', { situacao: 'a', situacao_internet: 'fa' }), {
    situacao: 'bloqueado',
    origem: 'financeiro',
  });
  t.deepEqual(lerSituacao('ixc', { situacao: 'i', situacao_internet: 'a' }), { situacao: 'inativo', origem: null });
  t.deepEqual(lerSituacao('ixc', { situacao: 'd' }), { situacao: 'cancelado', origem: null });
  t.deepEqual(lerSituacao('ixc', { situacao: 'a', situacao_internet: 'zz' }), { campo: 'situacao_internet' });
  t.deepEqual(lerSituacao('mkauth', { situacao: 's', bloqueado: 'sim' }), {
    situacao: 'bloqueado',
    origem: 'financeiro',
  });
  t.deepEqual(lerSituacao('mkauth', { situacao: 'n', bloqueado: 'sim' }), { situacao: 'cancelado', origem: null });
  t.deepEqual(lerSituacao('sgp', { situacao: 'suspenso' }), { situacao: 'bloqueado', origem: 'financeiro' });
  t.deepEqual(lerSituacao('malha', { situacao: 'bloqueado', bloqueio_origem: 'manual' }), {
    situacao: 'bloqueado',
    origem: 'manual',
  });
  t.deepEqual(lerSituacao('malha', {}), { situacao: 'ativo', origem: null });
  t.deepEqual(lerSituacao('malha', { situacao: 'constructor' }), { campo: 'situacao' });
});

test('as marcas sabem a primeira linha de cada texto, entre muitos', (t) => {
  const marcas = criarMarcas();
  for (const n of numeros(20_000)) t.is(marcas.marcar(`login:${n}`, n), null);
  for (const n of numeros(20_000)) t.is(marcas.marcar(`login:${n}`, n + 7), n);
});

test.serial('aspas que não se fecham e linhas sem fim dizem a linha, e nada fica a meio do dito', async (t) => {
  const provedor = await c.fabrica.provedor();
  const boas = emCsv(numeros(3).map((n) => linhaDoSgp(n)));
  for (const ruim of [`4;"sem fim;x\r\n${'5;a;b\r\n'.repeat(40_000)}`, `4;${'x'.repeat(300_000)}\r\n`, '4;"aberta']) {
    const { id } = await c.receber(provedor, boas + ruim);
    const simulada = await c.fazer(provedor, id, 'simular');
    t.regex(simulada.motivo ?? '', /^arquivo: a partir da linha \d+ não se separam as linhas/);
    t.like(simulada, { acao: null, situacao: 'nova' });
  }
  // Without quotation marks meaning anything, it is read.
  const { id } = await c.receber(provedor, boas.replace('José', '"José').replace('Antônia', '"Antônia'), {
    aspas: false,
  });
  t.is((await c.fazer(provedor, id, 'simular')).motivo, null);
});

test.serial('do que não se reconhece nada se guarda', async (t) => {
  const provedor = await c.fabrica.provedor();
  await t.throwsAsync(c.receber(provedor, 'a;b\n1;2\n'), { instanceOf: CamposInvalidos });
  async function* quebrada(): AsyncGenerator<Buffer> {
    yield Buffer.from(emCsv([linhaDoSgp(1)]));
    throw new Error('a conexão caiu');
  }
  await t.throwsAsync(c.importacoes.criar(TERMINAL, provedor, quebrada()), { message: 'a conexão caiu' });
  for (const tabela of ['importacoes', 'importacao_arquivos'])
    t.is(await contar(c.api, tabela, { provedor_id: provedor }), 0);
});

test.serial('qualquer arquivo se lê, se recusa ou se explica: nunca um erro nosso, nem nada gravado', async (t) => {
  const provedor = await c.fabrica.provedor();
  const antes = await c.somas();
  const boas = Buffer.from(emCsv(numeros(6).map((n) => linhaDoIxc(n))));
  const mexida = fc
    .array(fc.tuple(fc.nat(boas.length - 1), fc.uint8Array({ maxLength: 12 }), fc.nat(20)), {
      minLength: 1,
      maxLength: 8,
    })
    .map((mexidas) => {
      let bytes = boas;
      for (const [onde, novos, fora] of mexidas)
        bytes = Buffer.concat([bytes.subarray(0, onde), novos, bytes.subarray(onde + fora)]);
      return bytes;
    });
  const qualquer = fc.oneof(
    { weight: 4, arbitrary: mexida },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc
        .string({ unit: fc.constantFrom(';', '"', '\n', '\r', '\0', 'a', 'é', ' ', ',', '\t', '\u202e') })
        .map((um) => Buffer.concat([boas.subarray(0, 400), Buffer.from(um)])),
    },
  );
  await fc.assert(
    fc.asyncProperty(qualquer, async (bytes) => {
      try {
        const { id } = await c.receber(provedor, bytes);
        const simulada = await c.fazer(provedor, id, 'simular');
        const { lidas, gravadas, recusadas, ja_estavam } = simulada.contagens;
        t.is(lidas, gravadas + recusadas + ja_estavam);
        t.true(simulada.motivo === null || /^\w+: /.test(simulada.motivo), simulada.motivo ?? '');
      } catch (error) {
        t.true(error instanceof EntradaInvalida, String(error));
      }
    }),
    { numRuns: quanto(80, 2000) },
  );
  t.deepEqual(await c.somas(), antes);
});

test.serial('um arquivo grande se recebe e se simula em memória limitada', async (t) => {
  t.timeout(20 * 60_000);
  const provedor = await c.fabrica.provedor();
  const megas = quanto(4, 200);
  const linha = emCsv([linhaDoSgp(1)]).split('\r\n')[1]!;
  async function* grande(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${emCsv([linhaDoSgp(1)]).split('\r\n')[0]}\r\n`);
    const porVez = Math.ceil(65_536 / linha.length);
    const vezes = Math.ceil((megas * 2 ** 20) / (porVez * linha.length));
    for (let vez = 0; vez < vezes; vez += 1) {
      yield Buffer.from(
        Array.from({ length: porVez }, (_, n) =>
          linha.replace(/^1;/, `${vez * porVez + n};`).replace('sgp1;', `sgp${vez * porVez + n};`),
        ).join('\r\n') + '\r\n',
      );
    }
  }
  const { importacoes } = c;
  const recebida = await importacoes.criar(TERMINAL, provedor, grande());
  t.true(recebida.bytes >= megas * 2 ** 20);
  const antes = process.memoryUsage().rss;
  const simulada = await c.fazer(provedor, recebida.id, 'simular');
  t.is(simulada.contagens.lidas, recebida.linhas);
  const subiu = (process.memoryUsage().rss - antes) / 2 ** 20;
  t.log(`${megas} MB: ${recebida.linhas} linhas, ${Math.round(subiu)} MB a mais`);
  t.true(subiu < 250, `${subiu} MB`);
});
