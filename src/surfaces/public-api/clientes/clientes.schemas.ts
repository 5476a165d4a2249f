import { filtrosDeClientes } from '../../../objects/clientes.consulta.ts';
import { paginacaoNaConsulta } from '../esquemas.ts';

export const consultaDeClientes = {
  type: 'object',
  additionalProperties: false,
  properties: { ...filtrosDeClientes, ...paginacaoNaConsulta },
} as const;
