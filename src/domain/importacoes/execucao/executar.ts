import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import { resumirSenhasImportadas } from '../../acessos/entrada/senhas-importadas.service.ts';
import type { Write } from '../../escrita.ts';
import { somarContagens, travarImportacao } from '../importacoes.queries.ts';
import { SEM_CONTAGENS } from '../importacoes.types.ts';
import type { Importacao } from '../importacoes.types.ts';
import { travarDocumentos } from '../../clientes/cadastro/documento.service.ts';
import { queDiferem } from '../linhas/diferencas.ts';
import { instanteDoBanco } from '../lotes/lote.queries.ts';
import type { Assunto, Feita, Gravacao, Recusada } from '../lotes/lote.types.ts';
import { comAssunto } from './assuntos.ts';
import type { Andamento } from './andamento.types.ts';
import { comColunas, lotesDe } from './leitura-do-arquivo.ts';
import type { Lote } from './leitura-do-arquivo.ts';
import { doEvento } from './simular.ts';

/** Writes the good lines, lot by lot, from the first that is not written yet. Resolves to the lines that this run came to. */
export async function executar(importacao: Importacao, andamento: Andamento): Promise<number> {
  return comAssunto(importacao.tipo, async (assunto) => executarCom(assunto, importacao, andamento));
}

async function executarCom<Valor, Nova>(
  assunto: Assunto<Valor, Nova>,
  importacao: Importacao,
  andamento: Andamento,
): Promise<number> {
  const { db, segredos, write, actor, provedor, relogio } = andamento;
  const { id } = importacao;
  const tenant = createTenantDb(db, provedor.id);
  let { proximaLinha } = importacao;
  let antes = 0;
  let feitas = 0;
  for await (const inteiro of lotesDe({ tenant, segredos, importacao }, assunto)) {
    const quantas = inteiro.lidas.length + inteiro.recusadas.length;
    if (inteiro.ate <= proximaLinha) {
      antes += quantas;
      continue;
    }
    const lote = aPartirDe(inteiro, proximaLinha);
    const esperada = proximaLinha;
    const senhasDoApp = await resumirSenhasImportadas(tenant, senhasDoLote(lote), andamento.resumos);
    const gravado = await write(actor, provedor.id, async (w) => {
      const atual = await travarImportacao(w, id);
      // Another run of the same job has come further: the rest is its own.
      if (atual?.acao !== 'executar' || atual.proximaLinha !== esperada) return false;
      await gravarLote(w, assunto, lote, atual, { ...andamento, senhasDoApp });
      return true;
    });
    if (!gravado) return feitas;
    proximaLinha = lote.ate;
    feitas += lote.lidas.length + lote.recusadas.length;
    antes += quantas;
    await andamento.avancou(importacao, antes);
  }
  await write(actor, provedor.id, async (w) => {
    const atual = await travarImportacao(w, id);
    if (atual?.acao !== 'executar' || atual.proximaLinha !== proximaLinha) return;
    const { contagens } = atual;
    await w.update('importacoes', (q) => void q.where({ id }), {
      acao: null,
      situacao: 'executada',
      linhas: contagens.lidas,
      terminada_em: toDatabaseTime(relogio.agora()),
    });
    w.emit('importacao.executada', id, doEvento(contagens));
  });
  return feitas;
}

/** The part of a lot that is not written yet, should lots be of another size than when it was cut off. */
function aPartirDe<Valor>(lote: Lote<Valor>, linha: number): Lote<Valor> {
  if (lote.de >= linha) return lote;
  const depois = <L extends { readonly linha: number }>(linhas: readonly L[]): L[] =>
    linhas.filter((uma) => uma.linha >= linha);
  return {
    ...lote,
    de: linha,
    lidas: depois(lote.lidas),
    recusadas: depois(lote.recusadas),
    notas: depois(lote.notas),
  };
}

async function gravarLote<Valor, Nova>(
  w: Write,
  assunto: Assunto<Valor, Nova>,
  lote: Lote<Valor>,
  importacao: Importacao,
  { provedor, segredos, relogio, senhasDoApp }: Andamento & Pick<Gravacao, 'senhasDoApp'>,
): Promise<void> {
  const agora = relogio.agora();
  await travarDocumentos(w, documentosDe(lote));
  const juizo = { db: w.tenant.db, provedor, contexto: importacao, importacaoId: importacao.id, w, agora };
  const julgado = await assunto.julgar(w, lote.lidas, juizo);
  const marca = await instanteDoBanco(w.tenant.db);
  const { id: importacaoId, avisar } = importacao;
  const gravacao = { provedor, contexto: importacao, importacaoId, segredos, agora, marca, avisar, senhasDoApp };
  const { feitas, contagens } = await assunto.gravar(w, julgado.novas, gravacao);
  const recusadas = comColunas(importacao, [...lote.recusadas, ...julgado.recusadas]);
  const diferem = comColunas(importacao, queDiferem(julgado.jaEstavam));
  const linhas = [
    ...feitas.map((feita) => linhaDe(feita, 'gravada', marca)),
    ...julgado.jaEstavam.filter(({ difere }) => difere.length === 0).map((linha) => linhaDe(linha, 'ja_estava', marca)),
    ...diferem.map((linha) => linhaDe(linha, 'ja_estava', marca, linha)),
    ...recusadas.map((recusada) => linhaDe(recusada, 'recusada', marca, recusada)),
  ];
  if (linhas.length > 0) {
    const comId = linhas.map((linha) => ({ importacao_id: importacao.id, ...linha }));
    await w.insert(
      'importacao_linhas',
      comId.toSorted((a, b) => a.linha - b.linha),
    );
  }
  const doLote = somarContagens(SEM_CONTAGENS, {
    lidas: linhas.length,
    gravadas: feitas.length,
    ja_estavam: julgado.jaEstavam.length,
    difere: diferem.length,
    recusadas: recusadas.length,
    alteradas: lote.notas.length,
    ...contagens,
  });
  await w.update('importacoes', (q) => void q.where({ id: importacao.id }), {
    situacao: 'em_execucao',
    proxima_linha: lote.ate,
    contagens: JSON.stringify(somarContagens(importacao.contagens, doLote)),
    iniciada_em: toDatabaseTime(importacao.iniciadaEm ?? agora),
  });
  w.emit('importacao.lote_gravado', importacao.id, { de: lote.de, ate: lote.ate - 1, ...doEvento(doLote) });
}

/** What of a line may be a client's. */
interface DoCliente {
  readonly cliente?: { readonly cpf_cnpj?: string };
  readonly senhaDoApp?: string | null;
}

/** Tax ids of clients that lines may make. */
const documentosDe = (lote: Lote<unknown>): string[] =>
  lote.lidas.flatMap(({ valor }) => (valor as DoCliente).cliente?.cpf_cnpj ?? []);

/** The app's passwords that lines bring along, by tax id: of several lines the first one's. */
function senhasDoLote(lote: Lote<unknown>): ReadonlyMap<string, string> {
  const senhas = new Map<string, string>();
  for (const { valor } of lote.lidas) {
    const { cliente, senhaDoApp } = valor as DoCliente;
    const documento = cliente?.cpf_cnpj;
    if (documento === undefined || typeof senhaDoApp !== 'string' || senhas.has(documento)) continue;
    senhas.set(documento, senhaDoApp);
  }
  return senhas;
}

function linhaDe(
  { linha, resumo, ...feita }: Feita,
  situacao: 'gravada' | 'ja_estava' | 'recusada',
  marca: string,
  recusada?: Recusada,
) {
  return {
    linha,
    resumo,
    situacao,
    plano_id: feita.plano_id ?? null,
    cliente_id: feita.cliente_id ?? null,
    cliente_novo: feita.cliente_novo ?? false,
    contrato_id: feita.contrato_id ?? null,
    fatura_id: feita.fatura_id ?? null,
    impressao: feita.impressao ?? null,
    login_de_origem: feita.login_de_origem ?? null,
    erros: recusada === undefined ? null : JSON.stringify(recusada.erros),
    gravada_em: marca,
  };
}
