import { exigido, bem, mal, opcional } from '../campos/campos.ts';
import type { Leitor } from '../campos/campos.ts';
import { codigoExterno, ouNulo, texto } from '../campos/leitores.ts';
import { LEITURAS_DA_CONTA, LEITURA_DE_CNPJ } from './conta.regras.ts';
import type { LeituraDeTexto } from './conta.regras.ts';

/** Longer than whatever is read. */
const MAIOR_TEXTO = 254;

const digitado =
  ({ ler, pede }: LeituraDeTexto): Leitor<string | null> =>
  (valor) =>
    ouNulo<string>((dado) => {
      const limpo = texto(1, MAIOR_TEXTO)(dado);
      if ('faltas' in limpo) return limpo;
      const lido = ler(limpo.valor);
      return lido === null ? mal(`deve ser ${pede}`) : bem(lido);
    })(valor);

/** A charging account, as it is typed. An empty text, or null, clears what may be missing. */
export const FORMA_DE_COBRADOR = {
  nome: exigido(texto(1, 120)),
  cnpj: opcional(digitado(LEITURA_DE_CNPJ)),
  pix_chave: opcional(digitado(LEITURAS_DA_CONTA.pix_chave)),
  pix_nome: opcional(digitado(LEITURAS_DA_CONTA.pix_nome)),
  pix_cidade: opcional(digitado(LEITURAS_DA_CONTA.pix_cidade)),
  boleto_banco: opcional(digitado(LEITURAS_DA_CONTA.boleto_banco)),
  boleto_agencia_codigo: opcional(digitado(LEITURAS_DA_CONTA.boleto_agencia_codigo)),
  boleto_carteira: opcional(digitado(LEITURAS_DA_CONTA.boleto_carteira)),
  codigo_externo: opcional(ouNulo(codigoExterno)),
};
