import test from 'ava';
import * as fc from 'fast-check';
import { atorDoReceptor } from '../../../src/domain/actor.ts';
import { escreverDinheiro } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { createIdentificacaoService } from '../../../src/domain/recebimentos/identificacao/identificacao.service.ts';
import { createRecebimentosService } from '../../../src/domain/recebimentos/recebimentos.service.ts';
import { AUTOR, vindoDe } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { quanto } from '../../support/prova.ts';
import { relogioEm } from '../../support/relogio.ts';
import { HOJE, criarMemoria, historias, somasDe } from './apoio.ts';
import type { Historia } from './apoio.ts';

const numRuns = quanto(40, 500);
const RECEPTOR = atorDoReceptor({ id: 1, nome: 'Banco de teste' }, vindoDe('127.0.0.1'));
const relogio = relogioEm(HOJE);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

/** The same history told to the real service; resolves to what the tables hold by then. */
async function contar(historia: Historia) {
  const { container, dono } = api;
  const fabrica = criarFabrica(dono);
  const { regras } = historia;
  const id = await fabrica.provedor(
    {},
    {
      multa_percentual: regras.multaPercentual / 100,
      juros_mensal_percentual: regras.jurosMensalPercentual / 100,
      carencia_dias: regras.carenciaDias,
      tolerancia_pix_dias: regras.toleranciaPixDias,
    },
  );
  const provedor = (await container.provedores.buscarPorId(id))!;
  const cliente_id = await fabrica.cliente(id);
  const recebimentos = createRecebimentosService({ relogio, write: container.write });
  const identificacao = createIdentificacaoService({ ...container, relogio });
  const faturas = new Map<number, number>();
  const aConferir: { passo: number; somas: object; diferenca: number }[] = [];
  for (const [passo, dado] of historia.passos.entries()) {
    if ('fatura' in dado) {
      const { valor, vencimento, txid, semData, cancelada } = historia.faturas[dado.fatura]!;
      const fatura = await fabrica.fatura(id, {
        cliente_id,
        vencimento,
        pix_txid: txid,
        situacao: cancelada ? 'cancelada' : 'pendente',
        valor: escreverDinheiro(valor),
        valor_pago: escreverDinheiro(semData),
      });
      faturas.set(dado.fatura, fatura);
    } else await recebimentos.registrar(RECEPTOR, provedor, dado.aviso);
    const { diferenca, ...somas } = await identificacao.conferir(id);
    if (diferenca !== 0) aConferir.push({ passo, somas, diferenca });
  }
  await identificacao.identificar(AUTOR, id);
  return { id, faturas, aConferir, somas: await identificacao.conferir(id) };
}

async function porSql(provedor: number) {
  const soma = async (sql: string): Promise<string> => {
    const [[linha]] = (await api.dono.raw(sql, [provedor])) as [[{ soma: string | null }]];
    return linha.soma ?? '0.00';
  };
  return {
    avisado: await soma('SELECT SUM(valor) AS soma FROM pix_recebidos WHERE provedor_id = ?'),
    naoIdentificado: await soma(
      'SELECT SUM(valor - devolvido) AS soma FROM pix_recebidos WHERE provedor_id = ? AND fatura_id IS NULL',
    ),
    devolvido: await soma('SELECT SUM(devolvido) AS soma FROM pix_recebidos WHERE provedor_id = ?'),
    excedente: await soma(
      "SELECT SUM(valor) AS soma FROM faturas_lancamentos WHERE provedor_id = ? AND tipo = 'excedente'",
    ),
    pago: await soma('SELECT SUM(valor_pago) AS soma FROM faturas WHERE provedor_id = ?'),
  };
}

test('as mesmas histórias pelo serviço e pelo banco: a soma fecha a cada passo, e o que fica é o que a regra diz', async (t) => {
  await fc.assert(
    fc.asyncProperty(historias, async (historia) => {
      const { memoria, dar, identificar } = criarMemoria(historia);
      for (const passo of historia.passos) dar(passo);
      identificar();
      const outras = historia.faturas.map(({ semData }) => semData);
      const { id, faturas, aConferir, somas } = await contar(historia);
      t.deepEqual(aConferir, []);
      const { diferenca: _, ...ditas } = somas;
      const esperadas = somasDe(memoria, outras);
      t.deepEqual(ditas, esperadas);

      const sql = await porSql(id);
      const pago = outras.reduce((soma, valor) => soma + valor, 0) + esperadas.aplicado + esperadas.excedente;
      t.deepEqual(sql, {
        avisado: escreverDinheiro(esperadas.avisado),
        naoIdentificado: escreverDinheiro(esperadas.naoIdentificado),
        devolvido: escreverDinheiro(esperadas.devolvido),
        excedente: escreverDinheiro(esperadas.excedente),
        pago: (pago / 100).toFixed(2),
      });

      for (const [n, faturaId] of faturas) {
        const esperada = memoria.faturas.get(n)!;
        const linha = await api.dono('faturas').where({ id: faturaId }).first();
        const [desconto] = await api
          .dono('faturas_lancamentos')
          .where({ fatura_id: faturaId, tipo: 'desconto' })
          .pluck('valor');
        const { situacao, valor_pago, pago_em } = esperada;
        t.like(linha, { situacao, valor_pago, pago_em }, JSON.stringify(historia));
        t.is(desconto ?? '0.00', escreverDinheiro(esperada.desconto));
      }
    }),
    { numRuns },
  );
});
