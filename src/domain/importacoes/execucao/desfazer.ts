import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import { travarDocumentos } from '../../clientes/cadastro/documento.service.ts';
import { acompanharContratos } from '../../clientes/situacao.service.ts';
import type { Write } from '../../escrita.ts';
import {
  BUSCA_DE_CLIENTES_TAG,
  CLIENTES_TAG,
  FATURAS_TAG,
  PROVEDOR_TAG,
  clienteTag,
  contratoTag,
  tagsDaFatura,
} from '../../tags.ts';
import { somarContagens, travarImportacao } from '../importacoes.queries.ts';
import type { Importacao } from '../importacoes.types.ts';
import { impressaoDosTelefones } from '../lotes/clientes.lote.ts';
import { mesmaImpressao } from '../lotes/faturas.lote.ts';
import { clientesDaImportacao } from '../lotes/lote.queries.ts';
import { createDesfazerQueries, ultimasGravadas } from './desfazer.queries.ts';
import type { LinhaGravadaRow } from './desfazer.queries.ts';
import type { Andamento } from './andamento.types.ts';
import { LINHAS_DO_LOTE } from './leitura-do-arquivo.ts';

/** Above the number of any line. */
const DEPOIS_DE_TODAS = 4_294_967_295;

type Queries = ReturnType<typeof createDesfazerQueries>;

/** Of a lot's lines: why what a line made stays. What is in no line here is gone. */
type Ficam = Map<number, string>;

/**
 * Deletes what lines made, the last line first, where nobody has touched it since. Of a line that made a client and a contract, both go or
 * both stay. Resolves to the lines that this run came to.
 */
export async function desfazer(importacao: Importacao, andamento: Andamento): Promise<number> {
  const { db, write, actor, provedor, relogio } = andamento;
  const tenant = createTenantDb(db, provedor.id);
  const { id } = importacao;
  // From above: 0 is before the first lot.
  let antesDe = importacao.proximaLinha;
  let feitas = 0;
  for (;;) {
    const linhas = await ultimasGravadas(tenant, id, antesDe === 0 ? DEPOIS_DE_TODAS : antesDe, LINHAS_DO_LOTE);
    const esperada = antesDe;
    const ultima = linhas.at(-1)?.linha ?? 0;
    const seguiu = await write(actor, provedor.id, async (w) => {
      const atual = await travarImportacao(w, id);
      if (atual?.acao !== 'desfazer' || atual.proximaLinha !== esperada) return false;
      if (linhas.length === 0) {
        await encerrar(w, atual, relogio.agora());
        return false;
      }
      const ficam = await desfazerLote(w, linhas, atual);
      await anotarLinhas(w, id, linhas, ficam);
      const desfeitas = linhas.length - ficam.size;
      await w.update('importacoes', (q) => void q.where({ id }), {
        proxima_linha: ultima,
        contagens: JSON.stringify(somarContagens(atual.contagens, { desfeitas, ficaram: ficam.size })),
      });
      w.emit('importacao.lote_desfeito', id, {
        de: ultima,
        ate: linhas[0]?.linha ?? 0,
        desfeitas,
        ficaram: ficam.size,
      });
      return true;
    });
    if (!seguiu) return feitas;
    antesDe = ultima;
    feitas += linhas.length;
    await andamento.avancou(importacao, feitas);
  }
}

async function encerrar(w: Write, { id, contagens }: Importacao, agora: Date): Promise<void> {
  await w.update('importacoes', (q) => void q.where({ id }), {
    acao: null,
    situacao: 'desfeita',
    proxima_linha: 0,
    terminada_em: toDatabaseTime(agora),
  });
  const { desfeitas, ficaram } = contagens;
  w.emit('importacao.desfeita', id, { desfeitas, ficaram });
}

async function desfazerLote(w: Write, linhas: readonly LinhaGravadaRow[], importacao: Importacao): Promise<Ficam> {
  const queries = createDesfazerQueries(w);
  const ficam: Ficam = new Map();
  await desfazerFaturas(w, queries, linhas, ficam);
  await desfazerClientes(w, queries, linhas, { ficam, importacao });
  await desfazerPlanos(w, queries, linhas, ficam);
  return ficam;
}

const ids = (
  linhas: readonly LinhaGravadaRow[],
  coluna: 'plano_id' | 'cliente_id' | 'contrato_id' | 'fatura_id',
): number[] => [...new Set(linhas.flatMap((linha) => linha[coluna] ?? []))];

async function desfazerFaturas(
  w: Write,
  queries: Queries,
  linhas: readonly LinhaGravadaRow[],
  ficam: Ficam,
): Promise<void> {
  const comFatura = linhas.filter(({ fatura_id: id }) => id !== null);
  const faturas = new Map((await queries.faturas(ids(comFatura, 'fatura_id'))).map((fatura) => [fatura.id, fatura]));
  const apontadas = await queries.apontados('faturas', [...faturas.keys()]);
  const vao: number[] = [];
  for (const { linha, fatura_id: id, impressao } of comFatura) {
    const fatura = faturas.get(id ?? 0);
    if (fatura === undefined) continue;
    if (impressao === null || !mesmaImpressao(fatura, impressao))
      ficam.set(linha, 'a fatura mudou depois de importada');
    else if (apontadas.has(fatura.id)) ficam.set(linha, 'a fatura recebeu um pagamento, um lançamento ou um ajuste');
    else {
      vao.push(fatura.id);
      w.touch(FATURAS_TAG, ...tagsDaFatura(fatura.id, fatura.cliente_id));
    }
  }
  await queries.apagar('faturas', vao);
}

async function desfazerClientes(
  w: Write,
  queries: Queries,
  linhas: readonly LinhaGravadaRow[],
  { ficam, importacao: { id: importacaoId, avisar } }: { readonly ficam: Ficam; readonly importacao: Importacao },
): Promise<void> {
  const comContrato = linhas.filter(({ contrato_id: id }) => id !== null);
  const novos = comContrato.filter(({ cliente_novo: novo }) => novo === 1);
  const documentos = await queries.documentosDe(ids(novos, 'cliente_id'));
  await travarDocumentos(w, documentos);
  const clientes = new Map(
    (await queries.clientes(ids(comContrato, 'cliente_id'))).map((cliente) => [cliente.id, cliente]),
  );
  const contratos = new Map(
    (await queries.contratos(ids(comContrato, 'contrato_id'))).map((contrato) => [contrato.id, contrato]),
  );
  const apontados = await queries.apontados('contratos', [...contratos.keys()]);
  const comHistoria = await queries.comHistoria([...contratos.keys()]);
  for (const { linha, contrato_id: id, gravada_em: gravada, rede_em: rede } of comContrato) {
    const contrato = contratos.get(id ?? 0);
    if (contrato === undefined) continue;
    if (rede !== null) ficam.set(linha, 'o acesso já foi para a rede');
    else if (contrato.atualizado_em !== gravada || comHistoria.has(contrato.id))
      ficam.set(linha, 'o contrato mudou depois de importado');
    else if (apontados.has(contrato.id))
      ficam.set(linha, 'o contrato tem faturas, chamados, pedidos à rede ou registros de conexão');
  }
  const presos = new Set(comContrato.flatMap(({ linha, cliente_id: id }) => (ficam.has(linha) ? (id ?? []) : [])));
  await julgarClientes(queries, novos, { clientes, contratos, presos }, ficam);

  const vao = comContrato.filter(({ linha }) => !ficam.has(linha));
  const deles = ids(vao, 'contrato_id').filter((id) => contratos.has(id));
  await queries.apagar('contratos', deles);
  const clientesQueVao = ids(
    vao.filter(({ cliente_novo: novo }) => novo === 1),
    'cliente_id',
  ).filter((id) => clientes.has(id));
  await queries.apagar('clientes', clientesQueVao);
  await queries.esquecerDocumentos(documentos);
  const restam = ids(vao, 'cliente_id').filter((id) => clientes.has(id) && !clientesQueVao.includes(id));
  // Those whom a line before this lot made are still to be judged.
  await acompanharContratos(w, restam, {
    quais: async (deQuem) => clientesDaImportacao(w, importacaoId, deQuem),
    avisar,
  });
  if (vao.length === 0) return;
  w.touch(CLIENTES_TAG, BUSCA_DE_CLIENTES_TAG, ...deles.map(contratoTag), ...ids(vao, 'cliente_id').map(clienteTag));
}

/** What the lot's lines point to, and the clients of those contracts that stay. */
interface DoLote {
  readonly clientes: ReadonlyMap<number, { readonly id: number; readonly atualizado_em: string }>;
  readonly contratos: ReadonlyMap<number, unknown>;
  readonly presos: ReadonlySet<number>;
}

/** Judges clients that lines made: whoever has more by now than the contracts that go stays, and the line's contract with them. */
async function julgarClientes(
  queries: Queries,
  novos: readonly LinhaGravadaRow[],
  { clientes, contratos, presos }: DoLote,
  ficam: Ficam,
): Promise<void> {
  const deles = ids(novos, 'cliente_id').filter((id) => clientes.has(id));
  const telefones = groupBy(await queries.telefones(deles), ({ cliente_id: id }) => id);
  const comOutros = await queries.comMaisQue(deles, [...contratos.keys()]);
  for (const { linha, cliente_id: id, gravada_em: gravada, impressao } of novos) {
    const cliente = clientes.get(id ?? 0);
    if (cliente === undefined || ficam.has(linha)) continue;
    const numeros = (telefones.get(cliente.id) ?? []).map(({ numero }) => numero);
    const mudou = cliente.atualizado_em !== gravada || impressao?.equals(impressaoDosTelefones(numeros)) !== true;
    if (mudou) ficam.set(linha, 'o cliente mudou depois de importado');
    else if (comOutros.has(cliente.id) || presos.has(cliente.id)) {
      ficam.set(linha, 'o cliente tem outros contratos, faturas, chamados, convites ou acordos');
    }
  }
}

async function desfazerPlanos(
  w: Write,
  queries: Queries,
  linhas: readonly LinhaGravadaRow[],
  ficam: Ficam,
): Promise<void> {
  const comPlano = linhas.filter(({ plano_id: id }) => id !== null);
  const planos = new Map((await queries.planos(ids(comPlano, 'plano_id'))).map((plano) => [plano.id, plano]));
  const apontados = await queries.apontados('planos', [...planos.keys()]);
  const vao: number[] = [];
  for (const { linha, plano_id: id } of comPlano) {
    const plano = planos.get(id ?? 0);
    if (plano === undefined || ficam.has(linha)) continue;
    if (plano.atualizado_em !== null) ficam.set(linha, 'o plano mudou depois de importado');
    else if (apontados.has(plano.id)) ficam.set(linha, 'o plano tem contratos, convites ou uma alteração em curso');
    else vao.push(plano.id);
  }
  if (vao.length > 0) w.touch(PROVEDOR_TAG);
  await queries.apagar('planos', vao);
}

async function anotarLinhas(w: Write, id: number, linhas: readonly LinhaGravadaRow[], ficam: Ficam): Promise<void> {
  const desfeitas = linhas.flatMap(({ linha }) => (ficam.has(linha) ? [] : [linha]));
  if (desfeitas.length > 0) {
    const mudanca = { situacao: 'desfeita', erros: null };
    await w.update(
      'importacao_linhas',
      (q) => void q.where({ importacao_id: id }).whereIn('linha', desfeitas),
      mudanca,
    );
  }
  const porMotivo = groupBy(ficam, ([, motivo]) => motivo);
  for (const [mensagem, quais] of porMotivo) {
    const numeros = quais.map(([linha]) => linha);
    const mudanca = { erros: JSON.stringify([{ coluna: null, campo: null, mensagem }]) };
    await w.update('importacao_linhas', (q) => void q.where({ importacao_id: id }).whereIn('linha', numeros), mudanca);
  }
}
