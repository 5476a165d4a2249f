import type { Write } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { largarAcessos } from '../rede/acesso/acesso.service.ts';
import { admite } from './movimentos/movimentos.regras.ts';
import { mover } from './movimentos/movimentos.service.ts';
import type { ContratoAMover } from './movimentos/movimentos.service.ts';

/** A contract that is locked, and its client with it. */
export interface ContratoACancelar extends ContratoAMover {
  readonly login: string | null;
}

interface Cancelamento {
  readonly motivo: string | null;
  /** Whether none of them may come back: the logins are given up at once, for others to have. */
  readonly definitivo: boolean;
  readonly agora: Date;
}

/**
 * Cancels contracts, in a number of statements that does not depend on how many they are. What is cancelled already stays as it is, save
 * that it is over for good where that is asked for. The client's own state is its caller's to set, before this.
 */
export async function cancelarContratos(
  w: Write,
  _provedor: Provedor,
  contratos: readonly ContratoACancelar[],
  { motivo, definitivo, agora }: Cancelamento,
): Promise<void> {
  const nome = definitivo ? 'cancelar_de_vez' : 'cancelar';
  const cancelados = contratos.filter(({ situacao }) => admite(nome, situacao));
  if (definitivo) await largarAcessos(w, cancelados, agora);
  const descricao = definitivo ? 'Cancelado em definitivo.' : 'Cancelado.';
  await mover(w, nome, cancelados, {
    agora,
    motivo,
    descricao: comMotivo(descricao, motivo),
    dados: () => ({ definitivo }),
  });
}

/** Ends cancelled contracts for good: their logins are others' to have. */
export async function encerrarContratos(
  w: Write,
  contratos: readonly ContratoACancelar[],
  { descricao, agora }: { descricao: string; agora: Date },
): Promise<void> {
  await largarAcessos(w, contratos, agora);
  await mover(w, 'encerrar', contratos, { agora, descricao, dados: () => ({ definitivo: true }) });
}

/** What was done, and why, where somebody said so. */
export const comMotivo = (feito: string, motivo: string | null): string =>
  motivo === null ? feito : `${feito} Motivo: ${motivo}`;
