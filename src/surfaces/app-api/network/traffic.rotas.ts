import { exigir } from '../erros.ts';
import { rota } from '../rota.ts';
import { apresentarTrafego, consultaDeTrafego, exemploTraffic, lerPedido, trafficSchema } from './traffic.ts';

export const rotasDoTrafego = [
  rota.get({
    path: '/network/traffic',
    permission: { chave: 'rede:leitura', equipe: 'rede.ver' },
    group: 'Rede',
    summary: 'Lê quanto passou pela rede, por um servidor ou por um contrato',
    description:
      'Um byte é da hora e do dia em que a rede falou dele. O que falta da consulta são as últimas 24 horas.',
    reading: 'person',
    query: consultaDeTrafego,
    data: trafficSchema,
    example: exemploTraffic,
    errors: ['nao_encontrado'],
    async run({ query, session: { at }, domain }) {
      const { intervalo, de, ate, quem } = lerPedido(query, at);
      if ('contratoId' in quem) exigir(await domain.contratos.buscarPorId(quem.contratoId), 'nao_encontrado');
      else if (quem.nas !== undefined) exigir(await domain.rede.temServidor(quem.nas), 'nao_encontrado');
      return { data: apresentarTrafego(intervalo, await domain.trafego.serie(intervalo, de, ate, quem), at) };
    },
  }),
];
