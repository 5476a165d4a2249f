import { Help, InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

const ajuda = new Help();

/** A command whose help and complaints are in Portuguese. */
export function comando(command: Command): Command {
  const titulos: Readonly<Record<string, string>> = {
    'Usage:': 'Uso:',
    'Options:': 'Opções:',
    'Commands:': 'Comandos:',
    'Arguments:': 'Argumentos:',
  };
  return command
    .usage('[opções]')
    .helpOption('-h, --help', 'mostra esta ajuda')
    .configureHelp({
      styleTitle: (titulo) => titulos[titulo] ?? titulo,
      subcommandTerm: (outro) => ajuda.subcommandTerm(outro).replace('[options]', '[opções]'),
      optionDescription: ({ description, defaultValue }) =>
        defaultValue === undefined ? description : `${description} (padrão: ${String(defaultValue)})`,
    })
    .configureOutput({ outputError: (texto, write) => write(emPortugues(texto)) });
}

/** A command that only holds others. */
export function grupo(command: Command): Command {
  return comando(command).usage('<comando> [opções]').helpCommand('help [comando]', 'mostra a ajuda de um comando');
}

function emPortugues(texto: string): string {
  return texto
    .replace(/^error: /, 'erro: ')
    .replace(/required option '(.+)' not specified/, "falta a opção '$1'")
    .replace(/missing required argument '(.+)'/, "falta o argumento '$1'")
    .replace(/unknown command '(.+)'/, "comando desconhecido '$1'")
    .replace(/unknown option '(.+)'/, "opção desconhecida '$1'")
    .replace(/too many arguments.*/, 'argumentos demais')
    .replace(/option '(.+)' argument missing/, "falta o valor da opção '$1'")
    .replace(/option '(.+)' argument '(.*)' is invalid\./, "a opção '$1' não aceita '$2':")
    .replace(/command-argument value '(.*)' is invalid for argument '(.+)'\./, "o argumento '$2' não aceita '$1':")
    .replace(/\(Did you mean (.+)\?\)/, '(seria $1?)');
}

/** A whole number. */
export const inteiro = (texto: string): number => {
  if (!/^\d{1,15}$/.test(texto)) throw new InvalidArgumentError('deve ser um número inteiro.');
  return Number(texto);
};

/** Parts between commas. */
export const lista = (texto: string): string[] => texto.split(',').map((parte) => parte.trim());

/** An instant as ISO 8601. */
export const instante = (texto: string): Date => {
  const momento = new Date(texto);
  if (Number.isNaN(momento.getTime())) throw new InvalidArgumentError('deve ser uma data ISO 8601, como 2027-01-31.');
  return momento;
};
