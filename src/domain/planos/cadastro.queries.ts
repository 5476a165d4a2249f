import { ID, columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { Recusa } from '../erros.ts';
import type { Write } from '../escrita.ts';

/** A plan, locked, with all that staff can change. */
export interface PlanoTravado {
  id: number;
  nome: string;
  download_mbps: number;
  upload_mbps: number;
  valor: string;
  tecnologia: string | null;
  descricao: string | null;
  grupo_radius: string | null;
  codigo_externo: string | null;
  ativo: number;
  atualizado_em: string | null;
}

const DO_PLANO = columns<PlanoTravado>('planos', {
  id: true,
  nome: true,
  download_mbps: true,
  upload_mbps: true,
  valor: true,
  tecnologia: true,
  descricao: true,
  grupo_radius: true,
  codigo_externo: true,
  ativo: true,
  atualizado_em: true,
});

const ULTIMO = expressions<{ id: number | null }>({ id: 'MAX(id)' });

/** What a plan's change still has to tell its contracts. */
export interface Alteracao {
  readonly plano_id: number;
  readonly valor_de: string | null;
  readonly valor_para: string | null;
  readonly grupo_de: string | null;
  readonly grupo_para: string | null;
  readonly rede: boolean;
}

export function createCadastroDePlanosQueries(w: Write) {
  return {
    /** The plan, locked until the transaction ends: whoever gives it to a contract holds it, too. */
    async travar(id: number): Promise<PlanoTravado | undefined> {
      const [row] = await rowsOf(w.from('planos').where({ id }).forUpdate(), DO_PLANO);
      return row;
    },

    /** @throws Recusa where another plan has the name in another system */
    async exigirCodigoLivre(codigo: string | null | undefined, menos: number | null = null): Promise<void> {
      if (codigo === null || codigo === undefined) return;
      const deles = w.from('planos').where({ codigo_externo: codigo });
      const [dono] = await rowsOf(menos === null ? deles : deles.whereNot('id', menos), ID);
      if (dono !== undefined) {
        throw new Recusa('codigo_externo_em_uso', { campo: 'codigo_externo', registroId: dono.id });
      }
    },

    /** Writes down what the plan's contracts have yet to be told; nothing where it has none. */
    async pedirAcompanhamento(alteracao: Alteracao, criado_em: string): Promise<void> {
      const [ultimo] = await rowsOf(w.from('contratos').where('plano_id', alteracao.plano_id), ULTIMO);
      if (ultimo?.id === null || ultimo?.id === undefined) return;
      await w.insert('planos_alteracoes', {
        ...alteracao,
        rede: alteracao.rede ? 1 : 0,
        ate_contrato_id: ultimo.id,
        autor: w.author.name,
        criado_em,
      });
    },
  };
}
