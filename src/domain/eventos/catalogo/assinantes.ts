import { CATEGORIAS_DE_CHAMADO, PRIORIDADES_DE_CHAMADO, SITUACOES_DE_CHAMADO } from '../../chamados/chamados.types.ts';
import { campos, evento, id, idOuNulo, instante, semDados } from './evento.ts';

/** What may change of a ticket that others see. */
const CAMPOS_DITOS = ['situacao', 'prioridade', 'categoria', 'solucao', 'agendamento', 'comentario'] as const;
const situacao = { enum: SITUACOES_DE_CHAMADO } as const;

/** What happens with tickets and invites. */
export const DOS_ASSINANTES = {
  'chamado.aberto': evento({
    descricao: 'Abriu-se um chamado.',
    sai: true,
    dados: campos({
      cliente: id,
      contrato: idOuNulo,
      prioridade: { enum: PRIORIDADES_DE_CHAMADO },
      categoria: { enum: [...CATEGORIAS_DE_CHAMADO, null] },
    }),
    exemplo: { cliente: 12, contrato: 34, prioridade: 'normal', categoria: 'TECNICO' },
  }),
  'chamado.atualizado': evento({
    descricao: 'Mudou algo num chamado, ou alguém o comentou.',
    sai: true,
    // entrada, por: of a comment alone, which entry of the history it is, and whose.
    dados: campos(
      {
        cliente: id,
        contrato: idOuNulo,
        campos: { type: 'array', items: { enum: CAMPOS_DITOS } },
        de: situacao,
        para: situacao,
        entrada: id,
        por: { enum: ['cliente', 'equipe', 'api'] },
      },
      ['entrada', 'por'],
    ),
    exemplo: { cliente: 12, contrato: null, campos: ['situacao', 'solucao'], de: 'aberto', para: 'solucionado' },
  }),
  'chamado.atribuido': evento({
    descricao: 'Disse-se, ou deixou de se dizer, quem da equipe atende um chamado.',
    sai: true,
    dados: campos({ cliente: id, de: idOuNulo, para: idOuNulo }),
    exemplo: { cliente: 12, de: null, para: 3 },
  }),
  'chamado.proximo': evento({
    descricao: 'A visita de um chamado começa em até uma hora.',
    sai: false,
    dados: campos({ cliente: id, agendado_para: instante }),
    exemplo: { cliente: 12, agendado_para: '2026-11-25T12:00:00.000Z' },
  }),
  'chamado.anotado': evento({
    descricao: 'A equipe anotou algo num chamado, só para si.',
    sai: false,
    dados: campos({ cliente: id }),
    exemplo: { cliente: 12 },
  }),
  'chamado.visita_alterada': evento({
    descricao: 'Mudou quanto dura a visita de um chamado, mas não quando é.',
    sai: false,
    dados: campos({ cliente: id, minutos: id }),
    exemplo: { cliente: 12, minutos: 90 },
  }),
  'convite.criado': evento({
    descricao: 'Criou-se um convite de pré-cadastro.',
    sai: false,
    dados: campos({
      plano: idOuNulo,
      dia_vencimento: { type: ['integer', 'null'], minimum: 1, maximum: 31 },
      expira_em: instante,
    }),
    exemplo: { plano: 2, dia_vencimento: null, expira_em: '2026-11-30T15:00:00.000Z' },
  }),
  'convite.revogado': semDados(false, 'Revogou-se um convite que ninguém tinha usado.'),
  'convite.expirado': semDados(false, 'Passou o prazo de um convite que ninguém usou.'),
} as const;
