import { ENTRADA } from './entrada/entrada.rotas.ts';
import { INICIO } from './inicio/inicio.rotas.ts';
import type { Rota } from './rota.ts';

/** Every address of the panel; a test holds that each names its permission. */
export const ROTAS: readonly Rota[] = [...ENTRADA, ...INICIO];
