import type { NotaDaLista } from '../../../domain/nfcom/lista/lista.types.ts';
import type { SituacaoNfcom } from '../../../domain/nfcom/nfcom.types.ts';
import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';
import type { Cor } from '../componentes/cartao.ts';

export const SITUACOES: Readonly<Record<SituacaoNfcom, readonly [texto: string, cor: Cor]>> = {
  pendente: ['Na fila', 'blue'],
  processando: ['Enviada, sem resposta', 'yellow'],
  autorizada: ['Autorizada', 'green'],
  rejeitada: ['Rejeitada', 'red'],
  cancelada: ['Cancelada', 'secondary'],
  substituida: ['Substituída', 'purple'],
};

/** What a note's state is called, in its colour. */
export const situacaoDaNota = (situacao: SituacaoNfcom): Html => etiqueta(...SITUACOES[situacao]);

export const FINALIDADES: Readonly<Record<string, string>> = {
  normal: 'Normal',
  substituicao: 'Substituição',
  ajuste: 'Ajuste',
};

/** motSub of the layout. */
export const MOTIVOS_DA_SUBSTITUICAO: Readonly<Record<string, string>> = {
  '01': 'Erro de preço ou valor',
  '02': 'Erro de dados cadastrais',
  '03': 'Decisão judicial',
  '04': 'Erro de tributação',
  '05': 'Serviço descontinuado',
};

export const ETAPAS: Readonly<Record<string, string>> = {
  montar: 'Será montada e enviada',
  enviar: 'Será enviada',
  consultar: 'A autoridade será consultada, porque não respondeu ao envio',
  conferir: 'A chave anterior será consultada antes de montar outra',
  cancelar: 'O cancelamento será enviado',
  conferir_cancelamento: 'A autoridade será consultada sobre o cancelamento',
};

export const OPERACOES: Readonly<Record<string, string>> = {
  envio: 'Envio',
  consulta: 'Consulta',
  cancelamento: 'Cancelamento',
};

export const numeroDaNota = ({ serie, numero }: Pick<NotaDaLista, 'serie' | 'numero'>): string =>
  numero === null ? 'sem número' : `${serie === null ? '' : `${serie}/`}${numero}`;

/** Where what a note was refused for is mended. */
export interface Remedio {
  readonly texto: string;
  /** Below `/painel`. */
  readonly para: string;
  readonly permissao: PermissaoPainel;
}

type Lugar = (nota: Pick<NotaDaLista, 'faturaId' | 'clienteId'>) => Remedio;

const CLIENTE: Lugar = ({ clienteId }) => ({
  texto: 'Corrigir o cadastro do cliente',
  para: `/clientes/${clienteId}/editar`,
  permissao: 'clientes.editar',
});
const FISCAL: Lugar = ({ clienteId }) => ({
  texto: 'Corrigir os dados fiscais do cliente',
  para: `/clientes/${clienteId}/nfcom`,
  permissao: 'nfcom.emitir',
});
const FATURA: Lugar = ({ faturaId }) => ({
  texto: 'Ver a fatura',
  para: `/faturas/${faturaId}`,
  permissao: 'faturas.ver',
});
const PROVEDOR: Lugar = () => ({
  texto: 'Corrigir os dados fiscais do provedor',
  para: '/configuracoes/nfcom',
  permissao: 'nfcom.configurar',
});
const CERTIFICADO: Lugar = () => ({
  texto: 'Trocar o certificado',
  para: '/configuracoes/nfcom/certificado',
  permissao: 'nfcom.configurar',
});
const SERVICOS: Lugar = () => ({
  texto: 'Corrigir serviços e tributos',
  para: '/configuracoes/nfcom/servicos',
  permissao: 'nfcom.configurar',
});
const MUNICIPIO: Lugar = () => ({
  texto: 'Dizer que município é esta cidade',
  para: '/configuracoes/nfcom/municipios',
  permissao: 'nfcom.configurar',
});

/** By our own codes and the authority's (MOC 1.00a, Anexo I), the first that matches. */
const REMEDIOS: readonly (readonly [codigo: RegExp, lugar: Lugar])[] = [
  [/^sem_municipio$|^municipio_/, MUNICIPIO],
  [/^(?:sem_documento|documento_invalido|endereco_|caractere_|texto_|sem_contrato|cliente_)|^42[0-6]$/, CLIENTE],
  [/^inscricao_estadual_|^4(?:2[7-9]|3[0-2])$/, FISCAL],
  [/^(?:valor_|sem_linha_|linha_|fatura_|desconto_)/, FATURA],
  [/^(?:sem_certificado|certificado_)|^213$|^28\d$/, CERTIFICADO],
  [/^(?:tributacao_|ibs_cbs_|sem_servico|sem_resto|quantidade_)|^(?:276|433|435|44\d|54[01]|522|310)$/, SERVICOS],
  [/^(?:sem_configuracao|identificacao_)|^(?:203|209|229|23[01]|475)$/, PROVEDOR],
];

/** Where to mend what a code says; null where nothing in the panel would. */
export const remedioDe = (codigo: string, nota: Pick<NotaDaLista, 'faturaId' | 'clienteId'>): Remedio | null =>
  REMEDIOS.find(([padrao]) => padrao.test(codigo))?.[1](nota) ?? null;
