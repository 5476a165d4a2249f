import { rotasDeChamados } from './chamados/chamados.rotas.ts';
import { rotasDeClientes } from './clientes/clientes.rotas.ts';
import type { Rota } from './rota.ts';

/** The route table of `/v1`. */
export const ROTAS: readonly Rota[] = [...rotasDeClientes, ...rotasDeChamados];
