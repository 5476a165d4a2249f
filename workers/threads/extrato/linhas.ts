import type { Data } from '../../../src/brazil/datas.ts';
import { centavos } from '../../../src/brazil/dinheiro.ts';
import { calcularEncargos, valorAtualizado } from '../../../src/brazil/encargos.ts';
import type { OrdemDoExtrato, TabelaDoExtrato } from '../../../src/brazil/extrato.ts';

/** Valores na ordem das colunas, como chegam do banco. */
export type Linha = (string | number | null)[];

const decodificador = new TextDecoder('utf-8', { fatal: true });

/**
 * As linhas de um lote; as de faturas, com a situação e o valor atualizado do dia.
 * @throws {RangeError} se não forem tantas quantas o banco contou.
 */
export function lerLinhas(tabela: TabelaDoExtrato, ordem: Extract<OrdemDoExtrato, { tipo: 'lote' }>): Linha[] {
  const linhas = JSON.parse(`[${decodificador.decode(ordem.linhas)}]`) as Linha[];
  if (linhas.length !== ordem.quantas) throw new RangeError(`${linhas.length} linhas de ${ordem.quantas}`);
  if (tabela.apuracao !== null) apurar(tabela, linhas, ordem.sabidos);
  return linhas;
}

function apurar({ colunas, apuracao }: TabelaDoExtrato, linhas: Linha[], sabidos: ReadonlyMap<number, number>): void {
  if (apuracao === null) return;
  const { hoje, regras } = apuracao;
  const onde = (nome: string): number => colunas.findIndex((coluna) => coluna.nome === nome);
  const [id, situacao, valor, vencimento, atualizado] = [
    onde('id'),
    onde('situacao'),
    onde('valor'),
    onde('vencimento'),
    onde('valor_atualizado'),
  ];
  for (const linha of linhas) {
    if (linha[situacao] !== 'pendente' && linha[situacao] !== 'vencida') continue;
    const vence = linha[vencimento] as Data;
    if (vence >= hoje) {
      linha[situacao] = 'pendente';
      continue;
    }
    linha[situacao] = 'vencida';
    const face = centavos(linha[valor] as number);
    const sabido = sabidos.get(linha[id] as number);
    const total =
      sabido === undefined
        ? calcularEncargos({ valor: face, vencimento: vence, hoje, regras }).total
        : centavos(sabido);
    linha[atualizado] = valorAtualizado(face, total);
  }
}
