import { hojeEm } from '../../brazil/calendario/datas.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Write } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { ATENDIMENTOS_TAG, clienteTag } from '../tags.ts';
import type { Numeracao } from './numeracao.service.ts';
import { protocoloDe } from './protocolos.regras.ts';
import type { Canal, NovoRegistro } from './protocolos.types.ts';

export type ProtocolosService = ReturnType<typeof createProtocolosService>;

export interface ProtocolosDeps {
  readonly w: Write;
  readonly provedor: Pick<Provedor, 'fusoHorario'>;
  readonly relogio: Relogio;
  readonly numeracao: Numeracao;
}

/** The numbers of a provider's contacts; see docs/adr/0049. */
export function createProtocolosService({ w, provedor, relogio, numeracao }: ProtocolosDeps) {
  return {
    /** A number that no other contact of this provider has, of its local day: 14 digits. Whoever takes it registers it in the same write. */
    async proximo(): Promise<string> {
      const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
      return protocoloDe(hoje, await numeracao(w.provedorId, hoje));
    },

    /** Writes a contact down under its number; resolves to its id. */
    async registrar(protocolo: string, registro: NovoRegistro): Promise<number> {
      const { tipo, clienteId, contratoId, canal = canalDe(w) } = registro;
      w.touch(ATENDIMENTOS_TAG, ...(clienteId === null ? [] : [clienteTag(clienteId)]));
      return w.insert('atendimentos', {
        protocolo,
        tipo,
        canal,
        cliente_id: clienteId,
        contrato_id: contratoId,
        ...colunasDe(registro),
        autor: w.author.name,
        aberto_em: toDatabaseTime(relogio.agora()),
      });
    },
  };
}

/** Whoever is signed in to the app came through it; a key or a member of staff may speak for anybody. */
const canalDe = (w: Write): Canal | null => (w.author.kind === 'assinante' ? 'app' : null);

function colunasDe(registro: NovoRegistro): object {
  switch (registro.tipo) {
    case 'contato':
      return { assunto: registro.assunto, resumo: registro.resumo };
    case 'chamado':
      return { chamado_id: registro.chamadoId };
    case 'desbloqueio':
      return { desbloqueio_id: registro.desbloqueioId };
    case 'desconexao':
      break;
  }
  return { pedido_id: registro.pedidoId, resumo: registro.motivo };
}
