import type { BancoComCnab } from '../../../src/brazil/cnab/convenio.types.ts';
import { lerTabela } from '../../../src/brazil/cnab/layout.ts';
import type { Registro } from '../../../src/brazil/cnab/layout.ts';
import { RETORNO_400 } from '../../../src/brazil/cnab/layouts/retorno400.ts';
import { registros240 } from '../../../src/brazil/cnab/registros.ts';

/** What a bank says of a title. */
export interface Resposta {
  readonly movimento: string;
  readonly numero: string;
  readonly dv: string;
  readonly uso?: number;
  readonly valor?: number;
  readonly pago?: number;
  readonly tarifa?: number;
  readonly vencimento?: string;
  readonly em: string;
  readonly motivos?: string;
  /** The whole code of a hybrid boleto, as Itaú sends it. */
  readonly pix?: string;
  /** The address of a hybrid boleto's payload and its txid, as Santander and Bradesco send them. */
  readonly location?: string;
  readonly txid?: string;
  readonly documento?: string;
}

const CNPJ = '11222333000181';

/** A line with some fields of a layout, and texts at places of their own. */
function linha(
  tamanho: number,
  campos: Registro,
  valores: Readonly<Record<string, string | number>>,
  fixos: readonly (readonly [de: number, texto: string])[],
): string {
  const letras = Array.from({ length: tamanho }, () => ' ');
  const por = (de: number, texto: string): void => void letras.splice(de - 1, texto.length, ...texto.split(''));
  for (const { nome, de, ate, tipo } of campos) {
    const largura = ate - de + 1;
    const texto = String(valores[nome] ?? '');
    por(de, tipo === 'a' ? texto.padEnd(largura) : texto.padStart(largura, '0'));
  }
  for (const [de, texto] of fixos) por(de, texto);
  return letras.join('');
}

const dia = (data: string, casas: number): string => {
  const [ano = '', mes = '', d = ''] = data.split('-');
  return d + mes + (casas === 6 ? ano.slice(2) : ano);
};

const escrito = (banco: BancoComCnab, { numero, dv }: Resposta): string =>
  banco === '001' || banco === '104' ? numero : banco === '033' ? numero.slice(-7) + dv : numero + dv;

/** The file that a bank makes of its answers. */
export function retornoDe(banco: BancoComCnab, respostas: readonly Resposta[], cnpj = CNPJ): string {
  const linhas = ['341', '237', '033', '077'].includes(banco)
    ? de400(banco, respostas, cnpj)
    : de240(banco, respostas, cnpj);
  return linhas.map((uma) => `${uma}\r\n`).join('');
}

function de240(banco: BancoComCnab, respostas: readonly Resposta[], cnpj: string): string[] {
  const registro = registros240(banco);
  const header = linha(240, registro('headerArquivo'), { inscricaoEmpresa: cnpj, nsa: 7, dataGeracao: '01122026' }, [
    [1, banco],
    [4, '00000'],
    [143, '2'],
  ]);
  const lote = linha(240, registro('headerLote'), {}, [[1, `${banco}00011T01`]]);
  const detalhes = respostas.flatMap((resposta, n) => {
    const { movimento, uso = '', valor = 0, pago = 0, tarifa = 0, vencimento, em, motivos = '' } = resposta;
    const sequencia = (k: number): string => String(k).padStart(5, '0');
    const t = {
      codigoMovimento: movimento,
      nossoNumero: escrito(banco, resposta),
      usoEmpresa: uso,
      valor,
      tarifa,
      vencimento: vencimento === undefined ? '' : dia(vencimento, 8),
      motivos,
    };
    const u = { codigoMovimento: movimento, valorPago: pago, dataOcorrencia: dia(em, 8), dataCredito: dia(em, 8) };
    return [
      linha(240, registro('segmentoT'), t, [[1, `${banco}00013${sequencia(2 * n + 1)}T`]]),
      linha(240, registro('segmentoU'), u, [[1, `${banco}00013${sequencia(2 * n + 2)}U`]]),
    ];
  });
  const doLote = String(detalhes.length + 2).padStart(6, '0');
  const doArquivo = String(detalhes.length + 4).padStart(6, '0');
  return [
    header,
    lote,
    ...detalhes,
    linha(240, [], {}, [
      [1, `${banco}00015`],
      [18, doLote],
    ]),
    linha(240, [], {}, [
      [1, `${banco}99999`],
      [18, `000001${doArquivo}`],
    ]),
  ];
}

/** What follows the line of a hybrid boleto. */
function registroDoPix(banco: BancoComCnab, { pix, location, txid = '' }: Resposta): [number, string][] | null {
  if (pix !== undefined)
    return [
      [1, '3'],
      [2, pix],
    ];
  if (location === undefined) return null;
  return banco === '033'
    ? [
        [1, '2'],
        [3, location],
        [80, txid],
      ]
    : [
        [1, '4'],
        [29, location],
        [106, txid],
      ];
}

function de400(banco: BancoComCnab, respostas: readonly Resposta[], cnpj: string): string[] {
  const tabelas = RETORNO_400[banco] ?? {};
  const campos = lerTabela(tabelas['detalhe'] ?? '');
  const numerada = (n: number): readonly [number, string] => [395, String(n).padStart(6, '0')];
  let n = 1;
  const detalhes = respostas.flatMap((resposta) => {
    const { movimento, uso = '', valor = 0, pago = 0, tarifa = 0, vencimento, em } = resposta;
    const valores = {
      ocorrencia: movimento,
      dataOcorrencia: dia(em, 6),
      nossoNumero: escrito(banco, resposta),
      usoEmpresa: uso,
      numeroDocumento: resposta.documento ?? '',
      valor,
      valorRecebido: pago,
      tarifa,
      vencimento: vencimento === undefined ? '' : dia(vencimento, 6),
      dataCredito: dia(em, 6),
    };
    const titulo = [[1, '1'], ...(banco === '077' ? [] : [[4, cnpj]]), numerada((n += 1))] as const;
    const doPix = registroDoPix(banco, resposta);
    return [
      linha(400, campos, valores, titulo as never),
      ...(doPix === null ? [] : [linha(400, [], {}, [...doPix, numerada((n += 1))])]),
    ];
  });
  return [
    linha(400, [], {}, [[1, '02RETORNO'], [77, banco], numerada(1)]),
    ...detalhes,
    linha(400, [], {}, [[1, '9'], numerada(n + 1)]),
  ];
}
