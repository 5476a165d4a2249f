import { camposDoPerfil } from '../../../domain/usuarios/perfis/perfis.service.ts';
import type { Perfil } from '../../../domain/usuarios/perfis/perfis.types.ts';
import { NOMES_DE_PERMISSAO, PERMISSOES_DO_PAINEL } from '../../../domain/usuarios/permissoes.regras.ts';
import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { icone, iconeQueDiz } from '../componentes/icone.ts';
import { conjunto, entrada, escolha } from '../formulario/campos.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { versaoLida } from '../formulario/versao.ts';
import { formulario } from '../formulario/formulario.ts';
import type { Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

const PERFIS_NA_MIGALHA: readonly [string, string] = ['Perfis', '/configuracoes/perfis'];

const GRUPOS: readonly (readonly [grupo: string, nomes: readonly PermissaoPainel[]])[] = [
  ...new Set(NOMES_DE_PERMISSAO.map((nome) => PERMISSOES_DO_PAINEL[nome].grupo)),
].map((grupo) => [grupo, NOMES_DE_PERMISSAO.filter((nome) => PERMISSOES_DO_PAINEL[nome].grupo === grupo)]);

const maiuscula = (texto: string): string => texto.charAt(0).toUpperCase() + texto.slice(1);
const descricao = (nome: PermissaoPainel): string => maiuscula(PERMISSOES_DO_PAINEL[nome].descricao);

/** What each profile may do. */
export const telaDosPerfis = (perfis: readonly Perfil[]): Tela => ({
  titulo: 'Perfis',
  menu: 'perfis',
  acoes: html`<a class="btn btn-primary" href="${BASE}/configuracoes/perfis/novo">${icone('plus')} Novo perfil</a>`,
  corpo: cartao(
    null,
    html`<div class="table-responsive" tabindex="0" role="region" aria-label="O que cada perfil pode">
      <table class="table table-sm tabela matriz">
        <caption class="invisivel">
          O que cada perfil pode
        </caption>
        <thead>
          <tr>
            <th scope="col"><span class="invisivel">Permissão</span></th>
            ${perfis.map(
              ({ id, nome, deFabrica }) =>
                html`<th scope="col">
                  ${deFabrica === 'administrador' ? nome : html`<a href="${BASE}/configuracoes/perfis/${id}">${nome}</a>`}
                </th>`,
            )}
          </tr>
        </thead>
        ${GRUPOS.map(
          ([grupo, nomes]) =>
            html`<tbody>
              <tr class="grupo">
                <th scope="rowgroup" colspan="${perfis.length + 1}">${grupo}</th>
              </tr>
              ${nomes.map(
                (nome) =>
                  html`<tr>
                    <th scope="row" class="fw-normal">${descricao(nome)}</th>
                    ${perfis.map(({ permissoes }) => html`<td>${permissoes.includes(nome) ? iconeQueDiz('check', 'pode') : html`<span class="invisivel">não pode</span>`}</td>`)}
                  </tr>`,
              )}
            </tbody>`,
        )}
      </table>
    </div>`,
    { rente: true },
  ),
});

export const telaDoPerfilNovo = (perfis: readonly Perfil[], estado: EstadoDoFormulario = EM_BRANCO): Tela => ({
  titulo: 'Novo perfil',
  menu: 'perfis',
  migalhas: [PERFIS_NA_MIGALHA],
  corpo: cartao(
    null,
    formulario({
      para: '/configuracoes/perfis/novo',
      estado,
      rotulos: { nome: 'Nome', de_id: 'Começa como' },
      enviar: 'Criar',
      volta: PERFIS_NA_MIGALHA[1],
      corpo: html`${entrada(estado, { nome: 'nome', rotulo: 'Nome', maximo: 60, obrigatorio: true })}
      ${escolha(estado, {
        nome: 'de_id',
        rotulo: 'Começa como',
        dica: 'O novo perfil pode o mesmo que este; depois você muda o que quiser.',
        vazia: 'Escolha',
        opcoes: perfis.map(({ id, nome }) => ({ valor: String(id), texto: nome })),
        obrigatorio: true,
      })}`,
    }),
  ),
});

/** The boxes of a group. What whoever changes the profile may not do himself stays as it is. */
function grupoDeCaixas(
  sessao: Sessao,
  estado: EstadoDoFormulario,
  perfil: Perfil,
  grupo: string,
  nomes: readonly PermissaoPainel[],
): Html {
  const marcadas = estado.digitado.get('permissoes') ?? [];
  return html`<fieldset>
    <legend>${grupo}</legend>
    <div class="caixas">
      ${nomes.map((nome) => {
        const dele = pode(sessao, nome);
        const marcada = dele ? marcadas.includes(nome) : perfil.permissoes.includes(nome);
        return html`<label class="form-check"
          ><input
            class="form-check-input"
            type="checkbox"
            name="permissoes"
            value="${nome}"
            ${marcada ? html`checked` : null}
            ${dele ? null : html`disabled`}
          />
          <span class="form-check-label">${descricao(nome)}</span
          >${dele ? null : html`<span class="form-check-description">Você não tem esta permissão.</span>`}</label
        >`;
      })}
    </div>
  </fieldset>`;
}

export function telaDoPerfil(sessao: Sessao, perfil: Perfil, estado: EstadoDoFormulario): Tela {
  const { id, nome, deFabrica } = perfil;
  return {
    titulo: nome,
    menu: 'perfis',
    migalhas: [PERFIS_NA_MIGALHA],
    acoes:
      deFabrica === null
        ? html`<a class="btn btn-outline-danger" href="${BASE}/configuracoes/perfis/${id}/remover">Remover</a>`
        : null,
    corpo:
      deFabrica === 'administrador'
        ? aviso('info', 'O administrador pode sempre tudo: este perfil não muda.')
        : cartao(
            null,
            formulario({
              para: `/configuracoes/perfis/${id}`,
              estado,
              rotulos: { nome: 'Nome', permissoes: 'Permissões' },
              enviar: 'Salvar',
              volta: PERFIS_NA_MIGALHA[1],
              corpo: html`<p>Se o que o perfil pode mudar, as sessões de quem o tem terminam, e eles entram de novo.</p>
                ${versaoLida({ estado, campos: camposDoPerfil(perfil), rotulos: { nome: 'Nome', permissoes: 'Permissões' } })}
                ${entrada(estado, { nome: 'nome', rotulo: 'Nome', maximo: 60, obrigatorio: true })}
                ${conjunto(
                  estado,
                  { nome: 'permissoes', rotulo: 'Permissões' },
                  html`${GRUPOS.map(([grupo, nomes]) => grupoDeCaixas(sessao, estado, perfil, grupo, nomes))}`,
                )}`,
            }),
          ),
  };
}

export const telaDaRemocao = ({ id, nome }: Perfil, estado: EstadoDoFormulario = EM_BRANCO): Tela => ({
  titulo: `Remover o perfil ${nome}`,
  menu: 'perfis',
  migalhas: [PERFIS_NA_MIGALHA, [nome, `/configuracoes/perfis/${id}`]],
  corpo: cartao(
    null,
    html`<p>O perfil deixa de existir. Só dá para remover um perfil que nenhum usuário tem, nem os desativados.</p>
      ${formulario({
        para: `/configuracoes/perfis/${id}/remover`,
        estado,
        rotulos: {},
        corpo: html``,
        enviar: 'Remover',
        volta: `/configuracoes/perfis/${id}`,
        perigoso: true,
      })}`,
  ),
});
