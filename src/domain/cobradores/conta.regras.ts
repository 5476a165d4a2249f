import { temCaractereProibido } from '../../brazil/pessoa/digitado.ts';
import { cpfCnpjValido, normalizarCpfCnpj } from '../../brazil/pessoa/cpf-cnpj.ts';
import { normalizarChavePix } from '../../brazil/pix/chave-pix.ts';
import { CIDADE_MAXIMA, NOME_MAXIMO, paraAscii } from '../../brazil/pix/pix.ts';

/** How a text becomes a column's value; null where it does not. */
export interface LeituraDeTexto {
  readonly ler: (limpo: string) => string | null;
  /** What is asked for, in words for who typed something else. */
  readonly pede: string;
}

/** A text as it is written, of so many characters. */
export const textoAte = (maximo: number): LeituraDeTexto => ({
  ler: (limpo) => (Array.from(limpo).length <= maximo && !temCaractereProibido(limpo) ? limpo : null),
  pede: `até ${maximo} caracteres`,
});

const textoDoPix = (maximo: number): LeituraDeTexto => ({
  // Cut in silence, a name would name somebody else.
  ler: (limpo) => (paraAscii(limpo).length <= maximo ? paraAscii(limpo) || null : null),
  pede: `até ${maximo} letras, dígitos e sinais; os acentos não contam, porque o código não os leva`,
});

export const LEITURA_DE_CNPJ: LeituraDeTexto = {
  ler(limpo) {
    const cnpj = normalizarCpfCnpj(limpo);
    return cnpj?.length === 14 && cpfCnpjValido(cnpj) ? cnpj : null;
  },
  pede: '14 letras e dígitos, com os verificadores certos',
};

/** What makes a charging account, by its columns: who receives a PIX, and what the paper of a boleto says of the bank. */
export const LEITURAS_DA_CONTA = {
  pix_chave: {
    ler: normalizarChavePix,
    pede: 'um CPF, CNPJ, e-mail, chave aleatória, ou celular, que precisa do +55, como +5535999990000',
  },
  pix_nome: textoDoPix(NOME_MAXIMO),
  pix_cidade: textoDoPix(CIDADE_MAXIMA),
  boleto_banco: {
    // A line that begins with 8 is a utility's or a tax's.
    ler: (limpo) => (/^[0-79]\d\d$/.test(limpo) ? limpo : null),
    pede: 'os três dígitos do banco, como 756',
  },
  boleto_agencia_codigo: textoAte(24),
  boleto_carteira: textoAte(8),
} as const satisfies Readonly<Record<string, LeituraDeTexto>>;

export type ColunaDaConta = keyof typeof LEITURAS_DA_CONTA;

/** Columns by which a PIX code is made. */
export const mudaCodigos = (coluna: string): boolean => coluna.startsWith('pix_');
