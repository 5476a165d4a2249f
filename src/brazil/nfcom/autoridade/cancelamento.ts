import { cpfCnpjValido } from '../../pessoa/cpf-cnpj.ts';
import type { Assinador } from '../assinatura/assinador.ts';
import { assinar, type Assinado } from '../assinatura/assinatura.ts';
import { chaveValida } from '../base/chave.ts';
import { criarConferencia } from '../base/conferencia.ts';
import { dataDe } from '../base/data-hora.ts';
import type { Ambiente, DataHora } from '../base/nota.types.ts';
import type { Recusa } from '../base/recusas.ts';
import { DECLARACAO, escapar, NFCOM, tag } from '../base/xml.ts';

/** The event 110111, which cancels an authorised note. */
export interface DadosDoCancelamento {
  readonly ambiente: Ambiente;
  /** The emitter's. */
  readonly cnpj: string;
  readonly chave: string;
  /** The 16 digits of the note's protocol. */
  readonly protocolo: string;
  readonly quando: DataHora;
  /** 15 to 255 characters. */
  readonly justificativa: string;
}

/** An event that is built, and not signed yet. */
export interface EventoMontado {
  readonly chave: string;
  readonly id: string;
  /** What stands between `<infEvento …>` and `</infEvento>`. */
  readonly conteudo: string;
  /** The child of detEvento alone, which its own schema judges: the event's takes anything there. */
  readonly detalhe: string;
}

const TIPO = '110111';
const SEQUENCIA = '001';

/** Builds the event that cancels a note, or says what is wrong with its data. A note is cancelled once, so it is the first. */
export function montarCancelamento(
  dados: DadosDoCancelamento,
): { readonly certo: true; readonly evento: EventoMontado } | { readonly certo: false; readonly recusas: Recusa[] } {
  const c = criarConferencia();
  const { ambiente, cnpj, chave, protocolo, quando } = dados;
  const errada = (certo: boolean, campo: string, mensagem: string): boolean =>
    c.conferir(certo, 'identificacao_invalida', campo, mensagem);
  errada(chaveValida(chave), 'chave', 'A chave da nota não é válida.');
  errada(/^\d{16}$/.test(protocolo), 'protocolo', 'O protocolo da nota tem 16 algarismos.');
  errada(dataDe(quando) !== null, 'quando', 'A data e a hora do cancelamento não são válidas.');
  const doEmitente = cnpj.length === 14 && cpfCnpjValido(cnpj);
  c.conferir(doEmitente, 'documento_invalido', 'cnpj', 'O CNPJ do emitente não é válido.');
  const justificativa = c.texto(dados.justificativa, {
    campo: 'justificativa',
    rotulo: 'A justificativa do cancelamento',
    minimo: 15,
    maximo: 255,
    inteiro: true,
  });
  if (c.recusas.length > 0) return { certo: false, recusas: c.recusas };
  const dentro = tag('descEvento', 'Cancelamento') + tag('nProt', protocolo) + tag('xJust', escapar(justificativa));
  const conteudo =
    tag('cOrgao', chave.slice(0, 2)) +
    tag('tpAmb', ambiente) +
    tag('CNPJ', cnpj) +
    tag('chNFCom', chave) +
    tag('dhEvento', quando) +
    tag('tpEvento', TIPO) +
    tag('nSeqEvento', Number(SEQUENCIA)) +
    `<detEvento versaoEvento="1.00">${tag('evCancNFCom', dentro)}</detEvento>`;
  const detalhe = `${DECLARACAO}<evCancNFCom xmlns="${NFCOM}">${dentro}</evCancNFCom>`;
  return { certo: true, evento: { chave, id: `ID${TIPO}${chave}${SEQUENCIA}`, conteudo, detalhe } };
}

/** Signs an event that is built. The same event and signer always give the same bytes. */
export function assinarEvento({ id, conteudo }: EventoMontado, assinador: Assinador): Assinado {
  const { xml, digest } = assinar('infEvento', ` Id="${id}"`, conteudo, id, assinador);
  return {
    digest,
    xml:
      `${DECLARACAO}<eventoNFCom xmlns="${NFCOM}" versao="1.00"><infEvento Id="${id}">${conteudo}</infEvento>` +
      `${xml}</eventoNFCom>`,
  };
}
