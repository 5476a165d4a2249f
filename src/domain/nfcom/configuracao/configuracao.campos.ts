import type { RegrasIbsCbs } from '../../../brazil/nfcom/base/tributos.types.ts';
import { municipioDoCodigo } from '../../../brazil/municipios/municipios.ts';
import { bem, exigido, grupo, mal, opcional } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import {
  cep,
  data,
  deJson,
  documento,
  email,
  escolha,
  inteiro,
  lista,
  ouNulo,
  simOuNao,
  telefone,
  texto,
  uf,
} from '../../campos/leitores.ts';
import { SERVICOS_DO_AUTORIZADOR } from '../autorizador/autorizador.types.ts';
import type { Autorizador } from '../autorizador/autorizador.types.ts';
import { AMBIENTES_DE_NFCOM } from '../nfcom.types.ts';
import { ESQUEMAS, MAIS_SIMULTANEAS, SEM_BOLETO } from './configuracao.types.ts';

const padrao =
  (forma: RegExp, errado: string): Leitor<string> =>
  (valor) => {
    const limpo = typeof valor === 'string' ? valor.trim().toUpperCase() : '';
    return forma.test(limpo) ? bem(limpo) : mal(errado);
  };

const cnpj: Leitor<string> = (valor) => {
  const lido = documento(valor);
  return 'valor' in lido && lido.valor.length !== 14
    ? mal('informe um CNPJ, de 14 posições', 'cpf_cnpj_invalido')
    : lido;
};

/** Digits, without the punctuation in which each UF writes them. */
export const inscricaoEstadual: Leitor<string> = (valor) => {
  const digitos = typeof valor === 'string' ? valor.replace(/[\s./-]/g, '') : '';
  return /^\d{2,14}$/.test(digitos) ? bem(digitos) : mal('deve ter de 2 a 14 dígitos');
};

/** IBGE's seven digits of a municipality that exists. */
export const codigoDeMunicipio: Leitor<string> = (valor) =>
  typeof valor === 'string' && municipioDoCodigo(valor.trim()) !== null
    ? bem(valor.trim())
    : mal('deve ser um código de município do IBGE, de 7 dígitos');

/** A rate as people write it, `0.65` or `0,65` percent; as a note's, in ten-thousandths of a percent. */
export const taxa: Leitor<number> = (valor) => {
  const escrito =
    typeof valor === 'number' ? String(valor) : typeof valor === 'string' ? valor.trim().replace(',', '.') : '';
  if (!/^\d{1,3}(?:\.\d{1,4})?$/.test(escrito)) return mal('deve ser uma alíquota em por cento, como 0.65');
  const [inteira = '', decimos = ''] = escrito.split('.');
  const lida = Number(inteira) * 10_000 + Number(decimos.padEnd(4, '0'));
  return lida > 1_000_000 ? mal('deve ser de 0 a 100') : bem(lida);
};

const listaDe =
  <T>(ler: Leitor<T>, minimo: number, maximo: number): Leitor<readonly T[]> =>
  (valor) => {
    if (!Array.isArray(valor) || valor.length < minimo || valor.length > maximo) {
      return mal(`deve ser uma lista de ${minimo} a ${maximo}`);
    }
    const itens: T[] = [];
    for (const dado of valor) {
      const item = ler(dado);
      if ('faltas' in item) return item;
      itens.push(item.valor);
    }
    return bem(itens);
  };

const porRegime = grupo({ simples: exigido(data), normal: exigido(data) });
const aliquotas = grupo({
  desde: exigido(data),
  ibs_uf: exigido(taxa),
  ibs_municipio: exigido(taxa),
  cbs: exigido(taxa),
});
const formaIbsCbs = grupo({
  desde: exigido(porRegime),
  exigido_desde: exigido(porRegime),
  somado_desde: exigido(data),
  aliquotas: exigido(listaDe(aliquotas, 1, 20)),
});

const regrasIbsCbs: Leitor<RegrasIbsCbs> = (valor) => {
  const lido = formaIbsCbs(valor);
  if ('faltas' in lido) return lido;
  const { desde, exigido_desde: exigidoDesde, somado_desde: somadoDesde, aliquotas: lidas } = lido.valor;
  return bem({
    desde,
    exigidoDesde,
    somadoDesde,
    aliquotas: lidas
      .map(({ ibs_uf: ibsUf, ibs_municipio: ibsMunicipio, ...resto }) => ({ ...resto, ibsUf, ibsMunicipio }))
      .toSorted((a, b) => (a.desde < b.desde ? -1 : 1)),
  });
};

const MAIOR_ENDERECO = 2000;

/** Where to call is judged when it is called, by the one way out. */
const endereco: Leitor<string> = (valor) =>
  typeof valor === 'string' && valor.length <= MAIOR_ENDERECO && valor.startsWith('https://') && URL.canParse(valor)
    ? bem(valor)
    : mal('deve ser um endereço https');

const doAmbiente = grupo({
  ...Object.fromEntries(SERVICOS_DO_AUTORIZADOR.map((nome) => [nome, exigido(endereco)])),
  qr: exigido(endereco),
  publica: exigido(endereco),
}) as Leitor<Autorizador['producao']>;

const autorizador = grupo({
  nome: exigido(texto(1, 40)),
  site: exigido(inteiro(0, 9)),
  producao: exigido(doAmbiente),
  homologacao: exigido(doAmbiente),
});

/** Without its code, that of the same id stays. */
const csrt = grupo({ id: exigido(padrao(/^\d{3}$/, 'deve ter 3 dígitos')), codigo: opcional(texto(16, 36)) });

const responsavel = grupo({
  cnpj: exigido(cnpj),
  contato: exigido(texto(2, 60)),
  email: exigido(email),
  telefone: exigido(telefone),
  csrt: opcional(ouNulo(csrt)),
});

const MAIOR_PEM = 200_000;
const CERTIFICADO = /-----BEGIN CERTIFICATE-----[A-Za-z\d+/=\s]+-----END CERTIFICATE-----/g;

/** Certificates in PEM, one after the other. */
const cas: Leitor<string> = (valor) => {
  const achados = typeof valor === 'string' && valor.length <= MAIOR_PEM ? valor.match(CERTIFICADO) : null;
  return achados === null ? mal('deve ter certificados em PEM') : bem(achados.join('\n'));
};

/** What may be set of a provider's notes; what is not named stays as it is. */
export const CAMPOS_DA_NFCOM = {
  automatica: opcional(simOuNao),
  ambiente: opcional(escolha(AMBIENTES_DE_NFCOM)),
  serie: opcional(inteiro(0, 999)),
  /** Only forward: a number that was used stays used. */
  proximo_numero: opcional(inteiro(1, 999_999_999)),
  crt: opcional(inteiro(1, 3)),
  inscricao_estadual: opcional(ouNulo(inscricaoEstadual)),
  cnpj: opcional(ouNulo(cnpj)),
  razao_social: opcional(ouNulo(texto(2, 120))),
  nome_fantasia: opcional(ouNulo(texto(1, 120))),
  cep: opcional(ouNulo(cep)),
  logradouro: opcional(ouNulo(texto(2, 150))),
  numero: opcional(ouNulo(texto(1, 20))),
  complemento: opcional(ouNulo(texto(1, 100))),
  bairro: opcional(ouNulo(texto(2, 100))),
  cidade: opcional(ouNulo(texto(2, 100))),
  uf: opcional(ouNulo(uf)),
  municipio_codigo: opcional(ouNulo(codigoDeMunicipio)),
  telefone: opcional(ouNulo(telefone)),
  email: opcional(ouNulo(email)),
  sem_boleto: opcional(escolha(SEM_BOLETO)),
  linha_fixa: opcional(ouNulo(padrao(/^\d{47,48}$/, 'deve ter 47 ou 48 dígitos'))),
  cancelamento_horas: opcional(inteiro(0, 8784)),
  simultaneas: opcional(inteiro(1, MAIS_SIMULTANEAS)),
  esquema: opcional(escolha(ESQUEMAS)),
  ibs_cbs: opcional(ouNulo(deJson(regrasIbsCbs))),
  autorizador: opcional(ouNulo(deJson<Autorizador>(autorizador))),
  autorizados: opcional(lista(documento, 0, 10)),
  informacoes: opcional(ouNulo(texto(1, 2000))),
  responsavel: opcional(ouNulo(deJson(responsavel))),
  cas_extras: opcional(ouNulo(cas)),
} as const;

/** What a provider in the Simples is asked, besides its certificate. `sva_percentual`: how much of each price is SVA. */
export const CAMPOS_DO_COMECO = {
  inscricao_estadual: exigido(inscricaoEstadual),
  crt: opcional(inteiro(1, 3)),
  sva_percentual: opcional(taxa),
  /** ICMS of the UF, of who is not in the Simples. */
  icms: opcional(taxa),
  /** Of who has issued notes by another program. */
  serie: opcional(inteiro(0, 999)),
  proximo_numero: opcional(inteiro(1, 999_999_999)),
} as const;

export const CAMPOS_DA_CONTINGENCIA = { justificativa: exigido(texto(15, 256)) } as const;
