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
}

/** An invoice of which no note can be issued, and why; by the codes of `MOTIVOS_DE_RECUSA` and those of brazil/nfcom/recusas.ts. */
export interface FaturaRecusada {
  readonly faturaId: number;
  readonly clienteId: number;
  readonly motivos: readonly { readonly codigo: string; readonly mensagem: string }[];
}

/** What would be issued, before it is asked for. */
export interface PreviaDaEmissao {
  /** Invoices that a note would be issued of. */
  readonly notas: number;
  readonly totais: TotaisSomados;
  /** At most 200 of them. */
  readonly recusadas: readonly FaturaRecusada[];
  readonly recusadasAoTodo: number;
  /** Whether there are more invoices than were looked at (`MAIOR_PREVIA`); then the numbers are of those alone. */
  readonly cortada: boolean;
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
  sem_contrato: 'a fatura não é de contrato nenhum, e o cliente não tem um só',
  fatura_cancelada: 'a fatura foi cancelada ou estornada',
  fatura_importada: 'a fatura veio de outro sistema, onde a nota dela já existe',
  fatura_de_renegociacao: 'a fatura é de uma renegociação: as notas são das faturas de antes',
  cliente_apagado: 'os dados do cliente foram apagados',
  desconto_total: 'o desconto é o valor inteiro da fatura',
} as const;
export type MotivoDeRecusaNfcom = keyof typeof MOTIVOS_DE_RECUSA;
