import { somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { escreverData, escreverLinhaDigitavel, escreverReais } from '../../../brazil/dinheiro/escrita.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import type { Fatura } from '../../faturas/faturas.types.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { preencher } from '../textos.regras.ts';
import { MINIMOS_DA_REGUA } from '../regua.types.ts';
import type { ConfiguracaoRegua, Passo, PassoComTexto } from '../regua.types.ts';

/** A step that is being taken. */
export interface PassoNovo {
  readonly passo: Passo;
  readonly alvoId: number;
  readonly referencia: string;
  /** Of a notice that is given once more; 1 where nothing is said. */
  readonly vez?: number;
  readonly clienteId: number;
  readonly contratoId: number | null;
  readonly faturaId: number | null;
  readonly valor: Centavos;
  /** From which day on what it announces may come. */
  readonly prazo: Data | null;
  /** Null of a step that says nothing to the client. */
  readonly dito: { readonly titulo: string; readonly texto: string } | null;
  readonly temEmail: boolean;
}

const DO_REGISTRO = columns<{ id: number; alvo_id: number; referencia: string; vez: number }>('regua_passos', {
  id: true,
  alvo_id: true,
  referencia: true,
  vez: true,
});
const DO_CLIENTE = columns<{ id: number; nome: string; email: string | null }>('clientes', {
  id: true,
  nome: true,
  email: true,
});

/** What a contract's history calls each step. */
const ACAO: Readonly<Record<Passo, string>> = {
  lembrete: 'regua_lembrete',
  vencimento: 'regua_vencimento',
  aviso: 'regua_aviso',
  bloqueio: 'regua_bloqueio',
  segundo_aviso: 'regua_segundo_aviso',
  rescisao: 'regua_rescisao',
};

/**
 * Writes steps of one kind down, with the lines of the contracts' histories; whoever calls has locked what they are of, and seen that they
 * were not taken before. Three statements, however many they are.
 *
 * @returns the ids of the rows, in the order of the steps
 */
export async function registrar(
  w: Write,
  passos: readonly PassoNovo[],
  { dia, agora, historico }: { readonly dia: Data; readonly agora: Date; readonly historico: string | null },
): Promise<number[]> {
  const [primeiro] = passos;
  if (primeiro === undefined) return [];
  const instante = toDatabaseTime(agora);
  await w.insert(
    'regua_passos',
    passos.map((passo) => ({
      passo: passo.passo,
      alvo_id: passo.alvoId,
      referencia: passo.referencia,
      vez: passo.vez ?? 1,
      cliente_id: passo.clienteId,
      contrato_id: passo.contratoId,
      fatura_id: passo.faturaId,
      dia,
      valor: escreverDinheiro(passo.valor),
      prazo: passo.prazo,
      titulo: passo.dito?.titulo ?? null,
      texto: passo.dito?.texto ?? null,
      email_estado: passo.dito === null ? null : passo.temEmail ? 'a_enviar' : 'sem_endereco',
      criado_em: instante,
    })),
  );
  const alvos = passos.map(({ alvoId }) => alvoId);
  const escritos = w.from('regua_passos').where('passo', primeiro.passo).where('dia', dia).whereIn('alvo_id', alvos);
  const ids = new Map(
    (await rowsOf(escritos, DO_REGISTRO)).map((row) => [`${row.alvo_id} ${row.referencia} ${row.vez}`, row.id]),
  );
  const comContrato = passos.filter(({ contratoId }) => contratoId !== null);
  if (historico !== null && comContrato.length > 0) {
    await w.insert(
      'contratos_historico',
      comContrato.map(({ passo, contratoId, faturaId, valor }) => ({
        contrato_id: contratoId,
        acao: ACAO[passo],
        descricao: `${historico}${faturaId === null ? '' : ` da fatura ${faturaId}`}: ${escreverReais(valor)}.`,
        autor: w.author.name,
        ocorrido_em: instante,
      })),
    );
  }
  return passos.map(({ alvoId, referencia, vez = 1 }) => {
    const id = ids.get(`${alvoId} ${referencia} ${vez}`);
    if (id === undefined) throw new Error('regua: o passo que se gravou não foi achado');
    return id;
  });
}

export interface Destinatario {
  readonly nome: string;
  readonly temEmail: boolean;
}

export async function destinatarios(
  w: Pick<Write, 'from'>,
  clienteIds: readonly number[],
): Promise<ReadonlyMap<number, Destinatario>> {
  if (clienteIds.length === 0) return new Map();
  const rows = await rowsOf(w.from('clientes').whereIn('id', [...new Set(clienteIds)]), DO_CLIENTE);
  return new Map(rows.map(({ id, nome, email }) => [id, { nome, temEmail: email !== null && email !== '' }]));
}

/** From which day on a contract may be rescinded that is blocked on one. */
export const rescindivelDesde = (bloqueadoEm: Data, { rescisaoDias }: Pick<ConfiguracaoRegua, 'rescisaoDias'>): Data =>
  somarDias(bloqueadoEm, Math.max(rescisaoDias, MINIMOS_DA_REGUA.rescisao));

/** What a step says of an invoice, in the provider's words. */
export function dizer(
  passo: PassoComTexto,
  { textos }: Pick<ConfiguracaoRegua, 'textos'>,
  {
    provedor,
    fatura,
    nome,
    valor,
    bloqueio,
    rescisao,
  }: {
    readonly provedor: Pick<Provedor, 'nome'>;
    readonly fatura: Fatura;
    readonly nome: string;
    readonly valor: Centavos;
    readonly bloqueio: Data | null;
    readonly rescisao: Data | null;
  },
): { titulo: string; texto: string } {
  const { segundaVia } = fatura;
  const linha = segundaVia?.boleto?.linhaDigitavel ?? null;
  const valores = {
    nome: nome.split(' ')[0] ?? '',
    provedor: provedor.nome,
    fatura: String(fatura.id),
    descricao: fatura.descricao ?? '',
    valor: escreverReais(valor),
    valor_original: escreverReais(fatura.valor),
    vencimento: escreverData(fatura.vencimento),
    bloqueio: bloqueio === null ? '' : escreverData(bloqueio),
    rescisao: rescisao === null ? '' : escreverData(rescisao),
    link: segundaVia?.linkPagamento ?? '',
    pix: segundaVia?.pix?.codigo ?? '',
    linha: linha === null ? '' : escreverLinhaDigitavel(linha),
  };
  const { titulo, texto } = textos[passo];
  return { titulo: preencher(titulo, valores).slice(0, 120), texto: preencher(texto, valores) };
}
