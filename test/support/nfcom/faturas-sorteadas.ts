import { gerarCodigoBarras, linhaDigitavel } from '../../../src/brazil/boleto/boleto.ts';
import { hojeEm, somarDias, type Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, type Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { digitosCnpj, digitosCpf } from '../../../src/brazil/pessoa/cpf-cnpj.ts';
import { cobrancaAte } from '../../../src/domain/faturamento/calculo/cobranca.regras.ts';
import { REGRAS_PADRAO } from '../../../src/domain/faturamento/faturamento.types.ts';
import type { Cobranca, ContratoAFaturar, ItemDoContrato } from '../../../src/domain/faturamento/faturamento.types.ts';
import { apurarFatura } from '../../../src/domain/faturas/apuracao.regras.ts';
import { chaveDaParte } from '../../../src/domain/nfcom/nota/contexto.ts';
import type { ContextoDaMontagem } from '../../../src/domain/nfcom/nota/contexto.ts';
import type { ContratoRow, FaturaFiscalRow } from '../../../src/domain/nfcom/nota/montagem.queries.ts';
import type { NotaAMontar } from '../../../src/domain/nfcom/nota/montagem.regras.ts';
import { partesDasFaturas } from '../../../src/domain/nfcom/nota/partes.regras.ts';
import { CLIENTE_COMUM } from '../../../src/domain/nfcom/servicos/leitura.service.ts';
import type { Provedor } from '../../../src/domain/provedores/provedores.types.ts';
import { sorteio } from '../sorteio.ts';
import {
  ENDERECO_SORTEADO,
  configuracaoSorteada,
  gruposSorteados,
  provedorSorteado,
  reparticoesSorteadas,
  servicosDeExemplo,
} from './provedor-sorteado.ts';

// Invoices as a month's billing makes them, with all that their notes are built from, out of nothing but a seed.

type Sorteio = ReturnType<typeof sorteio>;

/** An invoice with the notes that it has: one, or one of each of its contracts. */
export interface FaturaSorteada {
  readonly provedor: Provedor;
  readonly contexto: ContextoDaMontagem;
  readonly notas: readonly NotaAMontar[];
  readonly valor: Centavos;
  readonly desconto: Centavos;
  readonly linha: string;
  /** Contracts of which the plan's service is billed, whatever is taken off. */
  readonly comPlano: ReadonlySet<number>;
}

const MESES = ['2025-11-01', '2026-02-01', '2026-11-01', '2027-01-01', '2028-02-01'] as const;
export function faturaSorteada(semente: number): FaturaSorteada {
  const s = sorteio(semente);
  const crt = s.um([1, 1, 2, 3, 3, 3] as const);
  const mes = s.um(MESES) as Data;
  const hoje = somarDias(mes, 24);
  const contratos = Array.from({ length: s.numero() < 0.25 ? 2 + s.ate(2) : 1 }, (_, n) => contrato(s, 10 + n, mes));
  const ate = somarDias(mes, 45);
  const cobrados = contratos
    .map((um) => [um, cobrancaAte(um, { ...REGRAS_PADRAO, desde: mes }, ate, hoje)] as const)
    .filter(([, { valor }]) => valor > 0);
  const [primeiro] = cobrados;
  // Nothing to charge: a month of which all was given back.
  if (primeiro === undefined) return faturaSorteada(semente + 1_000_003);
  const valor = centavos(cobrados.reduce((soma, [, cobranca]) => soma + cobranca.valor, 0));
  const { vencimento } = primeiro[1];
  const provedor = provedorSorteado(s);
  const linhaFixa = s.numero() < 0.1 ? linhaDe(s, somarDias(vencimento, 1), centavos(1)) : null;
  const linha = linhaFixa ?? linhaDe(s, vencimento, valor);
  const row = faturaRow(s, {
    valor,
    vencimento,
    mes,
    contratos: cobrados.map(([um]) => um),
    linha: linhaFixa === null ? linha : null,
  });
  const agora = new Date(`${somarDias(vencimento, s.ate(30) - 15)}T${s.um(['00:30', '12:00', '23:30'])}:00.000Z`);
  const dia = hojeEm(provedor.fusoHorario, agora);
  const linhas = cobrados.map(([um, { valor: cobrado }]) => ({
    fatura_id: row.id,
    contrato_id: um.id,
    valor: escreverDinheiro(cobrado),
  }));
  const partes = partesDasFaturas([row], linhas);
  const desconto = centavos(s.numero() < 0.7 ? 0 : s.ate(Math.ceil(valor / 2)));
  const contexto: ContextoDaMontagem = {
    configuracao: configuracaoSorteada(s, crt, linhaFixa),
    faturas: new Map([[row.id, { row, apurada: apurarFatura(row, [], provedor, dia) }]]),
    clientes: new Map([[row.cliente_id, cliente(s, row.cliente_id)]]),
    contratos: new Map(contratos.map((um) => [um.id, contratoRow(s, um, mes)])),
    cobrados: new Map(cobrados.map(([um, { itens }]) => [chaveDaParte(row.id, um.id), itens])),
    adicionais: new Map(contratos.flatMap(({ itens }) => itens.flatMap(adicionalDe))),
    partesDasFaturas: partes,
    contratosDoCliente: new Map(),
    telefones: new Map(s.numero() < 0.5 ? [] : [[row.cliente_id, '35999990000']]),
    descontos: new Map(desconto === 0 ? [] : [[row.id, desconto]]),
    importadas: new Set(),
    deAcordo: new Set(),
    fiscais: new Map([[row.cliente_id, { ...CLIENTE_COMUM, retencoes: retencoes(s) }]]),
    servicos: new Map(servicosDeExemplo().map((um) => [um.id, um])),
    grupos: new Map(gruposSorteados(s, crt).map((um) => [um.id, um])),
    partes: reparticoesSorteadas(s, contratos),
    municipios: new Map(),
  };
  const ids = partes.get(row.id)?.map(({ contratoId }) => contratoId) ?? [null];
  return {
    provedor,
    contexto,
    valor,
    desconto,
    linha,
    notas: ids.map((contratoId, n) => nota(s, row.id, contratoId, n, agora)),
    comPlano: new Set(cobrados.filter(([, cobranca]) => temPlano(cobranca)).map(([um]) => um.id)),
  };
}

const temPlano = ({ itens }: Cobranca): boolean =>
  itens.reduce((soma, { tipo, valor }) => (tipo === 'adicional' || tipo === 'saldo' ? soma : soma + valor), 0) > 0;

const adicionalDe = ({ id, tipo, valor }: ItemDoContrato) =>
  tipo === 'unico' || tipo === 'recorrente' ? [[id, { tipo, preco: centavos(valor) }] as const] : [];

/** Half of them came in the month that is billed, or the one before, and pay for the days of it that they had. */
function contrato(s: Sorteio, id: number, mes: Data): ContratoAFaturar {
  const valor = centavos(s.um([9990, 5000 + s.ate(30_000), 500 + s.ate(5000)]));
  const ativadoEm = s.numero() < 0.5 ? somarDias(mes, -400) : somarDias(mes, s.ate(30));
  const itens: ItemDoContrato[] = [];
  const novo = (tipo: ItemDoContrato['tipo'], descricao: string, quanto: number): void => {
    itens.push({ id: id * 10 + itens.length, tipo, descricao, valor: quanto, de: mes, ate: null });
  };
  if (s.numero() < 0.3) novo('recorrente', 'Roteador “Wi-Fi 6”', 1 + s.ate(4000));
  if (s.numero() < 0.15) novo('recorrente', 'IP fixo', 1990);
  if (s.numero() < 0.25) novo('unico', 'Instalação', 1 + s.ate(30_000));
  if (s.numero() < 0.2) novo('desconto', 'Desconto', 1 + s.ate(Math.ceil(valor / 2)));
  if (s.numero() < 0.2) novo('desconto_percentual', 'Promoção', 1 + s.ate(9000));
  return {
    id,
    clienteId: 7,
    cobradorId: null,
    situacao: 'ativo',
    tipoCobranca: 'pos_pago',
    diaVencimento: 1 + s.ate(14),
    valor,
    plano: 'Fibra 500',
    ativadoEm,
    criadoEm: ativadoEm,
    mudancas: [],
    itens,
    feitas: s.numero() < 0.1 ? [creditoDeAntes(s, mes)] : [],
  };
}

/** A charge below nothing, which the month's own takes off. */
function creditoDeAntes(s: Sorteio, mes: Data): ContratoAFaturar['feitas'][number] {
  const valor = centavos(-1 - s.ate(3000));
  const competencia = `${somarDias(mes, -1).slice(0, 8)}01` as Data;
  const itens = [{ tipo: 'saldo', ref: competencia, valor, descricao: 'Crédito' }] as const;
  return { competencia, tipo: 'mensalidade', valor, isenta: true, bloqueado: false, cancelada: false, itens };
}

function contratoRow(s: Sorteio, { id, valor, ativadoEm }: ContratoAFaturar, mes: Data): ContratoRow {
  const semEndereco = { ...ENDERECO_SORTEADO, cidade: null, uf: null };
  return {
    ...(s.numero() < 0.5 ? ENDERECO_SORTEADO : semEndereco),
    id,
    cliente_id: 7,
    plano_id: 3,
    situacao: 'ativo',
    valor: escreverDinheiro(valor),
    ativado_em: s.numero() < 0.9 ? ativadoEm : null,
    criado_em: `${mes} 12:00:00.000`,
  };
}

function cliente(s: Sorteio, id: number): ReturnType<ContextoDaMontagem['clientes']['get']> & object {
  const pj = s.numero() < 0.3;
  const base = Array.from({ length: pj ? 8 : 9 }, (_, n) => (n === 0 ? 1 : s.ate(10))).join('') + (pj ? '0001' : '');
  return {
    ...ENDERECO_SORTEADO,
    id,
    nome: s.um(['Maria José da Conceição', "Joana D'Arc & Filhos <ME>", 'Padaria “Pão de Mel”']),
    tipo: pj ? 'pj' : 'pf',
    cpf_cnpj: base + (pj ? digitosCnpj(base) : digitosCpf(base)),
    email: s.um([null, 'a@b.co']),
    apagado_em: null,
  };
}

const retencoes = (s: Sorteio) =>
  s.numero() < 0.8
    ? null
    : s.um([
        { pis: 6500, cofins: 30_000, csll: 10_000, irrf: 48_000 },
        { pis: s.ate(20_001), cofins: s.ate(20_001), csll: s.ate(20_001), irrf: 0 },
      ]);

function faturaRow(
  s: Sorteio,
  de: {
    readonly valor: Centavos;
    readonly vencimento: Data;
    readonly mes: Data;
    readonly contratos: readonly ContratoAFaturar[];
    readonly linha: string | null;
  },
): FaturaFiscalRow {
  const [primeiro] = de.contratos;
  const paga = s.numero() < 0.2;
  return {
    id: 1 + s.ate(100_000),
    cliente_id: 7,
    contrato_id: de.contratos.length === 1 && primeiro !== undefined ? primeiro.id : null,
    cobrador_id: null,
    descricao: 'Mensalidade',
    situacao: paga ? 'paga' : 'pendente',
    tipo: 'boleto',
    valor: escreverDinheiro(de.valor),
    valor_pago: paga ? escreverDinheiro(de.valor) : '0.00',
    abatido: '0.00',
    vencimento: de.vencimento,
    emitida_em: `${somarDias(de.mes, 24)} 12:00:00.000`,
    pago_em: paga ? `${de.vencimento} 12:00:00.000` : null,
    token: 'x'.repeat(22),
    pix_txid: 'MALHA000000000000000000000001',
    pix_copia_cola: null,
    linha_digitavel: de.linha,
    codigo_barras: null,
    nosso_numero: null,
    boleto_situacao: null,
    competencia: s.numero() < 0.9 ? de.mes : null,
  };
}

const linhaDe = (s: Sorteio, vencimento: Data, valor: Centavos): string =>
  linhaDigitavel(
    gerarCodigoBarras({
      banco: '237',
      vencimento,
      valor,
      campoLivre: `29496${String(s.ate(100_000_000)).padStart(8, '0')}000000403000`,
    }),
  );

const nota = (s: Sorteio, faturaId: number, contratoId: number | null, n: number, emitidaEm: Date): NotaAMontar => ({
  faturaId,
  contratoId,
  serie: 1,
  numero: 1 + s.ate(900_000_000) + n,
  codigoNumerico: String(s.ate(10_000_000)).padStart(7, '0'),
  emitidaEm,
  finalidade: { tipo: 'normal' },
  ajuste: null,
  emContingencia: false,
  csrt: null,
});
