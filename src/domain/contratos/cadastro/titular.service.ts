import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { ID, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { exigido, lerCampos, opcional } from '../../campos/campos.ts';
import { codigoExterno, escolha, id as umId, inteiro, ouNulo, preco, texto } from '../../campos/leitores.ts';
import { conferirVersao, versao } from '../../campos/versao.ts';
import { exigirConfirmacaoAoEfetivar, travarPreCadastros } from '../../clientes/cadastro/documento.service.ts';
import { acompanharContratos, efetivarPreCadastros } from '../../clientes/situacao.service.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import { passarItens } from '../../faturamento/itens/passagem.service.ts';
import { alcancarPlano } from '../../planos/acompanhamento.service.ts';
import { pedirRede } from '../../rede/pedir.ts';
import { passarRegistros } from '../../registros/passagem.service.ts';
import { BUSCA_DE_CLIENTES_TAG, CLIENTES_TAG, clienteTag, contratoTag } from '../../tags.ts';
import { comMotivo } from '../cancelamento.service.ts';
import type { SituacaoContrato } from '../contratos.types.ts';
import type { MovimentosDeps } from '../movimentos/equipe.service.ts';
import { cancelarFaturasFuturas } from '../movimentos/faturas-futuras.service.ts';
import { FATURAS_FUTURAS, confirmado } from '../movimentos/movimentos.campos.ts';
import { mover } from '../movimentos/movimentos.service.ts';
import { donosDosContratos, travarClientes, travarContratos } from '../movimentos/travas.service.ts';
import type { ContratoTravado } from '../movimentos/travas.service.ts';
import { createCadastroQueries } from './cadastro.queries.ts';
import { passarImportado } from './senhas-importadas.service.ts';
import { VIGENTES } from './troca-de-plano.service.ts';

const CAMPOS_DO_TITULAR = {
  cliente_id: exigido(umId),
  faturas_futuras: exigido(escolha(FATURAS_FUTURAS)),
  dia_vencimento: opcional(inteiro(1, 31)),
  valor: opcional(preco),
  motivo: opcional(ouNulo(texto(1, 500))),
  codigo_externo: opcional(ouNulo(codigoExterno)),
  confirmado,
  atualizado_em: opcional(versao),
} as const;

export interface TitularTrocado {
  /** Of the holder of before, over for good. */
  readonly anterior: number;
  /** The new holder's. */
  readonly id: number;
  readonly clienteId: number;
  readonly situacao: SituacaoContrato;
  readonly login: string | null;
}

/**
 * What the new holder's contract is: debts of the one before are not his, nor is that one's wish to be suspended; a block by hand is of
 * the line, and stays.
 */
function situacaoDoNovo({ situacao, bloqueio_origem }: ContratoTravado): 'pendente' | 'ativo' | 'bloqueado' {
  if (situacao === 'pendente') return 'pendente';
  return situacao === 'bloqueado' && bloqueio_origem !== 'financeiro' ? 'bloqueado' : 'ativo';
}

/**
 * Gives a line to another client: the contract is over for good and a new one takes its login over, with plan, address,
 * conditions, and what is charged or taken off beside its price, in this one transaction; FreeRADIUS's rows stay as
 * they are, so access is not taken away in between; sessions that are up are the new one's from then on. A contract's
 * client never changes.
 *
 * @throws CamposInvalidos, and Recusa: `nao_encontrado`, `versao_divergente`, `transicao_invalida`,
 * `cliente_cancelado`, `codigo_externo_em_uso`, `confirmacao_exigida` of a new holder who had only registered.
 */
export async function trocarTitular(
  { w, provedor, relogio }: MovimentosDeps,
  contratoId: number,
  dados: unknown,
): Promise<TitularTrocado> {
  const campos = lerCampos(CAMPOS_DO_TITULAR, dados);
  const { cliente_id: novoTitular, motivo = null } = campos;
  const queries = createCadastroQueries(w);
  await travarPreCadastros(w, [novoTitular]);
  // Both clients at once, by id, before the contract.
  const clientes = await travarClientes(w, [novoTitular, ...(await donosDosContratos(w, [contratoId]))]);
  const [contrato] = (await travarContratos(w, [contratoId])).contratos;
  recusarSeNao(contrato, 'nao_encontrado');
  conferirVersao(campos.atualizado_em, contrato.atualizado_em);
  recusarSeNao(VIGENTES.includes(contrato.situacao), 'transicao_invalida');
  if (contrato.cliente_id === novoTitular) faltaEm('cliente_id', 'já é o titular do contrato');
  const cliente = clientes.get(novoTitular);
  recusarSeNao(cliente, 'nao_encontrado', { campo: 'cliente_id' });
  recusarSeNao(cliente.situacao !== 'cancelado', 'cliente_cancelado', { campo: 'cliente_id' });
  await queries.exigirCodigoLivre(campos.codigo_externo);
  const { id: _id, codigo_externo: _codigo, valor, dia_vencimento, ...linha } = await queries.cadastro(contratoId);

  const situacao = situacaoDoNovo(contrato);
  if (situacao !== 'pendente') await exigirConfirmacaoAoEfetivar(w, novoTitular, campos.confirmado === true);

  const agora = relogio.agora();
  const hoje = hojeEm(provedor.fusoHorario, agora);
  const instante = toDatabaseTime(agora);
  const porAplicar = w.from('rede_pedidos').where('contrato_id', contratoId).whereNull('aplicado_em').limit(1);
  // What is on its way to the network is the login's, which is the new contract's from now on.
  const segue = contrato.situacao !== situacao || (await rowsOf(porAplicar, ID)).length > 0;

  // The new one is made after the changes of the plan that wait, and is not told of them; the old one is about to lose its login.
  await alcancarPlano(w, contrato);
  await mover(w, 'passar_a_outro', [contrato], {
    agora,
    motivo,
    descricao: comMotivo('Passou a outro titular.', motivo),
    dados: () => ({ definitivo: true }),
  });
  const id = await w.insert('contratos', {
    ...linha,
    // Of what its sessions did before, which may be told later, is the one before to answer.
    login_desde: instante,
    cliente_id: novoTitular,
    plano_id: contrato.plano_id,
    situacao,
    valor: campos.valor === undefined ? valor : escreverDinheiro(campos.valor),
    dia_vencimento: campos.dia_vencimento ?? dia_vencimento,
    codigo_externo: campos.codigo_externo ?? null,
    ativado_em: situacao === 'pendente' ? null : hoje,
    ...(situacao === 'bloqueado' ? { bloqueado_em: instante, bloqueio_origem: contrato.bloqueio_origem } : {}),
    criado_em: instante,
  });
  await passarImportado(w, contratoId, id);
  const passagem = { de: contratoId, para: id, cliente: contrato.cliente_id, novoCliente: novoTitular, hoje, agora };
  await passarItens(w, passagem);
  await queries.historico(id, {
    acao: 'criacao',
    descricao: `Recebido de outro titular, do contrato ${contratoId}.`,
    ocorrido_em: instante,
  });
  w.emit('contrato.criado', id, {
    cliente: novoTitular,
    plano: contrato.plano_id,
    situacao,
    do_contrato: contratoId,
  });
  if (segue) await pedirRede(w, [{ id, situacao }], agora);
  await queries.recalcularConexao(id);
  w.touch(CLIENTES_TAG, BUSCA_DE_CLIENTES_TAG, clienteTag(novoTitular), contratoTag(id));
  if (campos.faturas_futuras === 'cancelar') await cancelarFaturasFuturas(w, contratoId, { hoje, motivo, agora });
  if (situacao !== 'pendente') await efetivarPreCadastros(w, [novoTitular]);
  await acompanharContratos(w, [novoTitular]);
  // Last, because FreeRADIUS waits for it.
  await passarRegistros(w, contratoId, id, agora);
  return { anterior: contratoId, id, clienteId: novoTitular, situacao, login: contrato.login };
}
