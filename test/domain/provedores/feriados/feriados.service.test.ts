import test from 'ava';
import { diaUtil } from '../../../../src/brazil/calendario/calendario-bancario.ts';
import { diaDaSemana, lerData, somarDias } from '../../../../src/brazil/calendario/datas.ts';
import { TERMINAL } from '../../../../src/domain/actor.ts';
import type { Data } from '../../../../src/brazil/calendario/datas.ts';
import { jsonColumn } from '../../../../src/platform/mysql/database.ts';
import { AUTOR } from '../../../support/autor.ts';
import { criarApi } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { criarCobrado, pedirPagina } from '../../../support/cobrancas.ts';
import { criarFabrica } from '../../../support/fabrica.ts';
import type { Fabrica } from '../../../support/fabrica.ts';
import { criarPsp, novoFimAFim } from '../../../support/recebimentos.ts';
import { relogioEm } from '../../../support/relogio.ts';
import { lerNdjson, pastaDe } from '../../extratos/apoio.ts';

/** Friday, noon in São Paulo; the day before is a holiday there. */
const AGORA = '2026-07-10T15:00:00.000Z';
const ONTEM = '2026-07-09';
const HOJE = '2026-07-10' as Data;
const SEM_PARAR = { signal: new AbortController().signal, aoAvancar: () => {} };

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
let psp: ReturnType<typeof criarPsp>;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  fabrica = criarFabrica(api.dono);
  psp = criarPsp(api);
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

async function cobrado(uf: string | null = null) {
  const a = await criarCobrado(api, fabrica);
  await api.dono('provedores_identidade').insert({ provedor_id: a.provedor, uf });
  return a;
}

const auditoriaDe = async (provedor: number): Promise<[string, unknown][]> =>
  (await api.dono('auditoria').where({ provedor_id: provedor }).where('acao', 'like', 'provedor.%').orderBy('id')).map(
    ({ acao, dados }) => [acao, jsonColumn(dados)],
  );

/** What everybody says that an invoice of 99.90 asks for today: both processes, its page, the night and the extract. */
async function oQueSePede(
  { provedor, chave }: { provedor: number; chave: string },
  fatura: { id: number; token: string },
) {
  const { tarefas } = api.container;
  const dia = relogio.agora().toISOString().slice(0, 10) as Data;
  const lidas = [];
  for (const processo of [0, 1, 0, 1]) {
    lidas.push((await api.get(`/faturas/${fatura.id}`, { chave, processo })).corpo.dados.valor_atualizado);
  }
  const { texto } = await pedirPagina(api, `/pix/${fatura.token}`);
  await tarefas.executar(AUTOR, { tarefa: 'pix.recalcular', provedorId: provedor, dia }, SEM_PARAR);
  const { valor_atualizado: noite } = await api.dono('faturas').where({ id: fatura.id }).first('valor_atualizado');
  await tarefas.executar(AUTOR, { tarefa: 'extratos.gerar', provedorId: provedor, dia }, SEM_PARAR);
  const { pasta } = await pastaDe(api, provedor);
  const extrato = (await lerNdjson(`${pasta}/faturas.ndjson.gz`)).find(({ id }) => id === fatura.id)?.[
    'valor_atualizado'
  ];
  const pagina = Number(/class="total">R\$\s*([\d,]+)/u.exec(texto)?.[1]?.replace(',', '.'));
  return { lidas: [...new Set(lidas)], pagina, noite, extrato };
}
const SEM_ENCARGOS = { lidas: [null], pagina: 99.9, noite: null, extrato: null };
const UM_DIA = { lidas: [101.93], pagina: 101.93, noite: '101.93', extrato: 101.93 };

test.serial(
  'o feriado do estado do provedor não é dia de pagar: API, página, noite e extrato dizem o mesmo',
  async (t) => {
    for (const [uf, dito] of [
      ['SP', SEM_ENCARGOS],
      ['MG', UM_DIA],
      [null, UM_DIA],
    ] as const) {
      const a = await cobrado(uf);
      t.deepEqual(
        await oQueSePede(a, await a.fatura({ vencimento: ONTEM, emitida_em: '2026-06-01 09:00:00' })),
        dito,
        String(uf),
      );
    }
  },
);

test.serial('o que vence em 31 de dezembro se paga sem encargos no primeiro dia útil do ano', async (t) => {
  const a = await cobrado();
  const fatura = await a.fatura({ vencimento: '2026-12-31', emitida_em: '2026-12-01 09:00:00' });
  relogio.definir('2027-01-04T15:00:00.000Z');
  t.deepEqual(await oQueSePede(a, fatura), SEM_ENCARGOS);
  relogio.definir('2027-01-05T15:00:00.000Z');
  t.deepEqual(await oQueSePede(a, fatura), UM_DIA);
});

test.serial('a Quarta-feira de Cinzas é dia útil', async (t) => {
  const a = await cobrado();
  const fatura = await a.fatura({ vencimento: '2026-02-18', emitida_em: '2026-02-01 09:00:00' });
  relogio.definir('2026-02-19T15:00:00.000Z');
  t.is((await a.ler(fatura.id)).valor_atualizado, 101.93);
});

test.serial(
  'um dia do provedor vale para tudo assim que o comando responde, e deixa de valer quando é removido',
  async (t) => {
    const { feriados } = api.container;
    const a = await cobrado('MG');
    const fatura = await a.fatura({ vencimento: ONTEM, emitida_em: '2026-06-01 09:00:00' });
    t.deepEqual(await oQueSePede(a, fatura), UM_DIA);
    const vizinho = await cobrado('MG');
    const doVizinho = await vizinho.fatura({ vencimento: ONTEM, emitida_em: '2026-06-01 09:00:00' });
    t.deepEqual(
      await feriados.adicionar(TERMINAL, a.provedor, {
        dia: '09/07',
        nome: ' Aniversário  da cidade ',
        diaUtil: false,
      }),
      {
        dia: '07-09',
        nome: 'Aniversário da cidade',
        diaUtil: false,
      },
    );
    // The night's and the extract's day are to be done again; the extract is the operator's to ask for.
    const semExtrato = ({ lidas, pagina, noite }: Awaited<ReturnType<typeof oQueSePede>>) => ({ lidas, pagina, noite });
    t.deepEqual(semExtrato(await oQueSePede(a, fatura)), semExtrato(SEM_ENCARGOS));
    t.deepEqual(await oQueSePede(vizinho, doVizinho), UM_DIA);
    t.is(await feriados.remover(TERMINAL, a.provedor, '07-09'), '07-09');
    t.deepEqual(semExtrato(await oQueSePede(a, fatura)), semExtrato(UM_DIA));
    t.deepEqual(await auditoriaDe(a.provedor), [
      ['provedor.feriado_adicionado', { dia: '07-09' }],
      ['provedor.feriado_removido', { dia: '07-09' }],
    ]);
  },
);

test.serial('o PIX do valor de face quita o que venceu em um feriado do provedor', async (t) => {
  const a = await cobrado();
  const fatura = await a.fatura({ vencimento: ONTEM, emitida_em: '2026-06-01 09:00:00' });
  await api.container.feriados.adicionar(TERMINAL, a.provedor, { dia: ONTEM, nome: 'Padroeira', diaUtil: false });
  const pago = { endToEndId: novoFimAFim(), txid: fatura.txid, valor: '99.90', horario: '2026-07-10T14:59:00Z' };
  t.deepEqual(await psp.avisar(a.segredo, [pago]), ['quitada']);
});

test.serial('um dia útil do provedor desfaz um feriado que a lista do estado tem, e só um desses', async (t) => {
  const { feriados } = api.container;
  const a = await cobrado('SP');
  const fatura = await a.fatura({ vencimento: ONTEM, emitida_em: '2026-06-01 09:00:00' });
  t.is((await a.ler(fatura.id)).valor_atualizado, null);
  await feriados.adicionar(TERMINAL, a.provedor, { dia: '07-09', nome: 'Abrem', diaUtil: true });
  t.is((await a.ler(fatura.id)).valor_atualizado, 101.93);
  for (const dia of ['12-25', '07-10', '2026-07-10']) {
    await t.throwsAsync(feriados.adicionar(TERMINAL, a.provedor, { dia, nome: 'x', diaUtil: true }), {
      message: `dia-util: só desfaz um feriado da lista do estado, e a lista de SP não tem ${dia}`,
    });
  }
  const semUf = await cobrado();
  await t.throwsAsync(feriados.adicionar(TERMINAL, semUf.provedor, { dia: '07-09', nome: 'x', diaUtil: true }), {
    message: /o provedor não tem uf$/,
  });
});

test.serial('mudar a uf refaz a noite e muda o que se pede', async (t) => {
  const a = await cobrado('MG');
  const fatura = await a.fatura({ vencimento: ONTEM, emitida_em: '2026-06-01 09:00:00' });
  const noite = async () => {
    const { desfecho } = await api.container.tarefas.executar(
      AUTOR,
      { tarefa: 'pix.recalcular', provedorId: a.provedor, dia: HOJE },
      SEM_PARAR,
    );
    const { valor_atualizado } = await api.dono('faturas').where({ id: fatura.id }).first('valor_atualizado');
    return [desfecho, valor_atualizado];
  };
  t.deepEqual(await noite(), ['concluida', '101.93']);
  await api.container.configuracao.configurar(TERMINAL, a.provedor, { uf: 'SP' });
  t.is((await a.ler(fatura.id)).valor_atualizado, null);
  t.deepEqual(await noite(), ['concluida', null]);
});

test.serial('o que já é assim não muda nada, e um dia de novo muda de nome', async (t) => {
  const { feriados } = api.container;
  const { provedor } = await cobrado();
  const dia = { dia: '19/03/2027', nome: 'Aniversário', diaUtil: false };
  await feriados.adicionar(TERMINAL, provedor, dia);
  await feriados.adicionar(TERMINAL, provedor, { ...dia, dia: '2027-03-19' });
  t.is((await auditoriaDe(provedor)).length, 1);
  await feriados.adicionar(TERMINAL, provedor, { ...dia, nome: 'São José' });
  await feriados.adicionar(TERMINAL, provedor, { ...dia, dia: '01/12' });
  t.deepEqual(await feriados.listar(provedor), [
    { dia: '12-01', nome: 'Aniversário', diaUtil: false },
    { dia: '2027-03-19', nome: 'São José', diaUtil: false },
  ]);
  t.deepEqual(
    (await auditoriaDe(provedor)).map(([acao]) => acao),
    ['adicionado', 'alterado', 'adicionado'].map((feito) => `provedor.feriado_${feito}`),
  );
  t.is(await feriados.remover(TERMINAL, provedor, '02/12'), null);
  t.is((await auditoriaDe(provedor)).length, 3);
});

test.serial('o calendário de um ano tem os dias do país, do estado e do provedor, com quem os diz', async (t) => {
  const { feriados, provedores } = api.container;
  const { provedor } = await cobrado('RJ');
  await feriados.adicionar(TERMINAL, provedor, { dia: '20/01', nome: 'São Sebastião', diaUtil: false });
  await feriados.adicionar(TERMINAL, provedor, { dia: '29/02', nome: 'Dia bissexto', diaUtil: false });
  await feriados.adicionar(TERMINAL, provedor, { dia: '15/11/2027', nome: 'Já nacional', diaUtil: false });
  await feriados.adicionar(TERMINAL, provedor, { dia: '23/04/2027', nome: 'Abrem', diaUtil: true });
  const doAno = async (ano: number) => {
    const quem = await provedores.exigirPorId(provedor);
    const dias = await feriados.doAno(quem, ano);
    // Of weekdays, it has those on which late is not judged, and no others.
    const listados = new Set(dias.map(({ dia }) => dia));
    for (let dia = lerData(`${ano}-01-01`)!; dia.startsWith(`${ano}-`); dia = somarDias(dia, 1)) {
      if (diaDaSemana(dia) % 6 !== 0) t.is(listados.has(dia), !diaUtil(dia, quem.regras.calendario), dia);
    }
    return dias.map(({ dia, origem }) => `${dia} ${origem}`);
  };
  const de2026 = await doAno(2026);
  t.is(de2026.length, 16);
  for (const linha of ['2026-01-20 provedor', '2026-04-23 estado', '2026-12-31 nacional'])
    t.true(de2026.includes(linha), linha);
  const de2027 = await doAno(2027);
  t.false(de2027.some((linha) => linha.startsWith('2027-04-23') || linha.startsWith('2027-02-29')));
  t.true(de2027.includes('2027-11-15 nacional'));
  t.true((await doAno(2032)).includes('2032-02-29 provedor'));
});

test.serial('o que não serve é recusado pelo nome, e nada é gravado', async (t) => {
  const { feriados } = api.container;
  const { provedor } = await cobrado();
  const bom = { dia: '19/03', nome: 'Aniversário', diaUtil: false };
  for (const dia of ['', 'ontem', '30/02', '31/04/2027', '2027-13-01', '02-30', '19-03', '2027', '1/1/27']) {
    await t.throwsAsync(
      feriados.adicionar(TERMINAL, provedor, { ...bom, dia }),
      { message: /^dia: um dia de um ano/ },
      dia,
    );
    await t.throwsAsync(feriados.remover(TERMINAL, provedor, dia), { message: /^dia: / }, dia);
  }
  for (const nome of ['', '  ', 'x'.repeat(121), 'a\u0007b']) {
    await t.throwsAsync(feriados.adicionar(TERMINAL, provedor, { ...bom, nome }), {
      message: 'nome: de 1 a 120 caracteres',
    });
  }
  for (const tentar of [feriados.adicionar(TERMINAL, 999_999, bom), feriados.remover(TERMINAL, 999_999, bom.dia)]) {
    await t.throwsAsync(tentar, { message: 'provedor 999999 não existe' });
  }
  t.deepEqual(await feriados.listar(provedor), []);
  t.deepEqual(await auditoriaDe(provedor), []);
});

test.serial('um provedor tem no máximo cem dias seus', async (t) => {
  const { feriados } = api.container;
  const { provedor } = await cobrado();
  const dias = Array.from({ length: 99 }, (_, n) => new Date(Date.UTC(2027, 0, 1 + n)).toISOString().slice(0, 10));
  await api.dono('provedores_feriados').insert(dias.map((dia) => ({ provedor_id: provedor, dia, nome: 'x' })));
  await feriados.adicionar(TERMINAL, provedor, { dia: '2027-12-01', nome: 'x', diaUtil: false });
  await t.throwsAsync(feriados.adicionar(TERMINAL, provedor, { dia: '2027-12-02', nome: 'x', diaUtil: false }), {
    message: 'um provedor tem no máximo 100 dias próprios',
  });
  await feriados.adicionar(TERMINAL, provedor, { dia: '2027-12-01', nome: 'outro', diaUtil: false });
});
