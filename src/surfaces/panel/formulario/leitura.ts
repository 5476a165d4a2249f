import { Recusado } from '../recusas.ts';

/**
 * How the text of a field becomes what the domain judges:
 * - `texto`: as it was typed; nothing when it is empty;
 * - `apagavel`: null when it is empty, so that what stood there goes;
 * - `dinheiro`: `1.234,56` is `1234.56`;
 * - `decimal`: `2,5` is `2.5`;
 * - `caixa`: a check box: true when it is ticked;
 * - `lista`: a group of check boxes, or a choice of several;
 * - `linhas`: one value a line;
 * - `segredo`: as it was typed, and never shown again.
 */
export type TipoDeCampo =
  'texto' | 'apagavel' | 'dinheiro' | 'decimal' | 'caixa' | 'lista' | 'linhas' | 'segredo' | 'data';

type Digitado = ReadonlyMap<string, readonly string[]>;

/** Fields whose names begin so are the surface's own, such as the proof of who acts. */
export const DA_SUPERFICIE = '_';

/** What was typed, as an object: `endereco.cep` is the field `cep` of `endereco`. @throws Recusado for a field that the form does not have */
export function lerDigitado(
  campos: Readonly<Record<string, TipoDeCampo>>,
  digitado: Digitado,
): Readonly<Record<string, unknown>> {
  for (const [nome, valores] of digitado) {
    const tipo = Object.hasOwn(campos, nome) ? campos[nome] : undefined;
    if (nome.startsWith(DA_SUPERFICIE)) continue;
    if (tipo === undefined || (valores.length > 1 && tipo !== 'lista')) {
      throw new Recusado(400, 'O formulário não é desta página', 'Abra a página de novo e preencha outra vez.');
    }
  }
  const dados: Record<string, unknown> = {};
  for (const [nome, tipo] of Object.entries(campos)) {
    const valor = lerCampo(tipo, digitado.get(nome));
    if (valor !== undefined) colocar(dados, nome.split('.'), valor);
  }
  return dados;
}

function lerCampo(tipo: TipoDeCampo, valores: readonly string[] | undefined): unknown {
  const [texto] = valores ?? [];
  if (tipo === 'caixa') return texto !== undefined;
  if (tipo === 'lista') return valores?.filter((valor) => valor !== '') ?? [];
  // A field that is not in the form at all is not said to be empty.
  if (texto === undefined) return undefined;
  if (tipo === 'linhas')
    return texto
      .split('\n')
      .map((linha) => linha.trim())
      .filter((linha) => linha !== '');
  const vazio = texto.trim() === '';
  if (vazio) return tipo === 'apagavel' ? null : undefined;
  if (tipo === 'dinheiro' || tipo === 'decimal') return decimal(texto);
  return texto;
}

/** `R$ 1.234,56` is `1234.56`; what is not written so is left for the domain to refuse. */
function decimal(texto: string): string {
  const limpo = texto.replace(/^\s*R\$/, '').trim();
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(limpo)) return limpo.replaceAll('.', '').replace(',', '.');
  return limpo.replace(/^(\d+),(\d+)$/, '$1.$2');
}

function colocar(objeto: Record<string, unknown>, [nome = '', ...resto]: readonly string[], valor: unknown): void {
  if (resto.length === 0) {
    objeto[nome] = valor;
    return;
  }
  const dentro = objeto[nome];
  const parte = typeof dentro === 'object' && dentro !== null ? (dentro as Record<string, unknown>) : {};
  objeto[nome] = parte;
  colocar(parte, resto, valor);
}

/** A field as text; empty when it was not sent. What is no text is the domain's to refuse, where it has a form for it. */
export const comoTexto = (valor: unknown): string => (typeof valor === 'string' ? valor : '');
