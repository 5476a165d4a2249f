import { centavos, escreverDinheiro } from '../../dinheiro/dinheiro.ts';
import type { Centavos } from '../../dinheiro/dinheiro.ts';

/** What a charge at a PSP asks for (Banco Central, API Pix 2.9.0, `CobSolicitada` and `CobVSolicitada`). */
interface Cobranca {
  readonly chave: string;
  readonly valor: Centavos;
  readonly pagador: { readonly nome: string; readonly documento: string } | null;
  readonly solicitacao: string | null;
}

/** A charge that is paid at once, or within `segundos`. */
export interface CobrancaImediata extends Cobranca {
  readonly segundos: number;
}

/** A charge with a due date; its PSP reckons fine and interest at each reading. */
export interface CobrancaComVencimento extends Cobranca {
  readonly vencimento: string;
  /** Calendar days after the due date in which it can still be paid. */
  readonly validadeDias: number;
  /** Hundredths of a percent; 0: none. */
  readonly multa: number;
  /** `modalidade` 1: money a day; 3: percent a month. */
  readonly juros: { readonly modalidade: 1 | 3; readonly valorPerc: string } | null;
}

const LIMITE_DO_NOME = 200;
const LIMITE_DO_PEDIDO = 140;

function devedor({ pagador }: Cobranca): object {
  if (pagador === null) return {};
  const { nome, documento } = pagador;
  const quem = documento.length === 11 ? { cpf: documento } : { cnpj: documento };
  return { devedor: { ...quem, nome: nome.slice(0, LIMITE_DO_NOME) } };
}

const pedido = ({ solicitacao }: Cobranca): object =>
  solicitacao === null ? {} : { solicitacaoPagador: solicitacao.slice(0, LIMITE_DO_PEDIDO) };

/** Body of `PUT /cob/{txid}`. */
export const corpoDaCob = (cobranca: CobrancaImediata): object => ({
  calendario: { expiracao: cobranca.segundos },
  ...devedor(cobranca),
  valor: { original: escreverDinheiro(cobranca.valor) },
  chave: cobranca.chave,
  ...pedido(cobranca),
});

/** Body of `PUT /cobv/{txid}`, and of its `PATCH`. */
export const corpoDaCobv = (cobranca: CobrancaComVencimento): object => ({
  calendario: { dataDeVencimento: cobranca.vencimento, validadeAposVencimento: cobranca.validadeDias },
  ...devedor(cobranca),
  valor: {
    original: escreverDinheiro(cobranca.valor),
    ...(cobranca.multa === 0
      ? {}
      : { multa: { modalidade: 2, valorPerc: escreverDinheiro(centavos(cobranca.multa)) } }),
    ...(cobranca.juros === null ? {} : { juros: cobranca.juros }),
  },
  chave: cobranca.chave,
  ...pedido(cobranca),
});

/** Body of the `PATCH` that takes a charge off. */
export const REMOCAO = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' } as const;
