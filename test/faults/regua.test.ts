import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { TERMINAL } from '../../src/domain/actor.ts';
import { diaDaSemana, hojeEm, inicioDoDiaEm, lerData, somarDias } from '../../src/brazil/calendario/datas.ts';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import type { Escritas } from '../../src/domain/dominio.ts';
import { Recusa } from '../../src/domain/erros.ts';
import { fromDatabaseTime } from '../../src/platform/mysql/database.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { AUTOR } from '../support/autor.ts';
import { criarFabrica } from '../support/fabrica.ts';
import type { Fabrica } from '../support/fabrica.ts';
import { quanto } from '../support/prova.ts';
import { relogioEm } from '../support/relogio.ts';
import { sorteio } from '../support/sorteio.ts';

const SEMENTE = Number(process.env['MALHA_TEST_SEED'] ?? 765);
const INICIO = lerData('2027-01-04')!;
const DIAS = quanto(110, 365);
const CONTRATOS = quanto(30, 260);
/** Of the far west, of the centre, and of the islands: each is at another day for some hours. */
const FUSOS =
  quanto(2, 4) === 2
    ? ['America/Sao_Paulo', 'America/Rio_Branco']
    : ['America/Sao_Paulo', 'America/Rio_Branco', 'America/Manaus', 'America/Noronha'];
const CARENCIA = 3;
const TOLERANCIA = 1;

const relogio = relogioEm('2027-01-04T15:00:00Z');
let api: Api;
let fabrica: Fabrica;

test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(async () => api.fechar());

/** The days without banks of 2027, out of the banks' own list, beside what the programme computes; and the provider's own. */
const SEM_BANCO = new Set([
  '2027-01-01',
  '2027-02-08',
  '2027-02-09',
  '2027-03-26',
  '2027-04-21',
  '2027-05-27',
  '2027-06-16',
  '2027-09-07',
  '2027-10-12',
  '2027-11-02',
  '2027-11-15',
  '2027-11-20',
  '2027-12-31',
  '2028-01-01',
]);
const comBanco = (dia: Data): boolean => ![0, 6].includes(diaDaSemana(dia)) && !SEM_BANCO.has(dia);
const primeiroComBanco = (dia: Data): Data => (comBanco(dia) ? dia : primeiroComBanco(somarDias(dia, 1)));

interface Simulado {
  id: number;
  fuso: string;
  contratos: { id: number; cliente: number }[];
}

async function mudar<V>(provedorId: number, fazer: (escritas: Escritas) => Promise<V>): Promise<V | null> {
  const provedor = await api.container.provedores.exigirPorId(provedorId);
  try {
    return await api.container.changeTenant(AUTOR, provedor, async (_, escritas) => fazer(escritas));
  } catch (error) {
    // What the house refuses, such as a second promise, does not happen.
    if (error instanceof Recusa) return null;
    throw error;
  }
}

async function simulado(fuso: string): Promise<Simulado> {
  const id = await fabrica.provedor(
    { fuso_horario: fuso },
    {
      carencia_dias: CARENCIA,
      tolerancia_pix_dias: TOLERANCIA,
      desbloqueio_habilitado: 1,
      desbloqueio_dias: 3,
      promessa_dias: 10,
    },
  );
  await api.dono('provedores_feriados').insert({ provedor_id: id, dia: '06-16', nome: 'Aniversário', dia_util: 0 });
  const plano_id = await fabrica.plano(id);
  const contratos = [];
  for (let n = 0; n < CONTRATOS; n += 1) {
    const cliente = await fabrica.cliente(id, { cpf_cnpj: String(10_000_000_000 + n), email: `c${n}@malha.test` });
    const isento = n % 17 === 3 ? { tipo_cobranca: 'isento' } : {};
    contratos.push({ id: await fabrica.contrato(id, { cliente_id: cliente, plano_id, ...isento }), cliente });
  }
  await mudar(id, async ({ regua }) => regua.configurar({ ativa: true, aviso_dias: 1, bloqueio_dias: 15, hora: 9 }));
  return { id, fuso, contratos };
}

async function rodar(p: Simulado, tarefa: 'faturas.vencer' | 'promessas.conferir' | 'regua.aplicar', dia: string) {
  const semParar = { signal: new AbortController().signal, aoAvancar: () => {} };
  return api.container.tarefas.executar(TERMINAL, { tarefa, provedorId: p.id, dia }, semParar);
}

const aHora = (fuso: string, dia: Data, hora: number): string =>
  new Date(inicioDoDiaEm(fuso, dia).getTime() + hora * 3_600_000).toISOString();

test.serial(
  'um ano de régua não bloqueia ninguém sem aviso de 15 dias, em véspera, nem quem ainda paga sem encargos',
  async (t) => {
    t.timeout(60 * 60_000);
    const acaso = sorteio(SEMENTE);
    const provedores = [];
    for (const fuso of FUSOS) provedores.push(await simulado(fuso));
    for (let n = 1; n <= DIAS; n += 1) {
      const dia = somarDias(INICIO, n);
      for (const p of provedores) {
        const doDia = p.contratos.filter((_, i) => i % 28 === Number(dia.slice(8)) % 28);
        for (const { id: contrato_id, cliente: cliente_id } of doDia) {
          const avulsa = acaso.ate(25) === 0 ? { contrato_id: null } : { contrato_id };
          await fabrica.fatura(p.id, {
            cliente_id,
            ...avulsa,
            vencimento: somarDias(dia, 10),
            emitida_em: `${dia} 12:00:00.000`,
          });
        }
        relogio.definir(aHora(p.fuso, dia, 1));
        await rodar(p, 'faturas.vencer', dia);
        await rodar(p, 'promessas.conferir', dia);
        // Now and then nobody runs it, for some days.
        if (n % 41 < 38) {
          relogio.definir(aHora(p.fuso, dia, 9 + acaso.ate(10)));
          const dois = await Promise.allSettled(
            n % 7 === 0
              ? [rodar(p, 'regua.aplicar', dia), rodar(p, 'regua.aplicar', dia)]
              : [rodar(p, 'regua.aplicar', dia)],
          );
          if (dois.every(({ status }) => status === 'rejected'))
            t.fail(JSON.stringify(dois.map((dele) => String((dele as PromiseRejectedResult).reason))));
        }
        // Most notices reach somebody on their day, some later, some never.
        const instante = relogio.agora().toISOString().replace('T', ' ').replace('Z', '');
        await api
          .dono('regua_passos')
          .where({ provedor_id: p.id })
          .whereNull('entregue_em')
          .whereRaw('id % 5 <> ?', [n % 5])
          .whereRaw('id % 11 <> 0')
          .update({ entregue_em: instante, canal: 'email' });
        await moverPessoas(p, dia, acaso);
      }
    }
    for (const p of provedores) await conferir(t, p);
  },
);

/** What people do on a day: pay the whole or a part, promise, unblock on trust, agree, pause, take a payment back, move a due date. */
async function moverPessoas(p: Simulado, dia: Data, { ate, numero, um }: ReturnType<typeof sorteio>): Promise<void> {
  relogio.definir(aHora(p.fuso, dia, 20 + ate(3)));
  const abertas: { id: number; contrato_id: number | null; cliente_id: number; vencimento: string }[] = await api
    .dono('faturas')
    .where({ provedor_id: p.id, grupo: 'aberta' })
    .select('id', 'contrato_id', 'cliente_id', 'vencimento')
    .orderBy('id');
  const acertados = new Set<number>();
  for (const fatura of abertas) {
    const sorte = numero();
    if (sorte < 0.025)
      await mudar(p.id, async ({ baixas }) =>
        baixas.registrar(fatura.id, { forma: 'dinheiro', valor: um(['300.00', '50.00', '95.00']) }),
      );
    else if (sorte < 0.03 && fatura.contrato_id !== null) {
      const { contrato_id: contrato } = fatura;
      await mudar(p.id, async ({ promessas }) => promessas.registrar(contrato, somarDias(dia, 1 + ate(9))));
    } else if (sorte < 0.035 && fatura.vencimento < dia && !acertados.has(fatura.cliente_id)) {
      // An agreement takes all that is late of a client.
      acertados.add(fatura.cliente_id);
      await mudar(p.id, async ({ renegociacoes }) =>
        renegociacoes.criar({ cliente_id: fatura.cliente_id, parcelas: 2, primeiro_vencimento: somarDias(dia, 12) }),
      );
    } else if (sorte < 0.037)
      await mudar(p.id, async ({ regua }) =>
        regua.pausarCliente(fatura.cliente_id, { motivo: 'contestou', ate: somarDias(dia, 20) }),
      );
    else if (sorte < 0.039)
      await mudar(p.id, async ({ faturas }) => faturas.alterar(fatura.id, { vencimento: somarDias(dia, 5) }));
    else if (sorte < 0.04) await api.dono('faturas').where({ id: fatura.id }).update({ situacao: 'processando' });
  }
  const bloqueados = await api.dono('contratos').where({ provedor_id: p.id, situacao: 'bloqueado' }).pluck('id');
  for (const id of bloqueados)
    if (numero() < 0.05) await mudar(p.id, async ({ desbloqueios }) => desbloqueios.aplicar(Number(id), null));
}

interface BloqueioRow {
  id: number;
  alvo_id: number;
  contrato_id: number;
  cliente_id: number;
  dia: string;
  criado_em: string;
  vencimento: string;
  referencia: string;
  situacao: string;
  pago_em: string | null;
}

/** Reads what was done, and judges each block by the rows alone, with a calendar of its own. */
async function conferir(t: ExecutionContext, p: Simulado): Promise<void> {
  const { dono } = api;
  const bloqueios: BloqueioRow[] = await dono('regua_passos as p')
    .join('faturas as f', 'f.id', 'p.alvo_id')
    .where({ 'p.provedor_id': p.id, 'p.passo': 'bloqueio' })
    .select(
      'p.id',
      'p.alvo_id',
      'p.contrato_id',
      'p.cliente_id',
      'p.dia',
      'p.criado_em',
      'f.vencimento',
      'p.referencia',
      'f.situacao',
      'f.pago_em',
    );
  t.true(bloqueios.length > 3, `${p.fuso}: ${bloqueios.length} bloqueios`);
  for (const b of bloqueios) {
    const dia = lerData(b.dia)!;
    const local = hojeEm(p.fuso, fromDatabaseTime(b.criado_em));
    t.is(local, dia);
    const avisos: { dia: string; texto: string; valor: string; entregue_em: string | null; canal: string | null }[] =
      await dono('regua_passos')
        .where({ provedor_id: p.id, passo: 'aviso', alvo_id: b.alvo_id })
        .select('dia', 'texto', 'valor', 'entregue_em', 'canal');
    const velhos = avisos.filter(
      (a) =>
        a.entregue_em !== null &&
        a.canal !== null &&
        somarDias(lerData(a.dia)!, 15) <= dia &&
        somarDias(hojeEm(p.fuso, fromDatabaseTime(a.entregue_em)), 15) <= dia,
    );
    t.true(velhos.length > 0, `fatura ${b.alvo_id}: sem aviso de 15 dias`);
    t.true(
      velhos.every(
        ({ texto, valor }) => texto.includes(valor.replace('.', ',')) && /a partir de \d\d\/\d\d\/\d{4}/.test(texto),
      ),
    );
    t.true(comBanco(dia) && comBanco(somarDias(dia, 1)), `${dia}: véspera ou dia sem banco`);
    // People may have moved the due date since: what it was then, the step says.
    const [vencimento = ''] = [b.vencimento, b.referencia.slice(0, 10)].toSorted();
    const semEncargos = somarDias(primeiroComBanco(lerData(vencimento)!), CARENCIA + TOLERANCIA);
    t.true(dia > semEncargos, `${b.alvo_id}: ainda se pagava sem encargos`);
    t.true(b.pago_em === null || b.pago_em >= b.criado_em, `${b.alvo_id}: já estava paga`);
    const antes = (coluna: string) => (q: Knex.QueryBuilder) => void q.where(coluna, '<=', b.criado_em);
    const promessas = await dono('promessas_pagamento')
      .where({ contrato_id: b.contrato_id })
      .modify(antes('registrada_em'))
      .where((q) => void q.whereNull('encerrada_em').orWhere('encerrada_em', '>', b.criado_em))
      .pluck('id');
    const confiancas = await dono('desbloqueios_confianca')
      .where({ contrato_id: b.contrato_id })
      .modify(antes('aplicado_em'))
      .where('ate', '>', b.criado_em)
      .where((q) => void q.whereNull('encerrado_em').orWhere('encerrado_em', '>', b.criado_em))
      .pluck('id');
    const pausas = await dono('regua_pausas')
      .where({ cliente_id: b.cliente_id })
      .modify(antes('criada_em'))
      .where('ate', '>=', dia)
      .pluck('id');
    const isentos = await dono('contratos').where({ id: b.contrato_id, tipo_cobranca: 'isento' }).pluck('id');
    t.deepEqual({ promessas, confiancas, pausas, isentos }, { promessas: [], confiancas: [], pausas: [], isentos: [] });
  }
  // Each block that the ladder has told of moved the contract once, and nothing moved without its step.
  const [{ movidos }] = (await dono('contratos_historico')
    .where({ provedor_id: p.id, acao: 'bloqueio' })
    .where('descricao', 'like', '%régua%')
    .count('* as movidos')) as [{ movidos: number }];
  t.is(movidos, new Set(bloqueios.map((b) => `${b.contrato_id} ${b.dia}`)).size);
  t.log(
    `${p.fuso}: ${bloqueios.length} faturas bloquearam ${movidos} vezes, 0 sem aviso de 15 dias, 0 em véspera, 0 pagáveis sem encargos`,
  );
}
