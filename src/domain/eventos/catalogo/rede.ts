import { campos, evento, id, idOuNulo, instante, nomes, quantos, semDados } from './evento.ts';

const tipo = { enum: ['interrupcao', 'degradacao', 'manutencao', 'informativo'] } as const;
const origem = { enum: ['equipe', 'detectado'] } as const;

/** What a provider has its network told. */
export const DA_REDE = {
  'provedor.rede_configurada': evento({
    descricao: 'Mudaram campos do que a rede do provedor ouve.',
    sai: false,
    dados: campos({ campos: nomes }),
    exemplo: { campos: ['bloqueio', 'bloqueio_nome'] },
  }),
  'provedor.rede_aplicada': evento({
    descricao: 'Mandou-se conferir na rede todos os logins do provedor.',
    sai: false,
    dados: campos({ contratos: quantos }),
    exemplo: { contratos: 1200 },
  }),
  'rede.aviso_aberto': evento({
    descricao: 'Abriu-se um aviso de rede; quantos alvos tem, e de que espécies são.',
    sai: true,
    dados: campos({ tipo, origem, alvos: nomes }),
    exemplo: { tipo: 'interrupcao', origem: 'equipe', alvos: ['nas', 'cidade'] },
  }),
  'rede.aviso_alterado': evento({
    descricao: 'Mudaram campos de um aviso de rede aberto.',
    sai: true,
    dados: campos({ campos: nomes }),
    exemplo: { campos: ['previsao'] },
  }),
  'rede.aviso_encerrado': evento({
    descricao: 'Encerrou-se um aviso de rede.',
    sai: true,
    dados: campos({ tipo, origem }),
    exemplo: { tipo: 'interrupcao', origem: 'equipe' },
  }),
  'nas.silenciaram': evento({
    descricao:
      'De servidores que tinham sessões não se ouve mais nada; por endereço e pelo nome, e desde quando não se ouve do primeiro.',
    sai: false,
    dados: campos({ nas: nomes, nomes, desde: instante }),
    exemplo: { nas: ['192.0.2.1'], nomes: ['bng-1'], desde: '2026-11-24T15:00:00.000Z' },
  }),
  'pop.criado': semDados(false, 'Criou-se um POP, em que ficam servidores da rede.'),
  'pop.alterado': evento({
    descricao: 'Mudaram campos de um POP.',
    sai: false,
    dados: campos({ campos: nomes }),
    exemplo: { campos: ['nome'] },
  }),
  'pop.removido': semDados(false, 'Removeu-se um POP em que não havia servidor.'),
  'nas.mudou_de_pop': evento({
    descricao: 'Um NAS passou a outro POP, ou a nenhum.',
    sai: false,
    dados: campos({ nas: { type: 'string' }, pop: idOuNulo }),
    exemplo: { nas: '192.0.2.1', pop: 3 },
  }),
  'nas.coa_testado': evento({
    descricao: 'Perguntou-se a um NAS por uma sessão que não existe, para ver se responde.',
    sai: false,
    dados: campos({ nas: { type: 'string' }, resposta: { enum: ['ack', 'nak', 'nada', 'sem_segredo'] } }),
    exemplo: { nas: '192.0.2.1', resposta: 'nak' },
  }),
  'conexao.desconectada': evento({
    descricao: 'A equipe mandou encerrar as sessões abertas de um contrato; a linha volta a conectar.',
    sai: false,
    dados: campos({ pedido: id, sessoes: quantos }),
    exemplo: { pedido: 81, sessoes: 1 },
  }),
} as const;
