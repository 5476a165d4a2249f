import type { Correio } from '../../../platform/mail/mail.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { atorDoVisitante } from '../../actor.ts';
import type { Procedencia } from '../../actor.ts';
import type { WriteFor } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { emailsAnteriores, exigirAcesso, pessoaDe } from '../acessos.queries.ts';
import { textoDoCodigo } from '../avisos/mensagens.ts';
import { DIA_MS, passouDoLimite, resumoDoCodigo, sortearCodigo, validadeDoCodigo } from './codigo.regras.ts';
import { createCodigosQueries } from './codigos.queries.ts';
import { paraOndeVai } from './enderecos.regras.ts';

export interface PedidosDeAcessoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly segredos: Secrets;
  readonly correio: Correio;
  /** Hears why a code that somebody asked for was not made. */
  readonly logger: { readonly error: (detalhe: object, dito: string) => void };
}

type Casa = Pick<Provedor, 'id' | 'nome'>;

/** The first access, and the forgotten password. */
export function createPedidosDeAcessoService({ db, relogio, write, segredos, correio, logger }: PedidosDeAcessoDeps) {
  async function atender(provedor: Casa, cpfCnpj: string, de: Procedencia): Promise<void> {
    const tenant = createTenantDb(db, provedor.id);
    const pessoa = await pessoaDe(tenant, cpfCnpj);
    if (pessoa === null || (pessoa.acesso?.desativadoEm ?? null) !== null) return;
    const ontem = new Date(relogio.agora().getTime() - DIA_MS);
    const ids = pessoa.cadastros.map(({ id }) => id);
    const enderecos = correio.ativo ? paraOndeVai(pessoa.cadastros, await emailsAnteriores(tenant, ids, ontem)) : [];
    const codigo = sortearCodigo();
    const feito = await write(atorDoVisitante(de), provedor.id, async (w) => {
      const agora = relogio.agora();
      const acesso = await exigirAcesso(w, cpfCnpj);
      const queries = createCodigosQueries(w);
      if (passouDoLimite(await queries.feitosEm(acesso.id, ['email'], agora), agora)) return null;
      const semUso = enderecos.length === 0;
      if (!semUso) await queries.anular(acesso.id, agora);
      const expiraEm = validadeDoCodigo('email', agora);
      const resumo = resumoDoCodigo(segredos, provedor.id, acesso.id, codigo);
      const solicitacao = await queries.inserir({
        acessoId: acesso.id,
        canal: 'email',
        resumo,
        expiraEm,
        agora,
        semUso,
      });
      const cliente = pessoa.cliente.id;
      w.emit('cliente.acesso_solicitado', cliente, { cliente, solicitacao, expira_em: expiraEm.toISOString() });
      return { expiraEm };
    });
    if (feito === null) return;
    const mensagem = textoDoCodigo(provedor, codigo);
    await Promise.all(enderecos.map(async (para) => correio.enviar({ para, ...mensagem })));
  }

  return {
    /**
     * Sends a code to the e-mail of a tax id, where it has one, and tells the provider's own programs that it was asked for. Says nothing of
     * whether anybody has the tax id: neither by an answer nor, because nothing is waited for, by its time.
     */
    pedir(provedor: Casa, cpfCnpj: string, de: Procedencia): void {
      atender(provedor, cpfCnpj, de).catch((error: unknown) =>
        logger.error({ provedorId: provedor.id, err: error }, 'código de acesso não feito'),
      );
    },

    atender,
  };
}

export type PedidosDeAcessoService = ReturnType<typeof createPedidosDeAcessoService>;
