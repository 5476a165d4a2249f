import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import type { Certeza, Consulta, QuemUsou } from '../../domain/registros/registros.service.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';

interface Opcoes {
  readonly provedor: number;
  readonly ip: string;
  readonly porta?: string;
  readonly instante: string;
  readonly motivo: string;
  readonly json?: boolean;
}

/** `malha registro-conexao …` */
export function comandosDeRegistroDeConexao(programa: Command, sessao: Sessao): void {
  const registro = grupo(programa.command('registro-conexao')).description(
    'registros de conexão (Marco Civil da Internet, art. 13): sigilosos, e cada pergunta fica na auditoria',
  );

  comando(registro.command('consultar'))
    .usage('--provedor <id> --ip <ip> --instante <instante> --motivo <ordem> [opções]')
    .description('diz quem usava um endereço num instante; de um IPv4 público de muitos, diga também a porta')
    .requiredOption('--provedor <id>', 'id do provedor', inteiro)
    .requiredOption('--ip <ip>', 'IPv4 ou IPv6')
    .option('--porta <porta>', 'porta de origem')
    .requiredOption('--instante <instante>', 'ISO 8601 com fuso, como 2026-11-20T14:03:09-03:00')
    .requiredOption('--motivo <ordem>', 'a ordem judicial que manda dizê-lo, pelo número; sem nome de ninguém')
    .option('--json', 'responde em JSON')
    .action(async ({ provedor, json, ...dados }: Opcoes) => {
      await sessao.comContainer(async ({ provedores, changeTenant }) => {
        const dele = await provedores.exigirPorId(provedor);
        const feita = await changeTenant(TERMINAL, dele, async (_, { registros }) => registros.quemUsou(dados));
        sessao.mostrar(json, apresentar(provedor, feita), linhasDe(feita, dados.porta));
      });
    });
}

const apresentar = (provedorId: number, { instante, tolerancia_segundos, incompleto, encontrados }: Consulta) => ({
  provedor_id: provedorId,
  instante,
  tolerancia_segundos,
  incompleto,
  encontrados,
});

const DITAS: Readonly<Record<Certeza, string>> = {
  confirmada: 'confirmada',
  na_tolerancia: 'na tolerância dos relógios',
  sem_sinal: 'sem sinal de vida então',
};

function linhasDe({ tolerancia_segundos: tolerancia, incompleto, encontrados }: Consulta, porta?: string): string[] {
  const total = encontrados.length === 0 ? 'Ninguém usava o endereço.' : `Sessões encontradas: ${encontrados.length}.`;
  const mais = porta === undefined ? ' Há mais: diga a porta.' : ' Há mais, que não estão aqui.';
  return [
    ...colunas(encontrados.map(emTexto)),
    `${total}${incompleto ? mais : ''} Relógios: tolerância de ${tolerancia} s.`,
  ];
}

const emTexto = ({ certeza, contrato_id, cliente, login, nas, mac, inicio, fim, portas }: QuemUsou): string[] => [
  DITAS[certeza],
  contrato_id === null ? 'sem contrato' : `contrato ${contrato_id}`,
  cliente === null ? '-' : `${cliente.nome} (${cliente.cpf_cnpj})`,
  login,
  `NAS ${nas}`,
  mac ?? '-',
  `${inicio.toISOString()} a ${fim?.toISOString() ?? 'agora'}`,
  portas === null ? '' : `portas ${portas.inicial} a ${portas.final}`,
];
