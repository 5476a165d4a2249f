import { lerTabela, type Registro } from './layout.ts';
import { BANCOS_240, CAIXA_DE_SETE, FEBRABAN_240 } from './layouts/cnab240.ts';

export type Nome240 = keyof typeof FEBRABAN_240;

/** The records of the bank; Caixa has other places for a beneficiary of 7 digits. */
export function registros240(banco: string, codigo = ''): (nome: Nome240) => Registro {
  const deSete = banco === '104' && codigo.length > 6;
  const lidos = new Map<Nome240, Registro>();
  return (nome) => {
    const pronto = lidos.get(nome);
    if (pronto !== undefined) return pronto;
    const doBanco = (deSete ? CAIXA_DE_SETE[nome] : undefined) ?? BANCOS_240[banco]?.[nome];
    const registro = lerTabela(FEBRABAN_240[nome], doBanco);
    lidos.set(nome, registro);
    return registro;
  };
}
