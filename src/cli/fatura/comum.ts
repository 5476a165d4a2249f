import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { TERMINAL } from '../../domain/actor.ts';
import type { Dominio, Escritas } from '../../domain/dominio.ts';
import { Recusa } from '../../domain/erros.ts';
import type { Fatura } from '../../domain/faturas/faturas.types.ts';
import { comando, inteiro } from '../comando.ts';
import { NO_TERMINAL, SEM_RASTRO } from '../leitura.ts';
import type { Servicos, Sessao } from '../sessao.ts';

/** What every command of these is told. */
export interface OpcoesDoProvedor {
  readonly provedor: number;
  readonly json?: boolean;
}

/** An option for a field of a form. */
export type OpcaoDeCampo = readonly [opcao: string, descricao: string];

/** A command about invoices of a provider, with an option a field; an empty text clears a field. */
export function comandoDeFatura(
  fatura: Command,
  { nome, descricao, campos = [] }: { nome: string; descricao: string; campos?: readonly OpcaoDeCampo[] },
): Command {
  const feito = comando(fatura.command(nome))
    .description(descricao)
    .requiredOption('--provedor <id>', 'provedor dono da fatura', inteiro);
  for (const [opcao, oque] of campos) feito.option(opcao, oque);
  return feito.option('--json', 'responde em JSON');
}

/** What was said of the fields of a form, by their names there: `--pago-em` is `pago_em`. */
export function dadosDe(opcoes: object, campos: readonly OpcaoDeCampo[]): Record<string, unknown> {
  const ditos = new Map<string, unknown>(Object.entries(opcoes));
  const dados: Record<string, unknown> = {};
  for (const [opcao] of campos) {
    const nome = (/^--([\w-]+)/.exec(opcao)?.[1] ?? '').replaceAll('-', '_');
    const dito = ditos.get(nome.replaceAll(/_(\w)/g, (_, letra: string) => letra.toUpperCase()));
    if (dito !== undefined) dados[nome] = dito;
  }
  return dados;
}

/** Changes something at a provider, as the terminal. */
export async function mudar<T>(
  sessao: Sessao,
  provedorId: number,
  fazer: (dominio: Dominio, escritas: Escritas) => Promise<T>,
  mostrar: (feito: T) => void,
): Promise<void> {
  await sessao.comContainer(async ({ provedores, changeTenant }) => {
    const provedor = await provedores.exigirPorId(provedorId);
    mostrar(await changeTenant(TERMINAL, provedor, fazer));
  });
}

/** Reads something of a provider. */
export async function ler<T>(
  { provedores, readTenant }: Servicos,
  provedorId: number,
  fazer: (dominio: Dominio) => Promise<T>,
): Promise<T> {
  const provedor = await provedores.exigirPorId(provedorId);
  return readTenant(provedor, SEM_RASTRO, NO_TERMINAL, fazer);
}

/** An invoice as it is by now. @throws Recusa `nao_encontrado` */
export async function comoEsta(dominio: Dominio, id: number): Promise<Fatura> {
  const fatura = await dominio.faturas.buscarPorId(id);
  if (fatura === null) throw new Recusa('nao_encontrado');
  return fatura;
}

/** By the names of the API. */
export function apresentar(fatura: Fatura) {
  return {
    id: fatura.id,
    cliente_id: fatura.clienteId,
    contrato_id: fatura.contratoId,
    descricao: fatura.descricao,
    situacao: fatura.situacao,
    tipo: fatura.tipo,
    valor: escreverDinheiro(fatura.valor),
    multa: escreverDinheiro(fatura.multa),
    juros: escreverDinheiro(fatura.juros),
    valor_pago: escreverDinheiro(fatura.valorPago),
    abatido: escreverDinheiro(fatura.abatido),
    a_pagar: escreverDinheiro(fatura.aPagar),
    vencimento: fatura.vencimento,
    emitida_em: fatura.emitidaEm.toISOString(),
    pago_em: fatura.pagoEm?.toISOString() ?? null,
  };
}

/** In a line. */
export function emUmaLinha(fatura: Fatura): string {
  const deve = fatura.aPagar > 0 ? `, deve ${escreverDinheiro(fatura.aPagar)}` : '';
  return `Fatura ${fatura.id}: ${fatura.situacao}, vence em ${fatura.vencimento}${deve}.`;
}
