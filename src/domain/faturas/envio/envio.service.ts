import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Fatura, SituacaoFatura } from '../faturas.types.ts';

export type LeituraDeEnviosService = ReturnType<typeof createLeituraDeEnviosService>;
export type EnvioDeFaturasService = ReturnType<typeof createEnvioDeFaturasService>;

/** How a second copy gets to whoever owes: by our own mail, or by what the provider has for it. */
export const CANAIS_DE_ENVIO = ['email', 'evento'] as const;
export type CanalDeEnvio = (typeof CANAIS_DE_ENVIO)[number];

interface AEnviarRow {
  cliente_id: number;
  situacao: SituacaoFatura;
  email: string | null;
}

const A_ENVIAR = columns<AEnviarRow>('faturas', { cliente_id: true, situacao: true, email: 'clientes.email' });

interface DeOndeSeEnvia {
  readonly tenant: Pick<TenantDb, 'from'>;
  /** Whether there is a mail server. */
  readonly temCorreio: boolean;
}

async function exigirEnviavel(
  { tenant, temCorreio }: DeOndeSeEnvia,
  faturaId: number,
  canal: CanalDeEnvio,
): Promise<Pick<Fatura, 'id' | 'clienteId'>> {
  const dela = tenant
    .from('faturas')
    .join('clientes', sameTenant('faturas', 'cliente_id', 'clientes', 'id'))
    .where('faturas.id', faturaId);
  const [fatura] = await rowsOf(dela, A_ENVIAR);
  recusarSeNao(fatura, 'nao_encontrado');
  recusarSeNao(fatura.situacao === 'pendente' || fatura.situacao === 'vencida', 'fatura_nao_aberta');
  if (canal === 'email') {
    recusarSeNao(temCorreio, 'email_indisponivel');
    recusarSeNao(fatura.email !== null && fatura.email !== '', 'cliente_sem_email');
  }
  return { id: faturaId, clienteId: fatura.cliente_id };
}

/** Second copies that may be asked for. */
export function createLeituraDeEnviosService(deps: DeOndeSeEnvia) {
  return {
    /**
     * The open invoice whose second copy can be sent by a channel.
     *
     * @throws Recusa `nao_encontrado`, `fatura_nao_aberta`, `email_indisponivel` or `cliente_sem_email`.
     */
    exigir: async (faturaId: number, canal: CanalDeEnvio): Promise<Pick<Fatura, 'id' | 'clienteId'>> =>
      exigirEnviavel(deps, faturaId, canal),
  };
}

/** Second copies that are asked for. */
export function createEnvioDeFaturasService({ w, temCorreio }: { readonly w: Write; readonly temCorreio: boolean }) {
  return {
    /**
     * Has the second copy of an open invoice sent to the address on record, or asks those outside to send it. A mail leaves once this is
     * committed.
     *
     * @throws Recusa `nao_encontrado`, `fatura_nao_aberta`, `email_indisponivel` or `cliente_sem_email`.
     */
    async enviar(faturaId: number, canal: CanalDeEnvio): Promise<void> {
      const { clienteId: cliente } = await exigirEnviavel({ tenant: w, temCorreio }, faturaId, canal);
      if (canal === 'evento') w.emit('fatura.segunda_via_pedida', faturaId, { cliente, canal });
      else w.emit('fatura.segunda_via_por_email', faturaId, { cliente });
    },
  };
}
