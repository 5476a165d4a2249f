import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { exigido, lerAlteracao, lerCampos, opcional } from '../../campos/campos.ts';
import { login as loginNovo, loginExistente, ouNulo } from '../../campos/leitores.ts';
import { conferirVersao, versao } from '../../campos/versao.ts';
import { exigirCobrador } from '../../cobradores/cobradores.service.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import { senhaDe, simples } from '../../rede/acesso/acesso.regras.ts';
import {
  escreverAcessos,
  exigirExclusivo,
  renomearAcesso,
  reservarLogin,
  trocarSenha,
} from '../../rede/acesso/acesso.service.ts';
import { pedirRede, ultimosPedidos } from '../../rede/pedir.ts';
import { CLIENTES_TAG, clienteTag, contratoTag } from '../../tags.ts';
import { CAMPOS_DO_CONTRATO } from '../cadastro.campos.ts';
import type { MovimentosDeps } from '../movimentos/equipe.service.ts';
import { travarContratos } from '../movimentos/travas.service.ts';
import { createCadastroQueries } from './cadastro.queries.ts';
import type { CadastroRow } from './cadastro.queries.ts';
import { esquecerSenhaImportada } from './senhas-importadas.service.ts';

const { cliente_id: _cliente, plano_id: _plano, ...ALTERAVEIS } = CAMPOS_DO_CONTRATO;
const CAMPOS_DA_ALTERACAO = {
  ...ALTERAVEIS,
  // One that came in with an import may be said again as it is.
  login: opcional(ouNulo(loginExistente)),
  atualizado_em: opcional(versao),
} as const;

/** What the network has to follow. */
const DA_REDE: readonly string[] = ['login', 'tipo_conexao', 'mac', 'ip', 'ipv6_prefixo'];

export interface ContratoAlterado {
  readonly id: number;
  readonly clienteId: number;
  /** Names of what changed; none where all was so already. */
  readonly campos: readonly string[];
  readonly login: string | null;
  /** A password that was made because the line needs one and none was typed; it can be read nowhere else. */
  readonly senha?: string;
}

/**
 * Changes a contract but for its state, client and plan. A new login takes over all that FreeRADIUS knows of the old one, whose
 * sessions end; a new password leaves them up, and gets in nobody who is not active.
 *
 * @throws CamposInvalidos, and Recusa: `nao_encontrado`, `versao_divergente`, `contrato_encerrado`, `login_em_uso`,
 *   `codigo_externo_em_uso`, `cobrador_indisponivel`.
 */
export async function alterarContrato(
  { w, provedor, relogio }: MovimentosDeps,
  id: number,
  dados: unknown,
): Promise<ContratoAlterado> {
  const { atualizado_em, senha: digitada, ...campos } = lerAlteracao(CAMPOS_DA_ALTERACAO, dados);
  const queries = createCadastroQueries(w);
  const [contrato] = (await travarContratos(w, [id])).contratos;
  recusarSeNao(contrato, 'nao_encontrado');
  conferirVersao(atualizado_em, contrato.atualizado_em);
  recusarSeNao(contrato.situacao !== 'cancelado_definitivo', 'contrato_encerrado');
  const antes = await queries.cadastro(id);
  if (campos.login === null && antes.login !== null) faltaEm('login', 'não pode ficar vazio');

  const { mudancas, nomes } = diferencas(antes, campos);
  const tipoConexao = campos.tipo_conexao ?? antes.tipo_conexao;
  const login = campos.login ?? antes.login;
  if (digitada === null) faltaEm('senha', 'não pode ficar vazia');
  if (digitada !== undefined && login === null) faltaEm('senha', 'o contrato não tem login');
  await queries.exigirCodigoLivre(campos.codigo_externo, id);
  if (typeof mudancas.cobrador_id === 'number') await exigirCobrador(w, mudancas.cobrador_id);
  if (nomes.includes('login') && login !== null) {
    lerCampos({ login: exigido(loginNovo) }, { login });
    await reservarLogin(w, provedor, login, { menos: id, atual: antes.login });
  }

  const agora = relogio.agora();
  const novaLinha = antes.login === null && login !== null;
  // A line that is told apart in another way gets in in another way.
  const precisa = login !== null && (novaLinha || nomes.includes('tipo_conexao') || digitada !== undefined);
  const acesso = precisa ? senhaDe({ tipoConexao }, digitada) : undefined;
  if (login !== null && acesso !== undefined && !nomes.includes('login')) {
    await exigirExclusivo(w, provedor, id, login);
  }
  // Who must not get in is refused before the network says what holds.
  const recusar = contrato.situacao !== 'ativo';
  if (nomes.some((nome) => DA_REDE.includes(nome)) || (acesso !== undefined && recusar)) {
    await pedirRede(w, [contrato], agora);
    if (nomes.includes('login') && login !== null && !novaLinha) {
      const pedidoId = (await ultimosPedidos(w, [id])).get(id);
      // While the row still has the name of before, by which its sessions are found.
      await renomearAcesso(w, { id, login: antes.login }, login, { pedidoId, agora });
    }
  }
  // Written in another way, it is to the database and to FreeRADIUS the one that it was.
  const outroLogin = nomes.includes('login') && simples(login ?? '') !== simples(antes.login ?? '');
  const desde = outroLogin ? { login_desde: toDatabaseTime(agora) } : {};
  if (nomes.length > 0) await w.update('contratos', (q) => void q.where({ id }), { ...mudancas, ...desde });
  if (nomes.includes('login')) await queries.recalcularConexao(id);

  if (login !== null && acesso !== undefined) {
    if (novaLinha) await escreverAcessos(w, [{ login, senha: acesso.senha }]);
    else await trocarSenha(w, login, acesso.senha, { recusar });
    // What an import brought along, and has not been applied, is of before this one.
    await esquecerSenhaImportada(w, id);
    if (digitada !== undefined) nomes.push('senha');
  }

  if (nomes.length > 0) {
    const ocorrido_em = toDatabaseTime(agora);
    // By these a month is billed in parts.
    const precos = mudancas.valor === undefined ? {} : { valor_de: antes.valor, valor_para: mudancas.valor };
    await queries.historico(id, {
      acao: 'alteracao',
      descricao: descricaoDe(antes, mudancas, nomes),
      ocorrido_em,
      ...precos,
    });
    w.emit('contrato.alterado', id, { cliente: contrato.cliente_id, campos: nomes });
    w.touch(CLIENTES_TAG, contratoTag(id), clienteTag(contrato.cliente_id));
  }
  return {
    id,
    clienteId: contrato.cliente_id,
    campos: nomes,
    login,
    ...(acesso?.gerada === true ? { senha: acesso.senha } : {}),
  };
}

type Digitados = Omit<ReturnType<typeof lerAlteracao<typeof CAMPOS_DA_ALTERACAO>>, 'atualizado_em' | 'senha'>;
type Mudancas = Partial<Omit<CadastroRow, 'id'>>;

/** What is other than it was, by column, and by the names that a form has for it. */
function diferencas(antes: CadastroRow, campos: Digitados): { mudancas: Mudancas; nomes: string[] } {
  const { endereco_instalacao: endereco, valor, ...resto } = campos;
  const novos: Mudancas = { ...resto, ...(valor === undefined ? {} : { valor: escreverDinheiro(valor) }) } as Mudancas;
  const difere = (nome: string, novo: unknown): boolean =>
    novo !== undefined && novo !== antes[nome as keyof CadastroRow];
  const mudam = Object.entries(novos).filter(([nome, novo]) => difere(nome, novo));
  const doEndereco = Object.entries(endereco ?? {}).filter(([nome, novo]) => difere(nome, novo));
  return {
    mudancas: Object.fromEntries([...mudam, ...doEndereco]),
    nomes: [...mudam.map(([nome]) => nome), ...(doEndereco.length > 0 ? ['endereco_instalacao'] : [])],
  };
}

/** How fields are called in a sentence. */
const NOMES: Readonly<Record<string, string>> = {
  tipo_cobranca: 'tipo de cobrança',
  tipo_conexao: 'tipo de conexão',
  login: 'login',
  senha: 'senha',
  mac: 'MAC',
  ip: 'IP',
  ipv6_prefixo: 'prefixo IPv6',
  endereco_instalacao: 'endereço de instalação',
  cobrador_id: 'conta de cobrança',
  codigo_externo: 'código externo',
};

function descricaoDe(antes: CadastroRow, depois: Mudancas, nomes: readonly string[]): string {
  const ditos = nomes.map((nome) => {
    if (nome === 'dia_vencimento') return `vencimento do dia ${antes.dia_vencimento} para o ${depois.dia_vencimento}`;
    if (nome === 'valor') return `valor de ${antes.valor} para ${depois.valor}`;
    return NOMES[nome] ?? nome;
  });
  return `Alterado: ${ditos.join(', ')}.`;
}
