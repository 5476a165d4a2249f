import test from 'ava';
import { criarCalendarioBancario } from '../../../src/brazil/calendario/calendario-bancario.ts';
import { createProvedoresService } from '../../../src/domain/provedores/provedores.service.ts';
import type { ProvedoresService } from '../../../src/domain/provedores/provedores.service.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';

/** The account that a provider has from the beginning. */
const SEM_NADA = {
  nome: 'Principal',
  cnpj: null,
  padrao: true,
  recebedor: null,
  pix: { chave: null, nome: null, cidade: null },
  boleto: { banco: null, agenciaCodigo: null, carteira: null },
};

const FUSO = 'America/Sao_Paulo';

let banco: Banco;
let provedores: ProvedoresService;
test.before(async () => {
  banco = await criarBanco();
  provedores = createProvedoresService({ db: banco.db });
});
test.after.always(() => banco.fechar());

let serie = 0;
const host = (): string => `painel${(serie += 1)}.provedores.test`;

test('um provedor novo tem as regras de cobrança padrão: multa de 2 %, juros de 1 % ao mês, sem carência nem desbloqueio', async (t) => {
  const panelHost = host();
  const criado = await provedores.criar({ nome: '  Serra Fibra  ', panelHost, fusoHorario: 'America/Manaus' });
  t.deepEqual(criado, {
    id: criado.id,
    nome: 'Serra Fibra',
    panelHost,
    fusoHorario: 'America/Manaus',
    cnpj: null,
    viveFora: false,
    mudando: false,
    appEditaCadastro: true,
    buscas: { emVaoPorHora: 30, clientesPorHora: 300 },
    contas: [{ ...SEM_NADA, id: criado.contas[0]!.id }],
    regras: {
      multaPercentual: 200,
      jurosMensalPercentual: 100,
      carenciaDias: 0,
      promessaDias: 7,
      toleranciaPixDias: 1,
      excedenteViraCredito: false,
      desbloqueioHabilitado: false,
      desbloqueioDias: 3,
      calendario: criarCalendarioBancario(null),
    },
  });
  t.deepEqual(await provedores.buscarPorId(criado.id), criado);
  t.true((await provedores.listar()).some(({ id }) => id === criado.id));
});

test('as regras vêm do banco em centésimos exatos', async (t) => {
  const { id } = await provedores.criar({ nome: 'x', panelHost: host(), fusoHorario: FUSO });
  const regras = {
    multa_percentual: '1.07',
    juros_mensal_percentual: '0.29',
    carencia_dias: 5,
    desbloqueio_habilitado: 1,
  };
  await banco.db('regras_cobranca').where('provedor_id', id).update(regras);
  t.like((await provedores.buscarPorId(id))!.regras, {
    multaPercentual: 107,
    jurosMensalPercentual: 29,
    carenciaDias: 5,
    desbloqueioHabilitado: true,
  });
});

test('o host é guardado em minúsculas, acha o seu provedor e é de um só', async (t) => {
  const panelHost = host();
  const { id } = await provedores.criar({ nome: 'x', panelHost: panelHost.toUpperCase(), fusoHorario: FUSO });
  t.is(await provedores.idPorHost(panelHost), id);
  t.is(await provedores.idPorHost(`outro.${panelHost}`), null);
  for (const tomado of [panelHost, panelHost.toUpperCase()]) {
    await t.throwsAsync(provedores.criar({ nome: 'y', panelHost: tomado, fusoHorario: FUSO }), {
      message: `host: ${panelHost} já é de outro provedor`,
    });
  }
});

test('de vários que pedem o mesmo host ao mesmo tempo, um só fica com ele', async (t) => {
  const panelHost = host();
  const pedidos = Array.from({ length: 5 }, () => provedores.criar({ nome: 'x', panelHost, fusoHorario: FUSO }));
  const feitos = (await Promise.allSettled(pedidos)).filter(({ status }) => status === 'fulfilled');
  t.is(feitos.length, 1);
  const [{ total }] = (await banco
    .db('regras_cobranca')
    .join('provedores', 'provedores.id', 'regras_cobranca.provedor_id')
    .where({ panel_host: panelHost })
    .count({ total: '*' })) as [{ total: number }];
  t.is(total, 1);
});

for (const panelHost of ['painel.exemplo.com.br', 'a.b', 'xn--so-paulo-8za.test', `${'a'.repeat(63)}.test`]) {
  test(`o host ${panelHost} serve`, async (t) => {
    t.is((await provedores.criar({ nome: 'x', panelHost, fusoHorario: FUSO })).panelHost, panelHost);
  });
}

for (const panelHost of [
  '',
  'localhost',
  '10.0.0.1',
  '1.2',
  '[::1]',
  'são-paulo.test',
  'a b.test',
  '-a.test',
  'a-.test',
  'a..test',
  '.test',
  'a.test.',
  'a.test:8080',
  'http://a.test',
  'a.test/',
  'a_b.test',
  `${'a'.repeat(64)}.test`,
  `${'a.'.repeat(126)}test`,
]) {
  test(`o host "${panelHost.slice(0, 70)}" é recusado`, async (t) => {
    await t.throwsAsync(provedores.criar({ nome: 'x', panelHost, fusoHorario: FUSO }), {
      message: /^host: um nome de host/,
    });
  });
}

for (const fusoHorario of ['', 'Lua/Mar', '-03:00', 'America/Sao_Paulo '] as const) {
  test(`o fuso "${fusoHorario}" é recusado`, async (t) => {
    await t.throwsAsync(provedores.criar({ nome: 'x', panelHost: host(), fusoHorario }), {
      message: /^fuso: um fuso IANA/,
    });
  });
}

test('o nome tem de 1 a 120 caracteres', async (t) => {
  for (const nome of ['', '   ', '\u200b\u3164', 'x'.repeat(121)]) {
    await t.throwsAsync(provedores.criar({ nome, panelHost: host(), fusoHorario: FUSO }), {
      message: /^nome: de 1 a 120/,
    });
  }
  t.is((await provedores.criar({ nome: 'ç'.repeat(120), panelHost: host(), fusoHorario: FUSO })).nome, 'ç'.repeat(120));
});

test('um provedor que não existe é null', async (t) => {
  t.is(await provedores.buscarPorId(999_999), null);
});
