import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { emPalavra } from '../formatos/valores.regras.ts';
import type { ClienteLido } from './clientes.leitura.ts';
import type { FaturaLida } from './faturas.leitura.ts';
import type { ContratoAchado, FaturaAchada } from '../lotes/lote.queries.ts';
import type { JaEstava, Recusada } from '../lotes/lote.types.ts';

/** In which fields a line says something else than the contract that it made before. What it does not say, differs in nothing. */
export function diferencasDoContrato({ contrato, situacao }: ClienteLido, ha: ContratoAchado): string[] {
  const { login, valor } = contrato;
  const daqui = ha.situacao === 'cancelado_definitivo' ? 'cancelado' : ha.situacao;
  return nomes({
    situacao: situacao.situacao !== daqui,
    valor: valor !== undefined && escreverDinheiro(valor) !== ha.valor,
    login: typeof login === 'string' && emPalavra(login) !== emPalavra(ha.login ?? ''),
    dia_vencimento: contrato.dia_vencimento !== ha.dia_vencimento,
  });
}

/** The same of an invoice. */
export function diferencasDaFatura({ fatura, situacao }: FaturaLida, ha: FaturaAchada): string[] {
  const daqui = ha.situacao === 'pendente' || ha.situacao === 'vencida' ? 'aberta' : ha.situacao;
  const { valor_pago: pago } = fatura;
  return nomes({
    situacao: situacao !== daqui,
    valor: escreverDinheiro(fatura.valor) !== ha.valor,
    vencimento: fatura.vencimento !== ha.vencimento,
    valor_pago: pago !== undefined && escreverDinheiro(pago) !== ha.valor_pago,
  });
}

const nomes = (diferem: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(diferem).flatMap(([nome, difere]) => (difere ? [nome] : []));

/** The lines that differ, as the report says it: by names of columns, without values. */
export const queDiferem = (jaEstavam: readonly JaEstava[]): Recusada[] =>
  jaEstavam
    .filter(({ difere }) => difere.length > 0)
    .map(({ linha, resumo, difere }) => ({
      linha,
      resumo,
      erros: difere.map((campo) => ({ coluna: null, campo, mensagem: 'no arquivo é outro, e aqui nada mudou' })),
    }));
