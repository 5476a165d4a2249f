import { hojeEm } from '../../../../brazil/calendario/datas.ts';
import { lerCampos } from '../../../../domain/campos/campos.ts';
import { acao, pagina } from '../../rota.ts';
import type { Rota } from '../../rota.ts';
import { csvDeClientes } from './csv.ts';
import { CONSULTA_DA_LISTA, CONSULTA_DO_FILTRO, filtroDe } from './filtro.ts';
import { acoesDaLista, corpoDaLista } from './telas.ts';

/** The list of clients, and the same as a file. */
export const LISTA: readonly Rota[] = [
  pagina('/clientes', {
    permissao: 'clientes.ver',
    consulta: CONSULTA_DA_LISTA,
    async mostrar({ consulta, dominio, sessao }) {
      const [lista, escolhas] = await Promise.all([
        dominio.listas.clientes(filtroDe(consulta), { cursor: consulta.pagina, ordem: consulta.ordem }),
        dominio.listas.escolhas(),
      ]);
      return {
        tela: {
          titulo: 'Clientes',
          menu: 'clientes',
          acoes: acoesDaLista(sessao, consulta),
          corpo: corpoDaLista({ sessao, consulta, pagina: lista, escolhas }),
        },
      };
    },
  }),

  acao('/clientes/exportar', {
    permissao: 'exportar',
    tambem: ['clientes.ver'],
    prova: true,
    campos: { situacao: 'texto', cidade: 'texto', plano: 'texto', conexao: 'texto' },
    async fazer(chamada) {
      const { dados, sessao, ler, agora } = chamada;
      const filtro = filtroDe(lerCampos(CONSULTA_DO_FILTRO, dados));
      const { id: usuarioId } = sessao.usuario;
      await ler(async ({ acessos }) => acessos.anotarAcesso({ usuarioId, clienteId: null, oQue: 'csv' }));
      const nome = `clientes-${hojeEm(sessao.provedor.fusoHorario, agora)}.csv`;
      return { arquivo: { nome, tipo: 'text/csv; charset=utf-8', corpo: csvDeClientes(chamada, filtro) } };
    },
  }),
];
