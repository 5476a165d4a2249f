import { lerCampos, exigido } from '../../../domain/campos/campos.ts';
import { id } from '../../../domain/campos/leitores.ts';
import type { Notificacao } from '../../../domain/notificacoes/sino.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { parteViva } from '../ao-vivo/partes.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao, etiqueta } from '../componentes/cartao.ts';
import { ha, instante } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { botao } from '../formulario/formulario.ts';
import { contadores } from '../moldura/contadores.ts';
import { pagina, acao } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { DITOS, RECURSOS, recursosVisiveis } from './recursos.ts';

const titulo = ({ tipo, recurso, recursoId }: Notificacao): Html => {
  const { endereco = null, nome = recurso, unico = false, escrito = String } = RECURSOS[recurso] ?? {};
  const dito = DITOS[tipo] ?? tipo;
  const texto = unico ? dito : `${dito}: ${nome.toLowerCase()} ${escrito(recursoId)}`;
  return endereco === null ? html`${texto}` : html`<a href="${BASE}${endereco(recursoId)}">${texto}</a>`;
};

async function telaDoSino({ dominio, sessao, agora }: Chamada): Promise<Tela> {
  const { naoLidas, ultimas } = await dominio.sino.ver(sessao.usuario.id, recursosVisiveis(sessao));
  const [primeira] = ultimas;
  const lista = tabela({
    legenda: 'Notificações, as mais novas primeiro',
    colunas: [
      { titulo: 'O quê', principal: true, celula: titulo },
      { titulo: 'Estado', celula: ({ lida }) => (lida ? 'lida' : etiqueta('não lida', 'blue')) },
      { titulo: 'De onde', celula: ({ origem }) => origem },
      { titulo: 'Quando', celula: ({ criadoEm }) => instante(sessao.provedor.fusoHorario, criadoEm) },
      { titulo: 'Há quanto tempo', celula: ({ criadoEm }) => ha(agora, criadoEm) },
    ],
    linhas: ultimas,
    vazia: vazio(
      'bell',
      'Nenhuma notificação',
      'Aqui aparecem chamados, pré-cadastros e pagamentos que pedem atenção.',
    ),
  });
  return {
    titulo: 'Notificações',
    corpo: html`<div ${parteViva({ id: 'notificacoes', endereco: '/notificacoes', tipos: ['notificacao', 'chamado'] })}>
      ${cartao(naoLidas === 0 ? 'Tudo lido' : `${naoLidas >= 100 ? '100 ou mais' : naoLidas} não lidas`, lista, {
        rente: true,
        acoes:
          primeira === undefined || naoLidas === 0
            ? null
            : botao({ para: '/notificacoes/lidas', texto: 'Marcar como lidas', valores: { ate: primeira.id } }),
      })}
    </div>`,
  };
}

export const NOTIFICACOES: readonly Rota[] = [
  pagina('/notificacoes', { permissao: null, mostrar: async (chamada) => ({ tela: await telaDoSino(chamada) }) }),

  pagina('/notificacoes/contadores', {
    permissao: null,
    async mostrar({ dominio, sessao }) {
      const recursos = recursosVisiveis(sessao);
      const [chamados, naoLidas] = await Promise.all([
        pode(sessao, 'chamados.ver') ? dominio.filaDeChamados.abertos() : null,
        recursos.length === 0 ? null : dominio.sino.contar(sessao.usuario.id, recursos),
      ]);
      return { parte: contadores({ chamados, naoLidas }) };
    },
  }),

  acao('/notificacoes/lidas', {
    permissao: null,
    campos: { ate: 'texto' },
    async fazer({ dados, mudar }) {
      const { ate } = lerCampos({ ate: exigido(id) }, dados);
      await mudar(async (_d, { notificacoes }) => notificacoes.marcarLidas(ate));
      return { ir: '/notificacoes' };
    },
  }),
];
