import type { Servidor } from '../panorama/panorama.types.ts';
import type { Pop } from '../pops/pops.types.ts';
import type { UltimasRow } from './visao.queries.ts';
import type { EstadoDeServidor, No, ServidorVisto, Topologia } from './visao.types.ts';

const RAIZ = 'provedor';

/** Whether a server ended all its sessions at once, as when it restarts, and none began since. */
export const fechadoDeUmaVez = ({ abertas, inicio, reinicio }: UltimasRow): boolean =>
  abertas === 0 && reinicio !== null && (inicio === null || inicio <= reinicio);

/** The state of a server, by what was heard of it and by its newest sessions. */
export function estadoDoServidor(estado: Servidor['estado'], ultimas: UltimasRow | undefined): EstadoDeServidor {
  if (ultimas === undefined || ultimas.sessoes === 0) return 'sem_dados';
  return estado === 'ativo' && !fechadoDeUmaVez(ultimas) ? 'ativo' : 'silencioso';
}

/** By name as people sort, those without a name last; of one name by address. */
export function compararServidores(
  a: Pick<ServidorVisto, 'nome' | 'endereco'>,
  b: Pick<ServidorVisto, 'nome' | 'endereco'>,
): number {
  const semNome = Number(a.nome === null) - Number(b.nome === null);
  return semNome || (a.nome ?? '').localeCompare(b.nome ?? '', 'pt-BR') || a.endereco.localeCompare(b.endereco);
}

/** @param pops all of them, also where no server stands */
export function montarTopologia(
  nome: string,
  pops: readonly Pop[],
  servidores: readonly ServidorVisto[],
): Omit<Topologia, 'em'> {
  const sempre = { cidade: null, uf: null, latitude: null, longitude: null };
  const raiz: No = { ...sempre, id: RAIZ, especie: 'provedor', nome, ...doLugar(servidores) };
  const dosPops = pops.map((pop): No => {
    const { id, cidade, uf, latitude, longitude } = pop;
    const dele = servidores.filter((servidor) => servidor.pop?.id === id);
    return { id: `pop:${id}`, especie: 'pop', nome: pop.nome, ...doLugar(dele), cidade, uf, latitude, longitude };
  });
  const dosServidores = servidores.map(({ endereco, nome: dele, estado, online, contratos }): No => ({
    ...sempre,
    id: `nas:${endereco}`,
    especie: 'servidor',
    nome: dele,
    estado,
    online,
    contratos,
  }));
  return {
    nos: [raiz, ...dosPops, ...dosServidores],
    ligacoes: [
      ...pops.map(({ id }) => ({ de: RAIZ, para: `pop:${id}` })),
      ...servidores.map(({ endereco, pop }) => ({
        de: pop === null ? RAIZ : `pop:${pop.id}`,
        para: `nas:${endereco}`,
      })),
    ],
  };
}

function doLugar(servidores: readonly ServidorVisto[]): Pick<No, 'estado' | 'online' | 'contratos'> {
  const algum = (estado: EstadoDeServidor): boolean => servidores.some((um) => um.estado === estado);
  return {
    estado: algum('ativo') ? 'ativo' : algum('silencioso') ? 'silencioso' : 'sem_dados',
    online: servidores.reduce((soma, um) => soma + um.online, 0),
    contratos: servidores.reduce((soma, um) => soma + um.contratos, 0),
  };
}
