import { mesDe } from '../../faturamento/calculo/meses.regras.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { TotaisDaNota } from '../../../brazil/nfcom/itens/totais.ts';

/** Which invoices notes are asked for; filters combine with AND. Of one that has a note already none is asked for again. */
export interface FiltroDeEmissao {
  readonly emitidasDe?: Data | undefined;
  readonly emitidasAte?: Data | undefined;
  readonly vencimentoDe?: Data | undefined;
  readonly vencimentoAte?: Data | undefined;
  readonly planoId?: number | undefined;
  readonly clienteId?: number | undefined;
  /** Of the client's address. */
  readonly uf?: string | undefined;
  /** Only invoices that are still open. */
  readonly abertas?: boolean | undefined;
  readonly faturaIds?: readonly number[] | undefined;
  /** Of booklets, which are made a year ahead, only invoices of months of service up to this one (its first day). */
  readonly mesAte?: Data | undefined;
  /** Only invoices of booklets, of months of service from this one on. */
  readonly carnesDesde?: Data | undefined;
  /** Those whose note waits until a bank has their boleto, instead of those whose note can be issued. */
  readonly esperando?: true | undefined;
}

/** How much of an item of a note an adjustment gives back, in centavos. */
export interface ItemAjustado {
  readonly item: number;
  readonly valor: number;
}

/** An invoice of which no note can be issued, and why; by the codes of `MOTIVOS_DE_RECUSA` and those of brazil/nfcom/recusas.ts. */
export interface FaturaRecusada {
  readonly faturaId: number;
  readonly clienteId: number;
  readonly motivos: readonly { readonly codigo: string; readonly mensagem: string }[];
}

/** What would be issued, before it is asked for. */
export interface PreviaDaEmissao {
  /** Notes that would be issued: one of each invoice, or of each contract of an invoice that joins several. */
  readonly notas: number;
  readonly totais: TotaisSomados;
  /** At most 200 of them. */
  readonly recusadas: readonly FaturaRecusada[];
  readonly recusadasAoTodo: number;
  /** Invoices whose note waits until a bank has their boleto. */
  readonly esperam: number;
  /** Invoices that the filter finds: notes are asked for of all of them. */
  readonly faturas: number;
  /** What these invoices amount to. */
  readonly valorDasFaturas: Centavos;
  /** Of how many of them, the first ones, the numbers are (`MAIOR_PREVIA`), where there are more; null: of all. */
  readonly cortada: number | null;
  /** Where they are cut off, the id of the invoice after which the next part begins. */
  readonly proxima: number | null;
}

export type TotaisSomados = Pick<
  TotaisDaNota,
  'produtos' | 'desconto' | 'baseDoIcms' | 'icms' | 'fcp' | 'pis' | 'cofins' | 'fust' | 'funttel' | 'nota'
> & { readonly ibs: Centavos; readonly cbs: Centavos };

/** Why a note is refused here, before anything is signed; besides the codes of brazil/nfcom/recusas.ts. */
export const MOTIVOS_DE_RECUSA = {
  sem_configuracao: 'os dados fiscais do provedor estão incompletos',
  sem_certificado: 'o provedor não tem certificado A1 válido',
  certificado_de_outro: 'o certificado é de outro CNPJ',
  sem_servico: 'não há serviço cadastrado para compor o preço',
  sem_resto: 'as partes fixas do preço chegam ao valor do contrato, e não sobra nada para a parte que fica com o resto',
  sem_contrato: 'a fatura não diz de que contrato é, e o cliente não tem um só',
  fatura_cancelada: 'a fatura foi cancelada ou estornada',
  fatura_importada: 'a fatura veio de outro sistema, onde a nota dela já existe',
  fatura_de_renegociacao: 'a fatura é de uma renegociação: as notas são das faturas de antes',
  nota_de_outro_ambiente: 'a nota que esta corrige é de outro ambiente, onde as notas já não são emitidas',
  pedida_em_outro_ambiente: 'a nota foi pedida em outro ambiente, onde as notas já não são emitidas',
  cliente_apagado: 'os dados do cliente foram apagados',
  desconto_total: 'o desconto é o valor inteiro da fatura',
} as const;
export type MotivoDeRecusaNfcom = keyof typeof MOTIVOS_DE_RECUSA;

/** A filter that names no invoices leaves out those of a booklet's months to come. */
export const semMesesAVir = (filtro: FiltroDeEmissao, hoje: Data): FiltroDeEmissao =>
  filtro.faturaIds === undefined ? { ...filtro, mesAte: mesDe(hoje) } : filtro;
