import type { Correio } from '../../../platform/mail/mail.ts';
import type { ConsumedEvent, Consumer } from '../../../platform/mysql/outbox-consumer.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { DadosDosEventos } from '../../eventos/catalogo.types.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { emailsDaEquipe } from '../../usuarios/quem-pode.service.ts';
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
  readonly correio: Correio;
  readonly provedores: Pick<ProvedoresService, 'buscarPorId'>;
}

interface Aviso {
  readonly enderecos: readonly string[];
  readonly assunto: string;
  readonly texto: string;
}

type Origem = Pick<TenantDb, 'from'>;

const CONTATOS: Readonly<Record<string, string>> = { email: 'o e-mail', telefones: 'os telefones' };

/**
 * Tells people by e-mail of what was done in their name: a password that was set, an address or a phone that changed, a session that ended
 * because its token came twice. It goes to the address from before, too.
 */
export function createAvisosDeSegurancaService({ relogio, correio, provedores }: AvisosDeSegurancaDeps): Consumer {
  async function doDocumento(de: Origem, documento: string | undefined, em: Date): Promise<string[]> {
    const cadastros = documento === undefined ? [] : await cadastrosDe(de, documento);
    const ids = cadastros.map(({ id }) => id);
    const anteriores = await emailsAnteriores(de, ids, new Date(em.getTime() - DIA_MS));
    return [...new Set([...enderecosDe(cadastros), ...anteriores])];
  }

  /** The address from before a change of it; the one there is where another contact changed. */
  async function deAntes(de: Origem, cliente: number, mudouEmail: boolean, em: Date): Promise<string[]> {
    if (!mudouEmail) return doDocumento(de, await documentoDoCliente(de, cliente), em);
    return (await emailsAnteriores(de, [cliente], new Date(em.getTime() - DIA_MS))).slice(0, 1);
  }

  async function avisoDe(de: Origem, casa: { readonly nome: string }, evento: ConsumedEvent): Promise<Aviso | null> {
    const em = relogio.agora();
    const tipo = evento.tipo as Tipo;
    if (tipo === 'sessao.reuso_detectado') {
      const { acesso, usuario_id: usuarioId } = evento.dados as DadosDosEventos[typeof tipo];
      const documento = acesso === null ? undefined : (await acessoPorId(de, acesso))?.cpfCnpj;
      const enderecos = usuarioId === null ? await doDocumento(de, documento, em) : await emailsDaEquipe(de, usuarioId);
      return { enderecos, ...textoDoReuso(casa) };
    }
    if (tipo === 'cliente.atualizado') {
      const { cliente, campos } = evento.dados as DadosDosEventos[typeof tipo];
      const mudaram = campos.flatMap((campo) => CONTATOS[campo] ?? []);
      if (mudaram.length === 0) return null;
      const enderecos = await deAntes(de, cliente, campos.includes('email'), em);
      return { enderecos, ...textoDosContatos(casa, mudaram) };
    }
    const { cliente } = evento.dados as DadosDosEventos[typeof tipo];
    return { enderecos: await doDocumento(de, await documentoDoCliente(de, cliente), em), ...textoDaSenha(casa) };
  }

  return {
    ...AVISOS_DE_SEGURANCA,
    async consume(w, events) {
      const casa = correio.ativo ? await provedores.buscarPorId(w.provedorId) : null;
      if (casa === null) return;
      for (const evento of events) {
        const aviso = await avisoDe(w, casa, evento);
        if (aviso === null) continue;
        const { enderecos, assunto, texto } = aviso;
        await Promise.all(enderecos.map(async (para) => correio.enviar({ para, assunto, texto })));
      }
    },
  };
}
