import { corteDoAtraso } from '../src/brazil/calendario/calendario-bancario.ts';
import { hojeEm, somarDias } from '../src/brazil/calendario/datas.ts';
import type { Data } from '../src/brazil/calendario/datas.ts';
import { lerDinheiro } from '../src/brazil/dinheiro/dinheiro.ts';
import { escreverData, escreverReais } from '../src/brazil/dinheiro/escrita.ts';
import type { Escritas } from '../src/domain/dominio.ts';
import type { Provedor } from '../src/domain/provedores/provedores.types.ts';
import { columns, rowsOf } from '../src/platform/mysql/columns.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { createTenantDb, createTenantWriter } from '../src/platform/mysql/tenant.ts';
import type { Relogio } from '../src/platform/timing/relogio.ts';

/** Late invoices of the demonstration whose clients were told, some of them long enough ago. */
const AVISADAS = 24;
const DIAS_DO_AVISO = [0, 0, 6, 10, 15, 20, 31] as const;

const DO_PROVEDOR = columns<{ id: number }>('provedores', { id: true });
const DA_REGUA = columns<{ hora: number }>('reguas', { hora: true });
interface DevidaRow {
  id: number;
  cliente_id: number;
  contrato_id: number | null;
  vencimento: Data;
  valor: string;
}
const DA_DEVIDA = columns<DevidaRow>('faturas', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  vencimento: true,
  valor: true,
});

interface ReguaDemoDeps {
  /** The owner's connection. */
  readonly db: Db;
  readonly relogio: Relogio;
  readonly provedorDe: (provedorId: number) => Promise<Provedor>;
  readonly escrever: (provedorId: number, fazer: (e: Escritas) => Promise<unknown>) => Promise<unknown>;
}

/** Gives the demonstration's first provider a ladder with clients on several of its steps, once. It begins to go on the next day. */
export async function oferecerRegua({ db, relogio, provedorDe, escrever }: ReguaDemoDeps): Promise<void> {
  const [primeiro] = await rowsOf(db('provedores').where('demonstracao', 1).orderBy('id').limit(1), DO_PROVEDOR);
  if (primeiro === undefined) return;
  const tenant = createTenantDb(db, primeiro.id);
  if ((await rowsOf(tenant.from('reguas'), DA_REGUA)).length > 0) return;
  await escrever(primeiro.id, async ({ regua }) => regua.configurar({ ativa: true }));
  const { fusoHorario, regras, nome } = await provedorDe(primeiro.id);
  const agora = relogio.agora();
  const hoje = hojeEm(fusoHorario, agora);
  const corte = corteDoAtraso(hoje, regras.calendario);
  const devidas = tenant
    .from('faturas')
    .where('grupo', 'aberta')
    .where('vencimento', '<=', corte)
    .whereNotNull('contrato_id')
    .orderBy('vencimento', 'desc')
    .limit(AVISADAS);
  const rows = await rowsOf(devidas, DA_DEVIDA);
  if (rows.length === 0) return;
  await createTenantWriter(db, primeiro.id).insert(
    'regua_passos',
    rows.map(({ id, cliente_id, contrato_id, vencimento, valor }, n) => {
      const dia = somarDias(hoje, -(DIAS_DO_AVISO[n % DIAS_DO_AVISO.length] ?? 0));
      const prazo = somarDias(dia, 15);
      const em = toDatabaseTime(new Date(agora.getTime() - n * 60_000));
      const entregue = n % 4 !== 3;
      return {
        passo: 'aviso',
        alvo_id: id,
        referencia: `${vencimento} 00:00:00.000`,
        cliente_id,
        contrato_id,
        fatura_id: id,
        dia,
        valor,
        prazo,
        titulo: 'Aviso de débito e de bloqueio do serviço',
        texto: `Consta em aberto a fatura ${id} de ${nome}, vencida em ${escreverData(vencimento)}, de ${escreverReais(lerDinheiro(valor))}. Por falta de pagamento, o serviço pode ser bloqueado a partir de ${escreverData(prazo)}.`,
        email_estado: entregue ? 'entregue' : 'sem_endereco',
        ...(entregue ? { entregue_em: `${dia} 13:00:00.000`, canal: 'email' } : {}),
        criado_em: em,
      };
    }),
  );
}
