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

export function createCadastroQueries(w: Write) {
  return {
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
      linha: { acao: string; descricao: string; ocorrido_em: string; valor_de?: string; valor_para?: string },
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
