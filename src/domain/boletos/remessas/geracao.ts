import type { Data } from '../../../brazil/calendario/datas.ts';
import { ajustesDe, conferirConvenio } from '../../../brazil/cnab/ajustes.ts';
import type { Convenio, Titulo } from '../../../brazil/cnab/convenio.types.ts';
import { nossoNumero } from '../../../brazil/cnab/nosso-numero.ts';
import { arquivosPorDia } from '../../../brazil/cnab/remessa/arquivo.ts';
import { escreverDinheiro, somarDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { Cnab } from '../cnab.ts';
import { recusarSeNao } from '../../erros.ts';
import { beneficiarioDe, convenioDoBanco } from '../convenios/convenios.types.ts';
import { travarConvenio } from '../convenios/convenios.service.ts';
import { tomarSequencias } from '../convenios/sequencias.ts';
import { tocarFaturas } from './etiquetas.ts';
import { ano } from './entradas.ts';
import type { Pronto } from './entradas.ts';
import { prepararRemessa } from './preparo.ts';
import type { Recusada } from './pagador.regras.ts';
import { createTitulosQueries } from './titulos.queries.ts';
import type { ARegistrarRow } from './titulos.queries.ts';

export interface Gerada {
  /** Null: there was nothing to write, and no number was taken. */
  readonly id: number | null;
  readonly nsa: number | null;
  readonly entradas: number;
  readonly instrucoes: number;
  /** Some of those that were left out, and how many there were. */
  readonly recusadas: readonly Recusada[];
  readonly recusadasAoTodo: number;
}

const LINHAS_POR_INSERT = 500;
const GRAVADO = columns<{ id: number; fatura_id: number; numero: string | null }>('boletos', {
  id: true,
  fatura_id: true,
  numero: true,
});
const QUANTAS = expressions<{ quantas: number }>({ quantas: 'COUNT(*)' });

interface Pedido {
  readonly provedor: Provedor;
  readonly cnab: Cnab;
  readonly convenioId: number;
  readonly hoje: Data;
  /** HHMMSS at the provider's clock. */
  readonly hora: string;
  readonly agora: Date;
}

/**
 * Makes a file of all that an agreement has for its bank. Numbers of titles and of the file are taken in the same transaction, behind the
 * agreement's lock: nothing of it without all of it.
 *
 * @throws Recusa `nao_encontrado`, `convenio_incompleto`, `arquivos_do_dia`, `numeros_esgotados`, each before anything is written
 */
export async function gerarRemessa(
  w: Write,
  { provedor, cnab, convenioId, hoje, hora, agora }: Pedido,
): Promise<Gerada> {
  const row = await travarConvenio(w, convenioId);
  recusarSeNao(
    conferirConvenio(convenioDoBanco(row, beneficiarioDe(provedor, row))).length === 0,
    'convenio_incompleto',
  );
  const preparo = await prepararRemessa(w.tenant, { provedor, convenio: row, cnab, hoje });
  const { convenio, instrucoes, recusadas, recusadasAoTodo } = preparo;
  const queries = createTitulosQueries(w.tenant, row);
  const entradas = await aindaARegistrar(queries, preparo.entradas);
  const doDia = await rowsOf(w.from('remessas').where({ convenio_id: row.id, dia: hoje }), QUANTAS);
  const ordem = (doDia[0]?.quantas ?? 0) + 1;
  recusarSeNao(entradas.length + instrucoes.length === 0 || ordem <= arquivosPorDia(convenio), 'arquivos_do_dia');
  const primeira = await primeiroNumero(w, { id: row.id, convenio, hoje, quantas: entradas.length });
  const encerradas = await queries.encerradas(LINHAS_POR_INSERT);
  if (encerradas.length > 0) {
    const ids = encerradas.map(({ id }) => id);
    await w.update('faturas', (q) => void q.whereIn('id', ids), { boleto_situacao: null });
    tocarFaturas(w, encerradas);
  }
  const nenhum = { id: null, nsa: null, entradas: 0, instrucoes: 0, recusadas, recusadasAoTodo };
  if (entradas.length + instrucoes.length === 0) return nenhum;

  const nsa = row.proximo_nsa;
  await w.update('convenios_bancarios', (q) => void q.where({ id: row.id }), {
    proximo_nsa: nsa + 1,
    recusa: null,
    recusada_em: null,
  });
  const id = await w.insert('remessas', {
    convenio_id: row.id,
    nsa,
    nome: '',
    dia: hoje,
    entradas: entradas.length,
    instrucoes: instrucoes.length,
    total: escreverDinheiro(somarDinheiro(...entradas.map(({ titulo }) => titulo.valor))),
    criada_em: toDatabaseTime(agora),
  });
  const numerados = await numerar(w, { convenioId: row.id, convenio, remessaId: id, hoje, primeira, agora }, entradas);
  await pedirInstrucoes(w, id, instrucoes, agora);
  const titulos: Titulo[] = [...numerados, ...instrucoes.map(({ titulo }) => titulo)];
  const arquivo = await cnab.escrever({
    remessa: { convenio, nsa, hoje, hora, titulos },
    doDia: ordem,
  });
  await w.update('remessas', (q) => void q.where({ id }), { nome: arquivo.nome });
  await w.insert('arquivos_bancarios', {
    remessa_id: id,
    conteudo: Buffer.from(arquivo.conteudo),
    criado_em: toDatabaseTime(agora),
  });
  tocarFaturas(
    w,
    entradas.map(({ row: { fatura_id, cliente_id } }) => ({ id: fatura_id, cliente_id })),
  );
  w.emit('remessa.gerada', id, {
    convenio: row.id,
    entradas: entradas.length,
    instrucoes: instrucoes.length,
    recusadas: recusadasAoTodo,
  });
  return { id, nsa, entradas: entradas.length, instrucoes: instrucoes.length, recusadas, recusadasAoTodo };
}

/** Those that nobody has paid, changed or cancelled since they were read; locked. */
async function aindaARegistrar(
  queries: ReturnType<typeof createTitulosQueries>,
  entradas: readonly Pronto<ARegistrarRow>[],
): Promise<Pronto<ARegistrarRow>[]> {
  if (entradas.length === 0) return [];
  const travadas = await queries.travar(entradas.map(({ row }) => row.fatura_id));
  const porId = new Map(travadas.map((travada) => [travada.id, travada]));
  return entradas.filter(({ row }) => {
    const agora = porId.get(row.fatura_id);
    return (
      agora?.boleto_situacao === 'a_registrar' &&
      agora.grupo === 'aberta' &&
      agora.valor === row.valor &&
      // A part that was paid meanwhile: the boleto would ask for the whole.
      agora.valor_pago === row.valor_pago &&
      agora.abatido === row.abatido &&
      agora.vencimento === row.vencimento
    );
  });
}

/** The first number of a file's titles; null where the bank numbers. @throws Recusa `numeros_esgotados` */
async function primeiroNumero(
  w: Write,
  { id, convenio, hoje, quantas }: { id: number; convenio: Convenio; hoje: Data; quantas: number },
): Promise<number | null> {
  if (quantas === 0 || ajustesDe(convenio).numeracao === 'banco') return null;
  return tomarSequencias(w, { id, convenio, ano: ano(hoje), quantas });
}

/** Gives each title its number and writes it; its id comes back in the retorno. */
async function numerar(
  w: Write,
  {
    convenioId,
    convenio,
    remessaId,
    hoje,
    primeira,
    agora,
  }: {
    convenioId: number;
    convenio: Convenio;
    remessaId: number;
    hoje: Data;
    /** Null where the bank numbers. */
    primeira: number | null;
    agora: Date;
  },
  entradas: readonly Pronto<ARegistrarRow>[],
): Promise<Titulo[]> {
  if (entradas.length === 0) return [];
  const linhas = entradas.map(({ row }, n) => {
    const numero = primeira === null ? null : nossoNumero(convenio, primeira + n, ano(hoje));
    return {
      fatura_id: row.fatura_id,
      convenio_id: convenioId,
      remessa_id: remessaId,
      numero: numero?.nossoNumero ?? null,
      dv: numero === null || numero.dv === '' ? null : numero.dv,
      situacao: 'enviado',
      valor: row.valor,
      vencimento: row.vencimento,
      criado_em: toDatabaseTime(agora),
    };
  });
  const faturas = linhas.map(({ fatura_id }) => fatura_id);
  for (let n = 0; n < linhas.length; n += LINHAS_POR_INSERT) {
    await w.insert('boletos', linhas.slice(n, n + LINHAS_POR_INSERT));
    const destas = faturas.slice(n, n + LINHAS_POR_INSERT);
    await w.update('faturas', (q) => void q.whereIn('id', destas), {
      boleto_situacao: 'enviado',
      linha_digitavel: null,
      codigo_barras: null,
      nosso_numero: null,
    });
  }
  const gravados = await rowsOf(w.from('boletos').where('remessa_id', remessaId), GRAVADO);
  const porFatura = new Map(gravados.map((gravado) => [gravado.fatura_id, gravado]));
  return entradas.map(({ row, titulo }) => {
    const gravado = porFatura.get(row.fatura_id);
    if (gravado === undefined) throw new Error('um boleto sumiu ao ser gravado');
    return { ...titulo, nossoNumero: gravado.numero ?? '', usoEmpresa: String(gravado.id) };
  });
}

async function pedirInstrucoes(
  w: Write,
  remessaId: number,
  instrucoes: Awaited<ReturnType<typeof prepararRemessa>>['instrucoes'],
  agora: Date,
): Promise<void> {
  const linhas = instrucoes.map(({ row, titulo: { movimento, vencimento, valor } }) => ({
    boleto_id: row.boleto_id,
    remessa_id: remessaId,
    movimento,
    vencimento: movimento === 'vencimento' ? vencimento : null,
    valor: movimento === 'valor' ? escreverDinheiro(valor) : null,
    criada_em: toDatabaseTime(agora),
  }));
  for (let n = 0; n < linhas.length; n += LINHAS_POR_INSERT) {
    const destas = linhas.slice(n, n + LINHAS_POR_INSERT);
    // A title has one open instruction. An old one that the bank never answered is closed, and the new one takes its place.
    const boletos = destas.map(({ boleto_id }) => boleto_id);
    await w.update('boletos_instrucoes', (q) => void q.whereIn('boleto_id', boletos).where('situacao', 'pedida'), {
      situacao: 'desfeita',
      respondida_em: toDatabaseTime(agora),
    });
    await w.insert('boletos_instrucoes', destas);
  }
}
