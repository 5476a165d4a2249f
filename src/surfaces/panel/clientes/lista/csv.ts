import { Readable } from 'node:stream';
import type { FiltroDeClientes } from '../../../../domain/listas/listas.types.ts';
import { csvLine } from '../../../../kit/csv/csv.ts';
import { documento, escreverTelefone } from '../../componentes/escrita.ts';
import type { ChamadaDeAcao } from '../../rota.ts';
import { pode } from '../../sessao.ts';
import { ditaDoCliente } from '../palavras.ts';

const CABECALHO = [
  'Número',
  'Nome',
  'Nome fantasia',
  'CPF ou CNPJ',
  'Situação',
  'Telefones',
  'E-mail',
  'Cidade',
  'UF',
  'Contratos',
  'Plano',
];

/** Spreadsheets take a file for UTF-8 by this. */
const BOM = '\uFEFF';

/**
 * The clients that a filter finds, as a file that is written while it is read: no more than a lot of them is held, and each lot is read by
 * itself. That it was exported is noted when it ends, also where whoever asked went away in the middle.
 */
export function csvDeClientes({ sessao, ler, mudar }: ChamadaDeAcao, filtro: FiltroDeClientes): Readable {
  const dividas = pode(sessao, 'faturas.ver');
  async function* linhas(): AsyncGenerator<string> {
    let escritas = 0;
    try {
      yield BOM + csvLine([...CABECALHO, ...(dividas ? ['Fatura vencida'] : [])]);
      for (let depois = 0; ;) {
        const ultimoLido = depois;
        const lote = await ler(async ({ listas }) => listas.clientesDepoisDe(filtro, ultimoLido));
        if (lote.length === 0) return;
        escritas += lote.length;
        depois = lote.at(-1)?.id ?? Infinity;
        yield lote
          .map((um) =>
            csvLine([
              um.id,
              um.nome,
              um.nomeFantasia,
              um.cpfCnpj === '' ? null : documento(sessao, um.cpfCnpj),
              ditaDoCliente(um.situacao),
              um.telefones.map(escreverTelefone).join(', '),
              um.email,
              um.cidade,
              um.uf,
              um.contratos,
              um.plano?.nome ?? null,
              ...(dividas ? [um.vencida ? 'sim' : 'não'] : []),
            ]),
          )
          .join('');
      }
    } finally {
      const total = escritas;
      await mudar(async (_dominio, { exportacoes }) => exportacoes.anotar('clientes', total));
    }
  }
  return Readable.from(linhas(), { objectMode: false });
}
