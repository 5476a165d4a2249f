import type { Rota } from '../rota.ts';
import { AVISOS } from './avisos/avisos.rotas.ts';
import { DETECCAO } from './deteccao/deteccao.rotas.ts';
import { ONLINE } from './online.rotas.ts';
import { PANORAMA } from './panorama/panorama.rotas.ts';
import { POPS } from './pops/pops.rotas.ts';
import { SERVIDORES } from './servidores/servidores.rotas.ts';

/** The network: overview, servers, POPs, who is online, notices, and from when on they open by themselves. */
export const REDE: readonly Rota[] = [...PANORAMA, ...SERVIDORES, ...POPS, ...ONLINE, ...AVISOS, ...DETECCAO];
