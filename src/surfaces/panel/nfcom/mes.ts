import { Readable } from 'node:stream';
import { hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { horarioDePlanilha } from '../../../brazil/calendario/horario.ts';
import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { ListaDeNotasService, LugarNoMes, MesDeNotas } from '../../../domain/nfcom/lista/lista.service.ts';
import type { NotaDoMes } from '../../../domain/nfcom/lista/lista.types.ts';
import { csvLine } from '../../../kit/csv/csv.ts';
import { html } from '../../../kit/html/html.ts';
import { writeZip } from '../../../platform/zip/zip.ts';
import type { ZipEntry } from '../../../platform/zip/zip.ts';
import { documento } from '../componentes/escrita.ts';
import { cartao } from '../componentes/cartao.ts';
import { entrada, escolha } from '../formulario/campos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import type { ChamadaDeAcao, Tela } from '../rota.ts';
import { FINALIDADES, SITUACOES } from './palavras.ts';

const CABECALHO = [
  'Nota',
  'Série',
  'Chave',
  'Situação',
  'Finalidade',
  'Ambiente',
  'Emitida em',
  'Autorizada em',
  'Cancelada em',
  'Protocolo',
  'Cliente',
  'Nome',
  'CPF ou CNPJ',
  'Fatura',
  'Contrato',
  'Valor',
  'Arquivo',
  'Neste mês',
  'Arquivo do cancelamento',
];

type ParteDoMes = Awaited<ReturnType<ListaDeNotasService['doMes']>>;

/** Spreadsheets take a file for UTF-8 by this. */
const BOM = '\uFEFF';

/** The month before this one: what an accountant asks for. */
export function mesPassado(fuso: string, agora: Date): string {
  const primeiro = `${hojeEm(fuso, agora).slice(0, 8)}01` as Data;
  return somarDias(primeiro, -1).slice(0, 7);
}

const ROTULOS = { mes: 'Mês', ambiente: 'Notas de' };

export const telaDoMes = async (estado: EstadoDoFormulario): Promise<Tela> => ({
  titulo: 'Arquivo do mês',
  menu: 'nfcom',
  migalhas: [['Notas fiscais', '/nfcom']],
  corpo: html`<div class="largura-leitura">
    ${cartao(
      null,
      html`<p>
          Um arquivo ZIP com o XML autorizado de cada nota do mês, o de cada cancelamento feito nele, também de notas de
          meses anteriores, e uma planilha (CSV) com todas elas: é o que se entrega ao contador.
        </p>
        ${formulario({
          para: '/nfcom/mes',
          estado,
          rotulos: ROTULOS,
          enviar: 'Baixar',
          volta: '/nfcom',
          porHtmx: false,
          corpo: html`${entrada(estado, {
            nome: 'mes',
            rotulo: ROTULOS.mes,
            obrigatorio: true,
            maximo: 7,
            dica: 'Da autorização, como 2026-11.',
          })}
          ${escolha(estado, {
            nome: 'ambiente',
            rotulo: ROTULOS.ambiente,
            obrigatorio: true,
            opcoes: [
              { valor: 'producao', texto: 'Produção' },
              { valor: 'homologacao', texto: 'Homologação: sem valor fiscal' },
            ],
          })}`,
        })}`,
    )}
  </div>`,
});

/**
 * The notes of a month as an archive that is written while it is read: a hundred documents are held at a time, and the lines of the
 * sheet. That it was exported is noted when it ends, also where whoever asked went away in the middle.
 */
export function arquivoDoMes(chamada: ChamadaDeAcao, qual: MesDeNotas): Readable {
  const { ler, mudar, agora } = chamada;
  async function* arquivos(): AsyncGenerator<ZipEntry> {
    const linhas: string[] = [BOM + csvLine(CABECALHO)];
    try {
      let lugar: LugarNoMes | null = null;
      do {
        const depoisDe: LugarNoMes | null = lugar;
        const parte: ParteDoMes = await ler(async ({ notas }) => notas.doMes(qual, depoisDe));
        for (const nota of parte.notas) {
          const daNota = arquivosDe(nota);
          linhas.push(linhaDe(chamada, nota, daNota));
          for (const { name, bytes } of Object.values(daNota)) if (bytes !== null) yield { name, bytes };
        }
        lugar = parte.lugar;
      } while (lugar !== null);
      yield { name: `notas-${qual.mes}.csv`, bytes: Buffer.from(linhas.join('')) };
    } finally {
      const total = linhas.length - 1;
      await mudar(async (_dominio, { exportacoes }) => exportacoes.anotar('nfcom', total));
    }
  }
  return Readable.from(writeZip(arquivos(), agora), { objectMode: false });
}

/** Of a note of a month before, whose document is in that month's file, the cancellation alone. */
function arquivosDe({ id, chave, xml, cancelamento, noMes }: NotaDoMes) {
  const nome = `xml/${chave ?? `nota-${id}`}`;
  return {
    nota: { name: `${nome}.xml`, bytes: noMes.autorizada ? xml : null },
    cancelamento: { name: `${nome}-cancelamento.xml`, bytes: cancelamento },
  };
}

function oQueHouve({ situacao, noMes: { autorizada, cancelada } }: NotaDoMes): string {
  const depois = situacao === 'substituida' ? 'substituída' : 'cancelada';
  if (!autorizada) return depois === 'cancelada' ? 'Cancelada' : 'Substituída';
  return cancelada ? `Autorizada e ${depois}` : 'Autorizada';
}

function linhaDe({ sessao }: ChamadaDeAcao, nota: NotaDoMes, arquivos: ReturnType<typeof arquivosDe>): string {
  const { fusoHorario: fuso } = sessao.provedor;
  const em = (quando: Date | null): string | null => (quando === null ? null : horarioDePlanilha(fuso, quando));
  return csvLine([
    nota.numero,
    nota.serie,
    nota.chave,
    SITUACOES[nota.situacao][0],
    FINALIDADES[nota.finalidade] ?? nota.finalidade,
    nota.ambiente === 'producao' ? 'Produção' : 'Homologação',
    em(nota.emitidaEm),
    em(nota.autorizadaEm),
    em(nota.canceladaEm),
    nota.protocolo,
    nota.clienteId,
    nota.clienteNome,
    nota.clienteDocumento === null || nota.clienteDocumento === '' ? null : documento(sessao, nota.clienteDocumento),
    nota.faturaId,
    nota.contratoId,
    escreverDinheiro(nota.valor).replace('.', ','),
    arquivos.nota.bytes === null ? null : arquivos.nota.name,
    oQueHouve(nota),
    arquivos.cancelamento.bytes === null ? null : arquivos.cancelamento.name,
  ]);
}
