import type { DaVersao } from '../../campos/versao.ts';
import { hojeEm, inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerCampos } from '../../campos/campos.ts';
import { Recusa, faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { estaAberta } from '../../faturas/apuracao.regras.ts';
import type { SituacaoFatura } from '../../faturas/faturas.types.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { conferirFatura, julgarDeNovo, liberar, travarPorId, valoresDe } from '../quitacao.service.ts';
import { CAMPOS_DA_BAIXA, CAMPOS_DO_MOTIVO } from './manuais.campos.ts';
import { createManuaisQueries } from './manuais.queries.ts';

export type ManuaisService = ReturnType<typeof createManuaisService>;

export interface ManuaisDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** What became of an invoice by a payment that was registered, or undone. */
export interface BaixaFeita {
  readonly id: number;
  readonly faturaId: number;
  readonly situacao: SituacaoFatura;
  /** It had been registered under the same key before, and nothing was written. */
  readonly repetida: boolean;
}

/** Who registers a payment later than that has typed another year. */
const DIAS_ATRAS = 5 * 366;

/** The most that an invoice's column of payments holds, in centavos. */
const MAXIMO = 999_999_999_999;

const MEIO_DIA_MS = 12 * 3_600_000;

/** Payments that no bank tells of. They are judged together with PIX, by one rule; see docs/adr/0026. */
export function createManuaisService({ w, provedor, relogio }: ManuaisDeps) {
  const queries = createManuaisQueries(w);
  const { fusoHorario } = provedor;

  /** Of today, the instant at which it is registered; of an earlier day, whose hour nobody knows, its noon. */
  function instanteDe(dia: Data, hoje: Data, agora: Date): string {
    return toDatabaseTime(dia === hoje ? agora : new Date(inicioDoDiaEm(fusoHorario, dia).getTime() + MEIO_DIA_MS));
  }

  return {
    /**
     * Registers a payment of an invoice that is open or `processando`. It settles what it is enough for by its own day, with what was paid
     * before it; what is too much is surplus. Contracts are released as by a PIX.
     *
     * @param dados by {@link CAMPOS_DA_BAIXA}.
     * @throws CamposInvalidos; Recusa `nao_encontrado`, `fatura_nao_aberta` or `chave_idempotencia_reutilizada`.
     */
    async registrar(faturaId: number, dados: unknown, { versao }: DaVersao = {}): Promise<BaixaFeita> {
      const agora = relogio.agora();
      const hoje = hojeEm(fusoHorario, agora);
      const { forma, valor, pago_em: dia = hoje, observacao = null, chave = null } = lerCampos(CAMPOS_DA_BAIXA, dados);
      if (dia > hoje) faltaEm('pago_em', 'não pode ser no futuro');
      if (dia < somarDias(hoje, -DIAS_ATRAS)) faltaEm('pago_em', 'é de mais de cinco anos atrás');
      const travada = await travarPorId(w, faturaId);
      const { fatura } = travada;
      const feita = chave === null ? undefined : await queries.buscar({ chave });
      if (feita !== undefined) {
        const mesma = feita.fatura_id === faturaId && lerDinheiro(feita.valor) === valor && feita.desfeito_em === null;
        recusarSeNao(mesma, 'chave_idempotencia_reutilizada', { campo: 'chave', registroId: feita.id });
        return { id: feita.id, faturaId, situacao: fatura.situacao, repetida: true };
      }
      conferirFatura(versao, travada);
      recusarSeNao(estaAberta(fatura) || fatura.situacao === 'processando', 'fatura_nao_aberta');
      if (lerDinheiro(fatura.valor_pago) + valor > MAXIMO) faltaEm('valor', 'é mais do que uma fatura pode receber');

      const id = await queries.inserir({
        fatura_id: faturaId,
        forma,
        valor: escreverDinheiro(valor),
        pago_em: instanteDe(dia, hoje, agora),
        observacao,
        chave,
        criado_em: toDatabaseTime(agora),
      });
      const juizo = await julgarDeNovo(w, provedor, travada, agora);
      const pago = { cliente: fatura.cliente_id, manual: id, valor: escreverDinheiro(valor) };
      w.emit('fatura.baixada', faturaId, { ...pago, forma });
      const evento = juizo.situacao === 'paga' ? 'fatura.paga' : 'fatura.paga_em_parte';
      w.emit(evento, faturaId, { ...pago, ...valoresDe(juizo) });
      if (juizo.situacao === 'paga') await liberar(w, provedor, travada, agora);
      return { id, faturaId, situacao: juizo.situacao, repetida: false };
    },

    /**
     * Undoes the registration of a payment: the invoice is judged as if it had never been made. Nobody is blocked by
     * this: a contract that it had released stays so, until people or the end of a trust unblock block it.
     *
     * @param dados by {@link CAMPOS_DO_MOTIVO}.
     * @throws CamposInvalidos; Recusa `nao_encontrado`, `ja_desfeito`, `recebimento_devolvido`,
     * `fatura_de_renegociacao`, of what an agreement counted on, or `excedente_usado`, of what became credit of another
     * invoice.
     */
    async desfazer(id: number, dados: unknown): Promise<BaixaFeita> {
      const { motivo } = lerCampos(CAMPOS_DO_MOTIVO, dados);
      const agora = relogio.agora();
      const visto = await queries.buscar({ id });
      recusarSeNao(visto, 'nao_encontrado');
      const travada = await travarPorId(w, visto.fatura_id);
      const { fatura, antes } = travada;
      const manual = await queries.travar(id);
      recusarSeNao(manual, 'nao_encontrado');
      recusarSeNao(manual.desfeito_em === null, 'ja_desfeito');
      // Undone, it never came in; of what was given back, it did.
      recusarSeNao(lerDinheiro(manual.devolvido) === 0, 'recebimento_devolvido');
      if (fatura.situacao === 'cancelada' && antes.some(({ meio }) => meio === 'renegociacao')) {
        throw new Recusa('fatura_de_renegociacao', { registroId: fatura.id });
      }
      await queries.desfazer(id, motivo, toDatabaseTime(agora));
      const juizo = await julgarDeNovo(w, provedor, travada, agora, { desfaz: true });
      const { cliente_id: cliente } = fatura;
      w.emit('fatura.baixa_desfeita', fatura.id, { cliente, manual: id, forma: manual.forma, valor: manual.valor });
      if (fatura.situacao === 'paga' && juizo.situacao !== 'paga') {
        w.emit('fatura.reaberta', fatura.id, { cliente, ...valoresDe(juizo) });
      }
      return { id, faturaId: fatura.id, situacao: juizo.situacao, repetida: false };
    },
  };
}
