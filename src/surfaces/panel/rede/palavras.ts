import type { AlvoDeAviso, Aviso } from '../../../domain/rede/avisos/avisos.types.ts';
import type { Periodo, Servidor } from '../../../domain/rede/panorama/panorama.types.ts';
import type { UsoDeCoa } from '../../../domain/rede/rede.types.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';

const ESTADOS = {
  ativo: ['ativo', 'green'],
  silencioso: ['silencioso', 'orange'],
  sem_noticia: ['sem notícia', 'secondary'],
} as const;

export const estadoDoServidor = ({ estado }: Pick<Servidor, 'estado'>): Html => {
  const [dito, cor] = ESTADOS[estado];
  return etiqueta(dito, cor);
};

export const PERIODOS = { '24h': '24 h', '7d': '7 dias', '31d': '31 dias' } as const satisfies Record<Periodo, string>;

export const TIPOS = {
  interrupcao: 'Interrupção',
  degradacao: 'Lentidão ou instabilidade',
  manutencao: 'Manutenção programada',
  informativo: 'Informativo',
} as const satisfies Record<Aviso['tipo'], string>;

export const ORIGENS = { equipe: 'da equipe', detectado: 'detectado' } as const satisfies Record<
  Aviso['origem'],
  string
>;

const SITUACOES = {
  agendado: ['agendado', 'blue'],
  aberto: ['aberto', 'orange'],
  encerrado: ['encerrado', 'secondary'],
} as const;

export const situacaoDoAviso = ({ situacao }: Pick<Aviso, 'situacao'>): Html => {
  const [dito, cor] = SITUACOES[situacao];
  return etiqueta(dito, cor);
};

export const USOS: Readonly<Record<UsoDeCoa, string>> = {
  nao: 'Nada: a sessão é encerrada e volta com o que mudou',
  velocidade: 'A velocidade; bloqueio e liberação encerram a sessão',
  tudo: 'A velocidade, o bloqueio e a liberação',
};

/** A server by its name, or by its address while it has none. */
export const nomeDoServidor = ({ endereco, nome }: Pick<Servidor, 'endereco' | 'nome'>): string => nome ?? endereco;

/** Names of what a notice may cover. */
export interface Nomes {
  readonly servidores: ReadonlyMap<string, string>;
  readonly pops: ReadonlyMap<number, string>;
  readonly planos: ReadonlyMap<number, string>;
}

/** What a notice covers, in words: 'servidor bng-1, plano Fibra 500'. */
export const alvosEmPalavras = (alvos: readonly AlvoDeAviso[], nomes: Nomes): string =>
  alvos.map((alvo) => alvoEmPalavras(alvo, nomes)).join(', ');

function alvoEmPalavras(alvo: AlvoDeAviso, { servidores, pops, planos }: Nomes): string {
  switch (alvo.tipo) {
    case 'nas':
      return `servidor ${servidores.get(alvo.nas) ?? alvo.nas}${alvo.porta === undefined ? '' : `, porta ${alvo.porta}`}`;
    case 'pop':
      return `POP ${pops.get(alvo.id) ?? `nº ${alvo.id}, removido`}`;
    case 'plano':
      return `plano ${planos.get(alvo.id) ?? `nº ${alvo.id}`}`;
    case 'cidade':
      return alvo.cidade;
    case 'bairro':
      return `${alvo.bairro} (${alvo.cidade})`;
    case 'todos':
      break;
  }
  return 'todos os contratos';
}

/** Bits a second as people say them: '8,1 Gb/s'. */
export function taxa(bits: number): string {
  const unidades = ['b/s', 'kb/s', 'Mb/s', 'Gb/s', 'Tb/s'];
  const grau = bits < 1 ? 0 : Math.min(unidades.length - 1, Math.floor(Math.log10(bits) / 3));
  return `${(bits / 1000 ** grau).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ${unidades[grau] ?? ''}`;
}

/** The clock of an instant at the provider's place, to the second: '14:02:10'. */
export const relogioDe = (fuso: string, quando: Date): string =>
  new Intl.DateTimeFormat('pt-BR', { timeZone: fuso, timeStyle: 'medium' }).format(quando);
