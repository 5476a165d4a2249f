import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { dataHoraEm } from '../../../brazil/nfcom/base/data-hora.ts';
import type { ItemLido } from '../../../brazil/nfcom/itens/itens.leitura.ts';
import type { DadosDaNota, Finalidade, ItemDaNota, TipoDeAssinante } from '../../../brazil/nfcom/base/nota.types.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { MOTIVOS_DE_RECUSA } from '../emissao/emissao.types.ts';
import type { MotivoDeRecusaNfcom } from '../emissao/emissao.types.ts';
import { CLIENTE_COMUM } from '../servicos/leitura.service.ts';
import type { ContextoDaMontagem } from './contexto.ts';
import type { ContratoRow } from './montagem.queries.ts';
import { cobrancaDe } from './cobranca.regras.ts';
import { enderecoDe, municipioDe, temEndereco } from './enderecos.regras.ts';
import { item, itensDe, partesDe } from './itens.regras.ts';
import { contratoDe, daFaturaInteira, parteDe } from './parte.regras.ts';

/** Name and version of the program, as notes say it. */
const PROGRAMA = 'Malha 1.0';

/** What a note has of its own, besides its invoice. */
export interface NotaAMontar {
  readonly faturaId: number;
  /** Of an invoice of several contracts, the one that this note is of; null of a note of the whole. */
  readonly contratoId: number | null;
  readonly serie: number;
  readonly numero: number;
  readonly codigoNumerico: string;
  readonly emitidaEm: Date;
  readonly finalidade: Finalidade;
  /** Of an ajuste: which items of which note how much of is given back. */
  readonly ajuste: {
    readonly chave: string;
    readonly itens: readonly { readonly item: number; readonly valor: Centavos }[];
    /** The items of that note, as its document says them; none where another system left no document. */
    readonly daNota: readonly ItemLido[];
  } | null;
  /** Whether it is issued offline. */
  readonly emContingencia: boolean;
  /** CSRT's code, opened. */
  readonly csrt: string | null;
}

type Montada =
  | { readonly certo: true; readonly dados: DadosDaNota; readonly contratoId: number }
  | { readonly certo: false; readonly motivos: readonly { readonly codigo: string; readonly mensagem: string }[] };

const recusada = (codigo: MotivoDeRecusaNfcom): Montada => ({
  certo: false,
  motivos: [{ codigo, mensagem: MOTIVOS_DE_RECUSA[codigo] }],
});

/** The data of a note, or why its invoice can have none. Whether the data are right, brazil/nfcom judges. */
export function montarDados(provedor: Provedor, contexto: ContextoDaMontagem, nota: NotaAMontar): Montada {
  const { configuracao } = contexto;
  const achada = contexto.faturas.get(nota.faturaId);
  const cliente = achada === undefined ? undefined : contexto.clientes.get(achada.row.cliente_id);
  if (achada === undefined || cliente === undefined) return recusada('fatura_cancelada');
  const { row, apurada } = achada;
  const ajuste = nota.ajuste !== null;
  if (!ajuste && (row.situacao === 'cancelada' || row.situacao === 'estornada')) return recusada('fatura_cancelada');
  if (contexto.importadas.has(row.id) && nota.finalidade.tipo === 'normal') return recusada('fatura_importada');
  if (contexto.deAcordo.has(row.id)) return recusada('fatura_de_renegociacao');
  if (cliente.apagado_em !== null) return recusada('cliente_apagado');
  const { emitente, autorizador } = configuracao;
  if (emitente.cnpj === null || emitente.inscricaoEstadual === null || autorizador === null) {
    return recusada('sem_configuracao');
  }
  const parte = parteDe(row, contexto, nota.contratoId);
  const contrato = contratoDe(row, contexto, parte);
  if (contrato === null) return recusada('sem_contrato');
  const itens = ajuste ? itensDoAjuste(nota, contexto, contrato) : itensDe(row.id, parte, contexto, contrato);
  if (itens === null) return recusada('sem_servico');
  if (itens === 'desconto_total' || itens === 'sem_resto') return recusada(itens);

  const { fusoHorario: fuso } = provedor;
  const fiscal = contexto.fiscais.get(cliente.id) ?? CLIENTE_COMUM;
  const ambiente = configuracao.ambiente === 'producao' ? 1 : 2;
  const enderecos = configuracao.ambiente === 'producao' ? autorizador.producao : autorizador.homologacao;
  const contingencia = configuracao.contingencia;
  const dados: DadosDaNota = {
    ambiente,
    serie: nota.serie,
    numero: nota.numero,
    codigoNumerico: nota.codigoNumerico,
    emissao: dataHoraEm(fuso, nota.emitidaEm),
    programa: PROGRAMA,
    municipioDoServico: municipioDe(temEndereco(contrato) ? contrato : cliente, contexto, fiscal.municipioCodigo),
    siteAutorizador: autorizador.site,
    enderecoDoQr: enderecos.qr,
    finalidade: nota.finalidade,
    contingencia:
      nota.emContingencia && contingencia !== null
        ? { desde: dataHoraEm(fuso, contingencia.desde), justificativa: contingencia.porque }
        : null,
    emitente: {
      cnpj: emitente.cnpj,
      inscricaoEstadual: emitente.inscricaoEstadual,
      crt: configuracao.crt,
      razaoSocial: emitente.razaoSocial ?? '',
      nomeFantasia: emitente.nomeFantasia,
      endereco: enderecoDe(emitente, emitente.municipioCodigo, emitente.telefone, emitente.email),
    },
    destinatario: {
      nome: cliente.nome,
      documento: cliente.cpf_cnpj === '' ? null : cliente.cpf_cnpj,
      indicadorIe: fiscal.indicadorIe,
      inscricaoEstadual: fiscal.inscricaoEstadual,
      inscricaoMunicipal: fiscal.inscricaoMunicipal,
      endereco: enderecoDe(
        cliente,
        fiscal.municipioCodigo ?? municipioDe(cliente, contexto, null),
        contexto.telefones.get(cliente.id) ?? null,
        cliente.email,
      ),
    },
    assinante: {
      codigo: String(cliente.id),
      tipo: (fiscal.tipoDeAssinante ?? (cliente.tipo === 'pf' ? 3 : 1)) as TipoDeAssinante,
      servico: 4,
      contrato: String(contrato.id),
      inicioDoContrato: (contrato.ativado_em ?? hojeEm(fuso, fromDatabaseTime(contrato.criado_em))) as Data,
      fimDoContrato: null,
    },
    itens,
    retencoes: fiscal.retencoes,
    ibsCbs: configuracao.ibsCbs,
    fatura: ajuste ? null : cobrancaDe(provedor, contexto, row, apurada.segundaVia?.pix?.codigo ?? null),
    autorizados: configuracao.autorizados,
    informacoesAoFisco: null,
    informacoesComplementares: [...informacoesDe(contexto), ...(ajuste ? [] : daFaturaInteira(row, parte))],
    responsavelTecnico: responsavelDe(contexto, nota.csrt),
  };
  return { certo: true, dados, contratoId: contrato.id };
}

/**
 * What is given back, item by item, of the services that the note named, whatever the price splits into by now; taxes are those of the service
 * of that code, else class. Of a note without a document, of those that the price splits into in the same order.
 */
function itensDoAjuste(
  { ajuste }: NotaAMontar,
  contexto: ContextoDaMontagem,
  contrato: ContratoRow,
): ItemDaNota[] | null {
  const partes = partesDe(contexto, contrato);
  const servicos = [...contexto.servicos.values()];
  const itens = (ajuste?.itens ?? []).map(({ item: numero, valor }) => {
    if (ajuste === null) return null;
    const era = ajuste.daNota.find((uma) => uma.item === numero);
    const servico =
      servicos.find(({ codigo }) => codigo === era?.codigo) ?? servicos.find(({ classe }) => classe === era?.classe);
    const parte = partes[numero - 1] ?? partes[0];
    const servicoId = era === undefined ? parte?.servicoId : servico?.id;
    if (servicoId === undefined) return null;
    const descricao = era === undefined ? (parte?.descricao ?? null) : era.descricao;
    const feito = item(contexto, { servicoId, descricao, valor }, centavos(0));
    if (feito === null) return null;
    const dela = era === undefined ? {} : { codigo: era.codigo, classe: era.classe, cfop: era.cfop };
    return { ...feito, ...dela, anterior: { chave: ajuste.chave, item: numero } };
  });
  return itens.some((um) => um === null) ? null : (itens as ItemDaNota[]);
}

/** What who is in the Simples has to say (LC 123/2006). */
const DO_SIMPLES =
  'Documento emitido por ME ou EPP optante pelo Simples Nacional. Não gera direito a crédito fiscal de ICMS.';

function informacoesDe({ configuracao: { crt, informacoes } }: ContextoDaMontagem): string[] {
  return [...(crt === 1 ? [DO_SIMPLES] : []), ...(informacoes === null ? [] : [informacoes])];
}

function responsavelDe({ configuracao: { responsavel } }: ContextoDaMontagem, codigo: string | null) {
  if (responsavel === null) return null;
  const { csrtId, ...resto } = responsavel;
  return { ...resto, csrt: csrtId === null || codigo === null ? null : { id: csrtId, codigo } };
}
