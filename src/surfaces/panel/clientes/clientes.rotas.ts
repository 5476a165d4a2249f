import type { Rota } from '../rota.ts';
import { LISTA } from './lista/lista.rotas.ts';

/** All screens of clients. */
export const CLIENTES: readonly Rota[] = [...LISTA];
