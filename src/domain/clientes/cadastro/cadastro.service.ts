import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerCampos } from '../../campos/campos.ts';
import { encerrarSemAlcance, guardarEmailAnterior } from '../../acessos/alcance.service.ts';
import { cancelarContratos } from '../../contratos/cancelamento.service.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { cancelarFaturas } from '../../faturas/cancelamento/cancelamento.service.ts';
import { travarFaturasFuturas } from '../../faturas/cancelamento/futuras.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { BUSCA_DE_CLIENTES_TAG, CLIENTES_TAG, clienteTag } from '../../tags.ts';
import { CAMPOS_DO_CANCELAMENTO } from '../cadastro.campos.ts';
import type { SituacaoCliente } from '../clientes.types.ts';
import { trocarPalavras } from '../palavras/palavras.service.ts';
import { acompanharContratos } from '../situacao.service.ts';
import { createCadastroQueries } from './cadastro.queries.ts';
import { julgarMudanca, lerMudancaDeCliente, lerNovoCliente, podeIr } from './cadastro.regras.ts';
import type { MudancaDeCliente } from './cadastro.regras.ts';
import type { CampoMudado, ClienteTravadoRow, OpcoesDaMudanca } from './cadastro.types.ts';
import { diferencasDoCliente } from './diferencas.regras.ts';
import { exigirConfirmacao, exigirUnico, travarDocumentos } from './documento.service.ts';
import { comCodigoUnico, inserirCliente, inserirTelefones } from './insercao.service.ts';
import { trocaDeTelefones } from './telefones.regras.ts';

export type CadastroDeClientesService = ReturnType<typeof createCadastroDeClientesService>;

export interface CadastroDeClientesDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** What became of a cancellation; nothing, where the client was cancelled before. */
export interface ClienteCancelado {
  readonly mudou: boolean;
  readonly contratos: number;
  readonly faturas: number;
}

/** Whence a registration came, by who wrote it; the registration page has an event of its own. */
const ORIGENS: Readonly<Record<string, 'api' | 'importacao'>> = { chave: 'api', tarefa: 'importacao' };

/** Registrations of clients. Fields come as they were typed, by their names in the API. */
export function createCadastroDeClientesService({ w, provedor, relogio }: CadastroDeClientesDeps) {
  const queries = createCadastroQueries(w);
  const hojeDe = (agora: Date) => hojeEm(provedor.fusoHorario, agora);

  /** The client with the locks of its tax ids, where the change needs them, and its own. */
  async function travar(id: number, { cpf_cnpj: novo, situacao }: MudancaDeCliente): Promise<ClienteTravadoRow> {
    const documento = await queries.documentoDe(id);
    recusarSeNao(documento, 'nao_encontrado');
    const daPessoa = novo !== undefined || situacao !== undefined;
    if (daPessoa) await travarDocumentos(w, novo === undefined ? [documento] : [documento, novo]);
    const cliente = await queries.travar(id);
    recusarSeNao(cliente, 'nao_encontrado');
    // Somebody changed it in between. The order of locks is not kept then; a deadlock has the write begin anew.
    if (daPessoa && cliente.cpf_cnpj !== documento) await travarDocumentos(w, [cliente.cpf_cnpj]);
    return cliente;
  }

  /** @throws Recusa where another registration of the tax id forbids what a change makes of the client */
  async function exigirPessoaLivre(
    cliente: ClienteTravadoRow,
    mudanca: MudancaDeCliente,
    vai: SituacaoCliente,
    confirmado: boolean,
  ): Promise<void> {
    const cpfCnpj = mudanca.cpf_cnpj ?? cliente.cpf_cnpj;
    const volta = cliente.situacao === 'cancelado' && vai !== 'cancelado';
    const outraPessoa = cpfCnpj !== cliente.cpf_cnpj && vai !== 'cancelado';
    if (volta || outraPessoa) await exigirUnico(w, cpfCnpj, cliente.id);
    if (cliente.situacao === 'pre_cadastro' && vai !== 'pre_cadastro') {
      await exigirConfirmacao(w, { id: cliente.id, cpf_cnpj: cpfCnpj }, confirmado);
    }
  }

  /** Resolves to whether anything changed. */
  async function trocarTelefones(clienteId: number, lista: readonly string[] | undefined): Promise<boolean> {
    if (lista === undefined) return false;
    const { saem, entram } = trocaDeTelefones(await queries.telefones(clienteId), lista);
    await queries.tirarTelefones(saem);
    await inserirTelefones(w, clienteId, entram);
    return saem.length + entram.length > 0;
  }

  async function alterar(id: number, dados: unknown, opcoes: OpcoesDaMudanca = {}): Promise<readonly CampoMudado[]> {
    const agora = relogio.agora();
    const mudanca = lerMudancaDeCliente(dados, hojeDe(agora));
    const cliente = await travar(id, mudanca);
    recusarSeNao(cliente.apagado_em === null, 'cliente_apagado');
    const lido = fromDatabaseTime(cliente.atualizado_em).getTime();
    recusarSeNao(opcoes.versao === undefined || opcoes.versao.getTime() === lido, 'versao_divergente');
    julgarMudanca(mudanca, cliente.cpf_cnpj, hojeDe(agora));

    const { situacao: de } = cliente;
    const vai = mudanca.situacao ?? de;
    recusarSeNao(podeIr(de, vai), 'transicao_de_cliente_invalida', { campo: 'situacao' });
    await exigirPessoaLivre(cliente, mudanca, vai, opcoes.confirmado === true);

    const { colunas, campos } = diferencasDoCliente(cliente, mudanca);
    if (await trocarTelefones(id, mudanca.telefones)) campos.push('telefones');
    // A blocked client is active already, as far as people have a say in it.
    if (vai !== de && !(de === 'bloqueado' && vai === 'ativo')) {
      colunas.situacao = vai;
      campos.push('situacao');
    }
    if (campos.length > 0) {
      await comCodigoUnico(async () => queries.mudar(id, colunas));
      if (colunas.nome !== undefined || colunas.nome_fantasia !== undefined) {
        const { nome = cliente.nome, nome_fantasia: nomeFantasia = cliente.nome_fantasia } = colunas;
        await trocarPalavras(w, [{ id, nome, nomeFantasia }]);
      }
      w.touch(CLIENTES_TAG, clienteTag(id));
      if (campos.includes('cpf_cnpj') || campos.includes('telefones')) w.touch(BUSCA_DE_CLIENTES_TAG);
      w.emit('cliente.atualizado', id, { cliente: id, campos });
      if (campos.includes('email') && cliente.email !== null) await guardarEmailAnterior(w, id, cliente.email, agora);
      if (campos.includes('cpf_cnpj') || vai === 'pre_cadastro') await encerrarSemAlcance(w, [cliente.cpf_cnpj], agora);
    }
    if (mudanca.situacao === 'ativo') await acompanharContratos(w, [id]);
    return campos;
  }

  return {
    /**
     * Registers a client: of several at the same time with one tax id, exactly one.
     *
     * @returns the client's id.
     * @throws CamposInvalidos, or Recusa `cliente_duplicado` or `codigo_externo_em_uso`.
     */
    async criar(dados: unknown): Promise<number> {
      const agora = relogio.agora();
      const novo = lerNovoCliente(dados, hojeDe(agora));
      await travarDocumentos(w, [novo.cpfCnpj]);
      await exigirUnico(w, novo.cpfCnpj, null);
      const id = await inserirCliente(w, novo, agora);
      w.emit('cliente.criado', id, {
        cliente: id,
        situacao: novo.situacao,
        origem: ORIGENS[w.author.kind] ?? 'painel',
      });
      return id;
    },

    /**
     * Changes what differs; what is absent stays, also of an address. Phones are replaced as a list. What only a person, or only a company,
     * has goes when the document becomes one of the other kind.
     *
     * @returns the fields that changed; none leaves no event.
     * @throws CamposInvalidos, or Recusa `nao_encontrado`, `cliente_apagado`, `versao_divergente`, `transicao_de_cliente_invalida`,
     * `cliente_duplicado`, `confirmacao_exigida` or `codigo_externo_em_uso`.
     */
    alterar,

    /** Brings a cancelled client back; its contracts stay cancelled. As `alterar` with that state alone. */
    reativar: async (id: number, opcoes: OpcoesDaMudanca = {}): Promise<readonly CampoMudado[]> =>
      alterar(id, { situacao: 'ativo' }, opcoes),

    /**
     * Cancels a client and its contracts. Open invoices stay owed, save those due after today where that is asked for and nothing of them
     * was paid and no agreement has to do with. A client that is cancelled stays as it is, with all that belongs to it.
     *
     * @throws CamposInvalidos or Recusa `nao_encontrado`.
     */
    async cancelar(id: number, dados: unknown = {}): Promise<ClienteCancelado> {
      const { motivo = null, faturas_futuras: futuras = 'manter' } = lerCampos(CAMPOS_DO_CANCELAMENTO, dados);
      const agora = relogio.agora();
      const cliente = await queries.travar(id);
      recusarSeNao(cliente, 'nao_encontrado');
      if (cliente.situacao === 'cancelado') return { mudou: false, contratos: 0, faturas: 0 };

      const contratos = await queries.travarContratos(id);
      const faturas = futuras === 'cancelar' ? await travarFaturasFuturas(w, { cliente_id: id }, hojeDe(agora)) : [];
      await queries.mudar(id, { situacao: 'cancelado' });
      if (contratos.length > 0) await cancelarContratos(w, provedor, contratos, { motivo, definitivo: false, agora });
      if (faturas.length > 0) {
        await cancelarFaturas(w, faturas, { motivo, motivoCodigo: 'cancelamento', agora });
      }
      w.touch(CLIENTES_TAG, clienteTag(id));
      w.emit('cliente.cancelado', id, { cliente: id, contratos: contratos.length, faturas: faturas.length });
      return { mudou: true, contratos: contratos.length, faturas: faturas.length };
    },
  };
}
