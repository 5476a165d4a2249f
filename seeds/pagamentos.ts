import { diasEntre, somarDias } from '../src/brazil/calendario/datas.ts';
import type { Data } from '../src/brazil/calendario/datas.ts';
import { centavos } from '../src/brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../src/brazil/dinheiro/dinheiro.ts';
import { calcularEncargos } from '../src/brazil/dinheiro/encargos.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import type { SituacaoFatura } from '../src/domain/faturas/faturas.types.ts';
import { DIA, HORA, MINUTO } from './calendario.ts';
import type { Calendario } from './calendario.ts';
import type { FaturaGerada, Linha } from './modelo.ts';
import type { PerfilDemo } from './perfis.ts';
import type { Sorteio } from './sorteio.ts';

/** `devida` was not paid; `corrente` is of somebody who pays, sooner or later. */
export type Historia = 'devida' | 'corrente' | 'cancelada';

export interface Pagamento {
  readonly situacao: SituacaoFatura;
  readonly pagoEm: Date | null;
  readonly valorPago: Centavos;
}

export interface PagamentosDeps {
  readonly perfil: PerfilDemo;
  readonly calendario: Calendario;
  readonly sorteio: Sorteio;
}

/** Decides whether, when and with how much each invoice was paid, never later than the instant of the seeding. */
export function createPagamentos({ perfil, calendario, sorteio }: PagamentosDeps): {
  decidir(fatura: { valor: Centavos; vencimento: Data }, emitida: number, historia: Historia): Pagamento;
} {
  const { hoje, agora } = calendario;
  const aberta = (vencimento: Data): Pagamento => nada(vencimento < hoje ? 'vencida' : 'pendente');

  function paga(fatura: { valor: Centavos; vencimento: Data }, emitida: number): Pagamento {
    const { valor, vencimento } = fatura;
    const atrasoPossivel = Math.min(12, diasEntre(vencimento, hoje) - 1);
    const atrasada = atrasoPossivel > 0 && sorteio.chance(0.22);
    const dia = somarDias(vencimento, atrasada ? sorteio.inteiro(1, atrasoPossivel) : -sorteio.inteiro(0, 8));
    const hora = 7 * HORA + sorteio.inteiro(0, 16 * 60 - 1) * MINUTO + sorteio.inteiro(0, 59_999);
    const pagoEm = calendario.instante(dia, hora);
    // An invoice due today or tomorrow cannot have been paid after now yet, nor before it existed.
    if (pagoEm > agora || pagoEm.getTime() <= emitida) return aberta(vencimento);
    const { total } = calcularEncargos({ valor, vencimento, hoje: dia, regras: perfil.regras });
    return { situacao: sorteio.chance(0.006) ? 'estornada' : 'paga', pagoEm, valorPago: total };
  }

  return {
    decidir(fatura, emitida, historia) {
      const { vencimento } = fatura;
      if (historia === 'devida') return aberta(vencimento);
      if (historia === 'cancelada' || sorteio.chance(0.012)) return nada('cancelada');
      // The bank takes some days to confirm a boleto: only what is due about now can be on its way.
      const recente = Math.abs(diasEntre(vencimento, hoje)) <= 3;
      if (recente && sorteio.chance(0.1)) return nada('processando');
      if (vencimento >= hoje) return sorteio.chance(0.3) ? paga(fatura, emitida) : aberta(vencimento);
      return paga(fatura, emitida);
    },
  };
}

function nada(situacao: SituacaoFatura): Pagamento {
  return { situacao, pagoEm: null, valorPago: centavos(0) };
}

const DIAS_COM_BAIXA = 62;

/**
 * How the money of the last two months came in, which the panel's numbers of what was received are made of: an invoice says that it was
 * paid, and a receipt says by what. Points to the invoices by their position.
 */
export function baixasRecentes(faturas: readonly FaturaGerada[], agora: Date): Linha[] {
  const desde = toDatabaseTime(new Date(agora.getTime() - DIAS_COM_BAIXA * DIA));
  return faturas.flatMap(({ linha: { situacao, pago_em, valor_pago } }, fatura_id) =>
    situacao !== 'paga' || pago_em === null || pago_em < desde
      ? []
      : [
          {
            fatura_id,
            forma: 'outro',
            valor: valor_pago,
            pago_em,
            observacao: 'Baixa do banco',
            autor: 'Cobrança automática',
            criado_em: pago_em,
          },
        ],
  );
}
