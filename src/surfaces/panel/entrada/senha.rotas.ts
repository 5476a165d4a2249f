import type { Procedencia } from '../../../domain/actor.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { comConsulta } from '../componentes/tabela.ts';
import { entrada } from '../formulario/campos.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import { comoTexto } from '../formulario/leitura.ts';
import { CONSULTA_DA_VOLTA, voltaSegura } from '../pedido.ts';
import { LINK_SEM_VALOR } from '../recusas.ts';
import { publico } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import type { Visita } from '../sessao.ts';

const telaDoEsquecimento = (estado: EstadoDoFormulario, volta: string): Tela => ({
  titulo: 'Esqueci a senha',
  corpo: cartao(
    null,
    html`<p>Diga o seu e-mail. Se ele for de um usuário deste painel, vai para lá um link para escolher outra senha.</p>
      ${formulario({
        para: '/esqueci',
        estado,
        rotulos: { email: 'E-mail' },
        enviar: 'Enviar link',
        volta: comConsulta('/entrar', { volta }),
        corpo: html`${entrada(estado, {
          nome: 'email',
          rotulo: 'E-mail',
          tipo: 'email',
          autocomplete: 'username',
          obrigatorio: true,
        })}
        ${escondido('volta', volta)}`,
      })}`,
  ),
});

const telaDoEnvio = (volta: string): Tela => ({
  titulo: 'Veja o seu e-mail',
  corpo: cartao(
    null,
    html`<p>
        Se o endereço é de um usuário deste painel, o link chega em alguns minutos e vale por meia hora. Não chegou?
        Veja a caixa de spam, ou peça um link a um administrador do provedor.
      </p>
      <a class="btn" href="${BASE}${comConsulta('/entrar', { volta })}">Voltar à entrada</a>`,
  ),
});

type DoLink = Pick<
  Chamada<{ readonly token: string }, { readonly volta?: string | undefined }, Visita>,
  'parametros' | 'consulta' | 'servicos' | 'sessao'
>;

/** The page of a link; the two kinds differ in words, and in that who is invited may say what he is called. */
async function telaDoLink(
  { parametros: { token }, consulta, servicos, sessao }: DoLink,
  estado: EstadoDoFormulario | null,
) {
  const link = await servicos.usuarios.abrirLink(sessao.provedor.id, token);
  if (link === null) throw LINK_SEM_VALOR();
  const convite = link.tipo === 'convite';
  const atual = estado ?? preenchido({ nome: link.nome });
  const nome: Html | null = convite
    ? entrada(atual, { nome: 'nome', rotulo: 'Seu nome', autocomplete: 'name', maximo: 120, obrigatorio: true })
    : null;
  const tela: Tela = {
    titulo: convite ? `Bem-vindo ao painel de ${sessao.provedor.nome}` : 'Escolha outra senha',
    corpo: cartao(
      null,
      html`<p>Você entra com o e-mail <strong>${link.email}</strong>.</p>
        ${formulario({
          // Where to go on stands in the form's own address, as it does in the link.
          para: comConsulta(`/${link.tipo}/${token}`, { volta: voltaSegura(consulta.volta ?? '') }),
          estado: atual,
          rotulos: { nome: 'Seu nome', senha: 'Senha' },
          enviar: convite ? 'Aceitar o convite' : 'Trocar a senha',
          corpo: html`${nome}
            <input
              class="invisivel"
              type="email"
              name="_email"
              value="${link.email}"
              autocomplete="username"
              tabindex="-1"
              aria-hidden="true"
              readonly
            />
            ${entrada(atual, {
              nome: 'senha',
              rotulo: 'Senha',
              dica: 'Pelo menos 12 caracteres. Boas senhas são três ou quatro palavras que nada têm umas com as outras.',
              tipo: 'password',
              autocomplete: 'new-password',
              obrigatorio: true,
            })}`,
        })}`,
    ),
  };
  return tela;
}

async function aceitar(
  {
    parametros: { token },
    consulta,
    servicos,
    sessao,
    dados,
    deOnde,
  }: DoLink & { readonly dados: Readonly<Record<string, unknown>>; readonly deOnde: Procedencia },
  campos: readonly string[],
) {
  const ditos = Object.fromEntries(campos.map((nome) => [nome, dados[nome]]));
  await servicos.tentativas.unnamed(deOnde.ip, async () =>
    servicos.usuarios.aceitar(sessao.provedor, token, { ...ditos, senha: dados['senha'] ?? '' }, deOnde),
  );
  const volta = voltaSegura(consulta.volta ?? '');
  return { ir: comConsulta('/entrar', { volta }), feito: 'senha_escolhida' } as const;
}

/** The ways to a password: the link of an invite, and that of who forgot his. */
export const SENHA: readonly Rota[] = [
  publico.pagina('/esqueci', {
    permissao: null,
    consulta: CONSULTA_DA_VOLTA,
    mostrar: async ({ consulta }) =>
      Promise.resolve({ tela: telaDoEsquecimento(EM_BRANCO, voltaSegura(consulta.volta ?? '')) }),
  }),

  publico.acao('/esqueci', {
    permissao: null,
    campos: { email: 'texto', volta: 'texto' },
    async fazer({ dados, servicos, sessao: { provedor }, deOnde }) {
      const email = comoTexto(dados['email']);
      await servicos.tentativas.askForMail(provedor.id, email, deOnde.ip);
      const volta = voltaSegura(comoTexto(dados['volta']));
      // Anybody may ask for a letter to somebody else: of what its link opens in the end, he fills in no field.
      servicos.usuarios.esqueci(provedor, email, deOnde, volta.replace(/\?.*$/, ''));
      return { tela: telaDoEnvio(volta) };
    },
  }),

  publico.pagina('/convite/{token}', {
    permissao: null,
    consulta: CONSULTA_DA_VOLTA,
    mostrar: async (chamada) => ({ tela: await telaDoLink(chamada, null) }),
  }),

  publico.acao('/convite/{token}', {
    permissao: null,
    consulta: CONSULTA_DA_VOLTA,
    campos: { nome: 'texto', senha: 'segredo' },
    formulario: telaDoLink,
    fazer: async (chamada) => aceitar(chamada, ['nome']),
  }),

  publico.pagina('/senha/{token}', {
    permissao: null,
    consulta: CONSULTA_DA_VOLTA,
    mostrar: async (chamada) => ({ tela: await telaDoLink(chamada, null) }),
  }),

  publico.acao('/senha/{token}', {
    permissao: null,
    consulta: CONSULTA_DA_VOLTA,
    campos: { senha: 'segredo' },
    formulario: telaDoLink,
    fazer: async (chamada) => aceitar(chamada, []),
  }),
];
