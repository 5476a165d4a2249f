import type { Dispositivo } from '../../../domain/push/push.types.ts';
import type { tiposDaEquipe } from '../../../domain/push/tipos.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { dia } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { caixas } from '../formulario/campos.ts';
import { preenchido } from '../formulario/estado.ts';
import { botao, escondido, formulario } from '../formulario/formulario.ts';
import type { Tela } from '../rota.ts';

/** Below `/painel`. */
export const CAMINHO_DOS_AVISOS = '/conta/avisos';

type Tipos = ReturnType<typeof tiposDaEquipe>;

interface DosAvisos {
  readonly dispositivos: readonly Dispositivo[];
  /** What a browser subscribes with; null where none can. */
  readonly chavePublica: string | null;
  readonly tipos: Tipos;
  readonly fuso: string;
}

/** Whether this browser is told things, which its own script knows, and where else somebody is. */
export const cartaoDosAvisos = ({ dispositivos, chavePublica, tipos, fuso }: DosAvisos): Html =>
  cartao(
    'Avisos neste aparelho',
    html`<div class="card-body">
        <p>
          Chegam também com o painel fechado: chamados, pagamentos e o mais que o seu perfil acompanha. Quem sai do
          painel deixa de recebê-los aqui.
        </p>
        ${chavePublica === null ? SEM_CHAVE : ligarOuDesligar(chavePublica)}
      </div>
      ${tabela({
        legenda: 'Aparelhos que recebem os seus avisos',
        linhas: dispositivos,
        vazia: vazio('bell', 'Nenhum aparelho', 'Os que você ligar aparecem aqui.'),
        colunas: [
          { titulo: 'Aparelho', principal: true, celula: nomeComMarca },
          { titulo: 'Onde', celula: ({ sessaoId }) => (sessaoId === null ? 'Painel' : 'App') },
          { titulo: 'Desde', celula: ({ criadoEm }) => dia(fuso, criadoEm) },
          { titulo: 'Silenciados', celula: ({ silenciados }) => ditosDos(silenciados, tipos) },
          {
            titulo: 'Ações',
            celula: ({ id }) =>
              html`<div class="acoes">
                <a class="btn btn-sm" href="${BASE}${CAMINHO_DOS_AVISOS}/${id}">Escolher</a>
                ${botao({ para: `${CAMINHO_DOS_AVISOS}/${id}/testar`, texto: 'Testar', classe: 'btn btn-sm' })}
                ${botao({ para: `${CAMINHO_DOS_AVISOS}/${id}/remover`, texto: 'Remover', classe: 'btn btn-sm' })}
              </div>`,
          },
        ],
      })}`,
    { rente: true, id: 'avisos-neste-aparelho' },
  );

const SEM_CHAVE = aviso(
  'warning',
  'Este servidor ainda não envia avisos a navegadores: falta a chave mestra (MALHA_CHAVE_MESTRA), que quem o opera define.',
);

/** Buttons are shown by the script that knows which of them is of use. */
const ligarOuDesligar = (chavePublica: string): Html =>
  html`<p class="sem-script">Ligar e desligar por aqui precisa de JavaScript; remover um aparelho da lista, não.</p>
    <p class="com-script" data-estado role="status"></p>
    <form
      class="com-script"
      method="post"
      action="${BASE}${CAMINHO_DOS_AVISOS}"
      hx-post="${BASE}${CAMINHO_DOS_AVISOS}"
      hx-target="#conteudo"
      hx-swap="innerMorph"
    >
      ${['endpoint', 'chaves.p256dh', 'chaves.auth'].map((nome) => escondido(nome, ''))}
      <div class="acoes">
        <button class="btn btn-primary" type="button" data-avisos="ligar" data-chave="${chavePublica}" hidden>
          Ligar neste aparelho
        </button>
        <button class="btn" type="button" data-avisos="desligar" hidden>Desligar neste aparelho</button>
      </div>
    </form>`;

/** A browser at the panel says what it is where an app says its version. */
function nomeDo({ sessaoId, plataforma, versao }: Dispositivo): string {
  if (sessaoId === null) return versao ?? 'Navegador';
  const onde = { android: 'Android', ios: 'iPhone ou iPad', web: 'navegador' }[plataforma];
  return versao === null ? `App no ${onde}` : `App no ${onde}, versão ${versao}`;
}

/** The mark is shown by the script, where it finds itself. */
const nomeComMarca = (um: Dispositivo): Html =>
  html`${nomeDo(um)} <span class="badge bg-green-lt" data-resumo="${um.resumo}" hidden>este aparelho</span>`;

function ditosDos(silenciados: readonly string[], tipos: Tipos): string {
  const ditos = tipos.filter(({ nome }) => silenciados.includes(nome)).map(({ dito }) => dito);
  return ditos.length === 0 ? 'Nenhum' : ditos.join(', ');
}

/** What somebody is told on one of his devices. */
export function telaDoAviso(um: Dispositivo, tipos: Tipos): Tela {
  const ligados = tipos.map(({ nome }) => nome).filter((nome) => !um.silenciados.includes(nome));
  const estado = preenchido({ avisar: ligados });
  return {
    titulo: nomeDo(um),
    migalhas: [['Minha conta', '/conta']],
    corpo: cartao(
      'O que avisar',
      formulario({
        para: `${CAMINHO_DOS_AVISOS}/${um.id}`,
        estado,
        rotulos: { avisar: 'Avisar de' },
        enviar: 'Salvar',
        volta: '/conta',
        corpo: caixas(estado, {
          nome: 'avisar',
          rotulo: 'Avisar de',
          dica: 'O que diz respeito à segurança sempre se avisa.',
          opcoes: tipos.map(({ nome, dito }) => ({ valor: nome, texto: dito })),
        }),
      }),
    ),
  };
}
