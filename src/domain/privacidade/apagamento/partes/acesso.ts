import { apagarAcessoSemAlcance } from '../../../acessos/alcance.service.ts';
import type { Caso, Feito, Parte } from '../apagamento.types.ts';

/** The app's access of the person's tax id, unless another registration is reached by it; and addresses that the registration had. */
async function apagar({ w, titular }: Caso): Promise<Feito> {
  await w.delete('clientes_emails_anteriores', (q) => void q.where('cliente_id', titular.id));
  const tinha = await apagarAcessoSemAlcance(w, titular.cpf_cnpj, titular.id);
  return { apagados: tinha ? ['acesso_ao_app'] : [], guardados: [] };
}

export const DO_ACESSO: Parte = {
  tabelas: [
    'app_acessos',
    'app_codigos',
    'app_sessoes',
    'app_tokens',
    'clientes_emails_anteriores',
    'push_dispositivos',
    'push_envios',
  ],
  apagar,
};
