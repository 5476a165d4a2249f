import * as fc from 'fast-check';
import { criarCalendarioBancario } from '../../../src/brazil/calendario/calendario-bancario.ts';
import { hojeEm, somarDias } from '../../../src/brazil/calendario/datas.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, somarDinheiro } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { calcularEncargos } from '../../../src/brazil/dinheiro/encargos.ts';
import { juntarAviso } from '../../../src/domain/recebimentos/avisos.regras.ts';
import { julgar } from '../../../src/domain/recebimentos/quitacao.regras.ts';
import type {
  Devolucao,
  FaturaTravadaRow,
  PagamentoJulgado,
  PixRecebido,
} from '../../../src/domain/recebimentos/recebimentos.types.ts';
import { LIMITES_DE_BUSCA } from '../../../src/domain/provedores/provedores.types.ts';
import type { Provedor } from '../../../src/domain/provedores/provedores.types.ts';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';

// Histories of PIX: what is told of which, in what order, and where the money must be after each step.

export const FUSO = 'America/Sao_Paulo';
/** After all payments of a history. */
export const HOJE = '2026-12-20T15:00:00.000Z';
/** Days that a history spans. */
const DE = '2026-11-05' as Data;
const DIAS = 40;
const NACIONAL = criarCalendarioBancario(null);

export interface FaturaDaHistoria {
  readonly valor: Centavos;
  readonly vencimento: Data;
  readonly txid: string;
  /** What came by other ways. */
  readonly semData: Centavos;
  readonly cancelada: boolean;
}

export interface Historia {
  readonly regras: Pick<
    Provedor['regras'],
    'multaPercentual' | 'jurosMensalPercentual' | 'carenciaDias' | 'toleranciaPixDias'
  >;
  readonly faturas: readonly FaturaDaHistoria[];
  readonly pix: readonly PixRecebido[];
  /** Steps: `fatura n` comes to be, or a telling of a PIX with some of its devolutions. */
  readonly passos: readonly Passo[];
  /** The same steps in another order. */
  readonly outraOrdem: readonly Passo[];
}

export type Passo = { readonly fatura: number } | { readonly aviso: PixRecebido };

const NATUREZAS = [null, 'ORIGINAL', 'RETIRADA', 'MED_FRAUDE', 'MED_OPERACIONAL', 'MED_PIX_AUTOMATICO', 'OUTRA'];

/** What a payment may be of: what is owed on some day before it, a centavo less, a part of it, twice it, or anything. */
const QUANTO = {
  devido: ({ diasAntes }: Como, devido: Devido) => devido(diasAntes),
  menos: ({ diasAntes }: Como, devido: Devido) => devido(diasAntes) - 1,
  parte: ({ milesimos }: Como, devido: Devido) => Math.floor((devido(0) * milesimos) / 1000),
  dobro: (_como: Como, devido: Devido) => devido(0) * 2,
  qualquer: ({ milesimos }: Como) => milesimos * 37,
};
interface Como {
  readonly tipo: keyof typeof QUANTO;
  readonly diasAntes: number;
  readonly milesimos: number;
}
type Devido = (diasAntes: number) => number;

const comoPaga: fc.Arbitrary<Como> = fc.record({
  tipo: fc.constantFrom('devido', 'devido', 'devido', 'menos', 'parte', 'dobro', 'qualquer'),
  diasAntes: fc.nat({ max: 9 }),
  milesimos: fc.integer({ min: 1, max: 999 }),
});

const bruta = fc.record({
  regras: fc.record({
    multaPercentual: fc.constantFrom(0, 200),
    jurosMensalPercentual: fc.constantFrom(0, 100, 200),
    carenciaDias: fc.constantFrom(0, 0, 3),
    toleranciaPixDias: fc.nat({ max: 7 }),
  }),
  faturas: fc.array(
    fc.record({
      valor: fc.integer({ min: 100, max: 30_000 }),
      dia: fc.nat({ max: DIAS }),
      dinamica: fc.nat({ max: 5 }),
      semData: fc.constantFrom(0, 0, 0, 50),
      cancelada: fc.nat({ max: 15 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  pix: fc.array(
    fc.record({
      fatura: fc.nat({ max: 1 }),
      // Of the invoice, of none that there is, or without a txid.
      de: fc.constantFrom('fatura', 'fatura', 'fatura', 'fatura', 'ninguem', 'vazio'),
      como: comoPaga,
      // Few instants, so that some are the same.
      dia: fc.nat({ max: DIAS }),
      hora: fc.constantFrom('02:59:59.999', '03:00:00.000', '15:00:00.000'),
      devolucoes: fc.array(
        fc.record({
          // Of a thousand parts of what came; more than all of it comes up too.
          milesimos: fc.constantFrom(1, 250, 500, 1000, 1000, 1300),
          natureza: fc.constantFrom(...NATUREZAS),
        }),
        { maxLength: 2 },
      ),
      vezes: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  ordens: fc.array(fc.array(fc.nat(), { minLength: 16, maxLength: 16 }), { minLength: 2, maxLength: 2 }),
});

let serie = 0;

/** Random histories: early, late, partial, doubled, for nobody, returned by the provider and by the MED, out of order. */
export const historias: fc.Arbitrary<Historia> = bruta.map(({ regras, faturas: brutas, pix: pagamentos, ordens }) => {
  serie += 1;
  const faturas = brutas.map(({ valor, dia, dinamica, semData, cancelada }, n): FaturaDaHistoria => ({
    valor: centavos(valor),
    vencimento: somarDias(DE, dia),
    txid: `H${serie}F${n}`.padEnd(dinamica === 0 ? 30 : 20, 'x'),
    semData: centavos(semData),
    cancelada: cancelada === 0,
  }));
  const feitos: { fatura: number; em: Data; valor: Centavos }[] = [];
  const pix = pagamentos
    .toSorted((a, b) => (`${a.dia + 100} ${a.hora}` < `${b.dia + 100} ${b.hora}` ? -1 : 1))
    .map(({ fatura: qual, de, como, dia, hora, devolucoes }, n): PixRecebido => {
      const naFatura = qual % faturas.length;
      const fatura = faturas[naFatura]!;
      const horario = new Date(`${somarDias(DE, dia)}T${hora}Z`);
      const em = hojeEm(FUSO, horario);
      const anteriores = feitos.filter((feito) => feito.fatura === naFatura);
      const devido = (diasAntes: number): number => devidoEm(fatura, anteriores, regras, somarDias(em, -diasAntes));
      const valor = centavos(Math.max(1, QUANTO[como.tipo](como, devido)));
      if (de === 'fatura') feitos.push({ fatura: naFatura, em, valor });
      return {
        endToEndId: `E${String(serie).padStart(15, '0')}${String(n).padStart(16, '0')}`,
        txid: de === 'fatura' ? fatura.txid : de === 'vazio' ? null : `NINGUEM${serie}N${n}`,
        valor,
        horario,
        devolucoes: devolucoes.map(({ milesimos, natureza }, d) => ({
          id: `D${d}`,
          valor: centavos(Math.max(1, Math.floor((valor * milesimos) / 1000))),
          natureza,
        })),
      };
    });
  const passos: Passo[] = [
    ...faturas.map((_, fatura) => ({ fatura })),
    ...pix.flatMap((inteiro, n) => avisosDe(inteiro, pagamentos[n]!.vezes)),
  ];
  const [uma = [], outra = []] = ordens.map((ordem) => naOrdem(passos, ordem));
  return { regras, faturas, pix, passos: uma, outraOrdem: outra };
});

/** A PIX as it is told: by itself, with the first of its devolutions, with all; and all of it again. */
function avisosDe(pix: PixRecebido, vezes: number): Passo[] {
  const avisos = pix.devolucoes.map((_, n) => ({ aviso: { ...pix, devolucoes: pix.devolucoes.slice(0, n + 1) } }));
  const sozinho = { aviso: { ...pix, devolucoes: [] } };
  return Array.from({ length: vezes }, () => [sozinho, ...avisos]).flat();
}

function naOrdem<T>(itens: readonly T[], ordem: readonly number[]): T[] {
  return itens
    .map((item, n) => ({ item, lugar: ordem[n % ordem.length]! * 100 + n }))
    .toSorted((a, b) => a.lugar - b.lugar)
    .map(({ item }) => item);
}

/** What was owed on a day with payments that came before, reckoned apart from what is tested. */
export function devidoEm(
  { valor, vencimento, semData }: Pick<FaturaDaHistoria, 'valor' | 'vencimento' | 'semData'>,
  anteriores: readonly { readonly em: Data; readonly valor: Centavos }[],
  regras: Historia['regras'],
  dia: Data,
): Centavos {
  const outras = semData > 0 ? [{ em: vencimento, valor: semData }] : [];
  return calcularEncargos({
    valor,
    vencimento,
    hoje: dia,
    regras: { ...regras, calendario: NACIONAL },
    pagamentos: [...outras, ...anteriores].map(({ em, valor: pago }) => ({ em: em < dia ? em : dia, valor: pago })),
  }).total;
}

/** What a service keeps, in memory: the same pure rules over rows, without a database. */
export interface Memoria {
  readonly faturas: Map<number, FaturaNaMemoria>;
  readonly pix: Map<string, PixNaMemoria>;
}
export interface FaturaNaMemoria extends FaturaTravadaRow {
  readonly desconto: Centavos;
  readonly excedente: Centavos;
}
interface PixNaMemoria extends PagamentoJulgado {
  readonly fatura_id: number | null;
  readonly devolucoes: readonly Devolucao[];
}

function provedorDe({ regras }: Pick<Historia, 'regras'>): Provedor {
  return {
    id: 1,
    nome: 'x',
    panelHost: 'x.test',
    appEditaCadastro: true,
    buscas: LIMITES_DE_BUSCA,
    fusoHorario: FUSO,
    cnpj: null,
    viveFora: false,
    mudando: false,
    contas: [],
    regras: {
      ...regras,
      calendario: NACIONAL,
      excedenteViraCredito: false,
      desbloqueioHabilitado: false,
      promessaDias: 7,
      desbloqueioDias: 3,
    },
  };
}

export function criarMemoria(historia: Pick<Historia, 'regras' | 'faturas'>) {
  const memoria: Memoria = { faturas: new Map(), pix: new Map() };
  const provedor = provedorDe(historia);
  const hoje = hojeEm(FUSO, new Date(HOJE));
  const pagamentosDe = (id: number) => [...memoria.pix.values()].filter(({ fatura_id }) => fatura_id === id);
  const peloTxid = (txid: string | null): number | null =>
    [...memoria.faturas.keys()].find((id) => historia.faturas[id]!.txid === txid) ?? null;

  function gravar(id: number, pix: PixNaMemoria): void {
    const antes = pix.fatura_id === null ? [] : pagamentosDe(pix.fatura_id);
    memoria.pix.set(pix.end_to_end_id, { ...pix, id });
    if (pix.fatura_id === null) return;
    const fatura = memoria.faturas.get(pix.fatura_id)!;
    const juizo = julgar({ fatura, antes, depois: pagamentosDe(pix.fatura_id), provedor, hoje });
    memoria.faturas.set(pix.fatura_id, {
      ...fatura,
      situacao: juizo.situacao,
      pago_em: juizo.pagoEm,
      valor_pago: escreverDinheiro(juizo.valorPago),
      abatido: escreverDinheiro(juizo.abatido),
      desconto: juizo.desconto,
      excedente: juizo.excedente,
    });
  }

  return {
    memoria,

    dar: (passo: Passo): void => {
      if ('fatura' in passo) {
        const { valor, vencimento, semData, cancelada } = historia.faturas[passo.fatura]!;
        memoria.faturas.set(passo.fatura, {
          id: passo.fatura,
          cliente_id: 1,
          contrato_id: null,
          situacao: cancelada ? 'cancelada' : 'pendente',
          valor: escreverDinheiro(valor),
          valor_pago: escreverDinheiro(semData),
          abatido: '0.00',
          vencimento,
          pago_em: null,
          reaberta_em: null,
          desconto: centavos(0),
          excedente: centavos(0),
        });
        return;
      }
      const { aviso } = passo;
      const conhecido = memoria.pix.get(aviso.endToEndId);
      const { devolvido, tomado, novas, nomeadas } = juntarAviso(
        conhecido === undefined ? null : { valor: emCentavos(conhecido.valor), devolucoes: conhecido.devolucoes },
        aviso,
      );
      const faturaId = conhecido?.fatura_id ?? peloTxid(aviso.txid);
      gravar(conhecido?.id ?? memoria.pix.size + 1, {
        id: 0,
        meio: 'pix',
        end_to_end_id: aviso.endToEndId,
        txid: aviso.txid,
        valor: conhecido?.valor ?? escreverDinheiro(aviso.valor),
        devolvido: escreverDinheiro(devolvido),
        tomado: escreverDinheiro(tomado),
        pago_em: toDatabaseTime(aviso.horario),
        vinculado_em: null,
        fatura_id: faturaId,
        devolucoes: [
          ...(conhecido?.devolucoes ?? []).filter(({ id }) => !nomeadas.some((n) => n.id === id)),
          ...nomeadas,
          ...novas,
        ],
      });
    },

    /** Puts those that wait to their invoices, as the job does. */
    identificar: (): void => {
      for (const pix of memoria.pix.values()) {
        const faturaId = pix.fatura_id ?? peloTxid(pix.txid);
        if (pix.fatura_id === null && faturaId !== null) gravar(pix.id, { ...pix, fatura_id: faturaId });
      }
    },
  };
}

export function emCentavos(texto: string): Centavos {
  return centavos(Number(texto.replace('.', '')));
}

/** Where all that was told is, by the rows of PIX on one side and of invoices on the other. */
export function somasDe({ faturas, pix }: Memoria, outras: readonly Centavos[]) {
  const todos = [...pix.values()];
  const somar = (lista: readonly PixNaMemoria[], de: (um: PixNaMemoria) => Centavos): Centavos =>
    somarDinheiro(...lista.map(de));
  const veio = somarDinheiro(
    ...[...faturas.values()].map(({ id, valor_pago }) => centavos(emCentavos(valor_pago) - outras[id]!)),
  );
  const excedente = somarDinheiro(...[...faturas.values()].map((fatura) => fatura.excedente));
  return {
    avisado: somar(todos, ({ valor }) => emCentavos(valor)),
    boletos: centavos(0),
    baixado: centavos(0),
    aplicado: centavos(veio - excedente),
    excedente,
    naoIdentificado: somar(
      todos.filter(({ fatura_id }) => fatura_id === null),
      ({ valor, devolvido }) => centavos(emCentavos(valor) - emCentavos(devolvido)),
    ),
    devolvido: somar(todos, ({ devolvido }) => emCentavos(devolvido)),
  };
}
