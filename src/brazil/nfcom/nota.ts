import { aliquotasEm, calcularItem } from './itens/calculo.ts';
import {
  escreverAssinante,
  escreverDestinatario,
  escreverEmitente,
  escreverIde,
  escreverSubstituicao,
} from './cabecalho.ts';
import { montarChave } from './base/chave.ts';
import { criarConferencia } from './base/conferencia.ts';
import { dataDe } from './base/data-hora.ts';
import { escreverFatura, escreverFinal, escreverTotais } from './fechamento.ts';
import { conferirItens } from './itens/itens.ts';
import { escreverItem, lerTextosDoItem } from './itens/itens.escrita.ts';
import type { DadosDaNota } from './base/nota.types.ts';
import type { Recusa } from './base/recusas.ts';
import { algumNegativo, somarItens, type TotaisDaNota } from './itens/totais.ts';

/** A note that is built, and not signed yet. */
export interface NotaMontada {
  readonly chave: string;
  readonly totais: TotaisDaNota;
  /** What stands between `<infNFCom …>` and `</infNFCom>`. */
  readonly conteudo: string;
}

/**
 * Builds a note (layout 1.00) of its data, or says all that is wrong with them. `resumir` is SHA-1 of a text, in
 * Base64, asked for only by a CSRT.
 */
export function montarNota(
  dados: DadosDaNota,
  resumir: (texto: string) => string,
): { readonly certo: true; readonly nota: NotaMontada } | { readonly certo: false; readonly recusas: Recusa[] } {
  const c = criarConferencia();
  const emissao = dataDe(dados.emissao);
  const chave = chaveDe(dados);
  const antes =
    escreverIde(c, dados, chave.slice(-1)) +
    escreverEmitente(c, dados.emitente) +
    escreverDestinatario(c, dados.destinatario, dados.ambiente === 2) +
    escreverAssinante(c, dados.assinante) +
    escreverSubstituicao(c, dados.finalidade);
  const textos = dados.itens.map((item, n) => lerTextosDoItem(c, item, n));
  conferirItens(c, dados, emissao);
  const depois = escreverFatura(c, dados) + escreverFinal(c, dados, chave, resumir);
  // What is wrong cannot be calculated with.
  if (c.recusas.length > 0 || emissao === null) return { certo: false, recusas: c.recusas };

  const ibsCbs = aliquotasEm(dados.ibsCbs, dados.emitente.crt, emissao);
  const itens = dados.itens.map((item) => calcularItem(item, { retencoes: dados.retencoes, ibsCbs }));
  const totais = somarItens(itens, emissao >= dados.ibsCbs.somadoDesde);
  if (algumNegativo(totais)) c.recusar('valor_invalido', 'itens', 'As deduções passam do valor da nota.');
  else if (totais.nota === 0) c.recusar('valor_zero', 'itens', 'A nota não tem valor.');
  if (c.recusas.length > 0) return { certo: false, recusas: c.recusas };

  let conteudo = antes;
  for (const [n, item] of itens.entries()) {
    const doItem = textos[n];
    if (doItem !== undefined) conteudo += escreverItem(item, doItem, n + 1);
  }
  return { certo: true, nota: { chave, totais, conteudo: conteudo + escreverTotais(totais) + depois } };
}

/** The key of the note with these data; only of those that are right is it a valid one. */
function chaveDe(dados: DadosDaNota): string {
  return montarChave({
    uf: dados.emitente.endereco.uf,
    mes: dados.emissao.slice(2, 4) + dados.emissao.slice(5, 7),
    cnpj: dados.emitente.cnpj,
    serie: dados.serie,
    numero: dados.numero,
    tipoDeEmissao: dados.contingencia === null ? 1 : 2,
    siteAutorizador: dados.siteAutorizador,
    codigoNumerico: dados.codigoNumerico,
  });
}
