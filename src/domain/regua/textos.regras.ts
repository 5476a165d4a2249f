import type { Falta } from '../erros.ts';
import { PASSOS_COM_TEXTO } from './regua.types.ts';
import type { PassoComTexto, TextoDoPasso, TextosDaRegua } from './regua.types.ts';

/** What a text may name, in braces, with what stands there in the example. */
export const CAMPOS_DO_TEXTO = {
  nome: 'Maria',
  provedor: 'Serra Azul Telecom',
  fatura: '9001',
  descricao: 'Mensalidade 11/2026',
  valor: 'R$ 102,90',
  valor_original: 'R$ 99,90',
  vencimento: '10/11/2026',
  bloqueio: '27/11/2026',
  rescisao: '26/01/2027',
  link: 'https://painel.exemplo.com.br/pagar/AbCdEf',
  pix: '00020126580014br.gov.bcb.pix…',
  linha: '23792.94909 60000.000004 03000.658009 5 14940000009990',
} as const;
type CampoDoTexto = keyof typeof CAMPOS_DO_TEXTO;

export type ValoresDoTexto = Readonly<Record<CampoDoTexto, string>>;

/** What the law asks a notice to state: without it, it is none. */
const OBRIGATORIOS: Readonly<Record<PassoComTexto, readonly CampoDoTexto[]>> = {
  lembrete: ['vencimento'],
  vencimento: [],
  aviso: ['valor', 'vencimento', 'bloqueio'],
  bloqueio: ['valor'],
  segundo_aviso: ['valor', 'rescisao'],
};

const PARA_PAGAR = `Para pagar: {link}
PIX copia e cola: {pix}
Linha digitável: {linha}`;

export const TEXTOS_DA_CASA: TextosDaRegua = {
  lembrete: {
    titulo: 'Sua fatura vence em {vencimento}',
    texto: `Olá, {nome}. A sua fatura de {provedor}, de {valor}, vence em {vencimento}.
${PARA_PAGAR}`,
  },
  vencimento: {
    titulo: 'Sua fatura vence hoje',
    texto: `Olá, {nome}. A sua fatura de {provedor}, de {valor}, vence hoje.
${PARA_PAGAR}
Se já pagou, desconsidere esta mensagem.`,
  },
  aviso: {
    titulo: 'Aviso de débito e de bloqueio do serviço',
    texto: `Olá, {nome}. Consta em aberto a fatura {fatura} de {provedor}, vencida em {vencimento}, de {valor_original}. Para pagar hoje: {valor}.
Por falta de pagamento, o serviço pode ser bloqueado a partir de {bloqueio}, e o contrato pode ser rescindido a partir de {rescisao}.
${PARA_PAGAR}
Se já pagou, desconsidere este aviso. Se não concorda com a cobrança, fale conosco antes do prazo.`,
  },
  bloqueio: {
    titulo: 'Serviço bloqueado por falta de pagamento',
    texto: `Olá, {nome}. O serviço foi bloqueado pela fatura {fatura}, vencida em {vencimento}. Para pagar hoje: {valor}.
A liberação é automática depois que se paga tudo o que está vencido.
O contrato pode ser rescindido a partir de {rescisao}.
${PARA_PAGAR}`,
  },
  segundo_aviso: {
    titulo: 'Aviso de rescisão do contrato',
    texto: `Olá, {nome}. O serviço segue bloqueado por falta de pagamento. Em aberto hoje, ao todo: {valor}.
Sem o pagamento de tudo, o contrato pode ser rescindido a partir de {rescisao}.
A fatura mais antiga, que se paga abaixo, é a {fatura}, vencida em {vencimento}.
${PARA_PAGAR}`,
  },
};

const CAMPO = /\{([^{}]*)\}/g;
const ehCampo = (nome: string): nome is CampoDoTexto => Object.hasOwn(CAMPOS_DO_TEXTO, nome);

/** What is wrong with a step's text: a field that there is none of, or one that is missing. */
export function faltasDoTexto(passo: PassoComTexto, { titulo, texto }: TextoDoPasso): Falta[] {
  const codigo = 'parametro_invalido' as const;
  const nomes = [...`${titulo}\n${texto}`.matchAll(CAMPO)].map(([, nome = '']) => nome);
  const estranhos = [...new Set(nomes.filter((nome) => !ehCampo(nome)))];
  const faltam = OBRIGATORIOS[passo].filter((nome) => !texto.includes(`{${nome}}`));
  const campo = `texto_${passo}`;
  return [
    ...estranhos.map((nome) => ({ campo, codigo, mensagem: `não há o campo {${nome}}` })),
    ...faltam.map((nome) => ({ campo, codigo, mensagem: `deve ter o campo {${nome}}` })),
  ];
}

/** A text with its fields filled in. A line of which every field is empty is left out, as of a way to pay that there is not. */
export function preencher(modelo: string, valores: ValoresDoTexto): string {
  return modelo
    .split('\n')
    .filter((linha) => {
      const nomes = [...linha.matchAll(CAMPO)].map(([, nome = '']) => nome).filter(ehCampo);
      return nomes.length === 0 || nomes.some((nome) => valores[nome] !== '');
    })
    .map((linha) => linha.replaceAll(CAMPO, (todo, nome: string) => (ehCampo(nome) ? valores[nome] : todo)))
    .join('\n')
    .trim();
}

/** The house's texts with those of a provider in their places. */
export function juntarTextos(proprios: Partial<TextosDaRegua>): TextosDaRegua {
  const juntos: Record<PassoComTexto, TextoDoPasso> = { ...TEXTOS_DA_CASA };
  for (const passo of PASSOS_COM_TEXTO) juntos[passo] = proprios[passo] ?? TEXTOS_DA_CASA[passo];
  return juntos;
}
