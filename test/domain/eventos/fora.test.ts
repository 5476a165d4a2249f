import { Ajv } from 'ajv';
import test from 'ava';
import { CATALOGO } from '../../../src/domain/eventos/catalogo.types.ts';
import { DA_CASA } from '../../../src/domain/eventos/fora/da-casa.ts';
import { DE_FORA } from '../../../src/domain/eventos/fora.types.ts';
import { saiDaCasa, traduzir } from '../../../src/domain/eventos/traducao.regras.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { toJson } from '../../../src/platform/json.ts';

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, formats: { dinheiro: true } });

for (const [tipo, { descricao, dados, exemplo }] of Object.entries(DE_FORA)) {
  test(`${tipo}: o exemplo é do esquema, todo campo está sempre lá, e nada diz de quem é`, (t) => {
    const valida = ajv.compile(dados);
    t.true(valida(exemplo), ajv.errorsText(valida.errors));
    t.deepEqual(new Set<string>(dados.required), new Set(Object.keys(dados.properties)));
    t.true(Object.hasOwn(dados.properties, 'cliente_id'));
    t.regex(descricao, /^\p{Lu}.{10,}\.$/u);
    t.deepEqual(
      Object.keys(dados.properties).filter((nome) =>
        /nome|cpf|cnpj|telefone|email|endereco|token|pix|linha/.test(nome),
      ),
      [],
    );
    t.true(Buffer.byteLength(JSON.stringify(exemplo)) < 20_480);
  });
}

test('cada evento da casa sai, ou é dito da casa; nunca os dois', (t) => {
  const daCasa = new Set<string>(DA_CASA);
  t.is(daCasa.size, DA_CASA.length);
  for (const [nome, { sai }] of Object.entries(CATALOGO)) {
    t.is(saiDaCasa(nome), !daCasa.has(nome), nome);
    t.is(saiDaCasa(nome), sai, nome);
  }
});

test('da nota diz-se de que ambiente e para que é; do que se escreveu antes de isso se dizer, não se sabe', (t) => {
  const nada = { faturas: new Map(), chamados: new Map(), cobertos: new Map() };
  const { exemplo } = CATALOGO['nfcom.autorizada'];
  const dizer = (dados: object) => traduzir({ tipo: 'nfcom.autorizada', recursoId: 311, dados }, nada)?.dados;
  t.like(dizer({ ...exemplo, ambiente: 'homologacao', finalidade: 'ajuste' }), {
    ambiente: 'homologacao',
    finalidade: 'ajuste',
  });
  const { ambiente: _ambiente, finalidade: _finalidade, ...antigo } = exemplo;
  t.like(dizer(antigo), { nfcom_id: 311, ambiente: null, finalidade: null });
});

const FATURA = {
  id: 56,
  clienteId: 12,
  contratoId: 34,
  descricao: null,
  tipo: 'boleto',
  valor: centavos(9990),
  valorPago: centavos(0),
  abatido: centavos(0),
  vencimento: '2026-11-12' as Data,
  emitidaEm: new Date('2026-11-01T03:00:00Z'),
  pagoEm: null,
  boletoSituacao: null,
  situacao: 'vencida',
  valorAtualizado: centavos(10_193),
  multa: centavos(200),
  juros: centavos(3),
  aPagar: centavos(10_193),
  diasEmAtraso: 0,
  pagaEmParte: false,
  segundaVia: null,
} as const;
const CHAMADO = {
  cliente_id: 12,
  contrato_id: null,
  situacao: 'aberto',
  prioridade: 'normal',
  categoria: null,
  origem: 'api',
  agendadoPara: null,
  responsavelId: null,
} as const;

test('o exemplo de cada evento que sai dá um evento de fora que é do seu esquema', (t) => {
  const ditos = new Set<string>();
  for (const [tipo, { exemplo }] of Object.entries(CATALOGO)) {
    const contexto = {
      faturas: new Map([[1, FATURA]]),
      chamados: new Map([[1, CHAMADO]]),
      cobertos: new Map([[1, 311]]),
    };
    const dito = traduzir({ tipo, recursoId: 1, dados: exemplo }, contexto);
    if (!saiDaCasa(tipo)) {
      t.is(dito, null, tipo);
      continue;
    }
    t.truthy(dito, tipo);
    const valida = ajv.compile(DE_FORA[dito!.tipo].dados);
    t.true(valida(JSON.parse(toJson(dito!.dados))), `${tipo}: ${ajv.errorsText(valida.errors)}`);
    ditos.add(dito!.tipo);
    // What it is about may be gone by then.
    const nada = { faturas: new Map(), chamados: new Map(), cobertos: new Map() };
    t.notThrows(() => traduzir({ tipo, recursoId: 1, dados: exemplo }, nada));
  }
  const doChamado = (dados: object): string | undefined =>
    traduzir(
      { tipo: 'chamado.atualizado', recursoId: 1, dados: { cliente: 12, contrato: null, ...dados } },
      { faturas: new Map(), chamados: new Map([[1, CHAMADO]]), cobertos: new Map() },
    )?.tipo;
  for (const [dados, tipo] of [
    [{ campos: ['situacao', 'comentario'], de: 'aberto', para: 'solucionado' }, 'chamado.solucionado'],
    [{ campos: ['situacao'], de: 'aberto', para: 'cancelado' }, 'chamado.cancelado'],
    [{ campos: ['situacao'], de: 'solucionado', para: 'reaberto' }, 'chamado.reaberto'],
    [{ campos: ['situacao'], de: 'aberto', para: 'em_andamento' }, 'chamado.atualizado'],
    [{ campos: ['comentario'], de: 'aberto', para: 'aberto', entrada: 9, por: 'api' }, 'chamado.comentado'],
    [{ campos: ['comentario'], de: 'solucionado', para: 'solucionado' }, 'chamado.comentado'],
    [{ campos: ['agendamento'], de: 'aberto', para: 'aberto' }, 'chamado.agendado'],
    [{ campos: ['prioridade', 'comentario'], de: 'aberto', para: 'aberto' }, 'chamado.atualizado'],
  ] as const) {
    t.is(doChamado(dados), tipo);
    ditos.add(tipo);
  }
  // Each that is listed happens, but for the test, which is asked for.
  t.deepEqual(
    [...ditos].toSorted(),
    Object.keys(DE_FORA)
      .filter((tipo) => tipo !== 'teste.ping')
      .toSorted(),
  );
});
