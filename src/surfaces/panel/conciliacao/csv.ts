import { Readable } from 'node:stream';
import { escreverValor } from '../../../brazil/dinheiro/escrita.ts';
import type { EntradaDoLivro, Recorte } from '../../../domain/recebimentos/conciliacao/conciliacao.types.ts';
import type { PaginaDeEntradas, Pedido } from '../../../domain/recebimentos/conciliacao/livro.service.ts';
import { MEIOS_DEVOLVIDOS } from '../../../domain/recebimentos/devolucoes/devolucoes.types.ts';
import { csvLine } from '../../../kit/csv/csv.ts';
import { dia, hora } from '../componentes/escrita.ts';
import type { ChamadaDeAcao } from '../rota.ts';
import { UM } from './palavras.ts';

/** Spreadsheets take a file for UTF-8 by this. */
const BOM = '\uFEFF';
const CABECALHO = [
  'Meio',
  'Número',
  'Dia',
  'Hora',
  'Identificação',
  'Fatura',
  'Cliente',
  'Valor',
  'Devolvido',
  'Tarifa',
];

const linha = (fuso: string, um: EntradaDoLivro): string =>
  csvLine([
    UM[um.meio],
    um.id,
    dia(fuso, um.pagoEm),
    hora(fuso, um.pagoEm),
    um.identificador,
    um.faturaId,
    um.clienteId,
    escreverValor(um.valor),
    escreverValor(um.devolvido),
    escreverValor(um.tarifa),
  ]);

/** What came in in a period, as a file that is written while it is read. That it was exported is noted when it ends, also halfway. */
export function csvDoLivro({ sessao, ler, mudar }: ChamadaDeAcao, recorte: Recorte): Readable {
  async function* linhas(): AsyncGenerator<string> {
    let escritas = 0;
    try {
      yield BOM + csvLine(CABECALHO);
      for (const meio of MEIOS_DEVOLVIDOS) {
        for (let lugar: string | null = null; ;) {
          const depois: string | null = lugar;
          const pedido: Pedido = { recorte, situacao: null, depois };
          const { itens, proxima }: PaginaDeEntradas = await ler(async ({ livro }) => livro.lote(meio, pedido));
          escritas += itens.length;
          yield itens.map((um) => linha(sessao.provedor.fusoHorario, um)).join('');
          if (proxima === null) break;
          lugar = proxima;
        }
      }
    } finally {
      const total = escritas;
      await mudar(async (_dominio, { exportacoes }) => exportacoes.anotar('recebimentos', total));
    }
  }
  return Readable.from(linhas(), { objectMode: false });
}
