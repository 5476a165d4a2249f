import { somarDias, diasEntre } from '../../src/brazil/calendario/datas.ts';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import { proximoDiaUtil } from '../../src/brazil/calendario/calendario-bancario.ts';
import type { CalendarioBancario } from '../../src/brazil/calendario/calendario-bancario.ts';

interface Encargo {
  readonly modalidade: number;
  readonly valorPerc: string;
}

/** What is asked for, as far as the stand-in looks at it. */
export interface CorpoDaCobranca {
  readonly chave: string;
  readonly status?: CobrancaNoPsp['status'];
  readonly valor: { readonly original: string; readonly multa?: Encargo; readonly juros?: Encargo };
  readonly calendario?: {
    readonly expiracao?: number;
    readonly dataDeVencimento?: string;
    readonly validadeAposVencimento?: number;
  };
}

/** A charge as a PSP keeps it: what it was asked for, and what has become of it. */
export interface CobrancaNoPsp {
  readonly tipo: 'cob' | 'cobv';
  readonly txid: string;
  readonly corpo: CorpoDaCobranca;
  readonly criadaEm: Date;
  readonly revisao: number;
  readonly status: 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
  readonly location: string;
  readonly idDaLocation: number;
}

const emCentavos = (texto: string): number => Math.round(Number(texto) * 100);
export const emReais = (centavos: number): string => (centavos / 100).toFixed(2);

/**
 * What a charge asks for on a day, in centavos, and of which parts; null once it cannot be paid. Interest is rounded down, as some PSPs do:
 * the API Pix does not say how.
 */
export function valorNoDia(
  { tipo, corpo, criadaEm }: CobrancaNoPsp,
  dia: Data,
  agora: Date,
  calendario: CalendarioBancario,
): { readonly total: number; readonly multa: number; readonly juros: number } | null {
  const original = emCentavos(corpo.valor.original);
  if (tipo === 'cob') {
    const fim = criadaEm.getTime() + (corpo.calendario?.expiracao ?? 86_400) * 1000;
    return agora.getTime() > fim ? null : { total: original, multa: 0, juros: 0 };
  }
  const { dataDeVencimento = '', validadeAposVencimento = 30 } = corpo.calendario ?? {};
  const util = proximoDiaUtil(dataDeVencimento as Data, calendario);
  if (dia > proximoDiaUtil(somarDias(util, validadeAposVencimento), calendario)) return null;
  const dias = Math.max(0, diasEntre(util, dia));
  if (dias === 0) return { total: original, multa: 0, juros: 0 };
  const { multa: daMulta, juros: dosJuros } = corpo.valor;
  const multa =
    daMulta === undefined
      ? 0
      : daMulta.modalidade === 1
        ? emCentavos(daMulta.valorPerc)
        : Math.floor((original * emCentavos(daMulta.valorPerc)) / 10_000);
  const juros =
    dosJuros === undefined
      ? 0
      : dosJuros.modalidade === 1
        ? emCentavos(dosJuros.valorPerc) * dias
        : Math.floor((original * emCentavos(dosJuros.valorPerc) * dias) / 300_000);
  return { total: original + multa + juros, multa, juros };
}
