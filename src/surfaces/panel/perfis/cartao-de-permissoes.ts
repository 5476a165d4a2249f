import { conferirLidos, versaoDe } from '../../../domain/campos/versao.ts';
import { camposDoPerfil } from '../../../domain/usuarios/perfis/perfis.service.ts';
import type { Perfil } from '../../../domain/usuarios/perfis/perfis.types.ts';
import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { escondido } from '../formulario/formulario.ts';
import { comVersao } from '../formulario/versao.ts';
import { pode } from '../sessao.ts';
import type { ChamadaDeAcao } from '../rota.ts';
import type { Sessao } from '../sessao.ts';

/** What a card switches, by the names of its fields, and in which words. */
export interface DoCartao {
  readonly gerir: PermissaoPainel;
  readonly ver: PermissaoPainel;
  /** Where it is sent, below `/painel`. */
  readonly para: string;
  /** What the profiles may do it with, such as `as chaves`. */
  readonly oQue: string;
  readonly gere: string;
  readonly rodape: string;
}
type Campo = 'gerir' | 'ver';

/** What the card is to make of a profile; null where it stays as it is. */
function permissoesDepois(
  doCartao: Pick<DoCartao, Campo>,
  { id, permissoes, deFabrica }: Perfil,
  marcados: Readonly<Record<Campo, readonly string[]>>,
): readonly PermissaoPainel[] | null {
  if (deFabrica === 'administrador') return null;
  const [gerir, ver] = [marcados.gerir.includes(String(id)), marcados.ver.includes(String(id))];
  const fica: Readonly<Record<string, boolean>> = { [doCartao.gerir]: gerir, [doCartao.ver]: ver };
  const mudou = Object.entries(fica).some(([nome, tem]) => permissoes.some((uma) => uma === nome) !== tem);
  if (!mudou) return null;
  const outras = permissoes.filter((uma) => fica[uma] === undefined);
  return [...outras, ...(gerir ? [doCartao.gerir] : []), ...(ver ? [doCartao.ver] : [])];
}

/** What the card shows; see `versaoDe`. */
const camposDoCartao = (
  doCartao: Pick<DoCartao, Campo>,
  perfis: readonly Perfil[],
): Readonly<Record<Campo, readonly number[]>> => {
  const com = (qual: PermissaoPainel): number[] =>
    perfis.filter(({ permissoes }) => permissoes.includes(qual)).map(({ id }) => id);
  return { gerir: com(doCartao.gerir), ver: com(doCartao.ver) };
};

/** Makes the profiles what a card that was sent says. */
export async function gravarPermissoes(
  doCartao: Pick<DoCartao, Campo>,
  {
    ator,
    dados,
    servicos: { perfis },
    sessao: { provedor },
  }: Pick<ChamadaDeAcao, 'ator' | 'dados' | 'servicos' | 'sessao'>,
): Promise<void> {
  const marcados = { gerir: listados(dados['gerir']), ver: listados(dados['ver']) };
  const todos = await perfis.listar(provedor.id);
  conferirLidos(comVersao(dados).lida.versao, camposDoCartao(doCartao, todos));
  for (const perfil of todos) {
    const permissoes = permissoesDepois(doCartao, perfil, marcados);
    if (permissoes === null) continue;
    const versao = versaoDe(camposDoPerfil(perfil));
    await perfis.alterar(ator, provedor.id, perfil.id, { permissoes }, { versao });
  }
}

const listados = (valor: unknown): readonly string[] => (Array.isArray(valor) ? valor.map(String) : []);

/** Who manages something, and who sees it. */
export function cartaoDePermissoes(sessao: Sessao, perfis: readonly Perfil[], doCartao: DoCartao): Html {
  const muda = pode(sessao, 'usuarios.gerir');
  const chave = ({ id, nome, permissoes, deFabrica }: Perfil, qual: Campo, dito: string): Html => {
    const fixo = deFabrica === 'administrador';
    return html`<label class="form-check form-switch m-0"
      ><input
        class="form-check-input"
        type="checkbox"
        name="${qual}"
        value="${id}"
        aria-label="${nome}: ${dito}"
        ${permissoes.includes(doCartao[qual]) ? html`checked` : null}
        ${fixo || !muda ? html`disabled` : null}
    /></label>`;
  };
  const linhas = html`<div class="table-responsive" tabindex="0" role="region" aria-label="Permissões dos perfis">
    <table class="table table-vcenter tabela matriz">
      <caption class="invisivel">
        O que cada perfil pode fazer com ${doCartao.oQue}
      </caption>
      <thead>
        <tr>
          <th scope="col">Perfil</th>
          <th scope="col">${doCartao.gere}</th>
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
              <td>${chave(perfil, 'gerir', `${doCartao.gere.toLowerCase()} ${doCartao.oQue}`)}</td>
              <td>${chave(perfil, 'ver', `vê ${doCartao.oQue}`)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
  const para = `${BASE}${doCartao.para}`;
  const corpo = muda
    ? html`<form method="post" action="${para}" hx-post="${para}" hx-target="#conteudo" hx-swap="innerMorph">
        ${escondido('versao', versaoDe(camposDoCartao(doCartao, perfis)))} ${linhas}
        <div class="card-footer">
          <p class="text-secondary">Quem está num perfil que muda precisa entrar de novo. ${doCartao.rodape}</p>
          <button class="btn">Salvar permissões</button>
        </div>
      </form>`
    : html`${linhas}
        <p class="card-footer text-secondary m-0">Quem gere os usuários do provedor muda isto.</p>`;
  return cartao('Permissões', corpo, { rente: true, id: 'permissoes' });
}
