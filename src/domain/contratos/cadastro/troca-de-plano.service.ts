import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { exigido, lerCampos, opcional } from '../../campos/campos.ts';
import { id as umId, preco } from '../../campos/leitores.ts';
import { conferirVersao, versao } from '../../campos/versao.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import { alcancarPlano } from '../../planos/acompanhamento.service.ts';
import { pedirRede } from '../../rede/pedir.ts';
import { CLIENTES_TAG, clienteTag, contratoTag } from '../../tags.ts';
import type { SituacaoContrato } from '../contratos.types.ts';
import type { MovimentosDeps } from '../movimentos/equipe.service.ts';
import { travarContratos } from '../movimentos/travas.service.ts';
import { createCadastroQueries } from './cadastro.queries.ts';

const CAMPOS_DA_TROCA = {
  plano_id: exigido(umId),
  valor: opcional(preco),
  atualizado_em: opcional(versao),
} as const;

/** What was cancelled has no plan to change; it comes back first. */
export const VIGENTES: readonly SituacaoContrato[] = ['pendente', 'ativo', 'bloqueado', 'inativo'];

export interface PlanoTrocado {
  readonly id: number;
  readonly planoId: number;
  readonly valor: string;
}

/**
 * Gives a contract another plan, at the plan's value unless another is said; the network follows.
 *
 * @throws CamposInvalidos, and Recusa: `plano_indisponivel`, `nao_encontrado`, `versao_divergente`, `transicao_invalida`.
 */
export async function trocarPlano({ w, relogio }: MovimentosDeps, id: number, dados: unknown): Promise<PlanoTrocado> {
  const campos = lerCampos(CAMPOS_DA_TROCA, dados);
  const queries = createCadastroQueries(w);
  const plano = await queries.planoAVenda(campos.plano_id);
  const [contrato] = (await travarContratos(w, [id])).contratos;
  recusarSeNao(contrato, 'nao_encontrado');
  conferirVersao(campos.atualizado_em, contrato.atualizado_em);
  recusarSeNao(VIGENTES.includes(contrato.situacao), 'transicao_invalida');
  if (contrato.plano_id === plano.id) faltaEm('plano_id', 'é o plano que o contrato já tem');

  const agora = relogio.agora();
  const { valor: valor_de } = await queries.cadastro(id);
  const valor = campos.valor === undefined ? plano.valor : escreverDinheiro(campos.valor);
  await alcancarPlano(w, contrato);
  await w.update('contratos', (q) => void q.where({ id }), { plano_id: plano.id, valor });
  await queries.historico(id, {
    acao: 'troca_de_plano',
    descricao: `Do plano ${contrato.plano_id} para o ${plano.id}, por ${valor}.`,
    ocorrido_em: toDatabaseTime(agora),
    valor_de,
    valor_para: valor,
  });
  await pedirRede(w, [contrato], agora);
  w.emit('contrato.plano_alterado', id, {
    cliente: contrato.cliente_id,
    plano_anterior: contrato.plano_id,
    plano: plano.id,
    valor,
  });
  w.touch(CLIENTES_TAG, contratoTag(id), clienteTag(contrato.cliente_id));
  return { id, planoId: plano.id, valor };
}
