import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { lerCampos } from '../../campos/campos.ts';
import { exigirCobrador } from '../../cobradores/cobradores.service.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import { escreverAcessos, reservarLogin, reservarUmDe } from '../../rede/acesso/acesso.service.ts';
import { loginsPara, senhaDe } from '../../rede/acesso/acesso.regras.ts';
import { BUSCA_DE_CLIENTES_TAG, CLIENTES_TAG, clienteTag, contratoTag } from '../../tags.ts';
import { CAMPOS_DO_CONTRATO } from '../cadastro.campos.ts';
import { acompanharContratos } from '../../clientes/situacao.service.ts';
import type { MovimentosDeps } from '../movimentos/equipe.service.ts';
import { travarClientes } from '../movimentos/travas.service.ts';
import { createCadastroQueries } from './cadastro.queries.ts';

/** A contract that was just made; its password is in this answer and nowhere else that can be read. Null: the line needs none. */
export interface ContratoCriado {
  readonly id: number;
  readonly clienteId: number;
  readonly situacao: 'pendente';
  readonly login: string;
  readonly senha: string | null;
}

/**
 * Makes a contract that waits to be activated, with its login and password: what is not typed is proposed. Until it is activated, the
 * login gets nobody in.
 *
 * @throws CamposInvalidos, and Recusa: `plano_indisponivel`, `contrato_invalido` (no such client), `cliente_cancelado`,
 *   `login_em_uso`, `codigo_externo_em_uso`, `cobrador_indisponivel`.
 */
export async function criarContrato({ w, provedor, relogio }: MovimentosDeps, dados: unknown): Promise<ContratoCriado> {
  const campos = lerCampos(CAMPOS_DO_CONTRATO, dados);
  const { tipo_conexao: tipoConexao = 'pppoe', mac = null, endereco_instalacao: endereco = {} } = campos;
  const queries = createCadastroQueries(w);
  const agora = relogio.agora();
  const plano = await queries.planoAVenda(campos.plano_id);
  const cliente = (await travarClientes(w, [campos.cliente_id])).get(campos.cliente_id);
  recusarSeNao(cliente, 'nao_encontrado', { campo: 'cliente_id' });
  recusarSeNao(cliente.situacao !== 'cancelado', 'cliente_cancelado', { campo: 'cliente_id' });
  await queries.exigirCodigoLivre(campos.codigo_externo);
  const cobradorId = campos.cobrador_id ?? null;
  if (cobradorId !== null) await exigirCobrador(w, cobradorId);

  // Whoever identifies by MAC is known by it.
  const digitado = campos.login ?? (tipoConexao === 'ipoe' ? mac : null);
  if (digitado === null && tipoConexao === 'ipoe') {
    faltaEm('login', 'informe o MAC ou o circuit-id, como o concentrador o envia');
  }
  if (digitado !== null) await reservarLogin(w, provedor, digitado);
  const login = digitado ?? (await reservarUmDe(w, loginsPara(cliente.nome, cliente.id)));
  const { senha } = senhaDe({ tipoConexao }, campos.senha);

  const id = await w.insert('contratos', {
    cliente_id: cliente.id,
    plano_id: plano.id,
    situacao: 'pendente',
    tipo_conexao: tipoConexao,
    login,
    login_desde: toDatabaseTime(agora),
    mac,
    ip: campos.ip ?? null,
    ipv6_prefixo: campos.ipv6_prefixo ?? null,
    tipo_cobranca: campos.tipo_cobranca ?? 'pos_pago',
    dia_vencimento: campos.dia_vencimento,
    valor: campos.valor === undefined ? plano.valor : escreverDinheiro(campos.valor),
    cobrador_id: cobradorId,
    codigo_externo: campos.codigo_externo ?? null,
    ...endereco,
    criado_em: toDatabaseTime(agora),
  });
  await escreverAcessos(w, [{ login, senha }]);
  const ocorrido_em = toDatabaseTime(agora);
  await queries.historico(id, { acao: 'criacao', descricao: 'Contrato feito.', ocorrido_em });
  w.emit('contrato.criado', id, { cliente: cliente.id, plano: plano.id, situacao: 'pendente' });
  w.touch(CLIENTES_TAG, BUSCA_DE_CLIENTES_TAG, clienteTag(cliente.id), contratoTag(id));
  await acompanharContratos(w, [cliente.id]);
  return { id, clienteId: cliente.id, situacao: 'pendente', login, senha };
}
