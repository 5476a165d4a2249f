import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { AskNas } from '../../../platform/radius/client.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Actor } from '../../actor.ts';
import { recusarSeNao } from '../../erros.ts';
import type { WriteFor } from '../../escrita.ts';
import { clienteDoEndereco } from './desconexao.regras.ts';

export type TesteDeCoaService = ReturnType<typeof createTesteDeCoaService>;

const PORTA = columns<{ porta_coa: number }>('provedores_nas', { porta_coa: true });
const DO_CLIENTE = columns<{ nasname: string; secret: string }>('nas', { nasname: true, secret: true });

/** Of no subscriber: `@` alone at the end is a realm that FreeRADIUS refuses, so nobody can log in by it. */
const NINGUEM = 'malha-teste-de-coa@';

/** What a NAS answered; `nak` is as good as `ack`: it is there, and knows the secret. `nada`: not within the time, or another secret. */
export interface RespostaDoTeste {
  readonly resposta: 'ack' | 'nak' | 'nada' | 'sem_segredo';
  /** Error-Cause of a NAK; 503, "Session Context Not Found", is what one should say. */
  readonly causa: number | null;
  readonly porta: number;
}

/** Whether a NAS can be told to end sessions. */
export function createTesteDeCoaService({ db, write, perguntar }: { db: Db; write: WriteFor; perguntar: AskNas }) {
  return {
    /**
     * Asks a NAS to end a session that there is not. Nothing is kept but the event; no transaction is open while it is waited for.
     *
     * @throws Recusa `nao_encontrado` where the provider has no such NAS
     */
    async testar(actor: Actor, provedorId: number, endereco: string): Promise<RespostaDoTeste> {
      const tenant = createTenantDb(db, provedorId);
      const [nas] = await rowsOf(tenant.from('provedores_nas').where('nasipaddress', endereco), PORTA);
      recusarSeNao(nas, 'nao_encontrado');
      const clientes = db('nas').where('nasname', endereco).orWhere('nasname', 'like', '%/%');
      const cliente = clienteDoEndereco(endereco, await rowsOf(clientes, DO_CLIENTE));
      const porta = nas.porta_coa;
      const dito = cliente === undefined ? null : await perguntarA(endereco, porta, cliente.secret);
      const resposta = cliente === undefined ? 'sem_segredo' : dito === null ? 'nada' : dito.accepted ? 'ack' : 'nak';
      await write(actor, provedorId, async (w) => {
        w.emit('nas.coa_testado', null, { nas: endereco, resposta });
      });
      return { resposta, causa: dito?.errorCause ?? null, porta };
    },
  };

  async function perguntarA(host: string, port: number, secret: string) {
    const session = { userName: NINGUEM, acctSessionId: NINGUEM, nasIpAddress: host, framedIpAddress: null };
    return perguntar({ host, port, secret }, { session, changes: [] });
  }
}
