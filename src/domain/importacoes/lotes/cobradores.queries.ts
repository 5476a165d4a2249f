import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { emPalavra } from '../formatos/valores.regras.ts';
import type { Erro } from '../importacoes.types.ts';
import type { Contexto } from '../linhas/registro.ts';
import type { Leitor } from './lote.types.ts';

const COBRADOR = columns<{ id: number; nome: string; codigo_externo: string | null }>('cobradores', {
  id: true,
  nome: true,
  codigo_externo: true,
});

export type CobradorDaLinha = { readonly id: number | null } | Omit<Erro, 'coluna'>;

/** Which account lines are charged by, as they name it or as is said for all; id null: as is the rule. With `travar` they stay in use. */
export async function escolherCobradores(
  leitor: Leitor,
  { mapa, formato }: Contexto,
  travar: boolean,
): Promise<(dito: string | null) => CobradorDaLinha> {
  const ativos = leitor.from('cobradores').where('ativo', 1).orderBy('id');
  const cobradores = await rowsOf(travar ? ativos.forShare() : ativos, COBRADOR);
  const falta = { campo: 'cobrador', mensagem: 'não há uma só conta de cobrança ativa com este nome ou código' };
  return (dito) => {
    if (dito === null) {
      const id = mapa.cobrador ?? null;
      return id === null || cobradores.some((um) => um.id === id) ? { id } : falta;
    }
    const achados = cobradores.filter(
      ({ nome, codigo_externo: codigo }) =>
        codigo === dito || codigo === `${formato}:${dito}` || emPalavra(nome) === emPalavra(dito),
    );
    const [um, outro] = achados;
    return um === undefined || outro !== undefined ? falta : { id: um.id };
  };
}
