import { hojeEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { criarDiasLocais } from '../../brazil/calendario/dias-locais.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../platform/mysql/database.ts';
import type { ChaveDeContrato, ConexaoRow, ContratoAfetadoRow, QuedasDoDiaRow } from './agregacao.types.ts';
import { createHoras } from './horas/horas.regras.ts';
import type { Queda } from './horas/horas.regras.ts';
import { contarQuedas, desteLogin, julgar, quedasQueContam } from './sessoes.regras.ts';
import type { SessaoDoContrato } from './sessoes.regras.ts';

/** Local days whose drops are recomputed: the 30 that are shown and one more, where a burst may be cut in two. */
const DIAS_RECALCULADOS = 31;
const DIA_MS = 86_400_000;

/** Rows to write so that `conexoes` and `quedas_diarias` say what the sessions do; none where they do already. */
interface Diferencas {
  readonly gravarConexoes: ConexaoRow[];
  readonly gravarQuedas: QuedasDoDiaRow[];
  readonly apagarQuedas: QuedasDoDiaRow[];
}

/** The instant from which sessions matter: one day more than the window, because local days begin at other instants than UTC's. */
export function inicioDaJanela(agora: Date): Date {
  return new Date(agora.getTime() - (DIAS_RECALCULADOS + 1) * DIA_MS);
}

/** The local days whose drops are kept, in a zone. */
interface Dias {
  readonly primeiroDia: Data;
  /** Null before the first. */
  readonly diaDe: (instante: number) => Data | null;
}

/** Finds the local days of zones at an instant, and keeps those of the last instant, which are mostly the same. */
export function createJanelas() {
  const porFuso = new Map<string, Dias>();
  return (fuso: string, agora: Date): Dias => {
    const hoje = hojeEm(fuso, agora);
    const primeiroDia = somarDias(hoje, 1 - DIAS_RECALCULADOS);
    let dias = porFuso.get(fuso);
    if (dias?.primeiroDia !== primeiroDia) {
      dias = { primeiroDia, diaDe: criarDiasLocais(fuso, primeiroDia, hoje) };
      porFuso.set(fuso, dias);
    }
    return dias;
  };
}

/** Recomputes contracts at an instant, and gathers what is to be written. */
export function createDiferencas(
  agora: Date,
  intervaloPadraoSegundos: number,
  janela: ReturnType<typeof createJanelas>,
) {
  const diferencas: Diferencas = { gravarConexoes: [], gravarQuedas: [], apagarQuedas: [] };
  const horas = createHoras();
  // Of one instant: each zone's date is formatted once, and not for each contract.
  const porFuso = new Map<string, Dias>();

  function diasDe(fuso: string): Dias {
    const dias = porFuso.get(fuso) ?? janela(fuso, agora);
    porFuso.set(fuso, dias);
    return dias;
  }

  return {
    diferencas,

    /** What is to be added to the hours of servers. */
    horas: () => horas.linhas(),
    minutos: () => horas.minutos(),

    /**
     * Adds to the differences what a contract's sessions make of it.
     *
     * @param gravadas its rows of `quedas_diarias`, of the window at least.
     */
    recalcular(
      contrato: ContratoAfetadoRow,
      sessoes: readonly SessaoDoContrato[],
      gravadas: readonly QuedasDoDiaRow[],
    ): void {
      const { provedor_id, contrato_id } = contrato;
      const { primeiroDia, diaDe } = diasDe(contrato.fuso_horario);
      const loginDesde = contrato.login_desde === null ? null : fromDatabaseTime(contrato.login_desde).getTime();
      const momentos = new Map<number, Omit<Queda, 'em'>>();
      let ultimoFim = -Infinity;
      let ultima:
        { sessao: SessaoDoContrato; ouvidaEm: number; intervaloSegundos: number; validade: number } | undefined;
      let nova: SessaoDoContrato | undefined;
      for (const sessao of sessoes) {
        // What another session took the row of was over by then, and is judged as it was.
        const { queda, fim, causa, aberta, ouvidaEm, intervaloSegundos } = julgar(
          sessao,
          sessao.reaberta ?? agora.getTime(),
          intervaloPadraoSegundos,
        );
        if (!desteLogin(fim, loginDesde)) continue;
        if (nova === undefined || (sessao.inicio ?? 0) > (nova.inicio ?? 0)) nova = sessao;
        if (queda && fim !== null) {
          momentos.set(fim, { nas: sessao.nas, causa });
          ultimoFim = Math.max(ultimoFim, fim);
        }
        if (!aberta || ouvidaEm === null || sessao.reaberta !== null) continue;
        // Of the open sessions, the record keeps the one that would be the last to go stale.
        const validade = ouvidaEm + 2000 * intervaloSegundos;
        if (ultima === undefined || validade > ultima.validade)
          ultima = { sessao, ouvidaEm, intervaloSegundos, validade };
      }

      const contam = quedasQueContam([...momentos.keys()]);
      const quedas = contarQuedas(contam, diaDe);
      for (const row of gravadas) {
        if (row.dia < primeiroDia) continue;
        const agoraSao = quedas.get(row.dia as Data);
        if (agoraSao === row.quedas) quedas.delete(row.dia as Data);
        else if (agoraSao === undefined) diferencas.apagarQuedas.push(row);
      }
      for (const [dia, total] of quedas) diferencas.gravarQuedas.push({ provedor_id, contrato_id, dia, quedas: total });

      const ouvida_em = ultima === undefined ? null : toDatabaseTime(new Date(ultima.ouvidaEm));
      const intervalo_segundos = ultima?.intervaloSegundos ?? null;
      const desde = ultima?.sessao.inicio ?? null;
      const sessao_desde = desde === null ? null : toDatabaseTime(new Date(desde));
      const quedasEm = (em: number): Queda[] => {
        const queda = momentos.get(em);
        return queda === undefined ? [] : [{ em, ...queda }];
      };
      // Told once: the record names the session until it is over, and then another, or none.
      const antes = contrato.sessao_desde;
      const acabouAgora = antes !== null && antes !== sessao_desde && ultimoFim >= fromDatabaseTime(antes).getTime();
      const [seguida = null] = acabouAgora && ultimoFim !== contam.at(-1) ? quedasEm(ultimoFim) : [];
      const depois: Omit<ConexaoRow, keyof ChaveDeContrato> = {
        ouvida_em,
        intervalo_segundos,
        nas: ultima?.sessao.nas ?? contrato.nas ?? nova?.nas ?? null,
        porta: ultima === undefined ? contrato.porta : ultima.sessao.porta,
        sessao_desde,
        ...horas.quedas(contrato, contam.flatMap(quedasEm), seguida),
      };
      const nomes = Object.keys(depois) as (keyof typeof depois)[];
      const igual = nomes.every((nome) => contrato[nome] === depois[nome]);
      if (contrato.tem_conexao === 1 && igual) return;
      diferencas.gravarConexoes.push({ provedor_id, contrato_id, ...depois });
    },
  };
}
