import type { ClienteLido } from '../linhas/clientes.leitura.ts';

/** How long a trust unblock that comes in may still run, in days; none that is given here runs longer. */
export const MAIOR_DESBLOQUEIO_DIAS = 90;

/** Whether a trust unblock of the line runs. */
export const temDesbloqueio = ({ contrato, situacao }: ClienteLido): boolean =>
  situacao.situacao === 'ativo' && typeof contrato.desbloqueio_ate === 'string';
