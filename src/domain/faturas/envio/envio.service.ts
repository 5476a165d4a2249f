import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { SituacaoFatura } from '../faturas.types.ts';

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

/** Second copies that are asked for; `temCorreio`: whether there is a mail server. */
export function createEnvioDeFaturasService({ w, temCorreio }: { readonly w: Write; readonly temCorreio: boolean }) {
  return {
    /**
     * Has the second copy of an open invoice sent to the address on record, or asks those outside to send it. A mail leaves once this is
     * committed.
     *
     * @throws Recusa `nao_encontrado`, `fatura_nao_aberta`, `email_indisponivel` or `cliente_sem_email`.
     */
    async enviar(faturaId: number, canal: CanalDeEnvio): Promise<void> {
      const dela = w
        .from('faturas')
        .join('clientes', (on) =>
          on.on('clientes.provedor_id', 'faturas.provedor_id').andOn('clientes.id', 'faturas.cliente_id'),
        )
        .where('faturas.id', faturaId);
      const [fatura] = await rowsOf(dela, A_ENVIAR);
      recusarSeNao(fatura, 'nao_encontrado');
      recusarSeNao(fatura.situacao === 'pendente' || fatura.situacao === 'vencida', 'fatura_nao_aberta');
      const { cliente_id: cliente } = fatura;
      if (canal === 'evento') {
        w.emit('fatura.segunda_via_pedida', faturaId, { cliente, canal });
        return;
      }
      recusarSeNao(temCorreio, 'email_indisponivel');
      recusarSeNao(fatura.email !== null && fatura.email !== '', 'cliente_sem_email');
      w.emit('fatura.segunda_via_por_email', faturaId, { cliente });
    },
  };
}
