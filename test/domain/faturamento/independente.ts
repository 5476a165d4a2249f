import { sorteio } from '../../support/sorteio.ts';

/**
 * Billing reckoned apart from the service, in another manner: day by day, with one account a contract: what it owes up to a month, less
 * what it was charged before. Shares no code with `src`.
 */

const DIA = 86_400_000;
export const dia = (texto: string): number => Date.parse(`${texto}T00:00:00Z`) / DIA;
export const textoDe = (n: number): string => new Date(n * DIA).toISOString().slice(0, 10);
const partes = (n: number): [number, number, number] => {
  const d = new Date(n * DIA);
  return [d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate()];
};
const primeiro = (ano: number, mes: number): number => Date.UTC(ano, mes, 1) / DIA;

type Estado = 'pendente' | 'ativo' | 'bloqueado' | 'inativo' | 'cancelado';

/** Something that happens to a contract. */
export interface Fato {
  readonly em: number;
  readonly acao: string;
  readonly de: Estado;
  readonly para: Estado;
  /** Centavos, of a change of price. */
  readonly valorDe: number | null;
  readonly valorPara: number | null;
}

interface Item {
  readonly tipo: 'unico' | 'recorrente' | 'desconto' | 'desconto_percentual';
  /** Centavos, or hundredths of a percent. */
  readonly valor: number;
  /** First days. */
  readonly de: number;
  readonly ate: number | null;
}

export interface Gerado {
  readonly tipo: 'pos_pago' | 'pre_pago' | 'isento';
  readonly vencimento: number;
  readonly estado: Estado;
  readonly valor: number;
  /** Local day, of what was active before the beginning. */
  readonly ativadoEm: number | null;
  readonly fatos: readonly Fato[];
  readonly itens: readonly Item[];
}

const ACOES: Readonly<Record<Exclude<Estado, 'pendente'>, readonly (readonly [string, Estado])[]>> = {
  ativo: [
    ['suspensao', 'inativo'],
    ['bloqueio', 'bloqueado'],
    ['preco', 'ativo'],
    ['preco', 'ativo'],
    ['suspensao', 'inativo'],
    ['cancelamento', 'cancelado'],
  ],
  bloqueado: [
    ['liberacao', 'ativo'],
    ['desbloqueio_confianca', 'ativo'],
    ['liberacao', 'ativo'],
    ['suspensao', 'inativo'],
    ['cancelamento', 'cancelado'],
  ],
  inativo: [
    ['reativacao', 'ativo'],
    ['reativacao', 'ativo'],
    ['preco', 'inativo'],
    ['cancelamento', 'cancelado'],
  ],
  cancelado: [['reativacao', 'ativo']],
};

/** A contract and what becomes of it between two days; all by the number. */
export function gerar(semente: number, de: number, ate: number): Gerado {
  const { ate: sortear, um, numero } = sorteio(semente * 7919 + 13);
  const tipo = um(['pos_pago', 'pos_pago', 'pos_pago', 'pre_pago', 'pre_pago', 'isento'] as const);
  const vencimento = 1 + (semente % 31);
  let valor = 1 + sortear(30_000);
  const antes = numero() < 0.6;
  const base = { tipo, vencimento, valor, itens: itensDe(semente, de, ate) };
  const fatos: Fato[] = [];
  let estado: Estado = antes ? 'ativo' : 'pendente';
  let agora = de * DIA + (antes ? 0 : sortear((ate - de - 20) * 24) * 3_600_000) + sortear(86_400_000);
  if (!antes) {
    fatos.push({ em: agora, acao: 'ativacao', de: 'pendente', para: 'ativo', valorDe: null, valorPara: null });
    estado = 'ativo';
  }
  for (;;) {
    // Some on the day of the one before.
    agora += numero() < 0.15 ? sortear(6 * 3_600_000) + 1 : sortear(120 * DIA) + 1;
    if (agora >= ate * DIA) break;
    if (estado === 'cancelado' && agora - fatos.at(-1)!.em > 25 * DIA) break;
    const [acao, para]: readonly [string, Estado] = um(ACOES[estado as 'ativo']);
    const novo: number | null = acao === 'preco' ? sortear(30_000) : null;
    fatos.push({ em: agora, acao, de: estado, para, valorDe: novo === null ? null : valor, valorPara: novo });
    valor = novo ?? valor;
    estado = para;
  }
  const ativadoEm = antes ? de - 1 - sortear(400) : null;
  return { ...base, estado: antes ? 'ativo' : 'pendente', ativadoEm, fatos };
}

function itensDe(semente: number, de: number, ate: number): Item[] {
  const { ate: sortear, numero } = sorteio(semente + 5_000_011);
  if (numero() < 0.6) return [];
  const [ano, mes] = partes(de);
  const meses = Math.max(2, Math.floor((ate - de) / 30));
  const inicio = sortear(meses);
  const itens: Item[] = [];
  const fim = numero() < 0.5 ? null : primeiro(ano, mes + inicio + sortear(6));
  const quando = { de: primeiro(ano, mes + inicio), ate: fim };
  if (numero() < 0.5) itens.push({ tipo: 'desconto', valor: 1 + sortear(9000), ...quando });
  if (numero() < 0.5) itens.push({ tipo: 'desconto_percentual', valor: 1 + sortear(10_000), ...quando });
  if (numero() < 0.4) itens.push({ tipo: 'recorrente', valor: 1 + sortear(5000), ...quando });
  if (numero() < 0.4) itens.push({ tipo: 'unico', valor: 1 + sortear(5000), de: quando.de, ate: null });
  return itens;
}

export interface Provedor {
  readonly antecedencia: number;
  readonly cobrarBloqueado: boolean;
  /** The instant at which the day's work begins. */
  readonly comeca: (dia: number) => number;
  /** The local day of an instant. */
  readonly localDe: (instante: number) => number;
}

export interface Cobrada {
  readonly mes: string;
  readonly vencimento: string;
  readonly valor: bigint;
}

/** All charges of a contract, of days from `de` to `ate` (the last one included). */
export function cobrar(gerado: Gerado, provedor: Provedor, de: number, ate: number): Cobrada[] {
  const { antecedencia, comeca, localDe } = provedor;
  const feitas: Cobrada[] = [];
  let cobrado = 0n;
  let unicos = 0n;
  const levados = new Set<Item>();
  const nascido = gerado.fatos[0];
  let primeiroDia = de;
  if (gerado.estado === 'pendente') {
    if (nascido === undefined) return [];
    primeiroDia = localDe(nascido.em);
    if (comeca(primeiroDia) <= nascido.em) primeiroDia += 1;
  }
  const [ano0, mes0] = partes(de);
  for (let n = 0; ; n += 1) {
    const mes = primeiro(ano0, mes0 + n);
    const emissao = vencimentoDe(gerado, ano0, mes0 + n) - antecedencia;
    const hoje = Math.max(emissao, primeiroDia);
    if (hoje > ate) break;
    // Somebody who comes late is charged from the newest month on; what was before comes with it.
    if (vencimentoDe(gerado, ano0, mes0 + n + 1) - antecedencia <= hoje) continue;
    const nominal = vencimentoDe(gerado, ano0, mes0 + n);
    const vencimento = textoDe(nominal < hoje ? hoje + antecedencia : nominal);
    if (gerado.tipo === 'isento') {
      feitas.push({ mes: textoDe(mes), vencimento, valor: 0n });
      continue;
    }
    const sabidos = gerado.fatos.filter(({ em }) => em < comeca(hoje));
    let devido = 0n;
    for (let m = 0; m <= n; m += 1) devido += doMes(gerado, sabidos, provedor, ano0, mes0 + m);
    for (const item of gerado.itens) {
      if (item.tipo === 'unico' && item.de <= mes && !levados.has(item)) {
        levados.add(item);
        unicos += BigInt(item.valor);
      }
      if (item.tipo === 'recorrente') devido += recorrente(gerado, item, sabidos, provedor, ano0, mes0, n);
    }
    const valor = devido + unicos - cobrado;
    if (valor > 0n) cobrado += valor;
    feitas.push({ mes: textoDe(mes), vencimento, valor });
  }
  return feitas;
}

/** Whole, of each month with a day of service. */
function recorrente(
  gerado: Gerado,
  item: Item,
  sabidos: readonly Fato[],
  provedor: Provedor,
  ano: number,
  mes: number,
  n: number,
): bigint {
  let soma = 0n;
  for (let m = 0; m <= n; m += 1) {
    const este = primeiro(ano, mes + m);
    if (este < item.de || (item.ate !== null && este > item.ate)) continue;
    let servido = false;
    for (let d = este; d < primeiro(ano, mes + m + 1); d += 1) servido ||= noFimDe(gerado, sabidos, provedor, d)[0];
    if (servido) soma += BigInt(item.valor);
  }
  return soma;
}

function vencimentoDe({ tipo, vencimento }: Gerado, ano: number, mes: number): number {
  const m = tipo === 'pos_pago' ? mes + 1 : mes;
  let d = primeiro(ano, m);
  // Step by step, to the day or to the end of the month.
  while (partes(d)[2] < vencimento && partes(d + 1)[2] !== 1) d += 1;
  return d;
}

/** Whether there is service at the end of a day, and at which price. */
function noFimDe(gerado: Gerado, sabidos: readonly Fato[], provedor: Provedor, d: number): [boolean, number] {
  let { estado, valor } = gerado;
  for (const fato of sabidos) {
    if (provedor.localDe(fato.em) > d) break;
    estado = fato.para;
    valor = fato.valorPara ?? valor;
  }
  return [estado === 'ativo' || (estado === 'bloqueado' && provedor.cobrarBloqueado), valor];
}

/** A month in ten-thousandths of centavos times its days, rounded once. */
function doMes(gerado: Gerado, sabidos: readonly Fato[], provedor: Provedor, ano: number, mes: number): bigint {
  const inicio = primeiro(ano, mes);
  const fim = primeiro(ano, mes + 1);
  const vale = (item: Item): boolean => inicio >= item.de && (item.ate === null || inicio <= item.ate);
  let fixo = 0n;
  let porcento = 0n;
  for (const item of gerado.itens.filter(vale)) {
    if (item.tipo === 'desconto') fixo += BigInt(item.valor);
    if (item.tipo === 'desconto_percentual') porcento += BigInt(item.valor);
  }
  if (porcento > 10_000n) porcento = 10_000n;
  let soma = 0n;
  for (let d = inicio; d < fim; d += 1) {
    const [servido, valor] = noFimDe(gerado, sabidos, provedor, d);
    if (!servido) continue;
    const doDia = BigInt(valor) * 10_000n - BigInt(valor) * porcento - fixo * 10_000n;
    if (doDia > 0n) soma += doDia;
  }
  const partesDoMes = 10_000n * BigInt(fim - inicio);
  const inteiros = soma / partesDoMes;
  return (soma % partesDoMes) * 2n >= partesDoMes ? inteiros + 1n : inteiros;
}
