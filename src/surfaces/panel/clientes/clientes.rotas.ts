import type { Rota } from '../rota.ts';
import { APP } from './app/app.rotas.ts';
import { CADASTRO } from './cadastro/cadastro.rotas.ts';
import { FICHA } from './ficha/ficha.rotas.ts';
import { LISTA } from './lista/lista.rotas.ts';
import { SAIDA } from './saida/saida.rotas.ts';

/** All screens of clients. */
export const CLIENTES: readonly Rota[] = [...LISTA, ...FICHA, ...CADASTRO, ...APP, ...SAIDA];
