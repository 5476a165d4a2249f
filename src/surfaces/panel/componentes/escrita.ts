import { escreverCpfCnpj, escreverData, escreverReais, escreverTelefone } from '../../../brazil/dinheiro/escrita.ts';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { mascararCpfCnpj } from '../../../brazil/pessoa/cpf-cnpj.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

export { escreverData, escreverReais, escreverTelefone };

const formatos = new Map<string, Intl.DateTimeFormat>();

function formato(fuso: string, opcoes: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const nome = `${fuso} ${JSON.stringify(opcoes)}`;
  let um = formatos.get(nome);
  if (um === undefined) formatos.set(nome, (um = new Intl.DateTimeFormat('pt-BR', { timeZone: fuso, ...opcoes })));
  return um;
}

/** An instant at the provider's place: '21/11/2026 14:02'. */
export function instante(fuso: string, quando: Date | null): Html | null {
  if (quando === null) return null;
  const texto = formato(fuso, { dateStyle: 'short', timeStyle: 'short' }).format(quando).replace(',', '');
  return html`<time datetime="${quando.toISOString()}">${texto}</time>`;
}

/** The hour of an instant: '14:02'. */
export const hora = (fuso: string, quando: Date): string => formato(fuso, { timeStyle: 'short' }).format(quando);

/** The day of an instant: '21/11/2026'. */
export const dia = (fuso: string, quando: Date): string => escreverData(hojeEm(fuso, quando));

/** A day without its year: '21/11'. */
export const diaDito = (data: string): string => `${data.slice(8)}/${data.slice(5, 7)}`;

/** A time as people say it: 'há 3 h'; the whole instant stands in its title. */
export function ha(agora: Date, quando: Date | null): Html | null {
  if (quando === null) return null;
  return html`<time datetime="${quando.toISOString()}">há ${duracao(agora.getTime() - quando.getTime())}</time>`;
}

/** How long something lasts, in its largest unit: '4 min', '3 h', '2 dias'. */
export function duracao(ms: number): string {
  const minutos = Math.max(0, Math.floor(ms / 60_000));
  if (minutos < 1) return 'menos de 1 min';
  if (minutos < 60) return `${minutos} min`;
  const horas = Math.floor(minutos / 60);
  if (horas < 48) return `${horas} h`;
  return `${Math.floor(horas / 24)} dias`;
}

/** A CPF or CNPJ, of which whoever may not see it whole sees the middle. */
export const documento = (sessao: Sessao, cpfCnpj: string): string =>
  pode(sessao, 'clientes.documentos') ? escreverCpfCnpj(cpfCnpj) : mascararCpfCnpj(cpfCnpj);

/** A login, which breaks before its realm where there is no room, and not within a name. */
export function login(texto: string): Html {
  const arroba = texto.lastIndexOf('@');
  if (arroba <= 0) return html`<span class="quebra">${texto}</span>`;
  return html`<span class="quebra">${texto.slice(0, arroba)}<wbr />${texto.slice(arroba)}</span>`;
}

/** Who did something: what is made by itself has no author that a person would know. */
export const quemFez = (autor: string): string => (autor === 'tarefa' ? 'o sistema' : autor);

/** A number with points: 12.345. */
export const inteiro = (n: number): string => n.toLocaleString('pt-BR');

/** How many of something, in words: '1 chamado', '14 chamados'. */
export const quantos = (n: number, um: string, varios: string): string => `${inteiro(n)} ${n === 1 ? um : varios}`;

/** Bytes as people say them: '41,2 GB'. */
export function bytes(n: number): string {
  const unidades = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const grau = n < 1 ? 0 : Math.min(unidades.length - 1, Math.floor(Math.log10(n) / 3));
  return `${(n / 1000 ** grau).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ${unidades[grau] ?? ''}`;
}

/** A phone number with ways to call it and to write to it. */
export function telefone(numero: string): Html {
  return html`<a href="tel:+55${numero}">${escreverTelefone(numero)}</a>
    <a class="text-secondary" href="https://wa.me/55${numero}" rel="noopener noreferrer" target="_blank">WhatsApp</a>`;
}
