import { inicioDoDiaEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Correio } from '../../platform/mail/mail.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { ConsumedEvent, Consumer } from '../../platform/mysql/outbox-consumer.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { pedirCorreio } from '../correio/pedir.service.ts';
import type { ProvedoresService } from '../provedores/provedores.service.ts';
import type { Passo } from './regua.types.ts';

const DITOS = ['fatura.cobrada', 'contrato.rescisao_avisada'] as const;
const comRegistro = (tipo: string): boolean => DITOS.some((um) => um === tipo);

/** What sends the ladder's notices by mail, and remembers by which events the others are told. Its events wait for it by this name. */
export const REGUA_POR_EMAIL: Pick<Consumer, 'name' | 'wants'> = {
  name: 'regua',
  wants: (tipo) => comRegistro(tipo) || tipo === 'contrato.bloqueado',
};

interface ADizerRow {
  id: number;
  passo: Passo;
  cliente_id: number;
  titulo: string;
  texto: string;
  email: string | null;
  vencimento: Data | null;
}

const A_DIZER = columns<ADizerRow>('p', {
  id: true,
  passo: true,
  cliente_id: true,
  titulo: true,
  texto: true,
  email: 'c.email',
  vencimento: 'f.vencimento',
});

/** For so long a notice that no server takes is tried: it may be away for a weekend. */
const VALIDADE_MS = 72 * 3_600_000;

export interface CorreioDaReguaDeps {
  readonly relogio: Relogio;
  readonly correio: Pick<Correio, 'ativo'>;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
}

/** A number that an event says; null where it says none. */
const dito = ({ dados }: ConsumedEvent, nome: string): number | null => {
  const valor: unknown =
    typeof dados === 'object' && dados !== null ? Object.entries(dados).find(([n]) => n === nome)?.[1] : null;
  return typeof valor === 'number' ? valor : null;
};

/**
 * Has what the ladder has written sent to the address on record, once; the queue tells it what became of it (`cartas.ts`). A client who
 * is told the same of several invoices at a time gets one message.
 */
export function createCorreioDaReguaService({ relogio, correio, provedores }: CorreioDaReguaDeps): Consumer {
  /** When a message is of no use any more. That an invoice is due soon, or today, is said up to its due date. */
  function fimDe({ passo, vencimento }: ADizerRow, fuso: string, agora: Date): Date {
    const lembra = passo === 'lembrete' || passo === 'vencimento';
    return lembra && vencimento !== null
      ? inicioDoDiaEm(fuso, somarDias(vencimento, 1))
      : new Date(agora.getTime() + VALIDADE_MS);
  }

  return {
    ...REGUA_POR_EMAIL,
    async consume(w, events) {
      const porRegistro = new Map<number, number>();
      const bloqueadas = new Set<number>();
      for (const event of events) {
        const registro = comRegistro(event.tipo) ? dito(event, 'registro') : null;
        if (registro !== null) porRegistro.set(registro, event.id);
        const fatura = event.tipo === 'contrato.bloqueado' ? dito(event, 'fatura') : null;
        if (fatura !== null) bloqueadas.add(fatura);
      }
      if (porRegistro.size === 0 && bloqueadas.size === 0) return;
      const registros = [...porRegistro.keys()];
      const delas = w
        .from('regua_passos as p')
        .join('clientes as c', sameTenant('p', 'cliente_id', 'c', 'id'))
        .leftJoin('faturas as f', sameTenant('p', 'fatura_id', 'f', 'id'))
        .where('p.email_estado', 'a_enviar')
        .whereNull('p.correio_id')
        .where((q) => {
          void q.whereIn('p.id', registros);
          void q.orWhere((b) => void b.where('p.passo', 'bloqueio').whereIn('p.fatura_id', [...bloqueadas]));
        })
        .whereNotNull('p.texto')
        .orderBy('p.id');
      const rows = await rowsOf(delas, A_DIZER);
      const { fusoHorario } = await provedores.exigirPorId(w.provedorId);
      const agora = relogio.agora();
      const comEndereco = rows.filter(({ email }) => email !== null && email !== '');
      const semEndereco = rows.filter(({ email }) => email === null || email === '');
      const cartas = correio.ativo
        ? [...groupBy(comEndereco, ({ cliente_id, passo }) => `${cliente_id} ${passo}`).values()].flatMap((ditas) => {
            const [primeira] = ditas;
            if (primeira === undefined) return [];
            const { id, passo, cliente_id: clienteId, email, titulo: assunto } = primeira;
            const texto = ditas.map((um) => um.texto).join('\n\n---\n\n');
            const expiraEm = fimDe(primeira, fusoHorario, agora);
            return [{ chave: `${passo}.${id}`, clienteId, para: email ?? '', assunto, texto, expiraEm, ditas }];
          })
        : [];
      // Before the steps: its rows hold the clients, as those who write steps do before.
      const pedidas = await pedirCorreio(w, 'regua', cartas, agora);
      const cartaDe = new Map(
        cartas.flatMap(({ chave, ditas }) => ditas.map(({ id }) => [id, pedidas.get(chave) ?? null] as const)),
      );
      const comEvento = [...porRegistro];
      await w.updateEach(
        'regua_passos',
        comEvento.map(([id]) => id),
        { evento_id: comEvento.map(([, evento]) => evento) },
      );
      await w.updateEach('regua_passos', [...cartaDe.keys()], { correio_id: [...cartaDe.values()] });
      const marcar = async (quais: readonly ADizerRow[], email_estado: string) => {
        const ids = quais.map(({ id }) => id);
        if (ids.length > 0) await w.update('regua_passos', (q) => void q.whereIn('id', ids), { email_estado });
      };
      await marcar(semEndereco, 'sem_endereco');
      if (!correio.ativo) await marcar(comEndereco, 'sem_correio');
    },
  };
}
