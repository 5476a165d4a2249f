import type { Command } from 'commander';
import { inteiro } from './comando.ts';

/** What a form's fields are, for who types them: name of the field → what it is. */
export type Campos = Readonly<Record<string, string>>;

/** What commander made of the options of a form. */
export type Digitados = Readonly<Record<string, unknown>>;

/** Adds an option for each field: `dia_vencimento` is `--dia-vencimento <valor>`. What they say is judged by the form. */
export function comCampos(command: Command, campos: Campos): Command {
  for (const [nome, descricao] of Object.entries(campos)) {
    void command.option(`--${nome.replaceAll('_', '-')} <valor>`, descricao);
  }
  return command;
}

/** The fields that were said, by the names that a form has for them. */
export function camposDigitados(campos: Campos, digitados: Digitados): Record<string, unknown> {
  const ditos = Object.keys(campos).map((nome) => [nome, digitados[nomeDaOpcao(nome)]] as const);
  return Object.fromEntries(ditos.filter(([, valor]) => valor !== undefined));
}

/** `ipv6_prefixo` as commander calls it: `ipv6Prefixo`. */
const nomeDaOpcao = (nome: string): string => nome.replaceAll(/_(\w)/g, (_, letra: string) => letra.toUpperCase());

/** Options that every command has whose rows are a provider's. */
export function doProvedor(command: Command): Command {
  return command.requiredOption('--provedor <id>', 'provedor', inteiro).option('--json', 'responde em JSON');
}

export interface DoProvedor {
  readonly provedor: number;
  readonly json?: boolean;
}
