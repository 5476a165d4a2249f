import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Visitor, parseSync } from 'oxc-parser';
import type { Expression, Program, Span } from 'oxc-parser';

const RAIZ = fileURLToPath(new URL('../../../', import.meta.url));

export interface Importacao {
  readonly linha: number;
  readonly alvo: string;
  /** `tipo` is an import of types alone, also one that stands in a type; `reexporta` an export of what another file has. */
  readonly forma: 'estatica' | 'tipo' | 'dinamica' | 'reexporta';
}

/** A source file in TypeScript, parsed. */
export interface Fonte {
  /** Its path from the project's folder. */
  readonly nome: string;
  readonly texto: string;
  readonly programa: Program;
  readonly importacoes: readonly Importacao[];
}

/** @throws Error when the text is no TypeScript: what could not be read would break no rule. */
export function lerFonte(nome: string, texto: string): Fonte {
  const { program: programa, errors } = parseSync(nome, texto, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${nome}: ${errors.map(({ message }) => message).join('; ')}`);
  return { nome, texto, programa, importacoes: importacoesDe(programa, texto) };
}

/** The TypeScript files below some folders of the project, or these files themselves, by name. */
export function lerFontes(lugares: readonly string[]): Map<string, Fonte> {
  const ler = (nome: string): Fonte[] => {
    const caminho = join(RAIZ, nome);
    if (!existsSync(caminho)) return [];
    if (nome.endsWith('.ts')) return [lerFonte(nome, readFileSync(caminho, 'utf8'))];
    return readdirSync(caminho, { withFileTypes: true })
      .filter((entrada) => entrada.isDirectory() || entrada.name.endsWith('.ts'))
      .flatMap((entrada) => ler(`${nome}/${entrada.name}`));
  };
  return new Map(lugares.flatMap(ler).map((fonte) => [fonte.nome, fonte]));
}

/** The line, from 1, of a place in a text. */
export function linhaDe(texto: string, inicio: number): number {
  return texto.slice(0, inicio).split('\n').length;
}

/** What an expression says in the source itself: a text, or a template without expressions. Null for any other. */
export function textoFixo(no: Expression): string | null {
  if (no.type === 'TemplateLiteral') return no.expressions.length === 0 ? (no.quasis[0]?.value.cooked ?? null) : null;
  return no.type === 'Literal' && typeof no.value === 'string' ? no.value : null;
}

/** The name that an expression ends in: a variable's, or that of what is taken from an object. Empty where there is none. */
export function nomeFinal(no: Expression): string {
  if (no.type === 'Identifier') return no.name;
  if (no.type !== 'MemberExpression') return '';
  return no.computed ? (textoFixo(no.property) ?? '') : no.property.name;
}

function importacoesDe(programa: Program, texto: string): Importacao[] {
  const achadas: Importacao[] = [];
  // `import()` of anything but a fixed text, such as `new URL(…)`, loads a file that only the run knows.
  const achar = ({ start }: Span, de: Expression | null, forma: Importacao['forma']): void => {
    const alvo = de === null ? null : textoFixo(de);
    if (alvo !== null) achadas.push({ linha: linhaDe(texto, start), alvo, forma });
  };
  new Visitor({
    ImportDeclaration: (no) => achar(no, no.source, no.importKind === 'type' ? 'tipo' : 'estatica'),
    ImportExpression: (no) => achar(no, no.source, 'dinamica'),
    TSImportType: (no) => achar(no, no.source, 'tipo'),
    ExportAllDeclaration: (no) => achar(no, no.source, 'reexporta'),
    ExportNamedDeclaration: (no) => achar(no, no.source, 'reexporta'),
  }).visit(programa);
  return achadas;
}
