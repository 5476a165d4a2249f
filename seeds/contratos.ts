import { somarDias } from '../src/brazil/calendario/datas.ts';
import type { Data } from '../src/brazil/calendario/datas.ts';
import { centavos, escreverDinheiro } from '../src/brazil/dinheiro/dinheiro.ts';
import { paraEndereco } from '../src/domain/enderecos/enderecos.types.ts';
import type { SituacaoContrato, TipoCobranca } from '../src/domain/contratos/contratos.types.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import { HORA, MINUTO } from './calendario.ts';
import type { Calendario } from './calendario.ts';
import { createIdentidades } from './identidades.ts';
import type { CasoDeCobranca, ContratoGerado, LinhaCliente } from './modelo.ts';
import type { PerfilDemo } from './perfis.ts';
import type { Pessoas } from './pessoas.ts';
import type { Sorteio } from './sorteio.ts';

/** How many days after its due date an invoice blocks a contract. */
export const DIAS_ATE_BLOQUEIO = 15;

/** How many days after the due date a trust unblock was asked for. */
export const DIAS_ATE_DESBLOQUEIO = 17;

/** How many days before its due date an invoice is issued. */
export const DIAS_DE_EMISSAO = 10;

const TIPOS: readonly (readonly [TipoCobranca, number])[] = [
  ['pos_pago', 85],
  ['pre_pago', 12],
  ['isento', 3],
];

/** Each case needs to be some days late: time passes between the block, the unblock and the next block. */
const ATRASO_MINIMO: Partial<Record<CasoDeCobranca, number>> = { bloqueado: 16, desbloqueado: 20, fatura_anterior: 32 };

interface Deps {
  readonly perfil: PerfilDemo;
  readonly calendario: Calendario;
  readonly sorteio: Sorteio;
  readonly pessoas: Pessoas;
}

/** One or two contracts a client, in keeping with the client's state; `plano_id` and `cliente_id` are positions. */
export function gerarContratos(deps: Deps, clientes: readonly LinhaCliente[]): ContratoGerado[] {
  const { calendario, sorteio } = deps;
  const identidades = createIdentidades(deps.perfil, sorteio);
  const contratos: ContratoGerado[] = [];
  for (const [indice, cliente] of clientes.entries()) {
    if (cliente.situacao === 'pre_cadastro') continue;
    const quantos = sorteio.chance(0.16) ? 2 : 1;
    for (let n = 0; n < quantos; n += 1) {
      const [situacao, caso] = sortearSituacao(sorteio, cliente, n);
      const diaVencimento = sorteio.escolher([5, 10, 15, 20, 25, 30]);
      // Issued yesterday at the latest, so that no issue is later than now.
      const ate = somarDias(calendario.hoje, DIAS_DE_EMISSAO - 1);
      const vencimentos = calendario.vencimentos(diaVencimento, 12, ate);
      const { emAbertoDesde, bloqueadoEm } = cobranca(deps, caso, vencimentos);
      const planoIndice = sorteio.pesado(deps.perfil.planos.map((plano, p) => [p, plano.peso] as const));
      const valor = centavos(deps.perfil.planos[planoIndice]?.valor ?? 0);
      const ativacao = n === 0 ? cliente.criado_em.slice(0, 10) : calendario.diasAtras(sorteio.inteiro(401, 409));
      const pendente = situacao === 'pendente';
      const atualizadoEm = bloqueadoEm === null ? cliente.criado_em : toDatabaseTime(bloqueadoEm);
      const instalacao = n === 0 ? paraEndereco(cliente) : deps.pessoas.endereco(sorteio.escolher(deps.perfil.cidades));
      contratos.push({
        caso,
        vencimentos: pendente ? [] : vencimentos,
        emAbertoDesde,
        bloqueadoEm,
        valor,
        linha: {
          cliente_id: indice,
          plano_id: planoIndice,
          situacao,
          tipo_conexao: sorteio.chance(0.97) ? 'pppoe' : 'ipoe',
          ...identidades.proxima(cliente.nome, situacao),
          tipo_cobranca: caso === 'em_dia' || caso === 'encerrado' ? sorteio.pesado(TIPOS) : 'pos_pago',
          dia_vencimento: diaVencimento,
          valor: escreverDinheiro(valor),
          ativado_em: pendente ? null : ativacao,
          bloqueado_em: situacao === 'bloqueado' && bloqueadoEm !== null ? toDatabaseTime(bloqueadoEm) : null,
          bloqueio_origem: situacao !== 'bloqueado' ? null : caso === 'manual' ? 'manual' : 'financeiro',
          ...instalacao,
          criado_em: cliente.criado_em,
          atualizado_em: atualizadoEm,
        },
      });
    }
  }
  return contratos;
}

function sortearSituacao(sorteio: Sorteio, cliente: LinhaCliente, n: number): [SituacaoContrato, CasoDeCobranca] {
  switch (cliente.situacao) {
    case 'bloqueado':
      return [
        'bloqueado',
        sorteio.pesado([
          ['bloqueado', 68],
          ['manual', 20],
          ['fatura_anterior', 12],
        ]),
      ];
    case 'cancelado':
      return [sorteio.chance(0.8) ? 'cancelado' : 'cancelado_definitivo', 'encerrado'];
    case 'inativo':
      return ['inativo', 'encerrado'];
    case 'ativo':
      if (n === 0) return ['ativo', sorteio.chance(0.012) ? 'desbloqueado' : 'em_dia'];
      return sorteio.pesado([
        [['ativo', 'em_dia'], 78],
        [['pendente', 'em_dia'], 14],
        [['inativo', 'encerrado'], 4],
        [['cancelado', 'encerrado'], 4],
      ]);
    case 'observacao':
    case 'pre_cadastro':
      break;
  }
  return ['ativo', 'em_dia'];
}

/** Since when the contract owes, and when it was blocked for that. */
function cobranca(
  { perfil, calendario, sorteio }: Deps,
  caso: CasoDeCobranca,
  vencimentos: readonly Data[],
): { emAbertoDesde: Data | null; bloqueadoEm: Date | null } {
  const { hoje } = calendario;
  if (caso === 'manual') {
    const dia = calendario.diasAtras(sorteio.inteiro(1, 60));
    return { emAbertoDesde: null, bloqueadoEm: calendario.instante(dia, 9 * HORA + sorteio.inteiro(0, 480) * MINUTO) };
  }
  const minimo = ATRASO_MINIMO[caso];
  if (minimo !== undefined) {
    const vencidos = vencimentos.filter((vencimento) => vencimento <= somarDias(hoje, -minimo));
    const emAbertoDesde = (sorteio.chance(0.3) ? vencidos.at(-2) : vencidos.at(-1)) ?? null;
    if (emAbertoDesde === null) throw new RangeError('um ano de vencimentos tem de ter um vencido');
    // Who has used the unblock and did not pay was blocked again on the day after its end.
    const volta =
      caso === 'fatura_anterior' ? DIAS_ATE_DESBLOQUEIO + perfil.regras.desbloqueioDias + 1 : DIAS_ATE_BLOQUEIO;
    return { emAbertoDesde, bloqueadoEm: horaDeBloqueio(calendario, sorteio, somarDias(emAbertoDesde, volta)) };
  }
  // Who pays is at times some days late, but never so late as to be blocked.
  const recente = vencimentos.findLast((vencimento) => vencimento < hoje) ?? hoje;
  const atrasado = caso === 'em_dia' && recente > somarDias(hoje, 1 - DIAS_ATE_BLOQUEIO) && sorteio.chance(0.14);
  return { emAbertoDesde: atrasado ? recente : null, bloqueadoEm: null };
}

/** Blocks are done from five in the morning on, one after the other. */
export function horaDeBloqueio(calendario: Calendario, sorteio: Sorteio, dia: Data): Date {
  return calendario.instante(dia, 5 * HORA + sorteio.inteiro(0, 599_999));
}
