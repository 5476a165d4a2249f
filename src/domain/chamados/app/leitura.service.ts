import type { Trail } from '../../../platform/cache/trail.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Slice, SliceRequest } from '../../../platform/paging/pages.ts';
import { leituraDe } from '../../leituras.ts';
import type { LeitorDe } from '../../leituras.ts';
import { CHAMADOS_TAG, chamadoTag, clienteTag } from '../../tags.ts';
import { paraChamado } from '../chamados.service.ts';
import type { Chamado } from '../chamados.types.ts';
import { destinosDe } from '../fila/destinos.ts';
import type { ChamadoComNomesRow, ChamadoDaEquipeNoApp, EntradaNoApp, FiltroDoApp } from './app.types.ts';
import { createLeituraDoAppQueries } from './leitura.queries.ts';
import type { EntradaRow } from './leitura.queries.ts';

export type LeituraDoAppService = ReturnType<typeof createLeituraDoAppService>;

export interface LeituraDoAppDeps {
  readonly tenant: TenantDb;
  readonly trail: Trail;
  readonly leitorDe: LeitorDe;
}

/**
 * Tickets as subscribers and the staff read them in the app. What the staff reads names no tag, and so is not kept: who attends and what
 * is noted are changed by writes that tell nobody.
 */
export function createLeituraDoAppService({ tenant, trail, leitorDe }: LeituraDoAppDeps) {
  const queries = createLeituraDoAppQueries(tenant);

  /** With names, phones and addresses; three statements, however many there are. */
  async function paraAEquipe(rows: readonly ChamadoComNomesRow[]): Promise<ChamadoDaEquipeNoApp[]> {
    const chamados = rows.map((row) => ({ ...paraChamado(row), row }));
    const destinos = await destinosDe(tenant, chamados);
    return chamados.map(({ row, ...chamado }) => {
      const { telefones = [], endereco = null } = destinos.get(chamado.id) ?? {};
      const { responsavel_id: id, responsavel_nome: nome } = row;
      return {
        ...chamado,
        cliente: { nome: row.cliente_nome, telefones, endereco },
        responsavel: id === null ? null : { id, nome: nome ?? '' },
      };
    });
  }

  return {
    /** A subscriber's tickets after a place, newest first. */
    async listar(
      filtro: FiltroDoApp & { readonly clienteIds: readonly number[] },
      pedida: SliceRequest,
    ): Promise<Slice<Chamado>> {
      trail.dependsOn(...filtro.clienteIds.map(clienteTag));
      const { itens, ...parte } = await queries.listar(filtro, pedida);
      return { ...parte, itens: itens.map(paraChamado) };
    },

    /** The staff's list. */
    async listarDaEquipe(filtro: FiltroDoApp, pedida: SliceRequest): Promise<Slice<ChamadoDaEquipeNoApp>> {
      const { clienteIds, contratoId, responsavelId } = filtro;
      const todos = clienteIds === null && contratoId === undefined && responsavelId === undefined;
      const leitura = leituraDe('chamados da equipe', filtro, todos ? leitorDe([CHAMADOS_TAG]) : null);
      const { itens, ...parte } = await queries.listarComNomes(filtro, pedida, leitura);
      return { ...parte, itens: await paraAEquipe(itens) };
    },

    /** What happened to a ticket, oldest first, as everybody sees it. */
    async historico(id: number): Promise<EntradaNoApp[]> {
      trail.dependsOn(chamadoTag(id));
      return (await queries.historico(id)).map(paraEntrada);
    },

    /** A ticket with all that happened to it, internal notes included; null when this tenant has none of that id. */
    async buscarDaEquipe(
      id: number,
    ): Promise<(ChamadoDaEquipeNoApp & { readonly historico: readonly EntradaNoApp[] }) | null> {
      const [row, publicas, notas] = await Promise.all([
        queries.buscarComNomes(id),
        queries.historico(id),
        queries.notas(id),
      ]);
      const [chamado] = row === undefined ? [] : await paraAEquipe([row]);
      if (chamado === undefined) return null;
      // Of the same instant, what everybody sees comes first.
      const historico = [...publicas, ...notas].map(paraEntrada);
      return { ...chamado, historico: historico.toSorted((a, b) => a.ocorridoEm.getTime() - b.ocorridoEm.getTime()) };
    },

    /** One public entry; null when this tenant has none of that id. */
    async entrada(id: number): Promise<EntradaNoApp | null> {
      const row = await queries.entrada(id);
      return row === undefined ? null : paraEntrada(row);
    },
  };
}

const paraEntrada = ({
  id,
  acao,
  descricao,
  autor,
  autor_tipo,
  usuario_id,
  ocorrido_em,
}: EntradaRow): EntradaNoApp => ({
  id,
  acao,
  descricao,
  autor,
  autorTipo: autor_tipo ?? (usuario_id === null ? 'sistema' : 'equipe'),
  ocorridoEm: fromDatabaseTime(ocorrido_em),
});
