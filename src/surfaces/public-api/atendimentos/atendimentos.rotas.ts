import type { Dominio } from '../../../domain/dominio.ts';
import { idNoCaminho, protocoloNaConsulta } from '../../../objects/consulta.ts';
import { exigir } from '../erros.ts';
import { comPaginacao, paginaPedida, rota } from '../rota.ts';
import { apresentarAtendimento } from './atendimentos.presenter.ts';
import {
  atendimentoSchema,
  consultaDeAtendimentos,
  corpoDeAtendimento,
  exemploAtendimento,
} from './atendimentos.schemas.ts';

export const rotasDeAtendimentos = [
  rota.post({
    path: '/atendimentos',
    permission: 'chamados:escrita',
    group: 'Atendimentos',
    summary: 'Anota um contato e lhe dá um protocolo',
    description:
      'O protocolo é o número que se diz ao assinante. Um chamado, um desbloqueio de confiança e um reinício da conexão já têm o seu.',
    body: { schema: corpoDeAtendimento, required: true },
    data: atendimentoSchema,
    example: exemploAtendimento,
    success: 201,
    errors: ['nao_encontrado', 'contrato_invalido'],
    async run({ body, domain, writes }) {
      const protocolo = await writes.atendimentos.registrar({
        clienteId: body.cliente_id ?? null,
        contratoId: body.contrato_id ?? null,
        canal: body.canal,
        assunto: body.assunto,
        resumo: body.resumo || null,
      });
      return { data: await ler(domain, protocolo) };
    },
  }),
  rota.get({
    path: '/atendimentos/{protocolo}',
    params: { protocolo: protocoloNaConsulta },
    permission: 'chamados:leitura',
    group: 'Atendimentos',
    summary: 'Lê o contato de um protocolo',
    reading: 'record',
    data: atendimentoSchema,
    example: exemploAtendimento,
    errors: ['nao_encontrado'],
    async run({ params: { protocolo }, domain }) {
      return { data: await ler(domain, protocolo) };
    },
  }),
  rota.get({
    path: '/clientes/{id}/atendimentos',
    params: { id: idNoCaminho },
    permission: 'chamados:leitura',
    group: 'Atendimentos',
    summary: 'Lista os contatos de um cliente',
    description: 'Do mais novo para o mais antigo, com os chamados, os desbloqueios e os reinícios entre eles.',
    reading: 'person',
    paged: true,
    query: consultaDeAtendimentos,
    data: { type: 'array', items: atendimentoSchema },
    example: [exemploAtendimento],
    errors: ['nao_encontrado'],
    async run({ params: { id }, query, domain }) {
      const pagina = paginaPedida(query);
      const lida = await domain.atendimentos.listarDoCliente(id, pagina);
      exigir(lida, 'nao_encontrado');
      return comPaginacao(lida, pagina, apresentarAtendimento);
    },
  }),
];

async function ler({ atendimentos }: Dominio, protocolo: string) {
  const atendimento = await atendimentos.buscarPorProtocolo(protocolo);
  exigir(atendimento, 'nao_encontrado');
  return apresentarAtendimento(atendimento);
}
