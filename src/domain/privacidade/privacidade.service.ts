import { apagarCliente } from './apagamento/apagar.service.ts';
import type { ApagamentoDeps } from './apagamento/apagar.service.ts';
import type { Apagamento } from './apagamento/apagamento.types.ts';
import { exportarTitular } from './exportacao/exportar.service.ts';
import type { ExportacaoDoTitular } from './exportacao/exportacao.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';

export type PrivacidadeService = ReturnType<typeof createPrivacidadeService>;

export interface PrivacidadeDeps extends ApagamentoDeps {
  readonly provedor: Provedor;
}

/** What a person may ask of a provider about his data (LGPD, art. 18). Deadlines to answer, and who it is that asks, are the provider's to keep. */
export function createPrivacidadeService({ w, provedor, relogio }: PrivacidadeDeps) {
  return {
    /** See {@link apagarCliente}. */
    apagar: async (clienteId: number): Promise<Apagamento> => apagarCliente({ w, provedor, relogio }, clienteId),

    /** See {@link exportarTitular}. */
    exportar: async (clienteId: number): Promise<ExportacaoDoTitular> =>
      exportarTitular({ w, provedor, relogio }, clienteId),
  };
}
