import { hojeEm } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { exigido, lerCampos } from '../campos/campos.ts';
import { texto } from '../campos/leitores.ts';
import { travarContratos } from '../contratos/movimentos/travas.service.ts';
import { Recusa, recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import { estaAberta } from '../faturas/apuracao.regras.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { clienteTag } from '../tags.ts';
import { lerRegua } from './configuracao.queries.ts';
import { REFERENCIA_DA_FATURA } from './dia/candidatas.queries.ts';
import { passosDados, quietas, ultimoPasso } from './dia/fatos.queries.ts';
import { dizerDeTodas } from './dia/mensagens.ts';
import { travarDasFaturas } from './dia/travas.ts';
import { NAO_CHEGOU } from './regua.types.ts';
import type { Passo } from './regua.types.ts';

export type AvisosDaReguaService = ReturnType<typeof createAvisosDaReguaService>;

/** How many notices one write notes something of, or says anew. */
export const AVISOS_DE_UMA_VEZ = 500;

const CAMPOS_DA_ENTREGA = { como: exigido(texto(3, 200)) } as const;

interface PassoRow {
  id: number;
  passo: Passo;
  alvo_id: number;
  referencia: string;
  cliente_id: number;
  fatura_id: number | null;
  texto: string | null;
  email_estado: string | null;
  canal: string | null;
  entregue_em: string | null;
}

const DO_PASSO = columns<PassoRow>('p', {
  id: true,
  passo: true,
  alvo_id: true,
  referencia: true,
  cliente_id: true,
  fatura_id: true,
  texto: true,
  email_estado: true,
  canal: true,
  entregue_em: true,
});

const falhou = ({ passo, email_estado, entregue_em }: PassoRow): boolean =>
  passo === 'aviso' && entregue_em === null && NAO_CHEGOU.some((estado) => estado === email_estado);

/** What people note of the ladder's notices because no channel tells it, and the notices that reached nobody. */
export function createAvisosDaReguaService({
  w,
  provedor,
  relogio,
}: {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  async function buscar(registro: number, travar: boolean): Promise<PassoRow> {
    const query = w.from('regua_passos as p').where('p.id', registro);
    const [passo] = await rowsOf(travar ? query.forUpdate() : query, DO_PASSO);
    recusarSeNao(passo, 'nao_encontrado');
    return passo;
  }

  /** Gives notice once more of some invoices, of which the notice at hand is still the last one. @returns how many were said */
  async function dizerDeNovo(passos: readonly PassoRow[]): Promise<number> {
    const regua = await lerRegua(w.tenant);
    recusarSeNao(regua.ativaDesde !== null, 'transicao_invalida', { dito: 'a régua está desligada' });
    const agora = relogio.agora();
    const dia = hojeEm(provedor.fusoHorario, agora);
    const ids = passos.map(({ alvo_id }) => alvo_id);
    const { faturas } = await travarDasFaturas(w, ids);
    const dados = await passosDados(w, 'aviso', ids);
    const quieta = await quietas(w, faturas, dia);
    const daVez = new Map(passos.map((passo) => [passo.alvo_id, passo]));
    const aDizer = faturas.flatMap((fatura) => {
      const ultimo = ultimoPasso(dados, fatura.id, fatura.referencia);
      const eOUltimo = ultimo !== undefined && ultimo.id === daVez.get(fatura.id)?.id && ultimo.entregue_em === null;
      return eOUltimo && estaAberta(fatura) && !quieta(fatura) ? [{ ...fatura, vez: ultimo.vez + 1 }] : [];
    });
    return dizerDeTodas({ w, provedor, regua, dia, agora }, 'aviso', aDizer);
  }

  async function anotar(registros: readonly number[], como: string | null): Promise<number> {
    const query = w
      .from('regua_passos as p')
      .whereIn('p.id', registros.slice(0, AVISOS_DE_UMA_VEZ))
      .whereNull('p.entregue_em')
      .whereNotNull('p.texto')
      .orderBy('p.id');
    const passos = await rowsOf(query.forUpdate(), DO_PASSO);
    if (passos.length === 0) return 0;
    const ids = passos.map(({ id }) => id);
    await w.update('regua_passos', (q) => void q.whereIn('id', ids), {
      entregue_em: toDatabaseTime(relogio.agora()),
      entregue_por: w.author.name,
      entrega_como: como,
      canal: 'equipe',
    });
    for (const { id: registro, cliente_id: cliente } of passos) {
      w.touch(clienteTag(cliente));
      w.emit('regua.entrega_anotada', registro, { cliente, registro });
    }
    return passos.length;
  }

  return {
    /**
     * Notes that a notice was delivered, on paper or by phone: its days count from now.
     * @returns whose it was
     * @throws Recusa `nao_encontrado`, `transicao_invalida`
     */
    async anotarEntrega(registro: number): Promise<{ readonly clienteId: number }> {
      const { entregue_em, cliente_id: clienteId } = await buscar(registro, true);
      if (entregue_em !== null) throw new Recusa('transicao_invalida', { dito: 'a entrega já está anotada' });
      await anotar([registro], null);
      return { clienteId };
    },

    /**
     * The same of several, at most {@link AVISOS_DE_UMA_VEZ}: `como` says how they were delivered. Those that are delivered already, or said
     * nothing, stay as they are.
     *
     * @returns how many were noted @throws CamposInvalidos
     */
    async anotarEntregas(registros: readonly number[], dados: unknown): Promise<number> {
      const { como } = lerCampos(CAMPOS_DA_ENTREGA, dados);
      return anotar(registros, como);
    },

    /**
     * Takes back that somebody of the staff noted a delivery, while nothing was done because of it.
     *
     * @returns whose it was @throws Recusa `nao_encontrado`, `transicao_invalida`
     */
    async desanotarEntrega(registro: number): Promise<{ readonly clienteId: number }> {
      const { passo, alvo_id: alvo, fatura_id: fatura, cliente_id: cliente } = await buscar(registro, false);
      // Who blocks by the notice, or rescinds, holds the same locks.
      if (fatura === null) await travarContratos(w, [alvo]);
      else await travarDasFaturas(w, [fatura]);
      const { canal, entregue_em, referencia } = await buscar(registro, true);
      const daEquipe = entregue_em !== null && canal === 'equipe';
      recusarSeNao(daEquipe, 'transicao_invalida', { dito: 'ninguém da equipe anotou esta entrega' });
      const seguinte = passo === 'segundo_aviso' ? 'rescisao' : 'bloqueio';
      const feitos = await passosDados(w, seguinte, [alvo]);
      const usado = feitos.some((feito) => feito.alvo_id === alvo && feito.referencia === referencia);
      recusarSeNao(!usado, 'transicao_invalida', { dito: 'por este aviso já se bloqueou ou cancelou' });
      await w.update('regua_passos', (q) => void q.where('id', registro), {
        entregue_em: null,
        entregue_por: null,
        entrega_como: null,
        canal: null,
      });
      w.touch(clienteTag(cliente));
      w.emit('regua.entrega_desanotada', registro, { cliente, registro });
      return { clienteId: cliente };
    },

    /**
     * Gives a notice once more that reached nobody: its mail failed, or there was no server or address. Its days count from the new one.
     *
     * @returns whose it is @throws Recusa `nao_encontrado`, `transicao_invalida`
     */
    async avisarDeNovo(registro: number): Promise<{ readonly clienteId: number }> {
      const passo = await buscar(registro, false);
      recusarSeNao(falhou(passo), 'transicao_invalida', { dito: 'só se repete o aviso que não chegou por e-mail' });
      const ditos = await dizerDeNovo([passo]);
      recusarSeNao(ditos > 0, 'transicao_invalida', {
        dito: 'a fatura já não está em aberto como estava, há aviso mais novo, ou a régua está pausada',
      });
      return { clienteId: passo.cliente_id };
    },

    /**
     * The same of a day's notices that failed and whose clients have an address by now, those after an id, so many at a time.
     *
     * @returns how many were said, and after which id to go on; null: there are no more
     */
    async avisarDeNovoODia(
      dia: Data,
      depoisDe = 0,
    ): Promise<{ readonly ditos: number; readonly proximo: number | null }> {
      const outro = w
        .from('regua_passos as n')
        .whereRaw("n.passo = 'aviso' AND n.alvo_id = p.alvo_id AND n.referencia = p.referencia AND n.vez > p.vez")
        .select(w.tenant.db.raw('1'));
      const query = w
        .from('regua_passos as p')
        .join('clientes as c', sameTenant('p', 'cliente_id', 'c', 'id'))
        .join('faturas as f', sameTenant('p', 'fatura_id', 'f', 'id'))
        .where({ 'p.dia': dia, 'p.passo': 'aviso', 'f.grupo': 'aberta' })
        .where('p.id', '>', depoisDe)
        .whereIn('p.email_estado', [...NAO_CHEGOU])
        .whereNull('p.entregue_em')
        .whereNotNull('c.email')
        .whereNot('c.email', '')
        .whereRaw(`p.referencia = ${REFERENCIA_DA_FATURA}`)
        .whereNotExists(outro)
        .orderBy('p.id')
        .limit(AVISOS_DE_UMA_VEZ);
      const passos = await rowsOf(query, DO_PASSO);
      const ditos = passos.length === 0 ? 0 : await dizerDeNovo(passos);
      return { ditos, proximo: passos.length < AVISOS_DE_UMA_VEZ ? null : (passos.at(-1)?.id ?? null) };
    },
  };
}
