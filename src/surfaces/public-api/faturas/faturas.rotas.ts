import { lerData } from '../../../brazil/calendario/datas.ts';
import { idNoCaminho, instanteDe } from '../../../objects/consulta.ts';
import { apresentarFatura } from '../../../objects/faturas.presenter.ts';
import { exemploFatura, faturaSchema } from '../../../objects/faturas.schemas.ts';
import { exigir } from '../erros.ts';
import { rotaDosRemovidos } from '../removidos.ts';
import { comPaginacao, paginaPedida, rota } from '../rota.ts';
import { consultaDeFaturas, corpoDeEnvio, envioSchema, exemploEnvio } from './faturas.schemas.ts';

export const rotasDeFaturas = [
  rota.get({
    path: '/faturas',
    permission: 'financeiro:leitura',
    group: 'Faturas',
    summary: 'Lista faturas',
    description: 'Da mais nova para a mais antiga, pela emissão. As abertas trazem a segunda via.',
    reading: 'list',
    narrowedBy: ['cliente_id', 'contrato_id'],
    query: consultaDeFaturas,
    data: { type: 'array', items: faturaSchema },
    example: [exemploFatura],
    async run({ query, domain }) {
      const pagina = paginaPedida(query);
      const vencimentoDe = lerData(query.vencimento_de ?? '') ?? undefined;
      const vencimentoAte = lerData(query.vencimento_ate ?? '') ?? undefined;
      exigir(
        vencimentoDe === undefined || vencimentoAte === undefined || vencimentoDe <= vencimentoAte,
        'parametro_invalido',
        'vencimento_de: não pode ser depois de vencimento_ate.',
      );
      const filtro = {
        clienteId: query.cliente_id,
        contratoId: query.contrato_id,
        situacao: query.situacao,
        atualizadoDesde: instanteDe(query.atualizado_desde),
        vencimentoDe,
        vencimentoAte,
      };
      return comPaginacao(await domain.faturas.listar(filtro, pagina), pagina, apresentarFatura);
    },
  }),
  rotaDosRemovidos('faturas', 'Faturas', 'financeiro:leitura'),
  rota.get({
    path: '/faturas/{id}',
    params: { id: idNoCaminho },
    permission: 'financeiro:leitura',
    group: 'Faturas',
    summary: 'Lê uma fatura',
    description: 'Com a segunda via, se estiver aberta.',
    reading: 'record',
    data: faturaSchema,
    example: exemploFatura,
    errors: ['nao_encontrado'],
    async run({ params: { id }, domain }) {
      const fatura = await domain.faturas.buscarPorId(id);
      exigir(fatura, 'nao_encontrado');
      return { data: apresentarFatura(fatura) };
    },
  }),
  rota.post({
    path: '/faturas/{id}/enviar',
    params: { id: idNoCaminho },
    permission: { todas: ['financeiro:leitura', 'chamados:escrita'] },
    group: 'Faturas',
    summary: 'Envia a segunda via',
    description:
      'Ao e-mail do cadastro, ou, com evento, por quem o provedor tem para isso: o webhook fatura.segunda_via_pedida o diz a ele. A resposta vem antes de o e-mail sair. Cinco vezes por hora por fatura e dez por cliente, de todos os que a enviam juntos.',
    body: { schema: corpoDeEnvio, required: true },
    data: envioSchema,
    example: exemploEnvio,
    success: 202,
    errors: ['nao_encontrado', 'fatura_nao_aberta', 'email_indisponivel', 'cliente_sem_email', 'tentativas_excedidas'],
    async before({ params: { id }, body: { canal }, session, services, read }) {
      // Of what cannot be sent there is no try to count.
      const fatura = await read(async ({ envios }) => envios.exigir(id, canal));
      await services.attempts.sendCopy(session.provedor.id, fatura);
    },
    async run({ params: { id }, body: { canal }, writes }) {
      await writes.envios.enviar(id, canal);
      return { data: { fatura_id: id, canal } };
    },
  }),
];
