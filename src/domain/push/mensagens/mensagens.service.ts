import type { Relogio } from '../../../platform/timing/relogio.ts';
import { bem, exigido, lerCampos, mal, opcional } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { id, lista, texto } from '../../campos/leitores.ts';
import { faltaEm } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { novoUlid } from '../../ulid.ts';
import type { TipoDeCanal } from '../push.types.ts';
import { createDestinosQueries } from './destinos.queries.ts';
import { escreverEnvios } from './escrita.ts';

export type MensagensDePushService = ReturnType<typeof createMensagensDePushService>;

export interface MensagensDePushDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly canaisDe: (provedorId: number) => Promise<ReadonlySet<TipoDeCanal>>;
}

const MAIS_DESTINATARIOS = 500;

/** A path of the app's, and of nobody else. */
const caminho: Leitor<string> = (valor) =>
  typeof valor === 'string' && /^\/(?![/\\])[\x21-\x7e]{0,199}$/.test(valor) && !valor.includes('\\')
    ? bem(valor)
    : mal('deve ser um caminho do app, como /invoices/9001');

const CAMPOS_DA_MENSAGEM = {
  cliente_ids: opcional(lista(id, 1, MAIS_DESTINATARIOS)),
  contrato_ids: opcional(lista(id, 1, MAIS_DESTINATARIOS)),
  titulo: exigido(texto(1, 80)),
  texto: exigido(texto(1, 240)),
  link: opcional(caminho),
} as const;

/** A message as it is sent. @throws CamposInvalidos */
export function lerMensagem(dados: unknown) {
  const lida = lerCampos(CAMPOS_DA_MENSAGEM, dados);
  const ditos = [lida.cliente_ids, lida.contrato_ids].filter((um) => um !== undefined);
  if (ditos.length !== 1) faltaEm('cliente_ids', 'diga cliente_ids ou contrato_ids, e não os dois');
  return lida;
}

/** Messages of the provider's own to its clients' devices. */
export function createMensagensDePushService({ w, provedor, relogio, canaisDe }: MensagensDePushDeps) {
  return {
    /**
     * Queues a message for the devices of clients, or of the clients of contracts. Those who have none, are silent about messages or were told
     * as much as a day may have get none.
     *
     * @returns for how many devices it is queued
     * @throws CamposInvalidos
     */
    async enviar(dados: unknown): Promise<number> {
      const { cliente_ids, contrato_ids, link, ...dita } = lerMensagem(dados);
      const agora = relogio.agora();
      const clientes = cliente_ids ?? (await createDestinosQueries(w, agora).clientesDosContratos(contrato_ids ?? []));
      const uma = {
        ...dita,
        tipo: 'mensagem',
        recurso: { nome: 'mensagem', id: 0 },
        eventoId: null,
        marca: novoUlid(agora),
        ...(link === undefined ? {} : { link }),
      } as const;
      const { aparelhos, acessos } = await escreverEnvios(
        w,
        clientes.map((cliente) => ({ ...uma, para: { cliente } })),
        {
          fuso: provedor.fusoHorario,
          agora,
          canais: await canaisDe(provedor.id),
          cobertos: async () => Promise.resolve([]),
        },
      );
      w.emit('push.mensagem', null, { clientes: acessos, aparelhos });
      return aparelhos;
    },
  };
}
