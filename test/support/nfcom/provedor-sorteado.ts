import { criarCalendarioBancario } from '../../../src/brazil/calendario/calendario-bancario.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { IBS_CBS_PADRAO } from '../../../src/brazil/nfcom/itens/ibs-cbs.ts';
import type { TributosDoItem } from '../../../src/brazil/nfcom/base/tributos.types.ts';
import type { ContratoAFaturar } from '../../../src/domain/faturamento/faturamento.types.ts';
import { autorizadorDaUf } from '../../../src/domain/nfcom/autorizador/autorizadores.ts';
import type { ConfiguracaoNfcom } from '../../../src/domain/nfcom/configuracao/configuracao.types.ts';
import type { GrupoFiscal, ParteDoPreco, ServicoNfcom } from '../../../src/domain/nfcom/servicos/servicos.types.ts';
import type { Provedor } from '../../../src/domain/provedores/provedores.types.ts';
import type { sorteio } from '../sorteio.ts';

type Sorteio = ReturnType<typeof sorteio>;

export const ENDERECO_SORTEADO = {
  cep: '37130001',
  logradouro: 'Rua das Flores – fundos',
  numero: '100',
  complemento: null,
  bairro: 'Centro',
  cidade: 'Alfenas',
  uf: 'MG',
};
const DO_SCM = { servicoId: 1, descricao: null, percentual: null, valor: null };

/** The class of what is internet access; of the others none has ICMS. */
export const CLASSE_DO_SCM = '0400401';

export const provedorSorteado = (s: Sorteio): Provedor => ({
  id: 1,
  nome: 'Serra Azul',
  panelHost: 'serraazul.exemplo.com.br',
  fusoHorario: s.um(['America/Sao_Paulo', 'America/Rio_Branco', 'America/Noronha']),
  cnpj: '11222333000181',
  viveFora: false,
  mudando: false,
  appEditaCadastro: false,
  buscas: { emVaoPorHora: 30, clientesPorHora: 300 },
  contas: [
    {
      id: 1,
      nome: 'Conta',
      cnpj: null,
      padrao: true,
      recebedor: s.numero() < 0.5 ? null : { chave: 'pix@exemplo.com.br', nome: 'Serra Azul', cidade: 'Alfenas' },
      pix: { chave: null, nome: null, cidade: null },
      boleto: { banco: null, agenciaCodigo: null, carteira: null },
    },
  ],
  regras: {
    multaPercentual: 200,
    jurosMensalPercentual: 100,
    carenciaDias: 0,
    toleranciaPixDias: 0,
    excedenteViraCredito: true,
    desbloqueioHabilitado: false,
    desbloqueioDias: 3,
    promessaDias: 0,
    calendario: criarCalendarioBancario('MG'),
  },
});

export const configuracaoSorteada = (s: Sorteio, crt: 1 | 2 | 3, linhaFixa: string | null): ConfiguracaoNfcom => ({
  automatica: false,
  automaticaDesde: null,
  ambiente: s.um(['producao', 'homologacao']),
  serie: 1,
  proximoNumero: 1,
  crt,
  emitente: {
    ...ENDERECO_SORTEADO,
    cnpj: '11222333000181',
    inscricaoEstadual: '0012345678901',
    razaoSocial: 'Serra Azul Telecom Ltda',
    nomeFantasia: null,
    municipioCodigo: '3101607',
    telefone: null,
    email: null,
  },
  semBoleto: linhaFixa === null ? 'recusar' : 'linha_fixa',
  linhaFixa,
  contingencia: null,
  cancelamentoHoras: 120,
  simultaneas: 8,
  esquema: 'NT2025.001',
  ibsCbs: IBS_CBS_PADRAO,
  ibsCbsProprio: false,
  autorizador: autorizadorDaUf(s.um(['MG', 'RS', 'SP'])),
  autorizadorProprio: false,
  autorizados: [],
  informacoes: s.um([null, 'ANATEL: 1331']),
  responsavel: null,
  casExtras: 0,
  existe: true,
  versao: '1',
});

export const servicosDeExemplo = (): ServicoNfcom[] =>
  [
    { codigo: 'INTERNET', descricao: 'Acesso à internet', classe: CLASSE_DO_SCM, cfop: '5307', grupoId: 1 },
    { codigo: 'SVA', descricao: 'Serviço de valor adicionado', classe: '0600601', cfop: null, grupoId: 2 },
    { codigo: 'STREAM', descricao: 'Filmes', classe: '0600201', cfop: null, grupoId: 2 },
    { codigo: 'ROTEADOR', descricao: 'Locação de roteador', classe: '0800601', cfop: null, grupoId: 2 },
    { codigo: 'TAXA', descricao: 'Taxa', classe: '1000701', cfop: null, grupoId: 2 },
  ].map((um, n) => ({ ...um, id: n + 1, unidade: 4 as const, versao: '1' }));

export function gruposSorteados(s: Sorteio, crt: 1 | 2 | 3): GrupoFiscal[] {
  const contribuicao = crt === 3 ? { pis: 6500, cofins: 30_000 } : null;
  const de = (aliquota: number) => ({ cst: '01' as const, aliquota });
  const fundos = crt === 3 ? { fust: 10_000, funttel: 5000 } : { fust: null, funttel: null };
  const pisCofins = {
    pis: contribuicao === null ? null : de(contribuicao.pis),
    cofins: contribuicao === null ? null : de(contribuicao.cofins),
  };
  const icms: TributosDoItem['icms'] =
    crt === 1
      ? { cst: 'simples' }
      : s.um<TributosDoItem['icms']>([
          { cst: '00', aliquota: 180_000, fcp: null },
          { cst: '00', aliquota: 205_000, fcp: 20_000 },
          { cst: '20', aliquota: 180_000, reducao: 333_300, fcp: null, beneficio: null },
        ]);
  const ibsCbs = { cst: '000', classe: '000001', tributado: true };
  return [
    {
      id: 1,
      nome: 'SCM',
      tributos: { icms, ...pisCofins, icmsForaDaBase: s.numero() < 0.5, ...fundos },
      ibsCbs,
      versao: '1',
    },
    {
      id: 2,
      nome: 'Fora',
      tributos: { icms: { cst: 'fora' }, ...pisCofins, icmsForaDaBase: false, fust: null, funttel: null },
      ibsCbs,
      versao: '1',
    },
  ];
}

/** Fixed parts are of the cheapest contract's price, and leave something of it. */
export function reparticoesSorteadas(
  s: Sorteio,
  contratos: readonly ContratoAFaturar[],
): Map<string, readonly ParteDoPreco[]> {
  const menor = Math.min(...contratos.map(({ valor }) => valor));
  const fixa = (servicoId: number, por: number): ParteDoPreco => ({
    ...DO_SCM,
    servicoId,
    valor: centavos(1 + Math.floor((menor * s.numero()) / por)),
  });
  const porCento = (servicoId: number, percentual: number): ParteDoPreco => ({ ...DO_SCM, servicoId, percentual });
  const partes = s.um<() => ParteDoPreco[]>([
    () => [DO_SCM],
    () => [DO_SCM, porCento(2, s.ate(900_000))],
    () => [fixa(2, 1.1), DO_SCM],
    () => [DO_SCM, fixa(2, 2)],
    () => [fixa(2, 3), porCento(3, s.ate(400_000)), DO_SCM],
    () => [porCento(1, 600_000), porCento(2, 250_001), porCento(3, 149_999)],
  ])();
  const todas = new Map<string, readonly ParteDoPreco[]>([[s.um(['provedor', 'plano:3']), partes]]);
  if (!todas.has('provedor')) todas.set('provedor', [DO_SCM]);
  if (s.numero() < 0.2) todas.set('contrato:10', [porCento(1, 1_000_000)]);
  if (s.numero() < 0.6) todas.set('recorrente', [{ ...DO_SCM, servicoId: 4 }]);
  if (s.numero() < 0.6) todas.set('unico', [{ ...DO_SCM, servicoId: 5 }]);
  return todas;
}
