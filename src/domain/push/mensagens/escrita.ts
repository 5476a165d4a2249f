import { groupBy } from '../../../platform/group-by.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantWriter } from '../../../platform/mysql/tenant.ts';
import { permissoesDosUsuarios } from '../../usuarios/quem-pode.service.ts';
import type { TipoDeCanal } from '../push.types.ts';
import { duracaoDo, regraDoTipo } from '../tipos.regras.ts';
import type { Aviso } from './avisos.types.ts';
import { createDestinosQueries } from './destinos.queries.ts';
import type { Aparelho } from './destinos.queries.ts';
import { createEnviosQueries } from './envios.queries.ts';
import type { NovoEnvio } from './envios.queries.ts';
import { agoraEm, foraDaNoite } from './horario.regras.ts';
import { dadosDe } from './recurso.regras.ts';

/** What is to be told, and of which event; null where it is of none. */
export interface AEnviar extends Aviso {
  readonly eventoId: number | null;
  /** What tells it from others of its kind and thing. */
  readonly marca?: string;
  /** Another path of the app's than that of what it is about. */
  readonly link?: string;
}

export interface CasoDeEnvio {
  readonly fuso: string;
  readonly agora: Date;
  /** By which something can be sent: the others are kept as notices at the panel alone. */
  readonly canais: ReadonlySet<TipoDeCanal>;
  /** Clients that a notice of the network covers, out of some. */
  readonly cobertos: (aviso: number, entre: readonly number[]) => Promise<readonly number[]>;
}

/** Of a client, on a local day, beyond those that always come. */
const POR_DIA = 5;
const MAIOR_TITULO = 80;
const MAIOR_TEXTO = 240;

const cortar = (texto: string, maior: number): string => {
  const letras = Array.from(texto.replaceAll(/\s+/g, ' ').trim());
  return letras.length <= maior ? letras.join('') : `${letras.slice(0, maior - 1).join('')}…`;
};

type Envio = readonly [AEnviar, Aparelho];

/** A notice on each of somebody's devices, but on that of the session which it leaves out. */
function aosDele(aviso: AEnviar, aparelhos: readonly Aparelho[] = []): Envio[] {
  const fora = 'menosSessao' in aviso.para ? aviso.para.menosSessao : undefined;
  return aparelhos.filter(({ sessaoId }) => fora === undefined || sessaoId !== fora).map((um) => [aviso, um]);
}

/**
 * Writes a row for each device that is to be sent something: to devices that are not silent about it, by a channel that there is, by day,
 * and no more than a client may have of a day.
 *
 * @returns how many devices, of how many accesses
 */
export async function escreverEnvios(
  w: TenantWriter,
  avisos: readonly AEnviar[],
  { fuso, agora, canais, cobertos }: CasoDeEnvio,
): Promise<{ readonly aparelhos: number; readonly acessos: number }> {
  const destinos = createDestinosQueries(w, agora);

  async function aAssinantes(): Promise<Envio[]> {
    const porAcesso: (readonly [AEnviar, number])[] = [];
    const daRede = avisos.filter(({ para }) => 'aviso' in para);
    const todos = daRede.length === 0 ? [] : await destinos.clientesComAparelho();
    const deQuem = new Map<AEnviar, readonly number[]>();
    for (const aviso of avisos) {
      if ('cliente' in aviso.para) deQuem.set(aviso, [aviso.para.cliente]);
      else if ('aviso' in aviso.para) deQuem.set(aviso, await cobertos(aviso.para.aviso, todos));
      else if ('acesso' in aviso.para) porAcesso.push([aviso, aviso.para.acesso]);
    }
    const alcances = await destinos.alcances([...new Set([...deQuem.values()].flat())]);
    for (const [aviso, clientes] of deQuem) {
      const acessos = clientes.flatMap((cliente) => {
        const alcance = alcances.get(cliente);
        // Who has cancelled is told of what he may still have to pay, and of nothing else.
        const serve = alcance?.situacao !== 'cancelado' || regraDoTipo(aviso.tipo).deFatura === true;
        return alcance !== undefined && serve ? [alcance.acessoId] : [];
      });
      for (const acesso of new Set(acessos)) porAcesso.push([aviso, acesso]);
    }
    const aparelhos = await destinos.travarAparelhos('acesso_id', [...new Set(porAcesso.map(([, id]) => id))]);
    const dele = groupBy(aparelhos, ({ acessoId }) => acessoId);
    return porAcesso.flatMap(([aviso, id]) => aosDele(aviso, dele.get(id)));
  }

  async function aEquipe(): Promise<Envio[]> {
    const deles = avisos.filter(({ para }) => 'usuario' in para || 'equipe' in para);
    if (deles.length === 0) return [];
    const pessoas = await permissoesDosUsuarios(w, await destinos.usuariosComAparelho());
    const porUsuario = deles.flatMap((aviso) => {
      const { para } = aviso;
      const { equipe } = regraDoTipo(aviso.tipo);
      if ('usuario' in para) {
        // Tickets stay with whoever may not see them any more; what is said to one person alone is of them.
        const pode = pessoas.get(para.usuario);
        const serve = equipe === 'pessoa' ? pode?.includes('chamados.ver') === true : pode !== undefined;
        return serve ? [[aviso, para.usuario] as const] : [];
      }
      const podem = [...pessoas].filter(([, pode]) => pode.some((uma) => uma === equipe));
      return podem.map(([usuario]) => [aviso, usuario] as const);
    });
    const aparelhos = await destinos.travarAparelhos('usuario_id', [...new Set(porUsuario.map(([, id]) => id))]);
    const dele = groupBy(aparelhos, ({ usuarioId }) => usuarioId);
    return porUsuario.flatMap(([aviso, id]) => aosDele(aviso, dele.get(id)));
  }

  const envios = [...(await aAssinantes()), ...(await aEquipe())].filter(
    ([{ tipo }, { silenciados, tipo: canal }]) => canais.has(canal) && !silenciados.includes(tipo),
  );
  const agoraMesmo = agoraEm(fuso, agora);
  const deDia = foraDaNoite(fuso, agora);
  const queries = createEnviosQueries(w);
  const acessos = [...new Set(envios.flatMap(([, { acessoId }]) => acessoId ?? []))];
  const ditosA = await queries.ditosNoDia(acessos, [deDia.dia]);
  const novos = new Map<string, NovoEnvio>();
  const alcancados = new Set<number>();
  for (const [aviso, aparelho] of envios) {
    const { tipo, recurso, marca, eventoId } = aviso;
    const livre = aparelho.acessoId === null || regraDoTipo(tipo).sempre === true;
    const { em, dia } = livre ? agoraMesmo : deDia;
    const chave = `${tipo}:${recurso.nome}:${marca ?? (aviso.unico === true ? `e${eventoId}` : recurso.id)}`;
    if (!livre) {
      const ditos = ditosA(aparelho.acessoId, dia);
      if (!ditos.has(chave) && ditos.size >= POR_DIA) continue;
      ditos.add(chave);
    }
    if (aparelho.acessoId !== null) alcancados.add(aparelho.acessoId);
    const onde = aparelho.noPainel ? 'painel' : 'app';
    // Somebody may be told of one event for two reasons.
    novos.set(`${eventoId} ${chave} ${aparelho.id}`, {
      dispositivo_id: aparelho.id,
      evento_id: eventoId,
      tipo,
      chave,
      titulo: cortar(aviso.titulo, MAIOR_TITULO),
      texto: cortar(aviso.texto, MAIOR_TEXTO),
      dados: JSON.stringify(dadosDe(tipo, recurso, onde, aviso.link)),
      dia,
      proxima_em: toDatabaseTime(em),
      expira_em: toDatabaseTime(new Date(em.getTime() + duracaoDo(tipo))),
      criado_em: toDatabaseTime(agora),
    });
  }
  await queries.inserir([...novos.values()]);
  return { aparelhos: novos.size, acessos: alcancados.size };
}
