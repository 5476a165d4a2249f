import { lerProblema } from '../../../brazil/pix/cobranca/resposta.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { Recusa } from '../../erros.ts';
import type { WriteFor } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { PALAVRAS_DE_SAIDA, RESPOSTA_ILEGIVEL } from '../../saida.regras.ts';
import type { ReceptoresService } from '../../receptores/receptores.service.ts';
import { adaptadorDe } from '../adaptadores/adaptadores.ts';
import type { ClientePsp, Resposta } from '../cliente/cliente.ts';
import { abrirConvenio } from './convenios.queries.ts';
import type { ConvenioComSegredos } from './convenios.queries.ts';

export type ConexaoPspService = ReturnType<typeof createConexaoPspService>;

interface ConexaoDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
  readonly cliente: ClientePsp;
  readonly receptores: Pick<ReceptoresService, 'criar' | 'revogar'>;
}

/** Whether a PSP did what it was asked, and why not, in words for people. */
export interface Teste {
  readonly certo: boolean;
  readonly codigo: string;
  readonly motivo: string;
}

const HORA_MS = 3_600_000;

const PALAVRAS: Readonly<Record<string, string>> = {
  ...PALAVRAS_DE_SAIDA,
  ilegivel: RESPOSTA_ILEGIVEL,
  limite: 'pede que se espere: foram chamadas demais',
  credenciais_recusadas: 'recusou client_id, client_secret ou certificado',
  acesso_negado: 'as credenciais não têm o escopo desta operação',
};

/** What a failure is called, for people. */
export const palavrasDaFalha = (codigo: string): string => PALAVRAS[codigo] ?? `respondeu ${codigo}`;

/** What is done with a PSP while somebody waits. */
export function createConexaoPspService({ db, write, relogio, segredos, cliente, receptores }: ConexaoDeps) {
  async function exigir(provedorId: number, cobradorId: number): Promise<ConvenioComSegredos> {
    const c = await abrirConvenio(createTenantDb(db, provedorId), segredos, { cobrador_id: cobradorId });
    if (c === null) throw new Recusa('nao_encontrado');
    return c;
  }

  function teste(resposta: Resposta): Teste {
    if (!resposta.veio) return { certo: false, codigo: resposta.erro, motivo: palavrasDaFalha(resposta.erro) };
    if (resposta.status < 400) return { certo: true, codigo: 'certo', motivo: '' };
    return { certo: false, ...lerProblema(resposta.json, resposta.status) };
  }

  return {
    /** Asks for what was received in the last hour: token, certificate, address and scope must be right for it. @throws Recusa `nao_encontrado` */
    async testar(provedorId: number, cobradorId: number): Promise<Teste> {
      const c = await exigir(provedorId, cobradorId);
      const agora = relogio.agora();
      const escrito = (instante: Date): string => `${instante.toISOString().slice(0, 19)}Z`;
      const resposta = await cliente.pedir(c, {
        metodo: 'GET',
        recurso: 'pix',
        partes: [],
        consulta: { inicio: escrito(new Date(agora.getTime() - HORA_MS)), fim: escrito(agora) },
      });
      return teste(resposta.veio && resposta.status === 404 ? { ...resposta, status: 200 } : resposta);
    },

    /**
     * Makes an address of ours and gives it to the PSP as the webhook of the key. The one before goes out of use once the PSP has the new
     * one; nobody is shown either.
     *
     * @throws Recusa `nao_encontrado`
     */
    async registrarWebhook(actor: Actor, provedor: Provedor, cobradorId: number): Promise<Teste> {
      const c = await exigir(provedor.id, cobradorId);
      const { row } = c;
      const nome = adaptadorDe(row.adaptador).nome;
      const { id, segredo } = await receptores.criar(actor, provedor.id, { nome, ipsPermitidos: null });
      // At Efí, `/pix` would be put behind the query, which says nothing here; so it is harmless at all others.
      const webhookUrl = `https://${provedor.panelHost}/webhooks/pix/${segredo}`;
      const resposta = teste(
        await cliente.pedir(c, { metodo: 'PUT', recurso: 'webhook', partes: [row.chave], corpo: { webhookUrl } }),
      );
      if (!resposta.certo) {
        await receptores.revogar(actor, provedor.id, id);
        return resposta;
      }
      await write(actor, provedor.id, async (w) => {
        await w.update('psp_convenios', (q) => void q.where({ id: row.id }), {
          receptor_id: id,
          webhook: 'registrado',
          webhook_visto_em: toDatabaseTime(relogio.agora()),
        });
        w.emit('psp.webhook_registrado', row.id, { receptor: id });
      });
      if (row.receptor_id !== null) await receptores.revogar(actor, provedor.id, row.receptor_id);
      return resposta;
    },
  };
}
