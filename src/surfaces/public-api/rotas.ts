import { rotasDeAtendimentos } from './atendimentos/atendimentos.rotas.ts';
import { rotasDeAvisos } from './avisos/avisos.rotas.ts';
import { rotasDeChamados } from './chamados/chamados.rotas.ts';
import { rotasDeConferencia } from './clientes/conferencia.rotas.ts';
import { rotasDeClientes } from './clientes/clientes.rotas.ts';
import { rotasDeContratos } from './contratos/contratos.rotas.ts';
import { rotasDeConvites } from './convites/convites.rotas.ts';
import { rotasDeExtratos } from './extratos/extratos.rotas.ts';
import { rotasDeFaturas } from './faturas/faturas.rotas.ts';
import { rotasDePlanos } from './planos/planos.rotas.ts';
import type { Rota } from './rota.ts';
import { rotasDoResumo } from './resumo/resumo.rotas.ts';
import { rotasDeStatus } from './status/status.rotas.ts';

/** The route table of the public API. */
export const ROTAS: readonly Rota[] = [
  ...rotasDeStatus,
  ...rotasDoResumo,
  ...rotasDeClientes,
  ...rotasDeConferencia,
  ...rotasDeContratos,
  ...rotasDeFaturas,
  ...rotasDeChamados,
  ...rotasDeAtendimentos,
  ...rotasDeAvisos,
  ...rotasDePlanos,
  ...rotasDeConvites,
  ...rotasDeExtratos,
];
