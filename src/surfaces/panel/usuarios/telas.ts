import { OCIOSO_MINUTOS } from '../../../domain/provedores/configuracao/politica.service.ts';
import type { Perfil } from '../../../domain/usuarios/perfis/perfis.types.ts';
import type { LinkEnviado } from '../../../domain/usuarios/usuarios.service.ts';
import type { Usuario } from '../../../domain/usuarios/usuarios.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, etiqueta } from '../componentes/cartao.ts';
import { ha, instante } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { caixa, entrada, escolha } from '../formulario/campos.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { versaoLida } from '../formulario/versao.ts';
import { formulario } from '../formulario/formulario.ts';
import { daqui } from '../pedido.ts';
import type { Chamada, Tela } from '../rota.ts';
import type { Sessao } from '../sessao.ts';

export const USUARIOS_NA_MIGALHA: readonly [string, string] = ['Usuários', '/configuracoes/usuarios'];

type NaTela = Pick<Chamada, 'sessao' | 'servicos' | 'agora'>;

/** What profiles somebody may give, and whom he may change: nobody grants what he lacks. */
export const alcanca = ({ perfil }: Pick<Sessao, 'perfil'>, { permissoes }: Pick<Perfil, 'permissoes'>): boolean =>
  permissoes.every((uma) => perfil.permissoes.includes(uma));

const SITUACOES = {
  ativo: etiqueta('ativo', 'green'),
  convidado: etiqueta('convidado', 'blue'),
  desativado: etiqueta('desativado', 'secondary'),
} as const;

export const situacao = ({ situacao: qual }: Usuario): Html => SITUACOES[qual];

/** Everybody of the provider, and what it asks of their sessions. */
export async function telaDosUsuarios(chamada: NaTela, politica: EstadoDoFormulario | null = null): Promise<Tela> {
  const { sessao, servicos, agora } = chamada;
  const { provedor } = sessao;
  const todos = await servicos.usuarios.listar(provedor.id);
  const sessoes = await servicos.sessoes.contar(
    provedor.id,
    todos.map(({ id }) => id),
    sessao.politica,
  );
  const { exigirFator, ociosoMinutos } = sessao.politica;
  return {
    titulo: 'Usuários',
    menu: 'usuarios',
    acoes: html`<a class="btn btn-primary" href="${BASE}/configuracoes/usuarios/novo"
      >${icone('user-plus')} Convidar</a
    >`,
    corpo: html`${cartao(
      null,
      tabela({
        legenda: 'Usuários do painel',
        linhas: todos,
        vazia: vazio('users', 'Ninguém ainda', 'Convide quem trabalha com você.'),
        colunas: [
          {
            titulo: 'Nome',
            principal: true,
            celula: ({ id, nome, email }) =>
              html`<span
                ><a href="${BASE}/configuracoes/usuarios/${id}">${nome}</a><br /><small class="text-secondary"
                  >${email}</small
                ></span
              >`,
          },
          { titulo: 'Situação', celula: situacao },
          { titulo: 'Perfil', celula: ({ perfil }) => perfil.nome },
          { titulo: 'Segundo fator', celula: ({ temFator }) => (temFator ? 'sim' : 'não') },
          { titulo: 'Última entrada', celula: ({ entrouEm }) => ha(agora, entrouEm) ?? 'nunca' },
          { titulo: 'Sessões abertas', direita: true, celula: ({ id }) => sessoes.get(id) ?? 0 },
        ],
      }),
      { rente: true },
    )}
    ${cartao(
      'Segurança das sessões',
      formularioDaPolitica(politica ?? preenchido({ exigir_fator: exigirFator, ocioso_minutos: ociosoMinutos }), {
        exigir_fator: exigirFator ? 1 : 0,
        ocioso_minutos: ociosoMinutos,
      }),
    )}`,
  };
}

const formularioDaPolitica = (
  estado: EstadoDoFormulario,
  campos: { readonly exigir_fator: number; readonly ocioso_minutos: number },
): Html =>
  formulario({
    para: '/configuracoes/usuarios/politica',
    estado,
    rotulos: { exigir_fator: 'Pedir o segundo fator de todos', ocioso_minutos: 'Minutos sem uso' },
    enviar: 'Salvar',
    corpo: html`${versaoLida({ estado, campos, rotulos: { ocioso_minutos: 'Minutos sem uso' } })}
    ${caixa(estado, {
      nome: 'exigir_fator',
      rotulo: 'Pedir o segundo fator de todos',
      dica: 'Sem isto, só dos perfis que gerem usuários, chaves, cobrança ou dados. Quem ainda não tem um cadastra ao entrar.',
    })}
    ${entrada(estado, {
      nome: 'ocioso_minutos',
      rotulo: 'Minutos sem uso',
      dica: `Depois deles a sessão termina. De ${OCIOSO_MINUTOS.menor} a ${OCIOSO_MINUTOS.maior} (12 horas).`,
      teclado: 'numeric',
      maximo: 3,
      obrigatorio: true,
    })}`,
  });

const ROTULOS = { nome: 'Nome', email: 'E-mail', perfil_id: 'Perfil' };

/** Of one who is invited, or of one who is there already. */
export function camposDoUsuario(estado: EstadoDoFormulario, perfis: readonly Perfil[], comEmail: boolean): Html {
  return html`${entrada(estado, { nome: 'nome', rotulo: 'Nome', maximo: 120, obrigatorio: true })}
  ${
    comEmail
      ? entrada(estado, {
          nome: 'email',
          rotulo: 'E-mail',
          dica: 'É com ele que a pessoa entra.',
          tipo: 'email',
          obrigatorio: true,
        })
      : entrada(estado, {
          nome: 'cpf',
          rotulo: 'CPF',
          dica: 'É com ele que a pessoa entra no app.',
          teclado: 'numeric',
          maximo: 14,
        })
  }
  ${escolha(estado, {
    nome: 'perfil_id',
    rotulo: 'Perfil',
    dica: 'Só aparecem os perfis que não podem mais do que o seu.',
    vazia: 'Escolha',
    opcoes: perfis.map(({ id, nome }) => ({ valor: String(id), texto: nome })),
    obrigatorio: true,
  })}`;
}

export async function telaDoConvite(
  { sessao, servicos }: NaTela,
  estado: EstadoDoFormulario = EM_BRANCO,
): Promise<Tela> {
  const perfis = (await servicos.perfis.listar(sessao.provedor.id)).filter((um) => alcanca(sessao, um));
  return {
    titulo: 'Convidar usuário',
    menu: 'usuarios',
    migalhas: [USUARIOS_NA_MIGALHA],
    corpo: cartao(
      null,
      html`<p>A pessoa recebe um link, que vale 72 horas, e escolhe a própria senha.</p>
        ${formulario({
          para: '/configuracoes/usuarios/novo',
          estado,
          rotulos: ROTULOS,
          enviar: 'Convidar',
          volta: USUARIOS_NA_MIGALHA[1],
          corpo: camposDoUsuario(estado, perfis, true),
        })}`,
    ),
  };
}

/** A link that was made, this once. */
export function telaDoLink(
  { usuarioId, url, enviado, expiraEm }: LinkEnviado,
  { sessao: { provedor }, origem }: Pick<Chamada, 'sessao' | 'origem'>,
  para: string,
): Tela {
  return {
    titulo: 'Link pronto',
    menu: 'usuarios',
    migalhas: [USUARIOS_NA_MIGALHA],
    corpo: html`${aviso(
      enviado ? 'success' : 'warning',
      enviado
        ? `O link foi enviado para ${para}. Se não chegar, copie daqui.`
        : 'O e-mail não foi enviado. Copie o link e entregue-o só à própria pessoa.',
    )}
    ${cartao(
      'Copie agora: não será mostrado outra vez',
      html`<p class="segredo" id="link">${daqui(url, origem)}</p>
        <p class="text-secondary">Serve uma vez, até ${instante(provedor.fusoHorario, expiraEm)}.</p>
        <div class="acoes">
          <button class="btn btn-primary com-script" type="button" data-copia="link">${icone('copy')} Copiar</button>
          <a class="btn" href="${BASE}/configuracoes/usuarios/${usuarioId}">Ver o usuário</a>
        </div>`,
    )}`,
  };
}
