import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { ID, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import { tocarSino } from '../notificacoes/toque.service.ts';
import type { Plano } from '../planos/planos.types.ts';
import { COLUNAS_DE_CONVITE } from './convites.types.ts';
import type { Cadastro, ConviteRow, NovoConvite } from './convites.types.ts';

export function createConvitesQueries(w: Write) {
  return {
    async inserir(linha: {
      tokenHash: Buffer;
      novo: Pick<NovoConvite, 'planoId' | 'diaVencimento'>;
      criadoEm: Date;
      expiraEm: Date;
    }): Promise<number> {
      return w.insert('convites', {
        token_hash: linha.tokenHash,
        plano_id: linha.novo.planoId,
        dia_vencimento: linha.novo.diaVencimento,
        expira_em: toDatabaseTime(linha.expiraEm),
        chave_id: w.author.chaveId,
        usuario_id: w.author.usuarioId,
        criado_em: toDatabaseTime(linha.criadoEm),
      });
    },

    /** The invite, locked until the transaction ends. */
    async travar(id: number): Promise<ConviteRow | undefined> {
      const [row] = await rowsOf(w.from('convites').where('convites.id', id).forUpdate(), COLUNAS_DE_CONVITE);
      return row;
    },

    async marcarUsado(id: number, clienteId: number, agora: Date): Promise<void> {
      await w.update('convites', (q) => void q.where('convites.id', id), {
        situacao: 'usado',
        usado_em: toDatabaseTime(agora),
        cliente_id: clienteId,
      });
    },

    /** Ends it before its time: whoever opens its link finds it expired. */
    async marcarRevogado(id: number, agora: Date): Promise<void> {
      await w.update('convites', (q) => void q.where({ id }), {
        situacao: 'expirado',
        revogado_em: toDatabaseTime(agora),
      });
    },

    /** Those of the invites that are open past their time, locked until the transaction ends; nobody's lock is waited for. */
    async travarVencidos(ids: readonly number[], agora: Date): Promise<number[]> {
      const vencidos = w
        .from('convites')
        .whereIn('id', ids)
        .where('situacao', 'aberto')
        .where('expira_em', '<=', toDatabaseTime(agora))
        .forUpdate()
        .skipLocked();
      const rows = await rowsOf(vencidos, ID);
      return rows.map(({ id }) => id);
    },

    async marcarExpirados(ids: readonly number[]): Promise<void> {
      if (ids.length > 0) await w.update('convites', (q) => void q.whereIn('id', ids), { situacao: 'expirado' });
    },

    /** The contract that holds the wished plan until staff take it on. */
    async inserirContrato(linha: {
      clienteId: number;
      plano: Plano;
      diaVencimento: number;
      endereco: Cadastro['endereco'];
      agora: Date;
    }): Promise<number> {
      return w.insert('contratos', {
        cliente_id: linha.clienteId,
        plano_id: linha.plano.id,
        situacao: 'pendente',
        tipo_cobranca: 'pos_pago',
        dia_vencimento: linha.diaVencimento,
        valor: escreverDinheiro(linha.plano.valor),
        ...linha.endereco,
        criado_em: toDatabaseTime(linha.agora),
      });
    },

    async notificarEquipe(clienteId: number, agora: Date): Promise<void> {
      const toque = { tipo: 'cliente.pre_cadastrado', origem: 'pagina', recurso: 'cliente', recursoId: clienteId };
      await tocarSino(w, [toque], agora);
    },
  };
}
