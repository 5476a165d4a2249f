import { opcional } from '../../../../domain/campos/campos.ts';
import { escolha, id, inteiro, texto } from '../../../../domain/campos/leitores.ts';
import { PERMISSOES_DO_PAINEL } from '../../../../domain/usuarios/permissoes.regras.ts';
import { SITUACOES_DE_CANCELADO } from '../../../../domain/contratos/contratos.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { cartao } from '../../componentes/cartao.ts';
import { Recusado } from '../../recusas.ts';
import { pagina } from '../../rota.ts';
import type { Chamada, Rota } from '../../rota.ts';
import { pode } from '../../sessao.ts';
import { situacaoDoContrato } from '../palavras.ts';
import { ABAS, PERMISSAO_DA_ABA, abasDoCliente, acoesDoCliente, quemE } from './cabeca.ts';
import type { NomeDaAba } from './cabeca.ts';
import { CHAMADOS_POR_PAGINA, chamadosAbertos, chamadosDoCliente } from './chamados.ts';
import { contatosDoCliente, oQueResponde, ultimosContatos } from './contatos.ts';
import { graficosDaConexao } from './conexao.ts';
import { cartaoDoContrato, contratosDoCliente, daLinha, linhaAgora, semContratos } from './contrato.ts';
import { cartaoFinanceiro, faturasDoCliente } from './financeiro.ts';
import { historicoDoCliente } from './historico.ts';
import { lerCabeca, lerConexao, lerFaturas, lerLinhas, lerResumo } from './leitura.ts';
import type { Cabeca, ConexaoEscolhida, Financeiro, LinhasDoCliente, Resumo } from './leitura.ts';

const CONSULTA = {
  aba: opcional(escolha(ABAS)),
  contrato: opcional(id),
  depois: opcional(texto(1, 1000)),
  antes: opcional(id),
  pagina: opcional(inteiro(1, 1000)),
} as const;

interface Consulta {
  readonly contrato: number | undefined;
  readonly depois: string | undefined;
  readonly antes: number | undefined;
  readonly pagina: number | undefined;
}

/** Contracts that the first view shows; all of them have a view of their own. */
const NO_RESUMO = 4;

const deveDe = (financeiro: Financeiro | null, contrato: number): boolean =>
  financeiro?.abertas.some(
    ({ diasEmAtraso, contratoId }) => diasEmAtraso > 0 && (contratoId === null || contratoId === contrato),
  ) ?? false;

function resumo(cabeca: Cabeca, lido: Resumo): Html {
  const { financeiro, conexao, promessas, atendimentos } = lido;
  const { sessao, agora, cliente } = cabeca;
  const primeiros = cliente.contratos
    .toSorted(
      (a, b) =>
        Number(SITUACOES_DE_CANCELADO.includes(a.situacao)) - Number(SITUACOES_DE_CANCELADO.includes(b.situacao)),
    )
    .slice(0, NO_RESUMO);
  return html`${oQueResponde(lido.sugestao)}
    <div class="colunas">
      ${primeiros.map((contrato) => {
        return cartaoDoContrato({
          sessao,
          agora,
          contrato,
          ...daLinha(lido, contrato),
          promessa: promessas.get(contrato.id) ?? null,
          deve: deveDe(financeiro, contrato.id),
          ultima: conexao?.contrato.id === contrato.id ? conexao.historico.ultima : null,
        });
      })}
      ${primeiros.length === 0 ? html`<div class="card">${semContratos(cabeca)}</div>` : null}
      ${financeiro === null ? null : cartaoFinanceiro(cabeca, financeiro)}
    </div>
    <div class="mt-3">
      ${chamadosAbertos(cabeca)} ${atendimentos === null ? null : ultimosContatos(cabeca, atendimentos)}
      ${conexao === null ? null : graficosDaConexao(cabeca, conexao, 'resumo')}
    </div>`;
}

/** How the line is now, then what it did. */
function conexaoDoCliente(cabeca: Cabeca, escolhida: ConexaoEscolhida | null, lidas: LinhasDoCliente): Html {
  if (escolhida === null) return graficosDaConexao(cabeca, null, 'conexao');
  const { contrato, historico } = escolhida;
  const { sessao, agora } = cabeca;
  const dele = { sessao, agora, contrato, ...daLinha(lidas, contrato), ultima: historico.ultima };
  return html`${cartao(`Agora · contrato ${contrato.id}`, linhaAgora(dele), { acoes: situacaoDoContrato(contrato.situacao) })}
  ${graficosDaConexao(cabeca, escolhida, 'conexao')}`;
}

async function corpoDe(aba: NomeDaAba, cabeca: Cabeca, { dominio }: Chamada, consulta: Consulta): Promise<Html> {
  const { cliente } = cabeca;
  const { contrato, depois = null, antes = null, pagina: n = 1 } = consulta;
  switch (aba) {
    case 'resumo':
      return resumo(cabeca, await lerResumo(dominio, cabeca, contrato));
    case 'contratos':
      return contratosDoCliente(cabeca, await lerLinhas(dominio, cliente));
    case 'faturas':
      return faturasDoCliente(cabeca, await lerFaturas(dominio, cabeca, depois), depois !== null);
    case 'conexao':
      return conexaoDoCliente(cabeca, await lerConexao(dominio, cliente, contrato), await lerLinhas(dominio, cliente));
    case 'chamados': {
      const pedida = { pagina: n, porPagina: CHAMADOS_POR_PAGINA };
      const [chamados, contatos] = await Promise.all([
        dominio.chamados.listar({ clienteId: cliente.id }, pedida),
        dominio.atendimentos.listarDoCliente(cliente.id, pedida),
      ]);
      return html`${chamadosDoCliente(cabeca, chamados, n)}
      ${contatosDoCliente(cabeca, contatos ?? { itens: [], total: 0 }, n)}`;
    }
    case 'historico':
      break;
  }
  return historicoDoCliente(cabeca, await dominio.auditoria.auditoriaDe('cliente', cliente.id, antes));
}

/** All there is to know of a client, in parts that each have an address. Whoever opens it is noted. */
export const FICHA: readonly Rota[] = [
  pagina('/clientes/{id}', {
    permissao: 'clientes.ver',
    consulta: CONSULTA,
    async mostrar(chamada) {
      const { parametros, consulta, dominio, sessao, agora } = chamada;
      const aba = consulta.aba ?? 'resumo';
      const permissao = PERMISSAO_DA_ABA[aba];
      if (permissao !== undefined && !pode(sessao, permissao)) {
        const falta = PERMISSOES_DO_PAINEL[permissao].descricao;
        throw new Recusado(403, 'Seu perfil não permite isto', `Falta a permissão de ${falta}.`);
      }
      const cabeca = await lerCabeca(dominio, sessao, agora, parametros.id);
      const { cliente } = cabeca;
      const acesso = { usuarioId: sessao.usuario.id, clienteId: cliente.id, oQue: 'cliente' } as const;
      // Beside each other: to note it waits for the disk, and nothing is shown before it is noted.
      const [corpo] = await Promise.all([
        corpoDe(aba, cabeca, chamada, consulta),
        dominio.acessos.anotarAcesso(acesso),
      ]);
      return {
        tela: {
          titulo: cliente.nome,
          menu: 'clientes',
          migalhas: [['Clientes', '/clientes']],
          acoes: acoesDoCliente(cabeca),
          corpo: html`${quemE(cabeca)} ${abasDoCliente(cabeca, aba)} ${corpo}`,
          ...(aba === 'resumo' || aba === 'conexao' ? { scripts: ['uplot'] as const } : {}),
        },
      };
    },
  }),
];
