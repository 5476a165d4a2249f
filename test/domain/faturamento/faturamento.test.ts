import test from 'ava';
import { hojeEm, inicioDoDiaEm } from '../../../src/brazil/calendario/datas.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { NO_TERMINAL, SEM_RASTRO } from '../../../src/cli/leitura.ts';
import { jsonColumn, toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { INTEIRA, quanto } from '../../support/prova.ts';
import { relogioEm } from '../../support/relogio.ts';
import type { Casa } from '../contratos/apoio.ts';
import { criarApoio, execucao, novoContrato, recusa } from './apoio.ts';
import { cobrar, dia, gerar, textoDe } from './independente.ts';
import type { Cobrada, Fato, Gerado, Provedor } from './independente.ts';

const DE = dia(INTEIRA ? '2027-01-01' : '2028-01-01');
const ATE = dia(INTEIRA ? '2028-12-31' : '2028-04-30');
const CONTRATOS = quanto(48, 10_000);
const FUSOS = (
  INTEIRA
    ? [
        'America/Noronha',
        'America/Sao_Paulo',
        'America/Manaus',
        'America/Rio_Branco',
        'America/Belem',
        'America/Cuiaba',
      ]
    : ['America/Sao_Paulo', 'America/Rio_Branco']
).map((fuso, n) => ({ fuso, antecedencia: [10, 28, 0, 5, 17, 1][n]!, cobrarBloqueado: n % 2 === 1 }));

const relogio = relogioEm('2027-01-01T12:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(() => api.fechar());

const reais = (centavos: number): string => (centavos / 100).toFixed(2);

interface DoProvedor {
  readonly id: number;
  readonly fuso: string;
  readonly regras: Provedor;
  readonly contratos: Map<number, Gerado>;
  /** What is still to happen, the next one last. */
  readonly fatos: { readonly contrato: number; readonly fato: Fato }[];
}

async function criarProvedor(n: number): Promise<DoProvedor> {
  const { fuso, antecedencia, cobrarBloqueado } = FUSOS[n]!;
  const fabrica = criarFabrica(api.dono);
  const id = await fabrica.provedor({ fuso_horario: fuso });
  const w = createTenantWriter(api.dono, id);
  await w.insert('faturamento_configuracoes', {
    desde: textoDe(DE),
    antecedencia,
    cobrar_bloqueado: cobrarBloqueado ? 1 : 0,
    atualizado_em: '2026-12-01',
  });
  const plano = await fabrica.plano(id);
  const cliente = await fabrica.cliente(id);
  const quantos = Math.ceil(CONTRATOS / FUSOS.length);
  const gerados = Array.from({ length: quantos }, (_, k) => gerar(n * quantos + k, DE, ATE + 1));
  const primeiro = await w.insert(
    'contratos',
    gerados.map(({ tipo, vencimento, estado, valor, ativadoEm }, k) => ({
      cliente_id: cliente,
      plano_id: plano,
      situacao: estado,
      login: `f${id}n${k}`,
      tipo_cobranca: tipo,
      dia_vencimento: vencimento,
      valor: reais(valor),
      ativado_em: ativadoEm === null ? null : textoDe(ativadoEm),
      criado_em: `${textoDe(DE - 30)} 12:00:00`,
    })),
  );
  const contratos = new Map(gerados.map((gerado, k) => [primeiro + k, gerado]));
  const itens = [...contratos].flatMap(([contrato_id, gerado]) =>
    gerado.itens.map(({ tipo, valor, de, ate }) => ({
      contrato_id,
      tipo,
      descricao: tipo,
      valor: reais(valor),
      de: textoDe(de),
      ate: ate === null ? null : textoDe(ate),
      criado_em: '2026-12-01',
    })),
  );
  if (itens.length > 0) await w.insert('contratos_itens', itens);
  const fatos = [...contratos]
    .flatMap(([contrato, gerado]) => gerado.fatos.map((fato) => ({ contrato, fato })))
    .toSorted((a, b) => b.fato.em - a.fato.em);
  const comeca = (d: number): number => inicioDoDiaEm(fuso, textoDe(d) as Data).getTime() + 5 * 60_000;
  const localDe = (instante: number): number => dia(hojeEm(fuso, new Date(instante)));
  return { id, fuso, contratos, fatos, regras: { antecedencia, cobrarBloqueado, comeca, localDe } };
}

/** What happened until an instant, as the moves of contracts write it. */
async function acontecer({ id, fuso, fatos }: DoProvedor, ate: number): Promise<void> {
  const agora: DoProvedor['fatos'] = [];
  while (fatos.length > 0 && fatos.at(-1)!.fato.em < ate) agora.push(fatos.pop()!);
  if (agora.length === 0) return;
  const w = createTenantWriter(api.dono, id);
  await w.insert(
    'contratos_historico',
    agora.map(({ contrato, fato: { em, acao, de, para, valorDe, valorPara } }) => ({
      contrato_id: contrato,
      acao: acao === 'preco' ? 'alteracao' : acao,
      ocorrido_em: toDatabaseTime(new Date(em)),
      situacao_de: de === para ? null : de,
      situacao_para: de === para ? null : para,
      valor_de: valorDe === null ? null : reais(valorDe),
      valor_para: valorPara === null ? null : reais(valorPara),
    })),
  );
  for (const {
    contrato,
    fato: { em, acao, para, valorPara },
  } of agora) {
    await api
      .dono('contratos')
      .where({ provedor_id: id, id: contrato })
      .update({
        situacao: para,
        ...(valorPara === null ? {} : { valor: reais(valorPara) }),
        ...(acao === 'ativacao' ? { ativado_em: hojeEm(fuso, new Date(em)) } : {}),
        cancelado_em: para === 'cancelado' ? toDatabaseTime(new Date(em)) : null,
      });
  }
}

const rodar = async (provedorId: number, qual: string) =>
  api.container.tarefas.executar(AUTOR, { tarefa: 'faturas.gerar', provedorId, dia: qual }, execucao);

/** Where the two do not agree, in words. */
async function diferencas({ id, contratos, regras }: DoProvedor): Promise<string[]> {
  const linhas = await api
    .dono('faturamento_cobrancas as c')
    .leftJoin('faturas as f', { 'f.provedor_id': 'c.provedor_id', 'f.id': 'c.fatura_id' })
    .where('c.provedor_id', id)
    .select('c.contrato_id', 'c.competencia', 'c.vencimento', 'c.valor', 'f.valor as pedido', 'f.vencimento as vence');
  const achadas = new Map<number, Map<string, (typeof linhas)[number]>>();
  for (const linha of linhas) {
    const dele = achadas.get(linha.contrato_id) ?? new Map();
    if (dele.has(linha.competencia)) return [`${linha.contrato_id} ${linha.competencia}: duas vezes`];
    achadas.set(linha.contrato_id, dele.set(linha.competencia, linha));
  }
  const erradas: string[] = [];
  for (const [contrato, gerado] of contratos) {
    const dele = achadas.get(contrato) ?? new Map();
    const esperadas: Cobrada[] = cobrar(gerado, regras, DE, ATE);
    for (const { mes, vencimento, valor } of esperadas) {
      const linha = dele.get(mes);
      dele.delete(mes);
      // Long after its end a contract is no longer looked at: not for what is charged once, either.
      const fim = gerado.fatos.at(-1);
      const acabou = fim?.para === 'cancelado' && dia(vencimento) - regras.localDe(fim.em) >= 69;
      if (linha === undefined && acabou) continue;
      const feito =
        linha === undefined ? 'nada' : `${BigInt(Math.round(Number(linha.valor) * 100))} ${linha.vencimento}`;
      const fatura = valor > 0n ? `${valor} ${vencimento}` : 'null null';
      const pedido =
        linha === undefined || linha.pedido === null
          ? 'null null'
          : `${Math.round(Number(linha.pedido) * 100)} ${linha.vence}`;
      if (feito !== `${valor} ${vencimento}` || pedido !== fatura) {
        erradas.push(
          `contrato ${contrato} ${mes}: ${feito} (${pedido}), devia ${valor} ${vencimento} ${JSON.stringify(gerado)}`,
        );
      }
    }
    for (const mes of dele.keys()) erradas.push(`contrato ${contrato} ${mes}: a mais`);
  }
  return erradas;
}

test.serial(
  `${CONTRATOS} contratos faturados dia a dia dão, ao centavo, o que dá um cálculo feito à parte, e cada mês uma só cobrança`,
  async (t) => {
    t.timeout(90 * 60_000);
    const provedores = await Promise.all(FUSOS.map(async (_, n) => criarProvedor(n)));
    for (let d = DE; d <= ATE; d += 1) {
      for (const provedor of provedores) {
        const instante = provedor.regras.comeca(d);
        await acontecer(provedor, instante);
        relogio.definir(new Date(instante).toISOString());
        await rodar(provedor.id, textoDe(d));
      }
    }
    let linhas = 0;
    for (const provedor of provedores) {
      t.deepEqual((await diferencas(provedor)).slice(0, 5), [], provedor.fuso);
      const [row] = await api.dono('faturamento_cobrancas').where('provedor_id', provedor.id).count({ n: '*' });
      linhas += Number(row!['n']);
    }
    t.log(`${linhas} cobranças`);
    t.true(linhas > CONTRATOS);
  },
);

const { em, casaQueFatura, noDia, pedir, previa: lerFaturamento } = criarApoio(() => api, relogio);

const cobrancas = async (casa: Casa): Promise<any[]> =>
  api.dono('faturamento_cobrancas').where('provedor_id', casa.provedor).orderBy(['contrato_id', 'competencia']);

test.serial('o mês em que se ativa, troca de plano e suspende cobra cada dia pelo que valia no fim dele', async (t) => {
  const casa = await casaQueFatura();
  em('2026-12-01T15:00:00.000Z');
  const dados = { cliente_id: casa.cliente, plano_id: casa.plano, dia_vencimento: 10, valor: '99.90' };
  const { id } = await casa.mudar(async ({ contratos }) => contratos.criar(dados));
  em('2026-12-11T15:00:00.000Z');
  await casa.mudar(async ({ movimentos }) => movimentos.ativar(id, {}));
  // 23:30 of the 20th there, and the 21st already in Greenwich: the whole of the 20th has the new price.
  em('2026-12-21T02:30:00.000Z');
  const outro = await casa.fabrica.plano(casa.provedor);
  await casa.mudar(async ({ contratos }) => contratos.trocarPlano(id, { plano_id: outro, valor: '150.00' }));
  em('2026-12-26T15:00:00.000Z');
  await casa.mudar(async ({ movimentos }) => movimentos.suspender(id, { motivo: 'viagem' }));
  t.is((await noDia(casa, '2026-12-30')).linhas, 0);
  t.is((await noDia(casa, '2026-12-31')).linhas, 1);
  // Nine days at 99.90 and six at 150.00, of 31.
  const [fatura] = await casa.linhas('faturas');
  t.like(fatura, { contrato_id: id, valor: '58.04', vencimento: '2027-01-10', tipo: 'pix', competencia: '2026-12-01' });
  t.like((await cobrancas(casa)).at(-1), {
    competencia: '2026-12-01',
    dias: 15,
    valor: '58.04',
    fatura_id: fatura!['id'],
  });
  t.true(
    (await casa.eventos()).some(({ tipo, recurso_id }) => tipo === 'fatura.criada' && recurso_id === fatura!['id']),
  );
  const dele = await api.container.tarefas.executar(
    AUTOR,
    { tarefa: 'faturas.gerar', provedorId: casa.provedor, dia: '2026-12-31' },
    execucao,
  );
  t.is(dele.desfecho, 'ja_feita');
});

test.serial(
  'uma suspensão depois de feita a cobrança vira crédito na próxima, e a prévia mostra o mês como está na hora',
  async (t) => {
    const casa = await casaQueFatura({ antecedencia: 20 });
    const id = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '93.00', tipo_cobranca: 'pos_pago' });
    await noDia(casa, '2026-12-21');
    em('2026-12-28T15:00:00.000Z');
    await casa.mudar(async ({ movimentos }) => movimentos.suspender(id, { motivo: 'viagem' }));
    em('2027-01-10T15:00:00.000Z');
    await casa.mudar(async ({ movimentos }) => movimentos.reativar(id, {}));
    await noDia(casa, '2027-01-21');
    const [dezembro, janeiro] = await casa.linhas('faturas');
    t.is(dezembro!['valor'], '93.00');
    // Of December four days of 3.00 come back; of January the first nine are not charged: 93 - 27 - 12.
    t.is(janeiro!['valor'], '54.00');
    em('2027-02-01T15:00:00.000Z');
    await casa.mudar(async ({ contratos }) => contratos.alterar(id, { valor: '280.00' }));
    const mostrada = await lerFaturamento(casa, '2027-03');
    t.like(mostrada, { faturas: 1, total: 28_000 });
    t.deepEqual(mostrada.estranhas[0]?.porque.includes('outro_valor'), true);
    // Between the preview and the run.
    await casa.mudar(async ({ contratos }) => contratos.alterar(id, { valor: '140.00' }));
    await pedir(casa, '2027-03');
    t.is((await casa.linhas('faturas')).at(-1)!['valor'], '140.00');
    t.is(await pedir(casa, '2027-03'), 0);
  },
);

test.serial(
  'contrato cancelado entre a prévia e a emissão paga só os seus dias; pré-pago cancelado depois fica com crédito, sem fatura',
  async (t) => {
    const casa = await casaQueFatura();
    const pos = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '31.00', dia_vencimento: 31 });
    const pre = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '31.00', tipo_cobranca: 'pre_pago' });
    await noDia(casa, '2026-12-01');
    t.deepEqual(
      (await casa.linhas('faturas')).map(({ contrato_id, vencimento }) => [contrato_id, vencimento]),
      [[pre, '2026-12-10']],
    );
    em('2026-12-15T15:00:00.000Z');
    for (const id of [pos, pre])
      await casa.mudar(async ({ movimentos }) =>
        movimentos.cancelar(id, { motivo: 'mudou', faturas_futuras: 'manter' }),
      );
    await noDia(casa, '2027-01-21');
    const faturas = await casa.linhas('faturas');
    t.deepEqual(
      faturas.slice(1).map(({ contrato_id, valor, vencimento }) => [contrato_id, valor, vencimento]),
      [[pos, '14.00', '2027-01-31']],
    );
    const doPre = (await cobrancas(casa)).filter(({ contrato_id }) => contrato_id === pre).at(-1);
    t.like(doPre, { valor: '-17.00', fatura_id: null });
  },
);

test.serial('o que se cobra uma vez, todo mês, e o que se desconta entram na cobrança; isento não paga', async (t) => {
  const casa = await casaQueFatura();
  em('2026-12-05T15:00:00.000Z');
  const id = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '100.00' });
  await novoContrato(casa, { ativado_em: '2026-01-10', tipo_cobranca: 'isento' });
  const item = async (dados: object) => casa.mudar(async ({ faturamento }) => faturamento.itens.adicionar(id, dados));
  const unico = await item({ tipo: 'unico', descricao: 'Visita', valor: '30.00' });
  await item({ tipo: 'recorrente', descricao: 'IP fixo', valor: '20.00' });
  const desconto = await item({ tipo: 'desconto_percentual', descricao: 'Promoção', valor: '10.00', ate: '2026-12' });
  t.truthy(desconto);
  await noDia(casa, '2026-12-31');
  await noDia(casa, '2027-01-31');
  t.deepEqual(
    (await casa.linhas('faturas')).map(({ valor }) => valor),
    ['140.00', '120.00'],
  );
  t.is(
    (await casa.linhas('contratos_itens', { id: unico }))[0]!['faturamento_id'],
    (await casa.linhas('faturamentos'))[0]!['id'],
  );
  t.is(
    await recusa(casa.mudar(async ({ faturamento }) => faturamento.itens.encerrar(id, unico))),
    'transicao_invalida',
  );
  t.regex(await recusa(item({ tipo: 'desconto', descricao: 'x', valor: '1', de: '2026-01' })), /^de:/);
});

test.serial(
  'uma fatura por cliente junta os contratos que vencem no mesmo dia, e o código dela é o que a API dá',
  async (t) => {
    const casa = await casaQueFatura({ fatura_unica: true });
    const [um, dois, outroDia] = [
      await novoContrato(casa, { ativado_em: '2026-01-10', valor: '50.00' }),
      await novoContrato(casa, { ativado_em: '2026-01-10', valor: '70.00' }),
      await novoContrato(casa, { ativado_em: '2026-01-10', valor: '90.00', dia_vencimento: 11 }),
    ];
    await noDia(casa, '2027-01-01');
    const faturas = await casa.linhas('faturas');
    t.deepEqual(
      faturas.map(({ contrato_id, valor }) => [contrato_id, valor]),
      [
        [null, '120.00'],
        [outroDia, '90.00'],
      ],
    );
    const doJunto = (await cobrancas(casa)).filter(({ fatura_id }) => fatura_id === faturas[0]!['id']);
    t.deepEqual(
      doJunto.map(({ contrato_id }) => contrato_id),
      [um, dois],
    );
    const { readTenant, provedores } = api.container;
    const provedor = await provedores.exigirPorId(casa.provedor);
    const lida = await readTenant(provedor, SEM_RASTRO, NO_TERMINAL, async (dominio) =>
      dominio.faturas.buscarPorId(faturas[0]!['id']),
    );
    t.is(lida?.segundaVia?.pix?.codigo, faturas[0]!['pix_copia_cola']);
  },
);

test.serial(
  'um faturamento desfaz-se inteiro e é feito de novo; com pagamento, nota, boleto ou mês posterior, não se desfaz',
  async (t) => {
    const casa = await casaQueFatura();
    const [a, b] = [await novoContrato(casa, { valor: '50.00' }), await novoContrato(casa, { valor: '70.00' })];
    await casa.mudar(async ({ faturamento }) =>
      faturamento.itens.adicionar(a, { tipo: 'unico', descricao: 'Visita', valor: '5.00', de: '2026-12' }),
    );
    await noDia(casa, '2026-12-31');
    const vez = async (): Promise<number> => (await casa.linhas('faturamentos')).at(-1)!['id'];
    const desfazer = async (id: number) => casa.mudar(async ({ faturamento }) => faturamento.desfazer(id));
    const primeira = await vez();
    const [fatura] = await casa.linhas('faturas');
    const mexer = async (colunas: object) => api.dono('faturas').where('id', fatura!['id']).update(colunas);
    await mexer({ valor_pago: '1.00' });
    t.is(await recusa(desfazer(primeira)), 'faturamento_em_uso');
    await mexer({ valor_pago: '0.00', linha_digitavel: '1'.repeat(47) });
    t.is(await recusa(desfazer(primeira)), 'faturamento_em_uso');
    await mexer({ linha_digitavel: null });
    const nota = {
      provedor_id: casa.provedor,
      fatura_id: fatura!['id'],
      cliente_id: casa.cliente,
      valor: '55.00',
      situacao: 'pendente',
      ambiente: 'homologacao',
    };
    await api.dono('nfcom').insert(nota);
    t.is(await recusa(desfazer(primeira)), 'faturamento_em_uso');
    await api.dono('nfcom').where('fatura_id', fatura!['id']).delete();
    t.deepEqual(
      (await casa.linhas('faturas')).map(({ situacao }) => situacao),
      ['pendente', 'pendente'],
    );

    t.deepEqual(await desfazer(primeira), { faturas: 2, pedido: null });
    t.is(await recusa(desfazer(primeira)), 'transicao_invalida');
    t.deepEqual(
      (await casa.linhas('faturas')).map(({ situacao }) => situacao),
      ['cancelada', 'cancelada'],
    );
    t.deepEqual(await cobrancas(casa), []);
    await casa.mudar(async ({ contratos }) => contratos.alterar(b, { valor: '80.00' }));
    t.is((await noDia(casa, '2027-01-01')).linhas, 2);
    // The new price holds from the last day of December on.
    t.deepEqual(
      (await casa.linhas('faturas')).slice(2).map(({ valor }) => valor),
      ['55.00', '70.32'],
    );
    const segunda = await vez();
    await noDia(casa, '2027-01-31');
    t.is(await recusa(desfazer(segunda)), 'faturamento_em_uso');
  },
);

test.serial(
  'a cobrança de nada que tem uma de mês posterior não impede que o resto se desfaça, e fica como foi feita',
  async (t) => {
    const casa = await casaQueFatura();
    const isento = await novoContrato(casa, { ativado_em: '2026-01-10', tipo_cobranca: 'isento' });
    await novoContrato(casa, { ativado_em: '2026-01-10', valor: '50.00' });
    await noDia(casa, '2026-12-31');
    const [vez] = await casa.linhas('faturamentos');
    t.is((await cobrancas(casa)).length, 2);
    const outra = {
      provedor_id: casa.provedor,
      dia: '2027-01-02',
      origem: 'pedido',
      iniciado_em: '2027-01-02 12:00:00',
    };
    const [posterior] = await api.dono('faturamentos').insert({ ...outra, cobrancas: 1 });
    await api.dono.raw(
      `INSERT INTO faturamento_cobrancas (provedor_id, contrato_id, competencia, tipo, faturamento_id, vencimento, valor, dias, itens)
       SELECT provedor_id, contrato_id, competencia + INTERVAL 1 MONTH, tipo, ?, vencimento, valor, dias, itens
         FROM faturamento_cobrancas WHERE faturamento_id = ? AND contrato_id = ?`,
      [posterior, vez!['id'], isento],
    );
    const feito = await casa.mudar(async ({ faturamento }) => faturamento.desfazer(vez!['id'] as number));
    t.deepEqual(feito, { faturas: 1, pedido: null });
    t.deepEqual(
      (await cobrancas(casa)).map(({ contrato_id, faturamento_id }) => [contrato_id, faturamento_id]),
      [
        [isento, vez!['id']],
        [isento, posterior],
      ],
    );
  },
);

test.serial(
  'o que um faturamento desfeito deixou, por ter cobrança posterior, vai com ela quando se desfaz',
  async (t) => {
    const casa = await casaQueFatura({ desde: '2027-01' });
    const id = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '31.00', tipo_cobranca: 'isento' });
    const desfazer = async (vez: number) => casa.mudar(async ({ faturamento }) => faturamento.desfazer(vez));
    await noDia(casa, '2026-12-31');
    await casa.mudar(async ({ contratos }) => contratos.alterar(id, { tipo_cobranca: 'pre_pago' }));
    const unico = await casa.mudar(async ({ faturamento }) =>
      faturamento.itens.adicionar(id, { tipo: 'unico', descricao: 'Visita', valor: '5.00', de: '2027-02' }),
    );
    // As if the charge of nothing had counted it.
    const [primeira] = await casa.linhas('faturamentos');
    const itens = JSON.stringify([
      { tipo: 'adicional', ref: '2027-01-01', valor: 0, descricao: 'Visita', item: unico },
    ]);
    await api.dono('faturamento_cobrancas').where('contrato_id', id).update({ itens });
    await api.dono('contratos_itens').where({ id: unico }).update({ faturamento_id: primeira!['id'] });
    await noDia(casa, '2027-01-31');
    const segunda = (await casa.linhas('faturamentos')).at(-1)!['id'];
    t.deepEqual(await desfazer(primeira!['id']), { faturas: 0, pedido: null });
    t.deepEqual(
      (await cobrancas(casa)).map(({ competencia, isenta }) => [competencia, isenta]),
      [
        ['2027-01-01', 1],
        ['2027-02-01', 0],
      ],
    );
    t.deepEqual(await desfazer(segunda), { faturas: 1, pedido: null });
    t.deepEqual(await cobrancas(casa), []);
    await noDia(casa, '2027-02-01');
    // Both months, and the visit.
    t.is((await casa.linhas('faturas')).at(-1)!['valor'], '67.00');
  },
);

test.serial('dois workers, e uma pessoa que pede o mês ao mesmo tempo, fazem cada cobrança uma vez', async (t) => {
  const casa = await casaQueFatura();
  const ids = [];
  for (let n = 0; n < 60; n += 1) ids.push(await novoContrato(casa, { valor: '50.00', ativado_em: '2026-01-10' }));
  em('2026-12-31T03:05:00.000Z');
  const feitos = await Promise.allSettled([
    noDia(casa, '2026-12-31', 0),
    noDia(casa, '2026-12-31', 1),
    pedir(casa, '2027-01', 1),
    pedir(casa, '2027-01', 0),
  ]);
  t.true(feitos.some(({ status }) => status === 'fulfilled'));
  await noDia(casa, '2027-01-01');
  t.is((await casa.linhas('faturas')).length, ids.length);
  t.is((await cobrancas(casa)).filter(({ fatura_id }) => fatura_id !== null).length, ids.length);
});

test.serial('um carnê pedido enquanto o dia cobra o mesmo contrato não cobra o mês outra vez', async (t) => {
  for (let n = 0; n < 6; n += 1) {
    const casa = await casaQueFatura();
    const ids: number[] = [];
    for (let k = 0; k < 8; k += 1) ids.push(await novoContrato(casa, { valor: '50.00', ativado_em: '2026-01-10' }));
    em('2026-12-31T03:05:00.000Z');
    await Promise.all([
      noDia(casa, '2026-12-31', 0),
      ...ids.map(async (contrato_id) =>
        casa.mudar(async ({ faturamento }) => faturamento.carnes.gerar({ contrato_id }), 1),
      ),
    ]);
    const feitas = await cobrancas(casa);
    for (const id of ids) {
      const doMes = feitas
        .filter(({ contrato_id }) => contrato_id === id)
        .flatMap(({ itens }) => jsonColumn<{ ref: string; valor: number }[]>(itens))
        .filter(({ ref }) => ref === '2026-12-01');
      t.is(
        doMes.reduce((soma, { valor }) => soma + valor, 0),
        5000,
        `contrato ${id}`,
      );
    }
  }
});

test.serial('um carnê cobra doze meses de uma vez; os dias de depois só cobram o que mudou', async (t) => {
  const casa = await casaQueFatura();
  const id = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '60.00' });
  em('2026-12-20T15:00:00.000Z');
  const carne = await casa.mudar(async ({ faturamento }) => faturamento.carnes.gerar({ contrato_id: id }));
  const parcelas = await casa.linhas('faturas', { carne_id: carne.carneId });
  t.is(parcelas.length, 12);
  t.like(parcelas[0], {
    tipo: 'carne',
    vencimento: '2027-01-10',
    parcela: 1,
    valor: '60.00',
    competencia: '2026-12-01',
  });
  t.like(parcelas[11], { vencimento: '2027-12-10', competencia: '2027-11-01' });
  t.is((await noDia(casa, '2026-12-31')).linhas, 0);
  em('2027-01-10T15:00:00.000Z');
  await casa.mudar(async ({ contratos }) => contratos.alterar(id, { valor: '91.00' }));
  t.is((await noDia(casa, '2027-01-31')).linhas, 1);
  // From the 10th on, 22 of 31 days at 31.00 more.
  t.is((await casa.linhas('faturas')).at(-1)!['valor'], '22.00');
  t.is(
    await recusa(casa.mudar(async ({ faturamento }) => faturamento.desfazer(carne.faturamentoId))),
    'faturamento_em_uso',
  );
});

test.serial('desfazer ao lado de um pagamento: ou fica desfeito, ou fica pago, e nunca os dois', async (t) => {
  for (let n = 0; n < 4; n += 1) {
    const casa = await casaQueFatura();
    await novoContrato(casa, { ativado_em: '2026-01-10', valor: '60.00' });
    await noDia(casa, '2026-12-31');
    const [{ id: vez } = { id: 0 }] = await casa.linhas('faturamentos');
    const [fatura] = await casa.linhas('faturas');
    const baixa = { forma: 'dinheiro', valor: '60.00', pago_em: '2026-12-31' };
    await Promise.allSettled([
      casa.mudar(async ({ faturamento }) => faturamento.desfazer(vez), 0),
      casa.mudar(async ({ baixas }) => baixas.registrar(fatura!['id'], baixa), 1),
    ]);
    const [depois] = await casa.linhas('faturas');
    const [feita] = await casa.linhas('faturamentos');
    t.is(feita!['desfeito_em'] === null, depois!['situacao'] === 'paga');
    t.is(
      (await cobrancas(casa)).filter(({ fatura_id }) => fatura_id !== null).length,
      depois!['situacao'] === 'paga' ? 1 : 0,
    );
  }
});
