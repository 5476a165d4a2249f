import { lerData } from '../../../brazil/calendario/datas.ts';
import { exigir } from '../erros.ts';
import { rotaDosRemovidos } from '../removidos.ts';
import { comPaginacao, instanteDe, paginaPedida, rota } from '../rota.ts';
import { apresentarFatura } from './faturas.presenter.ts';
import { consultaDeFaturas, exemploFatura, faturaSchema } from './faturas.schemas.ts';

export const rotasDeFaturas = [
  rota({
    metodo: 'GET',
    caminho: '/faturas',
    permissao: 'financeiro:leitura',
    grupo: 'Faturas',
    resumo: 'Lista faturas',
    descricao: 'Da mais nova para a mais antiga, pela emissão. As abertas trazem a segunda via.',
    consulta: consultaDeFaturas,
    dados: { type: 'array', items: faturaSchema },
    paginada: true,
    exemplo: [exemploFatura],
    async executar({ consulta, dominio }) {
      const pagina = paginaPedida(consulta);
      const vencimentoDe = lerData(consulta.vencimento_de ?? '') ?? undefined;
      const vencimentoAte = lerData(consulta.vencimento_ate ?? '') ?? undefined;
      exigir(
        vencimentoDe === undefined || vencimentoAte === undefined || vencimentoDe <= vencimentoAte,
        'parametro_invalido',
        'vencimento_de: não pode ser depois de vencimento_ate.',
      );
      const filtro = {
        clienteId: consulta.cliente_id,
        contratoId: consulta.contrato_id,
        situacao: consulta.situacao,
        atualizadoDesde: instanteDe(consulta.atualizado_desde),
        vencimentoDe,
        vencimentoAte,
      };
      return comPaginacao(await dominio.faturas.listar(filtro, pagina), pagina, apresentarFatura);
    },
  }),
  rotaDosRemovidos('faturas', 'Faturas', 'financeiro:leitura'),
  rota({
    metodo: 'GET',
    caminho: '/faturas/{id}',
    permissao: 'financeiro:leitura',
    grupo: 'Faturas',
    resumo: 'Lê uma fatura',
    descricao: 'Com a segunda via, se estiver aberta.',
    dados: faturaSchema,
    exemplo: exemploFatura,
    erros: ['nao_encontrado'],
    async executar({ id, dominio }) {
      const fatura = await dominio.faturas.buscarPorId(id);
      exigir(fatura, 'nao_encontrado');
      return { dados: apresentarFatura(fatura) };
    },
  }),
];
