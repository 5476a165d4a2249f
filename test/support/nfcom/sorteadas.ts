import { gerarCodigoBarras, linhaDigitavel } from '../../../src/brazil/boleto/boleto.ts';
import { somarDias, type Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos, type Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { montarChave } from '../../../src/brazil/nfcom/base/chave.ts';
import { IBS_CBS_PADRAO } from '../../../src/brazil/nfcom/itens/ibs-cbs.ts';
import type {
  Crt,
  DadosDaNota,
  EnderecoDaNota,
  Finalidade,
  ItemDaNota,
} from '../../../src/brazil/nfcom/base/nota.types.ts';
import type { Beneficio, Contribuicao, Icms, TributosDoItem } from '../../../src/brazil/nfcom/base/tributos.types.ts';
import { CODIGO_DA_UF } from '../../../src/brazil/nfcom/base/ufs.ts';
import { digitosCnpj, digitosCpf } from '../../../src/brazil/pessoa/cpf-cnpj.ts';
import { sorteio } from '../sorteio.ts';
import { itemDeExemplo, notaDeExemplo } from './notas.ts';

type Sorteio = ReturnType<typeof sorteio>;

const NOMES = [
  'Maria José da Conceição',
  "Joana D'Arc & Filhos <ME>",
  'Padaria “Pão de Mel” – Matriz',
  'Łukasz Őry Žižek',
  'Associação dos Moradores e Amigos do Conjunto Habitacional Governador José Richa Filho',
  '  Ana   Lima  ',
  'AB',
  'Comércio\tde\nGás Ltda.',
  'Tribunal de Contas do Município…',
];
const DATAS = ['2025-11-03', '2026-02-28', '2026-11-20', '2026-12-31', '2027-01-04', '2027-06-15', '2028-02-29'];

/** A note of any kind that can be issued, the same for the same seed. */
export function notaSorteada(semente: number): DadosDaNota {
  const s = sorteio(semente);
  const crt = s.um<Crt>([1, 1, 2, 3, 3]);
  const uf = s.um([...CODIGO_DA_UF.keys()]);
  const data = s.um(DATAS) as Data;
  const finalidade = finalidadeSorteada(s);
  const ajuste = finalidade.tipo === 'ajuste';
  const empresa = s.numero() < 0.3;
  const cnpj = cnpjSorteado(s);
  const contribui = empresa && s.numero() < 0.5;
  const exemplo = notaDeExemplo();
  return {
    ...exemplo,
    ambiente: s.um([1, 2]),
    serie: s.um([0, 1, 7, 999]),
    numero: s.um([1, 1 + s.ate(999_999_999), 999_999_999]),
    codigoNumerico: digitos(s, 7),
    emissao: `${data}T${s.um(['00:00:00', '09:30:59', '23:59:59'])}${s.um(['-03:00', '-04:00', '-05:00', '-02:00'])}`,
    programa: s.um(['malha 1.0', 'x', '12345678901234567890']),
    municipioDoServico: municipio(s, uf),
    siteAutorizador: s.um([0, 0, 1, 9]),
    finalidade,
    contingencia:
      finalidade.tipo === 'normal' && s.numero() < 0.1
        ? { desde: `${data}T00:00:00-03:00`, justificativa: s.um(['Sem rede no CPD.', 'Queda & falha '.repeat(30)]) }
        : null,
    emitente: {
      cnpj,
      inscricaoEstadual: digitos(s, 2 + s.ate(13)),
      crt,
      razaoSocial: s.um(NOMES),
      nomeFantasia: s.um([null, '', ...NOMES]),
      endereco: enderecoSorteado(s, uf),
    },
    destinatario: {
      nome: s.um(NOMES),
      documento: empresa ? cnpjSorteado(s) : cpfSorteado(s),
      indicadorIe: contribui ? 1 : empresa ? s.um<2 | 9>([2, 9]) : 9,
      inscricaoEstadual: contribui ? digitos(s, 2 + s.ate(13)) : null,
      inscricaoMunicipal: s.um([null, '123456', '000123456789012']),
      endereco: enderecoSorteado(s, s.um([...CODIGO_DA_UF.keys()])),
    },
    assinante: {
      codigo: s.um(['1', 'C 000123', 'á-9/Ç', 'x'.repeat(30)]),
      tipo: s.um([1, 2, 3, 4, 5, 6, 7, 8, 99]),
      servico: s.um([1, 2, 3, 4, 5, 6, 7]),
      contrato: s.um(['1', '2026 / 000123', 'y'.repeat(20)]),
      inicioDoContrato: somarDias(data, -s.ate(3000)),
      fimDoContrato: s.um([null, somarDias(data, s.ate(300))]),
    },
    itens: itensSorteados(s, crt, finalidade),
    retencoes:
      s.numero() < 0.15
        ? s.um([
            { pis: 6500, cofins: 30_000, csll: 10_000, irrf: 48_000 },
            { pis: 0, cofins: 0, csll: 0, irrf: 15_000 },
            { pis: s.ate(20_001), cofins: s.ate(20_001), csll: s.ate(20_001), irrf: 0 },
          ])
        : null,
    ibsCbs: {
      ...IBS_CBS_PADRAO,
      aliquotas: [
        ...IBS_CBS_PADRAO.aliquotas,
        { desde: '2027-01-01' as Data, ibsUf: s.ate(60_000), ibsMunicipio: s.ate(60_000), cbs: s.ate(120_000) },
      ],
    },
    fatura: ajuste
      ? null
      : {
          competencia: data.slice(0, 7).replace('-', ''),
          vencimento: somarDias(data, s.ate(40)),
          periodo: s.um([null, { inicio: somarDias(data, -30), fim: data }]),
          linhaDigitavel: linhaSorteada(s, somarDias(data, 10)),
          debitoAutomatico: s.um([null, '1', '12345678901234567890']),
          pix: s.um([null, '00020126580014br.gov.bcb.pix0136a&b<c>*** 6304ABCD']),
        },
    autorizados: s.um([[], [cpfSorteado(s)], [cnpjSorteado(s), cpfSorteado(s)]]),
    informacoesAoFisco: s.um([null, 'Regime especial nº 1.234/2026 – art. 5º, § 2º']),
    informacoesComplementares: s.um([
      [],
      [''],
      ['Optante pelo Simples Nacional'],
      ['a'.repeat(3000), 'b', 'c', 'd', 'e'],
    ]),
    responsavelTecnico: s.um([
      null,
      null,
      {
        cnpj: cnpjSorteado(s),
        contato: 'Equipe técnica',
        email: 'nfcom@exemplo.com.br',
        telefone: '1130000000',
        csrt: null,
      },
      {
        cnpj: cnpjSorteado(s),
        contato: 'Equipe técnica',
        email: 'nfcom@exemplo.com.br',
        telefone: '+55 (11) 93000-0000',
        csrt: { id: '001', codigo: 'G8063VRTNDMO886SFNK5LDUDEI24XJ22YIPO' },
      },
    ]),
  };
}

function finalidadeSorteada(s: Sorteio): Finalidade {
  const n = s.numero();
  if (n < 0.05) return { tipo: 'ajuste', entrada: s.numero() < 0.5 };
  if (n < 0.12) return { tipo: 'substituicao', chave: chaveSorteada(s), motivo: s.um(['01', '02', '03', '04', '05']) };
  return { tipo: 'normal' };
}

function chaveSorteada(s: Sorteio): string {
  return montarChave({
    uf: s.um([...CODIGO_DA_UF.keys()]),
    mes: '2607',
    cnpj: cnpjSorteado(s),
    serie: s.ate(1000),
    numero: 1 + s.ate(999_999_999),
    tipoDeEmissao: 1,
    siteAutorizador: 0,
    codigoNumerico: digitos(s, 7),
  });
}

/** Deductions are less than what is charged, so that the note is worth something. */
function itensSorteados(s: Sorteio, crt: Crt, finalidade: Finalidade): ItemDaNota[] {
  const quantos = s.numero() < 0.01 ? 989 : 1 + s.ate(5);
  const itens = Array.from({ length: quantos }, () => itemSorteado(s, crt));
  const [primeiro] = itens;
  if (s.numero() < 0.15 && primeiro !== undefined && primeiro.valorUnitario > 100) {
    itens.push({
      ...primeiro,
      quantidade: 10_000,
      valorUnitario: centavos(1 + s.ate(20)),
      desconto: centavos(0),
      acrescimo: centavos(0),
      ...s.um([
        { classe: '5900501', devolucao: false },
        { classe: primeiro.classe, devolucao: true },
      ]),
    });
  }
  if (finalidade.tipo !== 'ajuste') return itens;
  const chave = chaveSorteada(s);
  return itens.map((item, n) => ({ ...item, anterior: { chave, item: n + 1 } }));
}

function itemSorteado(s: Sorteio, crt: Crt): ItemDaNota {
  const valorUnitario = precoSorteado(s);
  const quantidade = s.um([10_000, 10_000, 10_000, 1 + s.ate(99_999), 3_333]);
  const bruto = Math.floor((valorUnitario * quantidade) / 10_000);
  const tributos = tributosSorteados(s, crt);
  // What is rounded to nothing would make a note without value.
  const pequeno = bruto < 1000;
  return itemDeExemplo({
    codigo: s.um(['PLANO500', 'á', 'z'.repeat(60)]),
    descricao: s.um(['Internet fibra 500 Mbps – “turbo”', 'SVA', 'Descrição comprida '.repeat(12)]),
    classe: s.um(['0400401', '0600601', '0100201', '1000401']),
    cfop: tributos.icms.cst === 'fora' ? null : s.um(['5307', '5303', '6302', '5933', '1205']),
    unidade: s.um([1, 2, 3, 4]),
    quantidade: pequeno ? 10_000 : quantidade,
    valorUnitario,
    desconto: centavos(pequeno || s.numero() < 0.7 ? 0 : s.ate(Math.min(bruto - 500, 900_000_000))),
    acrescimo: centavos(s.numero() < 0.8 ? 0 : s.ate(5000)),
    tributos,
    ibsCbs: s.um([
      { cst: '000', classe: '000001', tributado: true },
      { cst: '000', classe: '000001', tributado: true },
      { cst: '410', classe: '410999', tributado: false },
    ]),
    informacoes: s.um([null, null, 'Período de 01/11 a 30/11', 'i'.repeat(500)]),
  });
}

const precoSorteado = (s: Sorteio): Centavos =>
  centavos(s.um([1 + s.ate(100), 9990, 1 + s.ate(100_000), 1 + s.ate(100_000), 1 + s.ate(10_000_000), 1_000_000_000]));

function tributosSorteados(s: Sorteio, crt: Crt): TributosDoItem {
  const contribuicao = (): Contribuicao | null =>
    crt === 3
      ? s.um<Contribuicao | null>([
          null,
          { cst: '01', aliquota: s.um([6500, 30_000, 16_500, 76_000, s.ate(100_000)]) },
          { cst: '02', aliquota: s.ate(50_000) },
          { cst: s.um(['06', '07', '08', '09']), aliquota: 0 },
        ])
      : s.um<Contribuicao | null>([null, { cst: '49', aliquota: 0 }]);
  const semFundos = crt === 1 || s.numero() < 0.3;
  return {
    icms: icmsSorteado(s, crt),
    pis: contribuicao(),
    cofins: contribuicao(),
    icmsForaDaBase: s.numero() < 0.7,
    fust: semFundos ? null : s.um([10_000, s.ate(20_000)]),
    funttel: semFundos ? null : s.um([5000, s.ate(20_000)]),
  };
}

function icmsSorteado(s: Sorteio, crt: Crt): Icms {
  if (s.numero() < 0.25) return { cst: 'fora' };
  if (crt === 1) return { cst: 'simples' };
  const aliquota = 100 * s.um([1800, 2050, 0, 2500, s.ate(3500)]);
  const fcp = s.um([null, null, 20_000, s.ate(40_000)]);
  const beneficio: Beneficio | null = s.um([null, { codigo: s.um(['SP010001', 'X']), aliquotaCheia: 180_000 }]);
  return s.um<Icms>([
    { cst: '00', aliquota, fcp },
    { cst: '00', aliquota, fcp },
    { cst: '20', aliquota, reducao: 100 * s.ate(10_001), fcp, beneficio },
    { cst: s.um(['40', '41', '51']), beneficio },
    { cst: '90', aliquota: s.um([null, aliquota]), fcp: null, beneficio },
    { cst: '90', aliquota, fcp, beneficio },
  ]);
}

const digitos = (s: Sorteio, n: number): string => Array.from({ length: n }, () => s.ate(10)).join('');

function cpfSorteado(s: Sorteio): string {
  const base = `${1 + s.ate(8)}${digitos(s, 7)}9`;
  return base + digitosCpf(base);
}

/** One of four has letters. */
function cnpjSorteado(s: Sorteio): string {
  const base =
    s.numero() < 0.25 ? `${digitos(s, 2)}ABC${digitos(s, 3)}0${s.um(['1Z', '01', 'DE'])}1` : `1${digitos(s, 7)}0001`;
  return base + digitosCnpj(base);
}

const municipio = (s: Sorteio, uf: string): string => `${CODIGO_DA_UF.get(uf)}${digitos(s, 5)}`;

const enderecoSorteado = (s: Sorteio, uf: string): EnderecoDaNota => ({
  logradouro: s.um(['Rua das Fibras', 'Av. São João – lado ímpar', 'R'.repeat(61), 'Rua “A” & B']),
  numero: s.um(['100', '', 'S/N', 'km 12,5', 'n'.repeat(70)]),
  complemento: s.um([null, '', 'Casa 2', 'Bloco B > apto 12']),
  bairro: s.um(['Centro', "Jardim D'Água & Luz"]),
  codigoDoMunicipio: municipio(s, uf),
  municipio: s.um(['Campinas', "Santa Bárbara d'Oeste"]),
  cep: digitos(s, 8),
  uf,
  telefone: s.um([null, '', '1930000000', '+55 19 93000-0000', '123']),
  email: s.um([null, 'a@b.co', 'sem arroba', 'ção@exemplo.com.br']),
});

function linhaSorteada(s: Sorteio, vencimento: Data): string {
  const valor = centavos(1 + s.ate(9_999_999));
  const boleto = gerarCodigoBarras({
    banco: s.um(['001', '237', '756']),
    vencimento,
    valor,
    campoLivre: digitos(s, 25),
  });
  const linha = linhaDigitavel(boleto);
  return s.um([linha, `${linha.slice(0, 5)}.${linha.slice(5, 10)} ${linha.slice(10)}`, ARRECADACAO]);
}

/** A slip of a utility, 48 digits. */
const ARRECADACAO = linhaDigitavel('84630000000185000012345602205926082200000000');
