import { toDatabaseTime } from '../../platform/mysql/database.ts';
import { maiorIntervalo } from './estado.regras.ts';

/** A condition with its bindings. */
export type Condicao = readonly [sql: string, valores: readonly string[]];

/**
 * SQL of whether the record `x` of `conexoes` says that its line is online, and of whether it says that it is not: what `estadoDaConexao`
 * says of one that has a login. Each is some ranges of the index `conexoes_vivas`; `parada_em` is null where no interval is known.
 */
export function condicoesDaLinha(
  agora: Date,
  intervaloPadraoSegundos: number,
): { online: Condicao; offline: Condicao } {
  const antes = (segundos: number): string => toDatabaseTime(new Date(agora.getTime() - 2000 * segundos));
  const valores = [
    toDatabaseTime(agora),
    antes(maiorIntervalo(intervaloPadraoSegundos)),
    antes(intervaloPadraoSegundos),
  ];
  return {
    online: ['((x.parada_em >= ? AND x.ouvida_em >= ?) OR (x.parada_em IS NULL AND x.ouvida_em >= ?))', valores],
    offline: [
      `(x.parada_em < ? OR (x.parada_em >= ? AND x.ouvida_em < ?)
        OR (x.parada_em IS NULL AND x.ouvida_em IS NULL) OR (x.parada_em IS NULL AND x.ouvida_em < ?))`,
      [valores[0] ?? '', ...valores],
    ],
  };
}
