import type { Html } from '../../../kit/html/html.ts';
import { area } from '../formulario/campos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';

export const ROTULO_DO_MOTIVO = { motivo: 'Motivo' };

/** Why something is done that has to be explained later. */
export const campoDoMotivo = (estado: EstadoDoFormulario): Html =>
  area(estado, {
    nome: 'motivo',
    rotulo: ROTULO_DO_MOTIVO.motivo,
    obrigatorio: true,
    maximo: 500,
    linhas: 2,
    dica: 'Fica no histórico.',
  });
