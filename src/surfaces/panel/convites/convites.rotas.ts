import { opcional } from '../../../domain/campos/campos.ts';
import { escolha as umaDe, inteiro } from '../../../domain/campos/leitores.ts';
import { DIAS_PADRAO } from '../../../domain/convites/convites.campos.ts';
import { ESTADOS_DE_CONVITE } from '../../../domain/convites/convites.types.ts';
import { html } from '../../../kit/html/html.ts';
import { escreverReais } from '../../../brazil/dinheiro/escrita.ts';
import { aviso } from '../componentes/cartao.ts';
import { entrada, escolha } from '../formulario/campos.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { POR_PAGINA, acoesDaLista, corpoDaLista, corpoDoCriado } from './telas.ts';

const ROTULOS = { plano_id: 'Plano', dia_vencimento: 'Dia de vencimento', validade_dias: 'Vale por quantos dias' };
const migalhas = [['Convites', '/convites']] as const;

/** Due days that an invite may carry: those that all months but February have. */
const DIAS = Array.from({ length: 30 }, (_, n) => ({ valor: String(n + 1), texto: `Dia ${n + 1}` }));

async function telaDoNovo({ dominio }: Chamada, estado: EstadoDoFormulario): Promise<Tela> {
  const planos = (await dominio.planos.listarAtivos()).map(({ id, nome, valor }) => ({
    valor: String(id),
    texto: `${nome} · ${escreverReais(valor)}`,
  }));
  return {
    titulo: 'Novo convite',
    menu: 'convites',
    migalhas,
    corpo: html`<div class="card largura-leitura">
      <div class="card-body">
        <p>A pessoa abre o link, preenche os dados e vira um pré-cadastro, que a equipe confirma.</p>
        ${planos.length === 0 ? aviso('warning', 'Nenhum plano está à venda: quem abrir o convite não terá o que escolher.') : null}
        ${formulario({
          para: '/convites/novo',
          estado,
          rotulos: ROTULOS,
          enviar: 'Fazer convite',
          volta: '/convites',
          corpo: html`${escolha(estado, { nome: 'plano_id', rotulo: ROTULOS.plano_id, vazia: 'A pessoa escolhe', opcoes: planos })}
            <div class="grade">
              ${escolha(estado, { nome: 'dia_vencimento', rotulo: ROTULOS.dia_vencimento, vazia: 'A pessoa escolhe', opcoes: DIAS })}
              ${entrada(estado, { nome: 'validade_dias', rotulo: ROTULOS.validade_dias, obrigatorio: true, teclado: 'numeric', maximo: 3, dica: 'De 1 a 365.' })}
            </div>`,
        })}
      </div>
    </div>`,
  };
}

async function telaDaRevogacao(
  { dominio, parametros: { id } }: Chamada<{ readonly id: number }>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const convite = await dominio.convites.buscarPorId(id);
  if (convite === null) throw naoEncontrado();
  return {
    titulo: `Revogar convite ${id}`,
    menu: 'convites',
    migalhas,
    corpo: html`<div class="card largura-leitura">
      <div class="card-body">
        ${aviso('warning', 'O link deixa de valer agora: quem o abrir lê que o convite expirou. Não dá para desfazer; faça outro se for preciso.')}
        ${formulario({
          para: `/convites/${id}/revogar`,
          estado,
          rotulos: {},
          enviar: 'Revogar convite',
          volta: '/convites',
          perigoso: true,
          corpo: html``,
        })}
      </div>
    </div>`,
  };
}

export const CONVITES: readonly Rota[] = [
  pagina('/convites', {
    permissao: 'convites.gerir',
    consulta: { estado: opcional(umaDe(ESTADOS_DE_CONVITE)), pagina: opcional(inteiro(1, 100_000)) },
    async mostrar({ dominio, sessao, consulta: { estado, pagina: n = 1 } }) {
      const lista = await dominio.convites.listar({ estado: estado ?? null }, { pagina: n, porPagina: POR_PAGINA });
      const corpo = corpoDaLista({ ...lista, estado, pagina: n, sessao });
      return { tela: { titulo: 'Convites', menu: 'convites', acoes: acoesDaLista(), corpo } };
    },
  }),
  pagina('/convites/novo', {
    permissao: 'convites.gerir',
    mostrar: async (chamada) => ({ tela: await telaDoNovo(chamada, preenchido({ validade_dias: DIAS_PADRAO })) }),
  }),
  acao('/convites/novo', {
    permissao: 'convites.gerir',
    campos: { plano_id: 'texto', dia_vencimento: 'texto', validade_dias: 'texto' },
    formulario: telaDoNovo,
    async fazer({ dados, sessao, origem, mudar }) {
      const criado = await mudar(async (_dominio, { convites }) => convites.criarDaForma(dados));
      const corpo = corpoDoCriado(criado, { sessao, origem });
      return { tela: { titulo: 'Convite feito', menu: 'convites', migalhas, corpo } };
    },
  }),
  pagina('/convites/{id}/revogar', {
    permissao: 'convites.gerir',
    mostrar: async (chamada) => ({ tela: await telaDaRevogacao(chamada, EM_BRANCO) }),
  }),
  acao('/convites/{id}/revogar', {
    permissao: 'convites.gerir',
    formulario: telaDaRevogacao,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { convites }) => convites.revogar(id));
      return { ir: '/convites', feito: 'revogado' };
    },
  }),
];
