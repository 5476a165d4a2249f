import type { ClasseDeRetorno, Formato } from '../convenio.types.ts';
import { MOTIVOS } from '../layouts/motivos.ts';
import { TEXTOS_DE_MOVIMENTO } from '../layouts/movimentos.ts';

type Codigos = Readonly<Partial<Record<Exclude<ClasseDeRetorno, 'outra' | 'ilegivel'>, string>>>;

/** FEBRABAN's C044: of all banks in CNAB 240 but for what {@link CLASSES} says. 17 is paid after a write-off, or unregistered. */
const FEBRABAN: Codigos = {
  registrado: '02',
  rejeitado: '03',
  liquidado: '06 17',
  baixado: '09 25',
  tarifa: '28',
  vencimento: '14',
  valor: '27',
  recusada: '26 30',
};

/**
 * What each bank's codes mean. The same number means other things elsewhere: only these are listed, and any other is `outra`, as are
 * cheques that are not cleared. Sources: laravel-boleto and OCA/l10n-brazil, compared.
 */
const CLASSES: Readonly<Record<string, Codigos>> = {
  '748-240': { ...FEBRABAN, recusada: '26 30 36' },
  // 44 and 47 take a settlement back; 46 is one made at once.
  '104-240': { ...FEBRABAN, liquidado: '06 46', desfeito: '44 47', valor: '27 61' },
  '341-400': {
    registrado: '02 64 71 73',
    rejeitado: '03 60',
    // 10 is a write-off because it was settled: it may follow another, so it is no money by itself.
    liquidado: '06 07 08 59',
    baixado: '05 09 10 32 47 72',
    tarifa:
      '26 27 28 29 30 33 34 35 36 37 38 39 40 41 42 43 44 45 46 48 51 52 53 54 55 56 61 62 80 82 83 85 86 87 88 89 90 91 92 93',
    vencimento: '14',
    recusada: '15 16 17 18',
  },
  '237-400': {
    registrado: '02',
    rejeitado: '03 24',
    liquidado: '06 15 17',
    baixado: '09 10',
    desfeito: '22 40',
    tarifa: '28',
    vencimento: '14',
    valor: '33',
    recusada: '27 30 32',
  },
  '033-400': {
    registrado: '02',
    rejeitado: '03',
    liquidado: '06 07 08 17',
    baixado: '09 10',
    tarifa: '24',
    vencimento: '14',
  },
  '748-400': {
    registrado: '02',
    rejeitado: '03 24',
    liquidado: '06 15 17',
    baixado: '09 10',
    tarifa: '28',
    vencimento: '14',
    recusada: '27 30 32',
  },
  '077-400': { registrado: '02', rejeitado: '03', liquidado: '06', baixado: '07' },
};

const INVERSAS = new Map<string, Map<string, ClasseDeRetorno>>();

/** What a movement of a bank's retorno means for the title. */
export function classeDoMovimento(banco: string, formato: Formato, movimento: string): ClasseDeRetorno {
  const chave = `${banco}-${formato}`;
  let inversa = INVERSAS.get(chave);
  if (inversa === undefined) {
    inversa = new Map();
    const codigos = CLASSES[chave] ?? (formato === '240' ? FEBRABAN : {});
    for (const classe of CLASSES_COM_CODIGO) {
      for (const codigo of (codigos[classe] ?? '').split(' ').filter(Boolean)) inversa.set(codigo, classe);
    }
    INVERSAS.set(chave, inversa);
  }
  return inversa.get(movimento) ?? 'outra';
}

const CLASSES_COM_CODIGO = [
  'registrado',
  'rejeitado',
  'liquidado',
  'baixado',
  'desfeito',
  'tarifa',
  'vencimento',
  'valor',
  'recusada',
] as const;

/** Whether a bank may take a payment back by its file. */
export const desfazPagamentos = (banco: string, formato: Formato): boolean =>
  CLASSES[`${banco}-${formato}`]?.desfeito !== undefined;

/** Of movements by which a bank may tell twice of one payment, or of one undoing, the one that stands for both. */
const MESMO: Readonly<Record<string, string>> = { '104-46': '06', '104-47': '44' };

/** What identifies a movement where what was told is told again. */
export const movimentoQueConta = (banco: string, movimento: string): string =>
  MESMO[`${banco}-${movimento}`] ?? movimento;

/** The bank's words for a movement; '' of a code that it does not list. */
export function textoDoMovimento(banco: string, formato: Formato, movimento: string): string {
  const doBanco = TEXTOS_DE_MOVIMENTO[`${banco}-${formato}`]?.[movimento];
  return doBanco ?? TEXTOS_DE_MOVIMENTO[formato]?.[movimento] ?? '';
}

/** FEBRABAN's words for a reason; of other tables, which CNAB 400 has, only the code is known. */
export function textoDoMotivo(classe: ClasseDeRetorno, codigo: string): string {
  const tabela: Readonly<Record<string, string>> =
    classe === 'tarifa'
      ? MOTIVOS.tarifa
      : classe === 'liquidado'
        ? MOTIVOS.liquidacao
        : classe === 'baixado'
          ? MOTIVOS.baixa
          : MOTIVOS.recusa;
  return tabela[codigo] ?? '';
}
