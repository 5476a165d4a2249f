import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import { DIA, HORA, MINUTO } from './calendario.ts';
import type { Linha } from './modelo.ts';

/** Where a contract is, for a notice that covers its district. */
interface Lugar {
  readonly cidade: string | null;
  readonly bairro: string | null;
}

/**
 * Notices of the network: one that staff have open, of a district; one that was detected of the first server yesterday, and closed as the
 * lines came back; and one of a maintenance to come.
 */
export function linhasDeAvisos({ agora, nas, lugar }: { agora: Date; nas: string; lugar: Lugar }): {
  avisos: Linha[];
  alvos: Linha[];
} {
  const em = (ms: number): string => toDatabaseTime(new Date(agora.getTime() + ms));
  const daEquipe = { origem: 'equipe', autor: 'Demonstração', fim: null };
  const semDeteccao = { detectado_nas: null, detectado_de: null, detectado_ate: null, detectado_quedas: null };
  const avisos: Linha[] = [
    {
      ...daEquipe,
      ...semDeteccao,
      tipo: 'interrupcao',
      titulo: `Rompimento de fibra em ${lugar.bairro ?? 'um bairro'}`,
      texto: 'Um rompimento de fibra deixou o seu bairro sem conexão. A equipe já está no local.',
      inicio: em(-40 * MINUTO),
      previsao: em(3 * HORA),
      criado_em: em(-35 * MINUTO),
      atualizado_em: em(-35 * MINUTO),
    },
    {
      tipo: 'interrupcao',
      titulo: 'Interrupção identificada',
      texto:
        'Identificamos uma interrupção que deixou parte dos clientes sem conexão. A nossa equipe já foi avisada e trabalha para normalizar.',
      origem: 'detectado',
      autor: 'tarefa',
      inicio: em(-DIA),
      previsao: null,
      fim: em(-DIA + 22 * MINUTO),
      criado_em: em(-DIA),
      atualizado_em: em(-DIA + 22 * MINUTO),
      detectado_nas: nas,
      detectado_de: em(-DIA),
      detectado_ate: em(-DIA + MINUTO),
      detectado_quedas: 64,
    },
    {
      ...daEquipe,
      ...semDeteccao,
      tipo: 'manutencao',
      titulo: 'Manutenção programada',
      texto: 'Vamos trocar um equipamento de madrugada. A conexão pode cair por alguns minutos.',
      inicio: em(3 * DIA),
      previsao: em(3 * DIA + 2 * HORA),
      criado_em: em(-2 * HORA),
      atualizado_em: em(-2 * HORA),
    },
  ];
  const alvos: Linha[] = [
    lugar.cidade === null || lugar.bairro === null
      ? { aviso_id: 0, tipo: 'nas', texto: nas, cidade: null }
      : { aviso_id: 0, tipo: 'bairro', texto: lugar.bairro, cidade: lugar.cidade },
    { aviso_id: 1, tipo: 'nas', texto: nas, cidade: null },
    { aviso_id: 2, tipo: 'nas', texto: nas, cidade: null },
  ];
  return { avisos, alvos };
}
