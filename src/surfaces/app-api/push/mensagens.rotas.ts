import { lerMensagem } from '../../../domain/push/mensagens/mensagens.service.ts';
import { faltasDe } from '../entrada.ts';
import { rota } from '../rota.ts';
import { corpoDeMensagem, enfileiradasSchema } from './push.schemas.ts';

export const rotasDeMensagens = [
  rota.post({
    path: '/push/messages',
    permission: { chave: 'push:escrita' },
    group: 'Push',
    summary: 'Envia uma mensagem aos aparelhos de clientes',
    description:
      'Não a recebe quem não tem aparelho, quem silenciou `mensagem`, nem quem já recebeu cinco avisos no dia. Das 21 às 8 horas, espera pela manhã. Não ponha nela documento nem nome inteiro.',
    body: { schema: corpoDeMensagem, required: true, judge: (corpo) => faltasDe(() => lerMensagem(corpo)) },
    data: enfileiradasSchema,
    success: 202,
    example: { queued: 1 },
    run: async ({ body, writes }) => ({ data: { queued: await writes.mensagensDePush.enviar(body) } }),
  }),
];
