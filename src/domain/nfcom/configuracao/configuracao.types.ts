import type { EsquemaDaNota } from '../../../../workers/threads/nfcom/contract.ts';
import type { Crt } from '../../../brazil/nfcom/base/nota.types.ts';
import type { RegrasIbsCbs } from '../../../brazil/nfcom/base/tributos.types.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Autorizador } from '../autorizador/autorizador.types.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';

/** What is done with an invoice that has no boleto, whose line a note must carry: refuse it, or write a line that is the same for all. */
export const SEM_BOLETO = ['recusar', 'linha_fixa'] as const;
export type SemBoleto = (typeof SEM_BOLETO)[number];

/** Notes of a provider that are with the authority at a time: the most, and where nothing is set. Below the equal rejections that stop a queue. */
export const MAIS_SIMULTANEAS = 16;
export const SIMULTANEAS = 8;

export const ESQUEMAS = ['NT2025.001', 'NT2026.002'] as const satisfies readonly EsquemaDaNota[];

/** Who issues notes; null where neither the settings nor the provider's registration say it. */
export interface EmitenteConfigurado {
  readonly cnpj: string | null;
  readonly inscricaoEstadual: string | null;
  readonly razaoSocial: string | null;
  readonly nomeFantasia: string | null;
  readonly cep: string | null;
  readonly logradouro: string | null;
  readonly numero: string | null;
  readonly complemento: string | null;
  readonly bairro: string | null;
  readonly cidade: string | null;
  readonly uf: string | null;
  /** IBGE's seven digits: as set, or found by city and UF. */
  readonly municipioCodigo: string | null;
  readonly telefone: string | null;
  readonly email: string | null;
}

export interface ResponsavelConfigurado {
  readonly cnpj: string;
  readonly contato: string;
  readonly email: string;
  readonly telefone: string;
  /** Id of the CSRT; its code is sealed. */
  readonly csrtId: string | null;
}

/** Everything that is set of a provider's fiscal notes. */
export interface ConfiguracaoNfcom {
  /** Whether the day's new invoices get their note by themselves, and since when. */
  readonly automatica: boolean;
  readonly automaticaDesde: Data | null;
  readonly ambiente: AmbienteNfcom;
  readonly serie: number;
  /** The number that the next note of this environment and series gets. */
  readonly proximoNumero: number;
  readonly crt: Crt;
  readonly emitente: EmitenteConfigurado;
  readonly semBoleto: SemBoleto;
  readonly linhaFixa: string | null;
  /** Since when notes are issued offline, and why; null while they are not. */
  readonly contingencia: { readonly desde: Date; readonly porque: string } | null;
  /** Hours after the end of the month of its authorisation during which a note may be cancelled. */
  readonly cancelamentoHoras: number;
  /** How many notes may be with the authority at a time; see `MAIS_SIMULTANEAS`. */
  readonly simultaneas: number;
  readonly esquema: EsquemaDaNota;
  readonly ibsCbs: RegrasIbsCbs;
  /** Whether the rules above are the provider's own. */
  readonly ibsCbsProprio: boolean;
  /** Null while the emitter's UF is not known. */
  readonly autorizador: Autorizador | null;
  readonly autorizadorProprio: boolean;
  /** CNPJ or CPF of who may have the notes from the authority. */
  readonly autorizados: readonly string[];
  /** Text that every note carries. */
  readonly informacoes: string | null;
  readonly responsavel: ResponsavelConfigurado | null;
  /** How many certificates are trusted beside the usual ones. */
  readonly casExtras: number;
  /** Whether it was ever set. */
  readonly existe: boolean;
  /** For forms: see `versaoDe`. */
  readonly versao: string;
}

/** What is missing before notes can be issued, in words for people. */
export interface Pendencia {
  readonly campo: string;
  readonly mensagem: string;
}

/** How a provider's authority answers. */
export interface EstadoDaFila {
  /** Until when nothing is sent. */
  readonly paradaAte: Date | null;
  /** Since when people let notes wait, and why; null: they go. */
  readonly pausa: { readonly desde: Date; readonly porque: string | null } | null;
  /** cStat, or `sem_resposta`, `tls`, `rejeicoes_iguais`. */
  readonly codigo: string | null;
  readonly motivo: string | null;
  /** Whether people may have it go on at once; not what the authority itself stopped. */
  readonly podeRetomar: boolean;
  /** From when on the authority is asked again about one note, where it refuses whatever it is asked; null: it is asked. */
  readonly semPerguntarAte: Date | null;
  /** Until when, and why, what is left of the other environment waits for its own authority; null: nothing waits for that. */
  readonly restos: { readonly ambiente: AmbienteNfcom; readonly ate: Date; readonly motivo: string } | null;
  readonly falhasSeguidas: number;
  readonly statusEm: Date | null;
  /** cStat of the last query of its status: 107, 108 or 109. */
  readonly statusCodigo: string | null;
}
