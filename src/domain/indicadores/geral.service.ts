import { horaDaRegua } from '../regua/ativa.service.ts';
import { diaDaTarefa, reguaAtrasada } from '../tarefas/dia.regras.ts';
import { TAREFAS_DIARIAS } from '../tarefas/tarefas.types.ts';
import type { TarefaDiaria } from '../tarefas/tarefas.types.ts';
import { fimDoDiaEm, hojeEm, inicioDoDiaEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { centavos, lerDinheiro, somarDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import type { financeiroDe } from './financeiro.service.ts';
import {
  chamadosEsperando,
  contarBloqueados,
  contarChamadosAbertos,
  contarLinhas,
  contarQuedas,
  desbloqueiosAcabando,
  tarefasConcluidas,
} from './geral.queries.ts';
import type { Memoria, Numero } from './memoria.service.ts';
import { recebidoEntre, somasGuardadas } from './somas.queries.ts';
import type { NomeDaSoma } from './somas.queries.ts';
import { clientesComVencida } from './vencidas.queries.ts';

const HORA_MS = 3_600_000;
const MAIS_ESPERAM = 10;
const DESBLOQUEIOS_MOSTRADOS = 50;

/** A number, with by how much it is another than at the beginning of the day; null where nothing was kept of that. */
type NumeroComMudanca<T = number> = Numero<T> & { readonly mudanca: number | null };

export interface Geral {
  /** Contracts served or blocked, by their connection of that moment; since the beginning of the day. */
  readonly online: NumeroComMudanca;
  readonly offline: NumeroComMudanca;
  readonly bloqueados: NumeroComMudanca;
  /** What open overdue invoices ask for today, and of how many clients; `mudanca` is in centavos. */
  readonly vencido: NumeroComMudanca<{ readonly valor: Centavos; readonly faturas: number; readonly clientes: number }>;
  /** What came in today; `mudanca`: than yesterday by the same hour, in centavos. */
  readonly recebidoHoje: NumeroComMudanca<Centavos>;
  readonly chamadosAbertos: NumeroComMudanca;
  /** Of the last hour; `mudanca`: than in the same hour of yesterday. */
  readonly quedas: NumeroComMudanca;
  /** Open tickets that nobody of the staff has answered, the longest waiting first, ten at most. */
  readonly esperando: readonly {
    readonly id: number;
    readonly clienteId: number;
    readonly clienteNome: string;
    readonly assunto: string;
    readonly prioridade: string;
    readonly abertoEm: Date;
  }[];
  /** Trust unblocks that end today. */
  readonly desbloqueios: readonly {
    readonly id: number;
    readonly contratoId: number;
    readonly clienteId: number;
    readonly clienteNome: string;
    readonly ate: Date;
  }[];
  /** Daily work that should have been done an hour ago; the ladder an hour after its own. */
  readonly tarefasAtrasadas: readonly { readonly tarefa: TarefaDiaria; readonly dia: Data }[];
}

export interface GeralDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly memoria: Memoria;
  readonly financeiro: Pick<ReturnType<typeof financeiroDe>, 'vencidas'>;
  readonly intervaloPadraoSegundos: number;
}

export function geralDe({ tenant, provedor, memoria, financeiro, intervaloPadraoSegundos }: GeralDeps) {
  const { id, fusoHorario } = provedor;

  /** Contracts served or blocked, by their connection. */
  const linhasEm = async (agora: Date) =>
    memoria.lembrar(id, 'linhas', async () => {
      const valor = await contarLinhas(tenant, agora, intervaloPadraoSegundos);
      return { valor, linhas: valor.registros };
    });

  /** How things stand, of what is kept at the beginning of each day. */
  async function estado(agora: Date) {
    const hoje = hojeEm(fusoHorario, agora);
    const [linhas, bloqueados, vencidas, clientes, chamados] = await Promise.all([
      linhasEm(agora),
      memoria.lembrar(id, 'bloqueados', async () => contado(await contarBloqueados(tenant))),
      financeiro.vencidas(hoje),
      memoria.lembrar(id, `clientes ${hoje}`, async () => contado(await clientesComVencida(tenant, hoje))),
      memoria.lembrar(id, 'chamados', async () => contado(await contarChamadosAbertos(tenant))),
    ]);
    const vencido = {
      valor: somarDinheiro(...vencidas.valor.map(({ valor }) => valor)),
      faturas: vencidas.valor.reduce((soma, { quantidade }) => soma + quantidade, 0),
      clientes: clientes.valor,
    };
    return { linhas, bloqueados, vencido: { valor: vencido, de: vencidas.de }, chamados };
  }

  return {
    estado,
    linhas: linhasEm,

    async geral(agora: Date): Promise<Geral> {
      const hoje = hojeEm(fusoHorario, agora);
      const ontem = somarDias(hoje, -1);
      const inicio = inicioDoDiaEm(fusoHorario, hoje);
      const inicioDeOntem = inicioDoDiaEm(fusoHorario, ontem);
      const deOntem = new Date(inicioDeOntem.getTime() + (agora.getTime() - inicio.getTime()));
      const faixa = (de: Date, ate: Date): readonly [string, string] => [toDatabaseTime(de), toDatabaseTime(ate)];
      const horaAntes = (ate: Date): readonly [string, string] => faixa(new Date(ate.getTime() - HORA_MS), ate);
      const fim = new Date(fimDoDiaEm(fusoHorario, hoje).getTime() + 1);
      const diaDevido = diaDaTarefa(fusoHorario, new Date(agora.getTime() - HORA_MS));
      const [
        atual,
        guardadas,
        recebido,
        recebidoAntes,
        quedas,
        quedasAntes,
        esperando,
        desbloqueios,
        feitas,
        horaRegua,
      ] = await Promise.all([
        estado(agora),
        somasGuardadas(tenant, RETRATADOS, [hoje, hoje]),
        recebidoEntre(tenant, faixa(inicio, fim)),
        recebidoEntre(tenant, faixa(inicioDeOntem, deOntem)),
        contarQuedas(tenant, horaAntes(agora)),
        contarQuedas(tenant, horaAntes(deOntem)),
        chamadosEsperando(tenant, MAIS_ESPERAM),
        desbloqueiosAcabando(tenant, faixa(agora, fim), DESBLOQUEIOS_MOSTRADOS),
        tarefasConcluidas(tenant, diaDevido),
        horaDaRegua(tenant),
      ]);
      const desde = (nome: NomeDaSoma, valor: number): number | null => {
        const guardada = guardadas.find((uma) => uma.nome === nome);
        return guardada === undefined ? null : valor - guardada.quantidade;
      };
      const vencidoAntes = guardadas.find(({ nome }) => nome === 'vencido');
      const { linhas, bloqueados, vencido, chamados } = atual;
      const { online, offline } = linhas.valor;
      return {
        online: { valor: online, de: linhas.de, mudanca: desde('online', online) },
        offline: { valor: offline, de: linhas.de, mudanca: desde('offline', offline) },
        bloqueados: { ...bloqueados, mudanca: desde('bloqueados', bloqueados.valor) },
        vencido: {
          ...vencido,
          mudanca: vencidoAntes === undefined ? null : centavos(vencido.valor.valor - lerDinheiro(vencidoAntes.valor)),
        },
        recebidoHoje: { valor: recebido.valor, de: agora, mudanca: recebido.valor - recebidoAntes.valor },
        chamadosAbertos: { ...chamados, mudanca: desde('chamados_abertos', chamados.valor) },
        quedas: { valor: quedas, de: agora, mudanca: quedas - quedasAntes },
        esperando: esperando.map((um) => ({
          id: um.id,
          clienteId: um.cliente_id,
          clienteNome: um.cliente_nome,
          assunto: um.assunto,
          prioridade: um.prioridade,
          abertoEm: fromDatabaseTime(um.aberto_em),
        })),
        desbloqueios: desbloqueios.map((um) => ({
          id: um.id,
          contratoId: um.contrato_id,
          clienteId: um.cliente_id,
          clienteNome: um.cliente_nome,
          ate: fromDatabaseTime(um.ate),
        })),
        tarefasAtrasadas: TAREFAS_DIARIAS.filter(
          (tarefa) =>
            !feitas.has(tarefa) &&
            (tarefa !== 'regua.aplicar' ||
              horaRegua === null ||
              reguaAtrasada(fusoHorario, diaDevido, horaRegua, agora)),
        ).map((tarefa) => ({
          tarefa,
          dia: diaDevido,
        })),
      };
    },
  };
}

/** What is kept of the beginning of a day. */
const RETRATADOS: readonly NomeDaSoma[] = ['online', 'offline', 'bloqueados', 'vencido', 'chamados_abertos'];

const contado = (valor: number) => ({ valor, linhas: valor });
