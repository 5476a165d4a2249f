import { versaoDe } from '../../../domain/campos/versao.ts';
import type { Perfil } from '../../../domain/usuarios/perfis/perfis.types.ts';
import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { escondido } from '../formulario/formulario.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

/** The permissions that the card switches, by the names of its fields. */
const DO_CARTAO = { gerir: 'chaves.gerir', ver: 'chaves.ver' } as const satisfies Readonly<
  Record<string, PermissaoPainel>
>;
type DoCartao = keyof typeof DO_CARTAO;

/** What the card is to make of a profile; null where it stays as it is. */
export function permissoesDepois(
  { id, permissoes, deFabrica }: Perfil,
  marcados: Readonly<Record<DoCartao, readonly string[]>>,
): readonly PermissaoPainel[] | null {
  if (deFabrica === 'administrador') return null;
  const [gerir, ver] = [marcados.gerir.includes(String(id)), marcados.ver.includes(String(id))];
  const fica: Readonly<Record<string, boolean>> = { [DO_CARTAO.gerir]: gerir, [DO_CARTAO.ver]: ver };
  const mudou = Object.entries(fica).some(([nome, tem]) => permissoes.some((uma) => uma === nome) !== tem);
  if (!mudou) return null;
  const outras = permissoes.filter((uma) => fica[uma] === undefined);
  return [...outras, ...(gerir ? [DO_CARTAO.gerir] : []), ...(ver ? [DO_CARTAO.ver] : [])];
}

/** What the card shows; see `versaoDe`. */
export const camposDoCartao = (perfis: readonly Perfil[]): Readonly<Record<DoCartao, readonly number[]>> => {
  const com = (qual: PermissaoPainel): number[] =>
    perfis.filter(({ permissoes }) => permissoes.includes(qual)).map(({ id }) => id);
  return { gerir: com(DO_CARTAO.gerir), ver: com(DO_CARTAO.ver) };
};

/** Who makes and revokes keys, and who sees them. */
export function cartaoDePermissoes(sessao: Sessao, perfis: readonly Perfil[]): Html {
  const muda = pode(sessao, 'usuarios.gerir');
  const chave = ({ id, nome, permissoes, deFabrica }: Perfil, qual: DoCartao, dito: string): Html => {
    const fixo = deFabrica === 'administrador';
    return html`<label class="form-check form-switch m-0"
      ><input
        class="form-check-input"
        type="checkbox"
        name="${qual}"
        value="${id}"
        aria-label="${nome}: ${dito}"
        ${permissoes.includes(DO_CARTAO[qual]) ? html`checked` : null}
        ${fixo || !muda ? html`disabled` : null}
    /></label>`;
  };
  const linhas = html`<div class="table-responsive" tabindex="0" role="region" aria-label="Permissões dos perfis">
    <table class="table table-vcenter tabela">
      <caption class="invisivel">
        O que cada perfil pode fazer com as chaves
      </caption>
      <thead>
        <tr>
          <th scope="col">Perfil</th>
          <th scope="col">Cria e revoga</th>
          <th scope="col">Vê</th>
        </tr>
      </thead>
      <tbody>
        ${perfis.map(
          (perfil) =>
            html`<tr>
              <th scope="row">
                ${perfil.nome}${perfil.deFabrica === 'administrador' ? html` <span class="text-secondary fw-normal">(sempre)</span>` : null}
              </th>
              <td>${chave(perfil, 'gerir', 'pode criar e revogar chaves')}</td>
              <td>${chave(perfil, 'ver', 'pode ver chaves')}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
  const para = `${BASE}/configuracoes/api/permissoes`;
  const corpo = muda
    ? html`<form method="post" action="${para}" hx-post="${para}" hx-target="#conteudo" hx-swap="innerMorph">
        ${escondido('versao', versaoDe(camposDoCartao(perfis)))} ${linhas}
        <div class="card-footer">
          <p class="text-secondary">
            Quem está num perfil que muda precisa entrar de novo. Ninguém dá a uma chave o que ele mesmo não pode.
          </p>
          <button class="btn">Salvar permissões</button>
        </div>
      </form>`
    : html`${linhas}
        <p class="card-footer text-secondary m-0">Quem gere os usuários do provedor muda isto.</p>`;
  return cartao('Permissões', corpo, { rente: true, id: 'permissoes' });
}
