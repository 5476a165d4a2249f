import { noItau, noSicoob } from './boletos.ts';
import type { BeneficiarioDemo } from './boletos.ts';
import type { LinhaEndereco } from './modelo.ts';
import { LOGO_RIO_NEGRO, LOGO_SERRA_AZUL } from './logos.ts';
import { criarCalendarioBancario } from '../src/brazil/calendario/calendario-bancario.ts';
import type { RegrasCobranca } from '../src/domain/provedores/provedores.types.ts';

interface PlanoDemo {
  readonly nome: string;
  readonly download: number;
  readonly upload: number;
  /** In centavos. */
  readonly valor: number;
  readonly tecnologia: string | null;
  readonly descricao: string | null;
  readonly ativo: boolean;
  /** Of a hundred contracts, how many have this plan. */
  readonly peso: number;
}

export interface CidadeDemo {
  readonly nome: string;
  readonly uf: string;
  /** First five digits of the postal code. */
  readonly cep: string;
  readonly ddd: string;
}

type IdentidadeDemo = LinhaEndereco & {
  readonly razao_social: string;
  readonly cor: string;
  readonly logo: string;
  readonly telefone: string;
  readonly whatsapp: string;
  readonly email: string;
  readonly site: string;
  readonly boleto_banco: string;
  readonly boleto_agencia_codigo: string;
  readonly boleto_carteira: string;
};

/** Columns of `pops`. */
type PopDemo = {
  readonly nome: string;
  readonly cidade: string;
  readonly uf: string;
  readonly endereco: string;
};

/** What a provider of the demonstration is made of. */
export interface PerfilDemo {
  readonly semente: number;
  readonly nome: string;
  /** How the name shows in hosts, logins and groups. */
  readonly apelido: string;
  /** Browsers resolve what ends so by themselves. */
  readonly panelHost: string;
  /** Where it was before; a demonstration that is there moves. */
  readonly panelHostAntes: string;
  readonly fuso: string;
  /** First twelve digits of the CNPJ. */
  readonly cnpjBase: string;
  readonly pix: { readonly chave: string; readonly nome: string; readonly cidade: string };
  readonly banco: string;
  readonly titulo: BeneficiarioDemo;
  /** Columns of provedores_identidade; `logo` is a PNG in base64. */
  readonly identidade: IdentidadeDemo;
  readonly regras: RegrasCobranca;
  readonly nas: readonly string[];
  /** Where the servers stand, in their order. */
  readonly pops: readonly PopDemo[];
  readonly planos: readonly PlanoDemo[];
  readonly cidades: readonly CidadeDemo[];
}

const REGRAS: Omit<RegrasCobranca, 'calendario'> = {
  multaPercentual: 200,
  jurosMensalPercentual: 100,
  carenciaDias: 0,
  toleranciaPixDias: 1,
  excedenteViraCredito: false,
  desbloqueioHabilitado: true,
  promessaDias: 7,
  desbloqueioDias: 5,
};

const plano = (
  nome: string,
  [download, upload]: readonly [number, number],
  valor: number,
  peso: number,
  tecnologia: string | null,
  descricao: string | null,
): PlanoDemo => ({ nome, download, upload, valor, tecnologia, descricao, ativo: peso > 0, peso });

const cidade = (nome: string, uf: string, cep: string, ddd: string): CidadeDemo => ({ nome, uf, cep, ddd });

/** Two providers: one with trust unblocks and one without, in different time zones. */
export const PERFIS: readonly PerfilDemo[] = [
  {
    semente: 20_261_121,
    nome: 'Serra Azul Telecom',
    apelido: 'serraazul',
    panelHost: 'serraazul.localhost',
    panelHostAntes: 'painel.serraazul.malha.test',
    fuso: 'America/Sao_Paulo',
    cnpjBase: '318746250001',
    pix: { chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906', nome: 'SERRA AZUL TELECOM LTDA', cidade: 'POUSO ALEGRE' },
    banco: '756',
    titulo: noSicoob('3187', '0462500'),
    identidade: {
      razao_social: 'Serra Azul Telecomunicações Ltda',
      cep: '37550000',
      logradouro: 'Avenida Doutor Lisboa',
      numero: '410',
      complemento: 'Sala 3',
      bairro: 'Centro',
      cidade: 'Pouso Alegre',
      uf: 'MG',
      cor: '#164a8a',
      logo: LOGO_SERRA_AZUL,
      telefone: '3534210199',
      whatsapp: '35999990199',
      email: 'atendimento@serraazul.malha.test',
      site: 'serraazul.malha.test',
      boleto_banco: '756',
      boleto_agencia_codigo: '3187/46250-0',
      boleto_carteira: '1',
    },
    regras: { ...REGRAS, calendario: criarCalendarioBancario('MG') },
    nas: ['10.254.1.1', '10.254.1.2'],
    pops: [
      { nome: 'Centro', cidade: 'Pouso Alegre', uf: 'MG', endereco: 'Avenida Doutor Lisboa, 410' },
      { nome: 'Serra', cidade: 'Santa Rita do Sapucaí', uf: 'MG', endereco: 'Alto da Serra, s/n' },
    ],
    planos: [
      plano('Fibra 100', [100, 50], 6990, 14, 'FTTH', 'Para navegar e estudar, com Wi-Fi incluso.'),
      plano('Fibra 300', [300, 150], 8990, 26, 'FTTH', 'Wi-Fi 5 incluso e instalação grátis.'),
      plano('Fibra 500', [500, 250], 9990, 28, 'FTTH', 'Wi-Fi 6 incluso e instalação grátis.'),
      plano('Fibra 700 + Streaming', [700, 350], 12990, 14, 'FTTH', 'Wi-Fi 6 e um serviço de vídeo à escolha.'),
      plano('Fibra 1 Giga', [1000, 500], 14990, 9, 'FTTH', 'Wi-Fi 6 com dois pontos de acesso.'),
      plano('Empresarial 500 IP Fixo', [500, 500], 24990, 5, 'FTTH', 'IPv4 fixo e atendimento em até 4 horas.'),
      plano('Rural 20', [20, 5], 11990, 4, 'Rádio', 'Atendimento por rádio onde a fibra não chega.'),
      plano('Cabo 60', [60, 10], 7990, 0, 'HFC', null),
    ],
    cidades: [
      cidade('Pouso Alegre', 'MG', '37550', '35'),
      cidade('Itajubá', 'MG', '37500', '35'),
      cidade('Três Corações', 'MG', '37410', '35'),
      cidade('São Gonçalo do Sapucaí', 'MG', '37490', '35'),
      cidade('Campos do Jordão', 'SP', '12460', '12'),
    ],
  },
  {
    semente: 19_730_314,
    nome: 'Rio Negro Fibra',
    apelido: 'rionegro',
    panelHost: 'rionegro.localhost',
    panelHostAntes: 'painel.rionegro.malha.test',
    fuso: 'America/Manaus',
    cnpjBase: '427590180001',
    pix: { chave: 'c3a1f6de-62f5-4b6e-9d0b-5d0a2c1f4e77', nome: 'RIO NEGRO FIBRA S A', cidade: 'MANAUS' },
    banco: '341',
    titulo: noItau('4275', '90180', '109'),
    identidade: {
      razao_social: 'Rio Negro Fibra S.A.',
      cep: '69050001',
      logradouro: 'Avenida Djalma Batista',
      numero: '1661',
      complemento: null,
      bairro: 'Chapada',
      cidade: 'Manaus',
      uf: 'AM',
      cor: '#f2b705',
      logo: LOGO_RIO_NEGRO,
      telefone: '9232340177',
      whatsapp: '92999990177',
      email: 'ola@rionegro.malha.test',
      site: 'rionegro.malha.test',
      boleto_banco: '341',
      boleto_agencia_codigo: '4275/90180-1',
      boleto_carteira: '109',
    },
    regras: {
      ...REGRAS,
      carenciaDias: 2,
      desbloqueioHabilitado: false,
      desbloqueioDias: 3,
      calendario: criarCalendarioBancario('AM'),
    },
    nas: ['10.254.2.1', '10.254.2.2'],
    pops: [
      { nome: 'Adrianópolis', cidade: 'Manaus', uf: 'AM', endereco: 'Rua Salvador, 120' },
      { nome: 'Iranduba', cidade: 'Iranduba', uf: 'AM', endereco: 'Rodovia AM-070, km 12' },
    ],
    planos: [
      plano('Igarapé 200', [200, 100], 8490, 24, 'FTTH', 'Instalação grátis com fidelidade de 12 meses.'),
      plano('Igarapé 400', [400, 200], 10490, 30, 'FTTH', 'Wi-Fi 6 incluso.'),
      plano('Solimões 600', [600, 300], 12490, 20, 'FTTH', 'Wi-Fi 6 e telefone fixo ilimitado.'),
      plano('Amazonas 1 Giga', [1000, 500], 17990, 10, 'FTTH', 'Wi-Fi 6 com dois pontos de acesso.'),
      plano('Condomínio 300', [300, 300], 7990, 7, null, 'Só em condomínios conveniados.'),
      plano('Empresa Dedicado 100', [100, 100], 69900, 3, 'FTTH', 'Link dedicado, /30 público e SLA de 4 horas.'),
      plano('Ribeirinho 15', [15, 5], 13990, 6, 'Rádio', 'Comunidades atendidas por enlace de rádio.'),
      plano('Fibra 50', [50, 25], 6990, 0, 'FTTH', null),
    ],
    cidades: [
      cidade('Manaus', 'AM', '69050', '92'),
      cidade('Iranduba', 'AM', '69415', '92'),
      cidade('Manacapuru', 'AM', '69400', '92'),
      cidade('Presidente Figueiredo', 'AM', '69735', '92'),
      cidade('Tefé', 'AM', '69550', '97'),
    ],
  },
];

/** Logins that both providers have on purpose: only the NAS says whose a session is. */
export const LOGINS_COMPARTILHADOS: readonly string[] = [
  'ana.souza',
  'antonio.lima',
  'bruno.costa',
  'carla.mendes',
  'farmacia.central',
  'joao.silva',
  'jose.santos',
  'maria.oliveira',
  'mercado.bompreco',
  'padaria.real',
  'paulo.araujo',
  'rita.barbosa',
];
