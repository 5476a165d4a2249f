import type { TypeOf } from '../../platform/schema-type.ts';
import { DE_FORA_DO_ATENDIMENTO } from './fora/chamados.ts';
import { DE_FORA_DOS_CLIENTES } from './fora/clientes.ts';
import { DE_FORA_DAS_FATURAS } from './fora/faturas.ts';
import { DE_FORA_DAS_NOTAS } from './fora/nfcom.ts';

/**
 * Every event that those outside may be told of, by the name under which they hear of it. What becomes of each event of the house is in
 * `traducao.regras.ts`. Subscribers rely on these: fields may be added, and none may go or change its meaning.
 */
export const DE_FORA = {
  ...DE_FORA_DOS_CLIENTES,
  ...DE_FORA_DAS_FATURAS,
  ...DE_FORA_DAS_NOTAS,
  ...DE_FORA_DO_ATENDIMENTO,
} as const;

export type NomeDeFora = keyof typeof DE_FORA;

/** An event as those outside are told of it. */
export type DitoFora = {
  [Nome in NomeDeFora]: { readonly tipo: Nome; readonly dados: TypeOf<(typeof DE_FORA)[Nome]['dados']> };
}[NomeDeFora];

/** What is asked for by hand, and happens by itself never. */
export const TESTE = 'teste.ping' satisfies NomeDeFora;

export const ehDeFora = (nome: string): nome is NomeDeFora => Object.hasOwn(DE_FORA, nome);
