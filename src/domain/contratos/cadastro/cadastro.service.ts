import type { MovimentosDeps } from '../movimentos/equipe.service.ts';
import { alterarContrato } from './alteracao.service.ts';
import type { ContratoAlterado } from './alteracao.service.ts';
import { criarContrato } from './criacao.service.ts';
import type { ContratoCriado } from './criacao.service.ts';
import { trocarTitular } from './titular.service.ts';
import type { TitularTrocado } from './titular.service.ts';
import { trocarPlano } from './troca-de-plano.service.ts';
import type { PlanoTrocado } from './troca-de-plano.service.ts';

export type CadastroDeContratosService = ReturnType<typeof createCadastroDeContratosService>;

/** Contracts as staff make and change them; what each takes is read by its form. */
export function createCadastroDeContratosService(deps: MovimentosDeps) {
  return {
    criar: async (dados: unknown): Promise<ContratoCriado> => criarContrato(deps, dados),
    alterar: async (id: number, dados: unknown): Promise<ContratoAlterado> => alterarContrato(deps, id, dados),
    trocarPlano: async (id: number, dados: unknown): Promise<PlanoTrocado> => trocarPlano(deps, id, dados),
    trocarTitular: async (id: number, dados: unknown): Promise<TitularTrocado> => trocarTitular(deps, id, dados),
  };
}
