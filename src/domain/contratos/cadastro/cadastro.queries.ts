import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { Recusa } from '../../erros.ts';
import { DO_ENDERECO } from '../../enderecos/enderecos.types.ts';
import type { EnderecoRow } from '../../enderecos/enderecos.types.ts';
import type { Write } from '../../escrita.ts';
import type { TipoCobranca } from '../contratos.types.ts';

interface PlanoAVendaRow {
  id: number;
  valor: string;
}

const DO_PLANO = columns<PlanoAVendaRow>('planos', { id: true, valor: true });

/** What of a contract staff can change, as it is stored. */
export interface CadastroRow extends EnderecoRow {
  id: number;
  tipo_conexao: string;
  login: string | null;
  mac: string | null;
  ip: string | null;
  ipv6_prefixo: string | null;
  tipo_cobranca: TipoCobranca;
  dia_vencimento: number;
  valor: string;
  cobrador_id: number | null;
  codigo_externo: string | null;
}

const DO_CADASTRO = columns<CadastroRow>('contratos', {
  id: true,
  tipo_conexao: true,
  login: true,
  mac: true,
  ip: true,
  ipv6_prefixo: true,
  tipo_cobranca: true,
  dia_vencimento: true,
  valor: true,
  cobrador_id: true,
  codigo_externo: true,
  ...DO_ENDERECO,
});

const DE_ORIGEM = columns<{ contrato_de_origem: number }>('importacao_linhas', { contrato_de_origem: true });

const DA_SENHA = columns<{ contrato_id: number }>('importacao_senhas', { contrato_id: true });

export function createCadastroQueries(w: Write) {
  return {
    /** Deletes the password that an import left for a contract, and that the network has not been told of. */
    async esquecerSenhaImportada(contrato_id: number): Promise<void> {
      const deOrigem = w.from('importacao_linhas').where({ contrato_id }).whereNotNull('contrato_de_origem');
      const rows = await rowsOf(deOrigem, DE_ORIGEM);
      const ids = [contrato_id, ...rows.map(({ contrato_de_origem }) => contrato_de_origem)];
      await w.delete('importacao_senhas', (q) => void q.whereIn('contrato_id', ids));
    },

    /**
     * Deletes the passwords that an import left for contracts of one holder, with those that are theirs by a change of holder; what was left
     * for one of them and is another holder's by now stays. Resolves to how many there were.
     */
    async esquecerSenhasDoTitular(contratoIds: readonly number[]): Promise<number> {
      const deOrigem = w
        .from('importacao_linhas')
        .whereIn('contrato_id', contratoIds)
        .whereNotNull('contrato_de_origem');
      const recebidas = (await rowsOf(deOrigem, DE_ORIGEM)).map((linha) => linha.contrato_de_origem);
      const guardadas = w.from('importacao_senhas').whereIn('contrato_id', [...contratoIds, ...recebidas]);
      const comSenha = (await rowsOf(guardadas, DA_SENHA)).map(({ contrato_id }) => contrato_id);
      // No index finds lines by the contract that they made, and hardly anybody has a password that waits.
      if (comSenha.length === 0) return 0;
      const passadas = w
        .from('importacao_linhas')
        .whereIn('contrato_de_origem', comSenha)
        .whereNotIn('contrato_id', contratoIds)
        .where({ situacao: 'gravada', rede_em: null });
      const deOutros = new Set((await rowsOf(passadas, DE_ORIGEM)).map((linha) => linha.contrato_de_origem));
      const dele = comSenha.filter((id) => !deOutros.has(id));
      return w.delete('importacao_senhas', (q) => void q.whereIn('contrato_id', dele));
    },

    /** What an import left to be handed to the network of a login is another contract's from now on. */
    async passarImportado(de: number, para: number): Promise<void> {
      // In this order: the first is of what the second was before. The password stays where it is, and is found by it.
      const contrato_de_origem = w.tenant.db.raw('COALESCE(contrato_de_origem, contrato_id)');
      const linhas = { contrato_id: de, situacao: 'gravada', rede_em: null };
      await w.update('importacao_linhas', (q) => void q.where(linhas), { contrato_de_origem, contrato_id: para });
    },

    /** A plan that is on sale; it stays as it is until the transaction ends. Before all other locks, as a plan's own change takes it. */
    async planoAVenda(id: number): Promise<PlanoAVendaRow> {
      const [plano] = await rowsOf(w.from('planos').where({ id, ativo: 1 }).forShare(), DO_PLANO);
      if (plano === undefined) throw new Recusa('plano_indisponivel', { campo: 'plano_id' });
      return plano;
    },

    /** The rest of a contract that is locked. */
    async cadastro(id: number): Promise<CadastroRow> {
      const [row] = await rowsOf(w.from('contratos').where({ id }), DO_CADASTRO);
      if (row === undefined) throw new Recusa('nao_encontrado');
      return row;
    },

    /** @throws Recusa where another contract has the name in another system */
    async exigirCodigoLivre(codigo: string | null | undefined, menos: number | null = null): Promise<void> {
      if (codigo === null || codigo === undefined) return;
      const deles = w.from('contratos').where({ codigo_externo: codigo });
      const [dono] = await rowsOf(menos === null ? deles : deles.whereNot('id', menos), ID);
      if (dono !== undefined) {
        throw new Recusa('codigo_externo_em_uso', { campo: 'codigo_externo', registroId: dono.id });
      }
    },

    /** A line of a contract's history. */
    async historico(
      contratoId: number,
      linha: { acao: string; descricao: string; ocorrido_em: string },
    ): Promise<void> {
      await w.insert('contratos_historico', { contrato_id: contratoId, autor: w.author.name, ...linha });
    },

    /** Has a contract's connection looked up anew: its sessions are those of another login. */
    async recalcularConexao(contratoId: number): Promise<void> {
      await w.tenant
        .db('conexoes_pendentes')
        .insert({ provedor_id: w.provedorId, contrato_id: contratoId })
        .onConflict()
        .ignore();
    },
  };
}
