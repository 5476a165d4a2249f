import { opcional } from '../../../domain/campos/campos.ts';
import { escolha } from '../../../domain/campos/leitores.ts';
import { recusarSeNao } from '../../../domain/erros.ts';
import type { Dominio } from '../../../domain/dominio.ts';
import type { ChaveDaEquipe } from '../../../domain/chaves/uso/leitura.service.ts';
import { html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { dia } from '../componentes/escrita.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { gravarPermissoes } from '../perfis/cartao-de-permissoes.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import type { Sessao } from '../sessao.ts';
import { telaDaChave, telaDeRevogar } from './detalhe.ts';
import {
  CAMPOS_NA_TELA,
  FORMA_DE_CHATBOT,
  FORMA_EM_BRANCO,
  ROTULOS_DA_CHAVE,
  camposDaChave,
  comValidade,
  formaDaChave,
  quePodeDar,
} from './formularios.ts';
import { LIMITES_DAS_CHAVES } from './limites.ts';
import { telaDeRenovar } from './renovar.ts';
import { CAMINHO, CARTAO_DAS_CHAVES, migalhasDaChave, telaDaChaveNova, telaDasChaves } from './telas.ts';

const OFERTA_DE_CHATBOT = aviso(
  'info',
  html`Para um chatbot ou uma URA,
    <a class="alert-link" href="${BASE}${CAMINHO}/nova?para=chatbot">comece por uma chave que sabe menos</a>: só acha
    quem se identifica, e lê os dados mascarados.`,
);

type DeUmaChave = Pick<Chamada<{ readonly id: number }>, 'dominio' | 'parametros' | 'sessao'>;

async function exigirChave({ chaves }: Dominio, id: number): Promise<ChaveDaEquipe> {
  const chave = await chaves.buscarPorId(id);
  if (chave === null) throw naoEncontrado();
  return chave;
}

function telaDeNova({ sessao }: { readonly sessao: Sessao }, estado: EstadoDoFormulario): Tela {
  const form = formulario({
    para: `${CAMINHO}/nova`,
    estado,
    rotulos: ROTULOS_DA_CHAVE,
    enviar: 'Criar chave',
    volta: CAMINHO,
    corpo: camposDaChave(estado, quePodeDar(sessao), 'Só o que o sistema precisa.'),
  });
  return {
    titulo: 'Nova chave',
    menu: 'api',
    migalhas: [...migalhasDaChave],
    corpo: html`<div class="largura-leitura">
      ${estado === FORMA_EM_BRANCO ? OFERTA_DE_CHATBOT : null} ${cartao(null, form)}
    </div>`,
  };
}

async function telaDeUma(
  { dominio, parametros: { id }, sessao }: DeUmaChave,
  estado: EstadoDoFormulario | null,
): Promise<Tela> {
  const chave = await exigirChave(dominio, id);
  const uso = await dominio.chaves.serie(id);
  const { fusoHorario } = sessao.provedor;
  return telaDaChave({ sessao, chave, uso, estado: estado ?? formaDaChave(fusoHorario, chave) });
}

const telaDeRenovarUma = async (
  { dominio, parametros: { id }, sessao }: DeUmaChave,
  estado: EstadoDoFormulario,
): Promise<Tela> => telaDeRenovar(sessao.provedor.fusoHorario, await exigirChave(dominio, id), estado);

const telaDeRevogarUma = async (
  { dominio, parametros: { id } }: DeUmaChave,
  estado: EstadoDoFormulario,
): Promise<Tela> => telaDeRevogar(await exigirChave(dominio, id), estado);

/** The keys of the API: made, changed, renewed and revoked, and who may do so. */
export const CHAVES: readonly Rota[] = [
  pagina(CAMINHO, {
    permissao: ['chaves.ver', 'chaves.gerir'],
    async mostrar({ dominio, servicos, sessao }) {
      const chaves = await dominio.chaves.listar();
      return { tela: telaDasChaves(sessao, chaves, await servicos.perfis.listar(sessao.provedor.id)) };
    },
  }),

  acao(`${CAMINHO}/permissoes`, {
    permissao: 'usuarios.gerir',
    prova: true,
    campos: { gerir: 'lista', ver: 'lista', versao: 'texto' },
    async fazer(chamada) {
      await gravarPermissoes(CARTAO_DAS_CHAVES, chamada);
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),

  pagina(`${CAMINHO}/nova`, {
    permissao: 'chaves.gerir',
    consulta: { para: opcional(escolha(['chatbot'])) },
    mostrar: async (chamada) => ({
      tela: telaDeNova(chamada, chamada.consulta.para === 'chatbot' ? FORMA_DE_CHATBOT : FORMA_EM_BRANCO),
    }),
  }),

  acao(`${CAMINHO}/nova`, {
    permissao: 'chaves.gerir',
    prova: true,
    campos: CAMPOS_NA_TELA,
    formulario: async (chamada, estado) => telaDeNova(chamada, estado),
    async fazer({ ator, dados, origem, servicos, sessao: { provedor, perfil } }) {
      const lidos = comValidade(provedor.fusoHorario, dados);
      const { texto } = await servicos.chaves.criarDaForma(ator, provedor.id, lidos, perfil.permissoes);
      return { tela: telaDaChaveNova({ texto, origem, nome: String(dados['nome']) }) };
    },
  }),

  ...LIMITES_DAS_CHAVES,

  pagina(`${CAMINHO}/{id}`, {
    permissao: ['chaves.ver', 'chaves.gerir'],
    mostrar: async (chamada) => ({ tela: await telaDeUma(chamada, null) }),
  }),

  acao(`${CAMINHO}/{id}`, {
    permissao: 'chaves.gerir',
    prova: true,
    campos: { ...CAMPOS_NA_TELA, atualizado_em: 'texto' },
    formulario: async (chamada, estado) => telaDeUma(chamada, estado),
    async fazer({ ator, dados, ler, parametros: { id }, servicos, sessao: { provedor, perfil } }) {
      const { expiraEm } = await ler(async (dominio) => exigirChave(dominio, id));
      const lidos = comValidade(provedor.fusoHorario, dados, expiraEm);
      await servicos.chaves.alterar(ator, provedor.id, id, lidos, perfil.permissoes);
      return { ir: `${CAMINHO}/${id}`, feito: 'salvo' };
    },
  }),

  pagina(`${CAMINHO}/{id}/renovar`, {
    permissao: 'chaves.gerir',
    mostrar: async (chamada) => ({ tela: await telaDeRenovarUma(chamada, preenchido({ dias: 1 })) }),
  }),

  acao(`${CAMINHO}/{id}/renovar`, {
    permissao: 'chaves.gerir',
    prova: true,
    campos: { dias: 'texto' },
    formulario: telaDeRenovarUma,
    async fazer({ ator, dados, ler, origem, parametros: { id }, servicos, sessao: { provedor, perfil } }) {
      const { nome } = await ler(async (dominio) => exigirChave(dominio, id));
      const nova = await servicos.chaves.renovar(ator, provedor.id, id, dados, perfil.permissoes);
      const mais =
        Number(dados['dias']) === 0
          ? 'A anterior já não vale.'
          : `A anterior vale até ${dia(provedor.fusoHorario, nova.antigaAte)}.`;
      return { tela: telaDaChaveNova({ texto: nova.texto, origem, nome, mais }) };
    },
  }),

  pagina(`${CAMINHO}/{id}/revogar`, {
    permissao: 'chaves.gerir',
    mostrar: async (chamada) => ({ tela: await telaDeRevogarUma(chamada, EM_BRANCO) }),
  }),

  acao(`${CAMINHO}/{id}/revogar`, {
    permissao: 'chaves.gerir',
    prova: true,
    formulario: telaDeRevogarUma,
    async fazer({ ator, parametros: { id }, servicos, sessao: { provedor } }) {
      recusarSeNao(await servicos.chaves.revogar(ator, provedor.id, id), 'nao_encontrado');
      return { ir: CAMINHO, feito: 'chave_revogada' };
    },
  }),
];
