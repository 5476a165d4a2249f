import type { Correio } from '../../../platform/mail/mail.ts';
import type { ConsumedEvent, Consumer } from '../../../platform/mysql/outbox-consumer.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { PedidoDeCorreio } from '../../correio/correio.types.ts';
import { pedirCorreio } from '../../correio/pedir.service.ts';
import type { DadosDosEventos } from '../../eventos/catalogo.types.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { emailsDaEquipe } from '../../usuarios/quem-pode.service.ts';
import { CONTATOS } from '../../push/mensagens/textos.regras.ts';
import { acessoPorId, cadastrosDe, documentoDoCliente, emailsAnteriores } from '../acessos.queries.ts';
import { DIA_MS } from '../codigos/codigo.regras.ts';
import { enderecosDe } from '../codigos/enderecos.regras.ts';
import { textoDaSenha, textoDoReuso, textoDosContatos } from './mensagens.ts';

const TIPOS = [
  'acesso.senha_definida',
  'acesso.senha_trocada',
  'cliente.atualizado',
  'sessao.reuso_detectado',
] as const satisfies readonly (keyof DadosDosEventos)[];
type Tipo = (typeof TIPOS)[number];

/** What a person should hear of who did not do it. Its events wait for it by this name. */
export const AVISOS_DE_SEGURANCA: Pick<Consumer, 'name' | 'wants'> = {
  name: 'avisos_de_seguranca',
  wants: (tipo) => TIPOS.some((um) => um === tipo),
};

export interface AvisosDeSegurancaDeps {
  readonly relogio: Relogio;
  readonly correio: Pick<Correio, 'ativo'>;
  readonly provedores: Pick<ProvedoresService, 'buscarPorId'>;
}

/** Whom to write to, and about which registration; null where it is one of the staff. */
interface Destino {
  readonly enderecos: readonly string[];
  readonly clienteId: number | null;
}

interface Aviso extends Destino {
  readonly assunto: string;
  readonly texto: string;
}

type Origem = Pick<TenantDb, 'from'>;

/** What is older is no warning any more. */
const VALIDADE_MS = 3 * DIA_MS;

/**
 * Tells people by e-mail of what was done in their name: a password that was set, an address or a phone that changed, a session that ended
 * because its token came twice. It goes to the address from before, too.
 */
export function createAvisosDeSegurancaService({ relogio, correio, provedores }: AvisosDeSegurancaDeps): Consumer {
  async function doDocumento(de: Origem, documento: string | undefined, em: Date): Promise<Destino> {
    const cadastros = documento === undefined ? [] : await cadastrosDe(de, documento);
    const ids = cadastros.map(({ id }) => id);
    const anteriores = await emailsAnteriores(de, ids, new Date(em.getTime() - DIA_MS));
    const enderecos = [...new Set([...enderecosDe(cadastros), ...anteriores])];
    return { enderecos, clienteId: ids.at(-1) ?? null };
  }

  /** The address from before a change of it; the one there is where another contact changed. */
  async function deAntes(de: Origem, cliente: number, mudouEmail: boolean, em: Date): Promise<Destino> {
    if (!mudouEmail) return doDocumento(de, await documentoDoCliente(de, cliente), em);
    const anteriores = await emailsAnteriores(de, [cliente], new Date(em.getTime() - DIA_MS));
    return { enderecos: anteriores.slice(0, 1), clienteId: cliente };
  }

  async function avisoDe(de: Origem, casa: { readonly nome: string }, evento: ConsumedEvent): Promise<Aviso | null> {
    const em = relogio.agora();
    const tipo = evento.tipo as Tipo;
    if (tipo === 'sessao.reuso_detectado') {
      const { acesso, usuario_id: usuarioId } = evento.dados as DadosDosEventos[typeof tipo];
      const documento = acesso === null ? undefined : (await acessoPorId(de, acesso))?.cpfCnpj;
      const destino =
        usuarioId === null
          ? await doDocumento(de, documento, em)
          : { enderecos: await emailsDaEquipe(de, usuarioId), clienteId: null };
      return { ...destino, ...textoDoReuso(casa) };
    }
    if (tipo === 'cliente.atualizado') {
      const { cliente, campos } = evento.dados as DadosDosEventos[typeof tipo];
      const mudaram = campos.flatMap((campo) => CONTATOS[campo] ?? []);
      if (mudaram.length === 0) return null;
      const destino = await deAntes(de, cliente, campos.includes('email'), em);
      return { ...destino, ...textoDosContatos(casa, mudaram) };
    }
    const { cliente } = evento.dados as DadosDosEventos[typeof tipo];
    return { ...(await doDocumento(de, await documentoDoCliente(de, cliente), em)), ...textoDaSenha(casa) };
  }

  return {
    ...AVISOS_DE_SEGURANCA,
    async consume(w, events) {
      const casa = correio.ativo ? await provedores.buscarPorId(w.provedorId) : null;
      if (casa === null) return;
      const agora = relogio.agora();
      const expiraEm = new Date(agora.getTime() + VALIDADE_MS);
      const cartas: PedidoDeCorreio[] = [];
      for (const evento of events) {
        const aviso = await avisoDe(w, casa, evento);
        if (aviso === null) continue;
        const { enderecos, clienteId, assunto, texto } = aviso;
        for (const [n, para] of enderecos.entries()) {
          cartas.push({ chave: `${evento.id}.${n}`, clienteId, para, assunto, texto, expiraEm });
        }
      }
      await pedirCorreio(w, 'seguranca', cartas, agora);
    },
  };
}
